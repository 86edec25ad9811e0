/** What the end of a run changes. */
import type { EndRecord } from "../records.ts";
import type { Patch } from "../state/patch.ts";
import { applyOp } from "./apply.ts";
import { clockedOut } from "./clocks.ts";
import { takeHome } from "./detached.ts";
import { draftOf, type SnapshotDraft } from "./draft.ts";
import { stopRunning } from "./fold-control.ts";
import { withoutInterrupts } from "./interrupts.ts";
import type { Program } from "./program.ts";
import { ROOT, type Snapshot } from "./snapshot.ts";
import type { Fold } from "./trail.ts";

/** A run is over: what its lines wrote is in its state, and nobody is asked any more. */
export function end(
  program: Program,
  snapshot: Snapshot,
  record: EndRecord,
  { at, fold }: { readonly at: number; readonly fold: Fold },
): Snapshot {
  const { status, reason, failure, output } = record;
  const asked = withoutInterrupts(snapshot);
  const folded = status === "succeeded" ? foldRoot(program, asked).snapshot : asked;
  // What ran beside a failure starts again when the run is resumed; the failed node run itself stays stopped.
  const stopped = { ...folded, ...stopRunning(folded, at) };
  return {
    ...clockedOut(stopped, at),
    status,
    reason,
    ...(failure === undefined ? {} : { failure }),
    ...(output === undefined ? {} : { output }),
    ...(failure?.limit === "max" ? stuckAt(stopped, record.node ?? "start", fold) : {}),
  };
}

/** The last step led nowhere, and does so again however often the run is resumed or rewound to it. */
function stuckAt(
  { trail }: Snapshot,
  stuck: string,
  fold: Fold,
): Pick<Snapshot, "stuck" | "trail"> {
  return { stuck, trail: trail.with({ stuck }, fold) };
}

/** Writes of lines that ended without a join become part of the final state, in the order of the graph. */
export function foldRoot(
  program: Program,
  snapshot: Snapshot,
): { readonly snapshot: SnapshotDraft; readonly patches: readonly Patch[] } {
  const draft = draftOf(snapshot);
  takeHome(draft);
  const patches = applyOp(program, draft, { op: "fold", frames: [], line: ROOT, into: ROOT });
  return { snapshot: draft, patches };
}
