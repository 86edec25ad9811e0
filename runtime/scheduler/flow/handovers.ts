/** Keeps who handed over on a line, and leads a `return` back to the latest of them. */
import { ValueMisfit } from "../expressions/evaluation-errors.ts";
import type { Program } from "../program/program.ts";
import { must, type Snapshot } from "../snapshot/snapshot.ts";
import type { FlowDraft } from "./flow-draft.ts";
import type { FlowOp, WaitingForReturn } from "./flow-op.ts";

/** A change of those who wait for a `return` on a line. */
export type HandoverMove =
  | Omit<Extract<FlowOp, { readonly op: "hand-over" }>, "frame">
  | Omit<Extract<FlowOp, { readonly op: "return" }>, "frame">;

/** A token that leaves a node, or (without `by`) a join or an `each`. */
interface LeavingToken {
  readonly frame: number;
  readonly by?: number | undefined;
  readonly args?: Readonly<Record<string, unknown>> | undefined;
}

/** The nodes that handed over on a line and wait for a `return`, the latest last. */
export function handersOf({ frames }: Snapshot, frame: number): readonly WaitingForReturn[] {
  return must(frames, frame, "frame").handers ?? [];
}

/** Notes that the node which the token leaves waits for a `return`, where the graph has one. */
export function handoverMove(
  { program }: FlowDraft,
  { by, args }: LeavingToken,
): { readonly moves?: HandoverMove } {
  if (!program.hasReturns || by === undefined) return {};
  return { moves: { op: "hand-over", node: by, ...(args === undefined ? {} : { args }) } };
}

/** Leads back to the latest node that handed over; throws M8721 where there is none. */
export function returnMove(
  { program, snapshot }: FlowDraft,
  { frame, by }: LeavingToken,
): WaitingForReturn & { readonly moves: HandoverMove } {
  const handers = handersOf(snapshot, frame);
  // One that an edited program no longer has is passed over.
  const left = handers.findLastIndex((one) => program.nodes[one.node]?.isGone !== true);
  const hander = handers[left];
  if (hander === undefined) throw nobodyToReturnTo(program, by);
  return { ...hander, moves: { op: "return", left } };
}

function nobodyToReturnTo({ nodes }: Program, node: number | undefined): ValueMisfit {
  const name = nodes[node ?? -1]?.ir.name;
  const hint =
    name === undefined
      ? "lead to a node instead, or let a node hand over before it comes here"
      : `write \`${name} -> return | end\` to end where nobody handed over, or lead to a node instead`;
  return new ValueMisfit({
    class: "invalid",
    code: "M8721",
    message: "`return` leads nowhere: nobody handed over on this way",
    hint,
  });
}
