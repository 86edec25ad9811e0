/**
 * A snapshot on the way to the next one. Whoever decides on a record, or folds one, copies the snapshot once, changes the
 * copy in place, and hands it out when it is done: so the snapshot before stays as it was, and a step costs one copy. What
 * lies in a snapshot (node runs, frames, scopes, maps of them) is shared with others: it is never changed, but replaced.
 */
import type { NodeRun, Snapshot } from "./snapshot.ts";
import { Trail } from "./trail.ts";

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
