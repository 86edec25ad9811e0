/** Reads what the `context { … }` of a node says about a long conversation. The log keeps all of it. */
import { contextFaults, isRecord, type JsonSchema } from "../../../dsl/index.ts";
import { RunError } from "../../failure.ts";

/** The rules by which a conversation is shortened before each call. Sizes are in tokens. */
export interface ContextPolicy {
  /** The most that a call shows; up to 1 a share of what the model can read. */
  readonly limit?: number;
  /** The number of turns of tool calls to show, taken from the first and the last. */
  readonly keep?: number;
  /** The number of images and files to show, from the last. */
  readonly media?: number;
  /** Results of tools that are longer and equal to an earlier one are not shown again. */
  readonly repeated?: number;
  readonly offload?: OffloadPolicy;
  readonly summarize?: SummarizePolicy;
}

/** Returns whether the `context` of a node has its model explain each tool call. */
export function explainsCalls(context: unknown): boolean {
  return isRecord(context) && context.explain === true;
}

export interface OffloadPolicy {
  /** Results of tools that are longer are shown by their two ends. */
  readonly over: number;
  /** The tokens of such a result that are shown. */
  readonly preview: number;
  /** The tools whose results are shown whole, as the program names them. */
  readonly except: readonly string[];
}

export interface SummarizePolicy {
  readonly at?: number;
  /** The number of answers of the model after which it is summarised. */
  readonly every?: number;
  /** The alias or the id of the model that summarises. */
  readonly by?: string;
  readonly schema?: JsonSchema;
}

/** Throws M8121 for what is no such policy. */
export function readPolicy(value: unknown, node: string): ContextPolicy {
  if (value === undefined) return {};
  const [fault] = contextFaults(value);
  if (fault !== undefined) {
    const { message, hint } = fault;
    throw new RunError("M8121", `the context of \`${node}\` is wrong: ${message}`, { hint });
  }
  const {
    offload,
    summarize,
    explain: _,
    ...numbers
  } = value as Omit<ContextPolicy, "offload" | "summarize"> & {
    readonly explain?: boolean;
    readonly offload?: number | (Pick<OffloadPolicy, "over"> & Partial<OffloadPolicy>);
    readonly summarize?: number | SummarizePolicy;
  };
  return {
    ...numbers,
    ...(offload === undefined ? {} : { offload: readOffload(offload) }),
    ...(summarize === undefined
      ? {}
      : { summarize: isRecord(summarize) ? summarize : { at: summarize } }),
  };
}

function readOffload(
  offload: number | (Pick<OffloadPolicy, "over"> & Partial<OffloadPolicy>),
): OffloadPolicy {
  const { over, preview = over, except = [] } = isRecord(offload) ? offload : { over: offload };
  return { over, preview: Math.min(over, preview), except };
}
