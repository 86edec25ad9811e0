/** Node runs that go on when another plan takes the place of theirs: what is remembered of them goes with them. */
import type { LogRecord, RunRecord } from "../records/records.ts";
import type { FlowOp } from "../scheduler/flow/flow-op.ts";
import { callKey, type EventMemory, type GrowingMemory } from "./event-fold.ts";

/** The memory of a plan's graph that begins takes over who goes on in it. */
export function takeOver(
  memory: GrowingMemory,
  before: GrowingMemory,
  { carried = [], at }: RunRecord & Pick<LogRecord, "at">,
): void {
  for (const { from } of carried) {
    move(before.starts, memory.starts, from);
    move(before.waitingSince, memory.waitingSince, from);
    move(before.turns, memory.turns, from);
    memory.activations.set(from, { cause: undefined, scope: 0 });
    if (before.running.has(from)) memory.running.add(from);
    const isWaiting = before.waitingSince.has(from);
    const heldMs = isWaiting ? 0 : at - (before.heldSince ?? at);
    memory.held.set(from, (before.held.get(from) ?? 0) + heldMs);
    for (const call of before.calls.values())
      if (call.id === from) memory.calls.set(callKey(call), call);
    for (const asked of before.interrupts.values())
      if (asked.id === from) memory.interrupts.set(asked.interrupt, asked);
  }
}

/** Returns the first flow of a graph for people: node runs that are carried over stand in place of those that were to begin. */
export function flowWithCarried(
  { flow, carried }: RunRecord,
  { starts }: Pick<EventMemory, "starts">,
): readonly FlowOp[] {
  if (carried === undefined) return flow;
  const from = new Map(carried.map((one) => [one.id, one.from]));
  return flow.map((op) => {
    const id = op.op === "activate" ? from.get(op.id) : undefined;
    if (op.op !== "activate" || id === undefined) return op;
    return { ...op, id, ordinal: starts.get(id)?.ordinal ?? op.ordinal };
  });
}

function move<T>(from: ReadonlyMap<number, T>, to: Map<number, T>, id: number): void {
  const value = from.get(id);
  if (value !== undefined) to.set(id, value);
}
