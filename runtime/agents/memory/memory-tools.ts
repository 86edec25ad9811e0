/** Makes tools of the memories that a node names: an agent recalls, stores and forgets entries of its own accord. */
import {
  type DottedIr,
  type Ir,
  isRecord,
  type JsonSchema,
  MEMORY_TOOLS,
  type MemoryIr,
  memorySettings,
  type NodeIr,
  toJsonSchema,
} from "../../../dsl/index.ts";
import { messageOf } from "../../failure.ts";
import type { Attempt } from "../../performer.ts";
import type { QueryVector, Recalled, RecallRequest } from "../../records/memory-records.ts";
import type { FunctionCall } from "../../scheduler/expressions/calls.ts";
import { RECALL } from "../../scheduler/expressions/calls.ts";
import { isEntryOf, writtenKey } from "../../scheduler/recalls.ts";
import type { Memories, MemorySpace } from "../../store/memories/memory.ts";
import type { Scope } from "../scope/scope.ts";
import { type CalledToolContext, type PreparedToolOptions, tool } from "../scope/tools.ts";
import type { EmbedQuery } from "./embed-query.ts";

/** The memories of a run, as its tools reach them. */
export interface MemoryToolsOptions {
  readonly runId: string;
  readonly memories: Memories | undefined;
  /** The memory of the run's own user, thread or node. */
  readonly space: (of: Pick<RecallRequest, "memory" | "scope" | "agent">) => MemorySpace;
  readonly recall: (call: FunctionCall) => Promise<Recalled>;
  readonly embed: EmbedQuery;
  /** Hides secrets in what is stored. */
  readonly redact: (text: string) => string;
}

/** Returns the groups of tools of the memories that the node of an attempt names among its tools; undefined where it names none. */
export type MemoryTools = (attempt: Attempt) => Scope | undefined;

export function createMemoryTools(options: MemoryToolsOptions): MemoryTools {
  return ({ ir, node }) => {
    const heads = new Set(namedTools(node).map(([head]) => head));
    const named = ir.memories.filter(({ name }) => heads.has(name));
    if (named.length === 0) return undefined;
    return Object.fromEntries(
      named.map((memory) => [memory.name, toolsOf(options, { ir, node, memory })]),
    );
  };
}

function namedTools({ kind, tools, call }: NodeIr): readonly DottedIr[] {
  return kind === "tool" && call !== undefined ? [call.callee] : tools;
}

interface MemoryOfNode {
  readonly ir: Ir;
  readonly node: NodeIr;
  readonly memory: MemoryIr;
}

const TOP = 5;
const TOP_MAX = 50;

function toolsOf(options: MemoryToolsOptions, of: MemoryOfNode): Scope {
  const { name } = of.memory;
  const { review = false } = memorySettings(of.memory);
  const later = review ? " A person looks at it before it is found." : "";
  return {
    recall: recallTool(options, of),
    store: tool(
      (input: { value: unknown }, context: CalledToolContext) => {
        return stored(options, of, { value: input.value, context });
      },
      {
        effect: MEMORY_TOOLS.store,
        description: `Stores an entry in the memory \`${name}\`, which outlives this run.${later}`,
        input: objectOf({ value: schemaOf(of) }),
      },
    ),
    forget: tool(
      ({ id }: { id: string }, { seq = 0 }: CalledToolContext) => {
        options.memories?.retire(spaceIn(options, of), id, { runId: options.runId, seq });
        return { forgotten: id };
      },
      {
        effect: MEMORY_TOOLS.forget,
        description: `Takes an entry out of the memory \`${name}\`, by the id that \`recall\` shows.`,
        input: objectOf({ id: { type: "string" } }),
      },
    ),
  };
}

function recallTool(options: MemoryToolsOptions, of: MemoryOfNode) {
  const { ir, memory } = of;
  const { min, embed } = memorySettings(memory);
  const vectors = new Map<string, QueryVector>();
  const requestOf = ({ query, top = TOP }: RecallInput): RecallRequest => ({
    ...memoryNamed(of),
    text: query,
    top,
    ...(min === undefined ? {} : { min }),
    ...(embed === undefined ? {} : { embed }),
  });
  const recall = async (input: RecallInput) => {
    const vector = vectors.get(input.query);
    const { entries, fault } = await options.recall({
      name: RECALL,
      args: [requestOf(input)],
      fits: (value) => isEntryOf(ir, memory, value),
      ...(vector === undefined ? {} : { vector }),
    });
    const shown = entries.map(({ id, value }) => ({ id, value }));
    return fault === undefined ? { entries: shown } : { entries: shown, fault };
  };
  const input = {
    ...objectOf({
      query: { type: "string", description: "The words to look for; empty for the newest." },
      top: { type: "integer", minimum: 1, maximum: TOP_MAX, description: `${TOP} if left out.` },
    }),
    required: ["query"],
  } as const;
  const description = `Finds the entries of the memory \`${memory.name}\` that fit best, with their ids.`;
  return tool(recall, {
    ...{ effect: MEMORY_TOOLS.recall, description, input },
    // The question is embedded by a call of its own, which is in the log before the tool's.
    prepare: async (asked, effect) => {
      if (!isRecord(asked) || typeof asked.query !== "string") return;
      const request = requestOf({ query: asked.query });
      const vector = await options.embed({ ir, request }, effect);
      if (vector !== undefined) vectors.set(asked.query, vector);
    },
  } satisfies PreparedToolOptions);
}

interface RecallInput {
  readonly query: string;
  readonly top?: number;
}

/** Stores a value for the run's own user. Made again after a crash, it stores nothing a second time. */
function stored(
  { memories, redact, runId, ...options }: MemoryToolsOptions,
  of: MemoryOfNode,
  { value, context }: { readonly value: unknown; readonly context: CalledToolContext },
) {
  const { keepMs, review = false } = memorySettings(of.memory);
  const { seq = 0, askedAt: at = 0 } = context;
  const written: unknown = JSON.parse(redact(JSON.stringify(value)));
  const key = writtenKey(of, written);
  try {
    const entry = memories?.add({
      ...spaceIn(options, of),
      ...{ value: written, at, source: { runId, seq, place: 0, node: of.node.name } },
      ...(key === undefined ? {} : { key }),
      ...(keepMs === undefined ? {} : { expiresAt: at + keepMs }),
      ...(review ? { isProposed: true } : {}),
    });
    return { id: entry?.id ?? null, state: entry?.state ?? null };
  } catch (cause) {
    throw new Error(`the memory \`${of.memory.name}\` could not be written: ${messageOf(cause)}`, {
      cause,
    });
  }
}

function spaceIn({ space }: Pick<MemoryToolsOptions, "space">, of: MemoryOfNode): MemorySpace {
  return space(memoryNamed(of));
}

function memoryNamed({ ir, node, memory }: MemoryOfNode) {
  return {
    memory: memory.name,
    scope: memory.scope ?? "user",
    agent: `${ir.name}.${node.name}`,
  } as const;
}

function schemaOf({ ir, memory }: MemoryOfNode): JsonSchema {
  const types = new Map(ir.types.map(({ name, type }) => [name, type]));
  return toJsonSchema(memory.type, types).schema;
}

function objectOf(properties: Readonly<Record<string, JsonSchema>>) {
  return {
    type: "object",
    properties,
    required: Object.keys(properties),
    additionalProperties: false,
  } as const;
}
