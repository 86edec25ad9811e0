/** Reads a scripted value as an output, a choice or a failure. */
import type { NodeIr } from "../../dsl/index.ts";
import type { Handoff } from "../envelope.ts";
import type { Failure, FailureClass } from "../failure.ts";
import { decided } from "../performer.ts";
import { describeMisfit, misfits } from "../state/json-schema.ts";

/** The result of a scripted node. */
export interface ScriptedResult {
  /** The values to write; absent where the work is handed over. */
  readonly output?: unknown;
  /** The value with which the performer resolves. */
  readonly result: unknown;
}

/**
 * A node that writes and chooses says both: `{ goto: "billing", update: … }`. An agent that hands its work over says
 * `{ goto: "billing", handoff: { task: "…", payload: … } }`, and writes nothing.
 */
export function saidBy(
  { writes, conversation }: NodeIr,
  value: unknown,
  choices: readonly string[],
): ScriptedResult {
  const plain = { output: value, result: value };
  if (choices.length === 0 || typeof value !== "object" || value === null) return plain;
  const { goto, update, handoff } = value as {
    readonly goto?: unknown;
    readonly update?: unknown;
    readonly handoff?: unknown;
  };
  if (goto === undefined) return plain;
  if (isHandoff(handoff)) return { result: decided(null, String(goto), handoff) };
  if (writes.length === 0 && conversation === undefined) return plain;
  return { output: update, result: decided(update, String(goto)) };
}

function isHandoff(value: unknown): value is Handoff {
  return typeof value === "object" && value !== null && ("task" in value || "payload" in value);
}

/** Describes where a value does not fit what the node writes; `undefined` if it fits. */
export function misfitOf(node: NodeIr, value: unknown): string | undefined {
  if (node.output === undefined || node.writes.length === 0) return undefined;
  const [first] = misfits(value, node.output);
  return first === undefined || isItem(node, value) ? undefined : describeMisfit(first);
}

/** One item for a list; whether the field takes items, the commit finds out. */
function isItem({ output, writes }: NodeIr, value: unknown): boolean {
  const isList = output?.type === "array" && writes.length === 1 && !Array.isArray(value);
  return isList && output !== undefined && misfits([value], output).length === 0;
}

/** The failure that a scripted value stands for: a message, or an object with one and its class. A person says no. */
export function failureOf(
  value: unknown,
  { name, kind: nodeKind }: Pick<NodeIr, "name" | "kind">,
): Failure {
  const members =
    typeof value === "object" && value !== null
      ? (value as {
          readonly class?: unknown;
          readonly message?: unknown;
          readonly limit?: unknown;
        })
      : { message: value };
  const kind =
    CLASSES.find((known) => known === members.class) ?? (nodeKind === "human" ? "denied" : "model");
  const message = typeof members.message === "string" ? members.message : `\`${name}\` failed`;
  const limit = typeof members.limit === "string" ? members.limit : "time";
  return {
    class: kind,
    code: CODES[kind] ?? "M8110",
    message,
    ...(kind === "limit" ? { limit } : {}),
  };
}

const CLASSES: readonly FailureClass[] = [
  "transport",
  "model",
  "filter",
  "refusal",
  "invalid",
  "tool",
  "timeout",
  "denied",
  "limit",
];

/** The codes that such failures have in runs. */
const CODES: Readonly<Partial<Record<FailureClass, Failure["code"]>>> = {
  transport: "M8106",
  filter: "M8210",
  refusal: "M8211",
  invalid: "M8120",
  tool: "M8301",
  denied: "M5313",
  limit: "M5010",
};
