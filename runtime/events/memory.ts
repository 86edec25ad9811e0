import type { IntentRecord, LogRecord, OutcomeRecord, StartRecord } from "../records.ts";
import type { FlowOp } from "../scheduler/flow-op.ts";
import { addUsage, noUsage, type Usage } from "../usage.ts";

/** What the records so far said that later ones only refer to. */
export interface EventMemory {
  readonly begin: { readonly seq: number; readonly at: number };
  readonly lastSeq: number;
  readonly step: number;
  /** Of the attempts that ended. */
  readonly usage: Usage;
  /** The latest start of each node run that has not committed. */
  readonly starts: ReadonlyMap<number, LogRecord & StartRecord>;
  /** Which node run's end made a node run due. */
  readonly causes: ReadonlyMap<number, number>;
  /** Calls under way, by `callKey`. */
  readonly calls: ReadonlyMap<string, LogRecord & IntentRecord>;
  readonly expansions: ReadonlyMap<number, Expansion>;
}

/** One use of an `each`. */
export interface Expansion {
  readonly each: number;
  readonly items: number;
  readonly at: number;
}

/** A memory that `remember` adds to; readers see it as `EventMemory`. */
export type GrowingMemory = {
  -readonly [K in Exclude<keyof EventMemory, MapName>]: EventMemory[K];
} & { readonly [K in MapName]: Map<KeyOf<EventMemory[K]>, ValueOf<EventMemory[K]>> };

type MapName = "starts" | "causes" | "calls" | "expansions";
type KeyOf<M> = M extends ReadonlyMap<infer K, unknown> ? K : never;
type ValueOf<M> = M extends ReadonlyMap<unknown, infer V> ? V : never;

export function emptyMemory(): GrowingMemory {
  return {
    begin: { seq: 0, at: 0 },
    lastSeq: 0,
    step: 0,
    usage: noUsage,
    starts: new Map(),
    causes: new Map(),
    calls: new Map(),
    expansions: new Map(),
  };
}

/** A call's name within its run. */
export function callKey(call: Pick<OutcomeRecord, "id" | "attempt" | "call">): string {
  return `${call.id}/${call.attempt}/${call.call}`;
}

/** Adds what later records will refer to, and drops what they no longer can. */
export function remember(memory: GrowingMemory, record: LogRecord): void {
  memory.lastSeq = record.seq;
  switch (record.kind) {
    case "run":
      memory.begin = { seq: record.seq, at: record.at };
      rememberFlow(memory, record.flow, { at: record.at, mover: undefined });
      return;
    case "start":
      memory.starts.set(record.id, record);
      return;
    case "intent":
      memory.calls.set(callKey(record), record);
      return;
    case "outcome":
      memory.calls.delete(callKey(record));
      return;
    case "attempt":
      memory.usage = addUsage(memory.usage, record.usage);
      rememberFlow(memory, record.flow ?? [], { at: record.at, mover: record.id });
      return;
    case "commit":
      memory.usage = addUsage(memory.usage, record.usage);
      memory.step = record.step;
      memory.starts.delete(record.id);
      memory.causes.delete(record.id);
      rememberFlow(memory, record.flow, { at: record.at, mover: record.id });
      return;
    case "control":
    case "end":
      return;
  }
}

function rememberFlow(
  memory: GrowingMemory,
  flow: readonly FlowOp[],
  { at, mover }: { readonly at: number; readonly mover: number | undefined },
): void {
  for (const op of flow) {
    if (op.op === "activate" && mover !== undefined) memory.causes.set(op.id, mover);
    if (op.op === "expand") memory.expansions.set(op.expansion, expansionOf(op, at));
    if (op.op === "expanded") memory.expansions.delete(op.expansion);
  }
}

/** What is kept of an `expand`. */
export function expansionOf(op: FlowOp & { readonly op: "expand" }, at: number): Expansion {
  return { each: op.each, items: op.items.length, at };
}
