/** Finds when a run that waits for time continues: delayed starts, questions that expire. */
import { advance } from "../scheduler/advance.ts";
import { calledWith, withNext } from "../scheduler/called-snapshots.ts";
import { CallNeeded } from "../scheduler/expressions/calls.ts";
import type { Program } from "../scheduler/program/program.ts";
import { isWaiting } from "../scheduler/snapshot/draft.ts";
import type { NodeRun, Snapshot } from "../scheduler/snapshot/snapshot.ts";

/** Returns the time, in milliseconds, at which a resting run has something due; undefined where it waits for no time. */
export function dueAt(program: Program, snapshot: Snapshot, at: number): number | undefined {
  if (snapshot.status === "succeeded" || snapshot.status === "created") return undefined;
  // Asks the scheduler what a resume would start; nothing is changed by that.
  const { starts, timers } = resumedDry(program, snapshot, at) ?? { starts: [], timers: [] };
  const times = [
    ...starts.map(({ notBefore }) => notBefore),
    ...timers.map(({ interrupt, due }) => (interrupt === undefined ? undefined : due)),
    ...duesOfCalled(program, snapshot, at),
  ].filter((time) => time !== undefined);
  return times.length === 0 ? undefined : Math.min(...times);
}

/** A resume goes on with called graphs in a second decision: what these wait for is asked of each. */
function duesOfCalled(program: Program, snapshot: Snapshot, at: number): readonly number[] {
  return [...snapshot.children.entries()].flatMap(([id, child]) => {
    // A node run whose plan was replaced begins again at once.
    if (child.modified !== undefined || snapshot.open.get(id) === undefined) return [];
    const inside = calledWith(program, child.program);
    return dueAt(inside, withNext(child.snapshot, snapshot), at) ?? [];
  });
}

function resumedDry(program: Program, snapshot: Snapshot, at: number) {
  try {
    return advance(program, snapshot, { kind: "control", verb: "resume", at });
  } catch (error) {
    // A call of a function is due at once, whatever the time.
    if (error instanceof CallNeeded) return undefined;
    throw error;
  }
}

/** Until when nothing can go on in a run that is driven; nothing where something goes on now, or waits for people alone. */
export function sleepsUntil(snapshot: Snapshot, now: number): number | undefined {
  const next = nextStart(snapshot);
  return next === undefined || next <= now ? undefined : next;
}

/** The time of the first start; 0 where something is under way. */
function nextStart({ status, held, open, children }: Snapshot): number | undefined {
  if (status !== "running" || held) return undefined;
  let next: number | undefined;
  for (const run of open.values()) {
    const child = children.get(run.id)?.snapshot;
    const at = child !== undefined && child.status === "running" ? nextStart(child) : ownStart(run);
    if (at !== undefined) next = Math.min(next ?? at, at);
  }
  return next;
}

function ownStart(run: NodeRun): number | undefined {
  if (run.status === "ready") return run.notBefore ?? 0;
  return run.status === "running" && !isWaiting(run) ? 0 : undefined;
}

/** No run is due later: the last moment of a `Date`. */
export const NEVER = 8_640_000_000_000_000;

/**
 * Returns a time before which nothing is due in a run: `dueAt` is not earlier. It is read from the snapshot alone, without a
 * decision, so that the store can have it of every run.
 */
export function restsUntil({ open, children, interrupts, whole }: Snapshot): number {
  let until = whole?.expiresAt ?? NEVER;
  for (const asked of interrupts.values())
    for (const { expiresAt } of asked) until = Math.min(until, expiresAt ?? NEVER);
  for (const run of open.values()) {
    const child = children.get(run.id);
    // A node run whose plan was replaced begins again at once.
    if (child?.modified !== undefined) return 0;
    until = Math.min(until, child === undefined ? startAt(run) : restsUntil(child.snapshot));
    if (until === 0) return 0;
  }
  return until;
}

/** The time of the next start of a node run; 0 where it may be at once. */
function startAt(run: NodeRun): number {
  if (run.status === "ready") return run.notBefore ?? 0;
  return run.status === "waiting" || isWaiting(run) ? NEVER : 0;
}
