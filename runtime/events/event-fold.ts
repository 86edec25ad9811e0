/** Folds records into what the events of later records refer to. */
import type { Ir } from "../../dsl/index.ts";
import type { IntentRecord, OutcomeRecord } from "../records/call-records.ts";
import type { BranchRecord, ModifyRecord, RewindRecord } from "../records/control-records.ts";
import {
  type AnswerRecord,
  type InterruptRecord,
  innermost,
  type LogRecord,
  type StartRecord,
  type SubRecord,
  type ToolUse,
} from "../records/records.ts";
import type { FlowOp } from "../scheduler/flow/flow-op.ts";
import { addUsage, chargeOf, noUsage, type Usage } from "../usage.ts";
import type { FlowNames } from "./flow-names.ts";
import { interruptTurn, isControllers, rememberTurn, type TurnMemory } from "./operator-turns.ts";

/** The facts of earlier records that later records refer to. */
export interface EventMemory {
  readonly begin: { readonly seq: number; readonly at: number };
  readonly lastSeq: number;
  readonly step: number;
  /** Of all calls that came back. */
  readonly usage: Usage;
  /** The latest start of each node run that has not committed. */
  readonly starts: ReadonlyMap<number, LogRecord & StartRecord>;
  /** The node runs whose attempt is under way. */
  readonly running: ReadonlySet<number>;
  /** Since when the run is held. */
  readonly heldSince: number | undefined;
  /** The milliseconds that open node runs had been held before, by node run. */
  readonly held: ReadonlyMap<number, number>;
  /** Questions that wait, by their ids, and since when node runs under way wait for them. */
  readonly interrupts: ReadonlyMap<string, LogRecord & InterruptRecord>;
  readonly waitingSince: ReadonlyMap<number, number>;
  /** The activation of each node run; a rewind may restore any of them. */
  readonly activations: ReadonlyMap<number, ActivationFacts>;
  /** Calls under way, by `callKey`. */
  readonly calls: ReadonlyMap<string, LogRecord & IntentRecord>;
  /** The turn of each operator under way. */
  readonly turns: ReadonlyMap<number, TurnMemory>;
  /** Every use of an `each`; a rewind may bring back one that is over. */
  readonly expansions: ReadonlyMap<number, ExpansionFacts>;
  /** The scope around each item's scope. */
  readonly scopes: ReadonlyMap<number, number>;
  /** The use of an `each` that an item's scope is of. */
  readonly itemsOf: ReadonlyMap<number, number>;
  /** The graphs that node runs have called. */
  readonly called: ReadonlyMap<number, CalledMemory>;
}

/** The facts of a called graph. */
export interface CalledMemory {
  readonly memory: GrowingMemory;
  readonly ir?: Ir;
  readonly names: FlowNames;
  /** The attempt that called it. */
  readonly begun: number;
  /** The call of a tool that it is, where an agent called it. */
  readonly tool?: ToolUse;
}

interface ActivationFacts {
  /** The node run whose end made it due; none for what the run itself starts. */
  readonly cause: number | undefined;
  readonly scope: number;
}

/** One use of an `each`. */
export interface ExpansionFacts {
  readonly each: number;
  readonly scope: number;
  readonly items: number;
  readonly at: number;
}

/** A memory that `remember` adds to; readers see it as `EventMemory`. */
export type GrowingMemory = { -readonly [K in keyof EventMemory]: Growing<EventMemory[K]> };

type Growing<T> =
  T extends ReadonlyMap<infer K, infer V> ? Map<K, V> : T extends ReadonlySet<infer V> ? Set<V> : T;

export function emptyMemory(): GrowingMemory {
  return {
    begin: { seq: 0, at: 0 },
    lastSeq: 0,
    step: 0,
    usage: noUsage,
    starts: new Map(),
    running: new Set(),
    heldSince: undefined,
    held: new Map(),
    interrupts: new Map(),
    waitingSince: new Map(),
    activations: new Map(),
    calls: new Map(),
    turns: new Map(),
    expansions: new Map(),
    scopes: new Map(),
    called: new Map(),
    itemsOf: new Map(),
  };
}

/** A call's name within its run. */
export function callKey(call: Pick<OutcomeRecord, "id" | "attempt" | "call">): string {
  return `${call.id}/${call.attempt}/${call.call}`;
}

