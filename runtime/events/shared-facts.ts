/** Facts that events of several kinds share, worked out from a record and the memory of those before it. */

import type { Failure } from "../failure.ts";
import type { LogRecord, StartRecord } from "../records/records.ts";
import { noUsage } from "../usage.ts";
import { calledContext, withGraphPath } from "./called-graphs-to-events.ts";
import type { EventContext } from "./context.ts";
import type { AttemptFinished } from "./kinds/attempt-events.ts";
import type { NodeFacts } from "./kinds/event-base.ts";
import type { EventBody } from "./kinds/run-event.ts";
import { sessionStopped } from "./session-stopped.ts";

/** A record that belongs to an attempt. */
export interface OfAttempt {
  readonly id: number;
  readonly node: string;
  readonly attempt: number;
}

/** Returns the facts of a record's node run, as its start gave them. */
export function nodeFactsOf(context: EventContext, record: OfAttempt): NodeFacts {
  const start = context.memory.starts.get(record.id);
  if (start !== undefined) return startFactsOf(context, start, record.attempt || start.attempt);
  const { node, id: nodeRun, attempt } = record;
  // Only a log that lost a start comes here: its events stay readable, under the node run's number.
  const nodeRunId = `${context.place ?? context.runId}/${nodeRun}`;
  return { node, nodeRun, nodeRunId, label: node, attempt };
}

/** Returns the facts of the node run that a start begins. */
export function startFactsOf(
  { runId, place = runId }: EventContext,
  {
    node,
    id: nodeRun,
    key,
    ordinal,
    item,
  }: Pick<StartRecord, "node" | "id" | "key" | "ordinal" | "item">,
  attempt: number,
): NodeFacts {
  const nodeRunId = `${place}/${key}`;
  const label = `${node}#${ordinal}`;
  return item === undefined
    ? { node, nodeRun, nodeRunId, label, attempt }
    : { node, nodeRun, nodeRunId, label, attempt, item };
}

/** The span that a record ends, and how long it took since its latest start, without the time it was held. */
export function attemptSpanOf(
  context: EventContext,
  record: OfAttempt & Pick<LogRecord, "seq" | "at">,
) {
  const start = context.memory.starts.get(record.id);
  return {
    ...nodeFactsOf(context, record),
    span: start?.seq ?? record.seq,
    durationMs: record.at - (start?.at ?? record.at) - heldMs(context, record),
  };
}

function heldMs(
  { memory }: EventContext,
  { id, at }: { readonly id: number; readonly at: number },
) {
  const since = memory.waitingSince.get(id) ?? memory.heldSince ?? at;
  return (memory.held.get(id) ?? 0) + at - since;
}

/** Returns the status of an attempt that did not commit. */
export function statusOf(failure: Failure): AttemptFinished["status"] {
  return failure.class === "aborted" || failure.class === "timeout" ? failure.class : "error";
}

/** The ends of attempts that stop because of something else; what they used counts when they go on. */
export function stopped(
  context: EventContext,
  ids: Iterable<number>,
  { at, next }: { readonly at: number; readonly next?: "resume" },
): EventBody[] {
  return [...ids].flatMap((id): EventBody[] => {
    const start = context.memory.starts.get(id);
    if (start === undefined) return [];
    const span = attemptSpanOf(context, { ...start, at });
    const why = next === undefined ? {} : { next };
    const { durationMs: _, span: __, ...facts } = span;
    return [
      ...stoppedInside(context, [id], { at, ...why }),
      ...sessionStopped(context, { id, at }, facts),
      { kind: "attempt.finished", ...span, status: "aborted", ...why, usage: noUsage },
    ];
  });
}

/** The ends of attempts in the graphs that these node runs have called. */
export function stoppedInside(
  context: EventContext,
  ids: Iterable<number>,
  of: { readonly at: number; readonly next?: "resume"; readonly except?: readonly number[] },
): EventBody[] {
  const { except = [], ...when } = of;
  return [...ids].flatMap((id): EventBody[] => {
    const called = context.memory.called.get(id);
    if (called === undefined || called.memory.running.size === 0) return [];
    const inside = calledContext(context, id);
    const others = [...called.memory.running].filter((one) => !except.includes(one));
    return withGraphPath(inside, stopped(inside, others, when));
  });
}
