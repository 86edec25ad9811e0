/** Derives the end of an operator's session that was cut off with its attempt. */
import type { Failure } from "../failure.ts";
import type { OperatorResult } from "../records/controller-values.ts";
import type { EventContext } from "./context.ts";
import type { NodeFacts } from "./kinds/event-base.ts";
import type { EventBody } from "./kinds/run-event.ts";

/** The end of a turn that was cut off with its attempt; nothing where no turn is open. */
export function sessionStopped(
  { memory }: EventContext,
  { id, at, failure }: { readonly id: number; readonly at: number; readonly failure?: Failure },
  facts: NodeFacts,
): EventBody[] {
  const turn = memory.turns.get(id);
  // A turn that could not even begin ends with its failure.
  if (turn === undefined || (!turn.isOpen && turn.sessionId !== "")) return [];
  if (!turn.isOpen && failure === undefined) return [];
  const { seq: span, at: since, controller, modelSource, sessionId } = turn;
  return [
    {
      kind: "session.ended",
      ...facts,
      span,
      controller,
      ...(modelSource === undefined ? {} : { modelSource }),
      sessionId,
      status: statusOf(failure),
      ...(failure === undefined ? {} : { failure }),
      durationMs: at - since,
    },
  ];
}

function statusOf(failure: Failure | undefined): OperatorResult["status"] {
  if (failure === undefined || failure.class === "aborted") return "interrupted";
  const isLate = failure.class === "timeout" || failure.limit === "time";
  return isLate ? "timeout" : failure.class === "limit" ? "interrupted" : "failed";
}
