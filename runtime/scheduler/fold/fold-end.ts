/** Folds the end of a run. */
import type { EndRecord } from "../../records/records.ts";
import { withoutInterrupts } from "../interrupts/interrupts.ts";
import type { Program } from "../program/program.ts";
import { clockedOut } from "../snapshot/draft.ts";
import type { Fold, Snapshot } from "../snapshot/snapshot.ts";
import { foldRoot } from "../tokens/apply-flow-op.ts";
import { stopRunning } from "./fold-control.ts";

/** A run is over: what its lines wrote is in its state, and nobody is asked any more. */
export function foldEnd(
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
