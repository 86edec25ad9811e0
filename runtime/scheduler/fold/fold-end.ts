/** What the end of a run changes. */
import type { EndRecord } from "../../records/records.ts";
import type { Patch } from "../../state/patch.ts";
import { withoutInterrupts } from "../interrupts/interrupts.ts";
import type { Program } from "../program/program.ts";
import { clockedOut } from "../snapshot/clocks.ts";
import { draftOf, type SnapshotDraft } from "../snapshot/draft.ts";
import { ROOT, type Snapshot } from "../snapshot/snapshot.ts";
import type { Fold } from "../snapshot/trail.ts";
import { applyOp } from "../tokens/apply-flow-op.ts";
import { takeHome } from "../tokens/detached.ts";
import { stopRunning } from "./fold-control.ts";

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
