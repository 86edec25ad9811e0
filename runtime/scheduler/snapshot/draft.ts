/** Changes a snapshot: the draft of the next one, the scopes in it, the clocks of the run and of its node runs. */

import type { Ir } from "../../../dsl/index.ts";
import { nodePlace, type Program } from "../program/program.ts";
import type { Scope } from "./parts.ts";
import { must, type NodeRun, type Snapshot, Trail } from "./snapshot.ts";

// A snapshot on the way to the next one. Whoever decides on a record, or folds one, copies the snapshot once,
// changes the copy in place, and hands it out when it is done: so the snapshot before stays as it was, and a step
// costs one copy. What lies in a snapshot (node runs, frames, scopes, maps of them) is shared with others: it is
// never changed, but replaced.

declare const isDraft: unique symbol;

/** Only who has made the copy may change it; the mark is one of the compiler, and costs nothing. */
export type SnapshotDraft = { -readonly [K in keyof Snapshot]: Snapshot[K] } & {
  readonly [isDraft]: true;
};

/** A copy to change. */
export function draftOf(snapshot: Snapshot): SnapshotDraft {
  const draft = asDraft({ ...snapshot });
  draft.isStep = false;
  draft.trail = Trail.behind(snapshot);
  return draft;
}

/** A snapshot that was made just now, and that nobody else has. */
export function asDraft(snapshot: Snapshot): SnapshotDraft {
  return snapshot as SnapshotDraft;
}

/** Changes an open node run; of one that is not open, nothing. */
export function changeRun(
  draft: SnapshotDraft,
  id: number,
  change: (run: NodeRun) => Partial<NodeRun>,
): void {
  const run = draft.open.get(id);
  if (run !== undefined) draft.open = draft.open.set(id, { ...run, ...change(run) });
}

// Scopes as node runs and items in them end.

export function changeScope(
  draft: SnapshotDraft,
  id: number,
  change: (scope: Scope) => Partial<Scope>,
): void {
  const scope = must(draft.scopes, id, "scope");
  draft.scopes = draft.scopes.set(id, { ...scope, ...change(scope) });
}

/** One more or one less of what is open at a place; a place with nothing has no entry. */
export function withTokensAt(places: Scope["places"], place: number, by: 1 | -1): Scope["places"] {
  const open = (places.get(place) ?? 0) + by;
  return open > 0 ? places.set(place, open) : places.delete(place);
}

/** A node run is over: its turn passes to the next one that waits for its node. */
export function closeRun(draft: SnapshotDraft, { id, node, scope: at }: NodeRun): void {
  draft.open = draft.open.delete(id);
  const scope = must(draft.scopes, at, "scope");
  const turns = scope.turns.get(node) ?? NOBODY;
  const waiting =
    turns.length === 1 && turns[0] === id ? NOBODY : turns.filter((one) => one !== id);
  const [first] = waiting;
  draft.scopes = draft.scopes.set(at, {
    ...scope,
    active: scope.active - 1,
    turns: first === undefined ? scope.turns.delete(node) : scope.turns.set(node, waiting),
    places: withTokensAt(scope.places, nodePlace(node), -1),
  });
  const heir = first === undefined ? undefined : draft.open.get(first);
  if (heir?.status === "queued") draft.open = draft.open.set(heir.id, { ...heir, status: "ready" });
}

const NOBODY: readonly number[] = [];

/** An item is over; its `each` has room for another one. */
export function endItem(draft: SnapshotDraft, id: number): void {
  const scope = must(draft.scopes, id, "scope");
  const expansion = must(draft.expansions, scope.expansion, "expansion");
  draft.scopes = draft.scopes.delete(id);
  draft.expansions = draft.expansions.set(expansion.id, {
    ...expansion,
    ended: expansion.ended + 1,
  });
}

// Starts and stops the clocks of a run and its node runs.

interface Clocked {
  readonly activeMs: number;
  readonly runningSince?: number | undefined;
}

/** Its time up to `at` is spent, and no more from then on. */
export function clockedOut<T extends Clocked>(of: T, at: number): T {
  return { ...of, activeMs: activeAt(of, at), runningSince: undefined };
}

/** The time that something has spent up to `at`. */
export function activeAt({ activeMs, runningSince }: Clocked, at: number): number {
  return activeMs + Math.max(0, at - (runningSince ?? at));
}

/** A node run that is under way spends time, unless it waits for an answer. */
export function clockedIn<T extends Waiting>(run: T, at: number) {
  return isWaiting(run) || run.isHeld === true ? run : { ...run, runningSince: at };
}

interface Waiting {
  readonly isHeld?: true | undefined;
  readonly waiting?: readonly string[] | undefined;
}

export function isWaiting({ waiting }: Waiting): boolean {
  return waiting !== undefined && waiting.length > 0;
}

// Stops the clock of a run whose remaining work waits for a time.

/** Tells whether something in a graph waits for a time: else nobody need look. */
export function maySleep({ nodes, edges }: Pick<Ir, "nodes" | "edges">): boolean {
  return (
    nodes.some(({ every, retry, kind }) => every ?? retry ?? kind === "graph") || isLater(edges)
  );
}

function isLater(part: unknown): boolean {
  if (typeof part !== "object" || part === null) return false;
  return "afterMs" in part || Object.values(part).some(isLater);
}

/** Stops the clock of the run while it sleeps, and lets it go again once something in it is awake. */
export function updateSleep({ maySleep: may }: Program, draft: SnapshotDraft, at: number): void {
  if (!may || draft.status !== "running") return;
  const sleeps = isAsleep(draft, at);
  if (sleeps === (draft.runningSince === undefined)) return;
  if (sleeps) draft.activeMs = activeAt(draft, at);
  draft.runningSince = sleeps ? undefined : at;
}

/** Tells whether it spends no time, because it waits for somebody or for a time. */
export function isResting({ status, runningSince }: Snapshot): boolean {
  return status === "waiting" || (status === "running" && runningSince === undefined);
}

function isAsleep({ open, children }: Snapshot, at: number): boolean {
  let sleeps = false;
  const awake = open.findKey((id, run) => {
    sleeps ||= run.status === "ready" || run.status === "running";
    return isAwake(run, children.get(id)?.snapshot, at);
  });
  return awake === undefined && sleeps;
}

function isAwake(run: NodeRun, called: Snapshot | undefined, at: number): boolean {
  if (run.status === "ready") return (run.notBefore ?? at) <= at;
  if (run.status !== "running" || isWaiting(run)) return false;
  return called === undefined || !isResting(called);
}
