/** Collects writes to fields that outlive a run, for the graph that called this one. */

import type { Program, ProgramField } from "../program/program.ts";
import type { SnapshotDraft } from "../snapshot/draft.ts";
import type { FrameWrite } from "../snapshot/parts.ts";

/** Tells whether a field is a thread's or a user's. */
export function isKept({ ir: { scope } }: ProgramField): boolean {
  return scope === "thread" || scope === "user";
}

/** Notes writes that have come to the root: those of a branch only once it is folded into it. */
export function noteKept(
  { keeps, fields }: Program,
  draft: SnapshotDraft,
  writes: readonly FrameWrite[],
): void {
  if (!keeps) return;
  const kept = writes.filter(({ field }) => fields[field] !== undefined && isKept(fields[field]));
  if (kept.length > 0) draft.kept = draft.kept.append(kept);
}