/** Adds what later records will refer to, and drops what they no longer can. */
export function remember(memory: GrowingMemory, record: LogRecord): void {
  memory.lastSeq = record.seq;
  if (isControllers(record)) rememberTurn(memory.turns, record);
  switch (record.kind) {
    case "run":
      memory.begin = { seq: record.seq, at: record.at };
      rememberFlow(memory, record.flow, { at: record.at, mover: undefined });
      return;
    case "start":
      if (isOnlyJudged(memory, record)) return;
      memory.starts.set(record.id, record);
      memory.held.delete(record.id);
      memory.waitingSince.delete(record.id);
      memory.running.add(record.id);
      return;
    case "branch":
      rememberBranch(memory, record);
      return;
    case "intent":
      memory.calls.set(callKey(record), record);
      return;
    case "edit":
    case "opinion":
    case "use":
    case "steer":
      return;
    case "outcome":
      memory.calls.delete(callKey(record));
      memory.usage = addUsage(memory.usage, chargeOf(record));
      return;
    case "modify":
      stopReplaced(memory, record);
      return;
    case "sub":
      rememberSub(memory, record);
      return;
    case "item":
      rememberFlow(memory, record.flow ?? [], { at: record.at, mover: undefined });
      return;
    case "attempt":
      rememberFlow(memory, record.flow ?? [], { at: record.at, mover: record.id });
      stopIn(memory, [record.id]);
      memory.turns.delete(record.id);
      return;
    case "commit":
      memory.step = record.step;
      memory.starts.delete(record.id);
      stopIn(memory, [record.id]);
      forgetCall(memory, record.id);
      memory.turns.delete(record.id);
      rememberFlow(memory, record.flow, { at: record.at, mover: record.id });
      return;
    case "interrupt":
      memory.interrupts.set(record.interrupt, record);
      if (memory.starts.has(record.id) && !memory.waitingSince.has(record.id))
        memory.waitingSince.set(record.id, record.at);
      return;
    case "answer":
      rememberAnswer(memory, record);
      return;
    case "control":
      rememberControl(memory, record);
      return;
    case "end":
      stopIn(memory, memory.running);
      memory.interrupts.clear();
      return;
  }
}

/** Tells whether the attempt is under way already, and only comes to its judges. */
export function isOnlyJudged({ running }: EventMemory, { id, judges }: StartRecord): boolean {
  return judges === true && running.has(id);
}

/** Adds the usage of a called graph to its caller's. */
function rememberSub(memory: GrowingMemory, record: LogRecord & SubRecord): void {
  const { seq, at } = record;
  const made = innermost(record);
  if (made.kind === "outcome") memory.usage = addUsage(memory.usage, chargeOf(made));
  if (made.kind === "answer" && made.usage !== undefined)
    memory.usage = addUsage(memory.usage, made.usage);
  const called = memory.called.get(record.id);
  if (called !== undefined) remember(called.memory, { ...record.record, seq, at });
}

/** Removes the node runs that end under a replaced plan. */
function stopReplaced(memory: GrowingMemory, { id, goOn = [] }: ModifyRecord): void {
  const called = memory.called.get(id);
  if (called === undefined) return;
  const others = [...called.memory.running].filter((one) => !goOn.includes(one));
  stopIn(called.memory, others);
}

/** These node runs are no longer under way, nor is what they have called. */
function stopIn(memory: GrowingMemory, ids: Iterable<number>): void {
  for (const id of ids) {
    const called = memory.called.get(id);
    if (called !== undefined) stopIn(called.memory, called.memory.running);
    interruptTurn(memory.turns, id);
    memory.running.delete(id);
  }
}

/** Only a rewind may ask for it again, and needs no more than its graph. */
function forgetCall(memory: GrowingMemory, id: number): void {
  const called = memory.called.get(id);
  if (called !== undefined) memory.called.set(id, { ...called, memory: emptyMemory() });
}

/** Time in which a node run waited for answers is none of its own. */
function rememberAnswer(memory: GrowingMemory, record: LogRecord & AnswerRecord): void {
  const { id, interrupt, usage, at } = record;
  memory.interrupts.delete(interrupt);
  if (usage !== undefined) memory.usage = addUsage(memory.usage, usage);
  const since = memory.waitingSince.get(id);
  if (since === undefined) return;
  for (const other of memory.interrupts.values()) if (other.id === id) return;
  memory.waitingSince.delete(id);
  memory.held.set(id, (memory.held.get(id) ?? 0) + at - since);
}

