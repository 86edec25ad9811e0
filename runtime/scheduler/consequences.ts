/** Works out what a driver does after a decision: attempts to start, attempts to cancel, timers to set. */
import { grown } from "../state/grown.ts";
import type { Completion, Timer } from "./completion.ts";
import { openInterrupt } from "./interrupts.ts";
import { timersOf } from "./limits.ts";
import type { Program } from "./program/program.ts";
import { type Child, emptySnapshot, type NodeRun, type Snapshot } from "./snapshot/snapshot.ts";

/** The work of a driver after a decision. */
export interface Consequences {
  /** Attempts to start, in the order of the graph. */
  readonly starts: readonly Start[];
  /** Node runs whose attempt in flight is to be cancelled. */
  readonly cancels: readonly number[];
  /** Deadlines to keep from here on; one that is due comes back as a completion. */
  readonly timers: readonly Timer[];
}

/** One attempt to start. */
export interface Start {
  readonly id: number;
  readonly attempt: number;
  readonly notBefore?: number;
}

/** Compares two snapshots, and those of their called graphs, and returns the work of the driver. */
export function consequences(
  program: Program,
  before: Snapshot,
  after: Snapshot,
  completion: Completion,
): Consequences {
  const own = ownConsequences(program, before, after, completion);
  if (after.children === before.children) return own;
  const all = [own];
  for (const id of after.children.changedFrom(before.children)) {
    const [was, now] = [before.children.get(id), after.children.get(id)];
    if (now === undefined) {
      all.push({ starts: [], cancels: was === undefined ? [] : runningIn(was), timers: [] });
      continue;
    }
    const from = was?.snapshot ?? emptySnapshot();
    const inner = consequences(now.program, from, now.snapshot, completion);
    const timers = inner.timers.map((timer) => ofCalled(timer, id));
    all.push({ ...inner, timers });
  }
  return {
    starts: all.flatMap(({ starts }) => starts),
    cancels: all.flatMap(({ cancels }) => cancels),
    timers: all.flatMap(({ timers }) => timers),
  };
}

/** A deadline without a node run is that of the graph which the node run here called. */
function ofCalled(timer: Timer, caller: number): Timer {
  return timer.id === undefined && timer.sub === undefined ? { ...timer, sub: caller } : timer;
}

/** What is under way in a graph whose call is over. */
function runningIn({ snapshot }: Child): readonly number[] {
  const running = [...snapshot.open.values()].filter(({ status }) => status === "running");
  return [...running.map(({ id }) => id), ...[...snapshot.children.values()].flatMap(runningIn)];
}

/** What the driver is to do about the node runs of one graph. */
function ownConsequences(
  program: Program,
  before: Snapshot,
  after: Snapshot,
  completion: Completion,
): Consequences {
  const changed = after.open.changedFrom(before.open);
  const cancels = cancelledOf(before, after, { changed, completion });
  if (after.status !== "running" && after.status !== "waiting")
    return { starts: NONE, cancels, timers: NONE };
  const wasOn = before.status === "running" || before.status === "waiting";
  const expiries = expiriesOf(after, wasOn && completion.kind !== "control" ? before : undefined);
  if (after.status === "waiting") return { starts: NONE, cancels, timers: expiries };
  const resumed = before.status !== "running" || completion.kind === "control";
  const due = resumed ? readyRuns(after) : withStatus(after, changed, "ready");
  const starts = due.length === 0 ? NONE : due.map(startOf);
  const running = withStatus(after, changed, "running");
  // Deadlines of the run are kept anew when its time goes on.
  const goesOn = resumed || (before.runningSince === undefined && after.runningSince !== undefined);
  const timers = timersOf(program, after, {
    resumed: goesOn,
    running,
    at: completion.at,
  });
  return {
    starts: starts ?? NONE,
    cancels,
    timers: expiries.length === 0 ? timers : [...timers, ...expiries],
  };
}

const NONE: readonly never[] = [];

/** The node runs with these numbers that are in one state. */
function withStatus(
  { open }: Snapshot,
  ids: readonly number[],
  status: NodeRun["status"],
): readonly NodeRun[] {
  if (ids.length === 0) return NONE;
  let found: NodeRun[] = [];
  for (let at = 0; at < ids.length; at += 1) {
    const run = open.get(ids[at] ?? -1);
    if (run?.status === status) found = grown(found, run);
  }
  return found;
}

/** Node runs whose attempt in flight nobody waits for any more. */
function cancelledOf(
  before: Snapshot,
  after: Snapshot,
  { changed, completion }: { readonly changed: readonly number[]; readonly completion: Completion },
): readonly number[] {
  const told = "id" in completion ? completion.id : -1;
  const isCancelled = (id: number) => {
    if (id === told) return false;
    const was = before.open.get(id)?.status;
    const now = after.open.get(id)?.status;
    return (was === "ready" && now === undefined) || (was === "running" && now !== "running");
  };
  const cancels = changed.some(isCancelled) ? changed.filter(isCancelled) : NONE;
  if (before.held || !after.held) return cancels;
  // A hold also takes back the starts that have not begun: a release gives them out again.
  return [...cancels, ...readyRuns(after).map(({ id }) => id)];
}

function startOf({ id, attempt, notBefore }: NodeRun): Start {
  return notBefore === undefined ? { id, attempt } : { id, attempt, notBefore };
}

/** Questions that expire, as far as they were not open before. */
function expiriesOf(after: Snapshot, before: Snapshot | undefined): readonly Timer[] {
  if (after.interrupts === before?.interrupts && after.whole === before?.whole) return NONE;
  const whole = after.whole === undefined ? [] : [after.whole];
  return [...whole, ...[...after.interrupts.values()].flat()].flatMap(
    ({ id, interrupt, expiresAt }) => {
      const isNew = before === undefined || openInterrupt(before, { id, interrupt }) === undefined;
      return expiresAt === undefined || !isNew
        ? []
        : [{ ...(id < 0 ? {} : { id }), interrupt, due: expiresAt }];
    },
  );
}

function readyRuns({ open }: Snapshot): readonly NodeRun[] {
  return open.values().filter(({ status }) => status === "ready");
}