/** Time in which it was held by itself is none of its own either. */
function rememberBranch(memory: GrowingMemory, { id, verb, at }: LogRecord & BranchRecord): void {
  const since = memory.waitingSince.get(id);
  if (verb === "hold" && since === undefined) memory.waitingSince.set(id, at);
  if (verb === "hold" || since === undefined) return;
  for (const asked of memory.interrupts.values()) if (asked.id === id) return;
  memory.waitingSince.delete(id);
  memory.held.set(id, (memory.held.get(id) ?? 0) + at - since);
}

function rememberControl(
  memory: GrowingMemory,
  record: LogRecord & { readonly kind: "control" },
): void {
  for (const called of memory.called.values()) rememberCalled(called.memory, record);
  const { heldSince } = memory;
  memory.heldSince = record.verb === "hold" || record.verb === "rewind" ? record.at : undefined;
  if (record.verb === "hold") return;
  if (record.verb === "release") {
    const heldMs = record.at - (heldSince ?? record.at);
    for (const id of memory.running) {
      // That of one that waits for an answer is reckoned as a whole when it comes.
      if (!memory.waitingSince.has(id)) memory.held.set(id, (memory.held.get(id) ?? 0) + heldMs);
    }
    return;
  }
  for (const id of memory.running) interruptTurn(memory.turns, id);
  memory.running.clear();
  if (record.verb !== "rewind") return;
  memory.step = record.step;
  memory.calls.clear();
  memory.interrupts.clear();
  for (const known of [memory.activations, memory.called, memory.turns])
    copyRenumbered<unknown>(known, record.renumbered);
}

/** Keeps what is known of a node run also under the number that a rewind gives it. */
function copyRenumbered<V>(known: Map<number, V>, renumbered: RewindRecord["renumbered"]): void {
  for (const { from, id } of renumbered) {
    const value = known.get(from);
    if (value !== undefined) known.set(id, value);
  }
}

/** A called graph stops and goes on with its caller; where a rewind leads is said in steps of the caller. */
function rememberCalled(
  memory: GrowingMemory,
  record: LogRecord & { readonly kind: "control" },
): void {
  const { step } = memory;
  rememberControl(memory, record);
  memory.step = step;
}

function rememberFlow(
  memory: GrowingMemory,
  flow: readonly FlowOp[],
  { at, mover }: { readonly at: number; readonly mover: number | undefined },
): void {
  for (const op of flow) {
    switch (op.op) {
      case "activate":
        memory.activations.set(op.id, { cause: mover, scope: op.scope });
        break;
      case "expand":
        memory.expansions.set(op.expansion, expansionOf(op, at));
        break;
      case "item":
        memory.scopes.set(op.scope, memory.expansions.get(op.expansion)?.scope ?? 0);
        memory.itemsOf.set(op.scope, op.expansion);
        break;
      case "item-skip":
        for (const id of runningIn(memory, op.scope)) memory.running.delete(id);
        break;
      case "each-failed":
        for (const id of runningInEach(memory, op.expansion)) memory.running.delete(id);
        break;
      case "cancel":
        for (const id of op.runs) memory.running.delete(id);
        for (const each of op.expansions)
          for (const id of runningInEach(memory, each)) memory.running.delete(id);
        break;
      default:
        break;
    }
  }
}

/** The node runs under way in a scope and in those inside it. */
export function runningIn(memory: EventMemory, scope: number): number[] {
  return [...memory.running].filter((id) => {
    let at = memory.activations.get(id)?.scope;
    while (at !== undefined && at !== scope) at = memory.scopes.get(at);
    return at === scope;
  });
}

/** The node runs under way in the items of one use of an `each`. */
export function runningInEach(memory: EventMemory, expansion: number): number[] {
  return [...memory.running].filter((id) => {
    let at = memory.activations.get(id)?.scope;
    while (at !== undefined && memory.itemsOf.get(at) !== expansion) at = memory.scopes.get(at);
    return at !== undefined;
  });
}

/** Returns the use of an `each` that an `expand` begins. */
export function expansionOf(op: FlowOp & { readonly op: "expand" }, at: number): ExpansionFacts {
  return { each: op.each, scope: op.scope, items: op.items.length, at };
}
