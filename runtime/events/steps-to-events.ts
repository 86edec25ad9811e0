/**
 * The events that come with every step: an attempt starts, ends and commits, the flow goes on, calls are made. Each is
 * written member by member, and whole: bodies that are put together and copied took longer than a small step.
 */

import type { CommitRecord, LogRecord, StartRecord } from "../records/records.ts";
import type { FlowOp } from "../scheduler/flow/flow-op.ts";
import { grown } from "../state/persistent.ts";
import type { EventContext } from "./context.ts";
import type { AttemptFinished, AttemptStarted, Committed } from "./kinds/attempt-events.ts";
import type { NodeFacts } from "./kinds/event-base.ts";
import type { RouteChosen, RouteTarget } from "./kinds/flow-events.ts";
import type { EventBody, RunEvent } from "./kinds/run-event.ts";
import { attemptSpanOf, startFactsOf } from "./shared-facts.ts";

type EventDraft<T> = { -readonly [K in keyof T]: T[K] };

/** Tells whether an event needs nothing but its place among its record's events. */
export function isWhole(event: EventBody | RunEvent): event is EventDraft<RunEvent> {
  return "runId" in event;
}

/** An attempt begins. */
export function attemptStarted(
  record: LogRecord & StartRecord,
  context: EventContext,
): AttemptStarted {
  const { seq, at, reason, args, id } = record;
  const { runId, threadId } = context;
  const { node, nodeRun, nodeRunId, label, attempt, item } = startFactsOf(
    context,
    record,
    record.attempt,
  );
  const event: EventDraft<AttemptStarted> = {
    runId,
    threadId,
    seq,
    part: 0,
    at,
    kind: "attempt.started",
    node,
    nodeRun,
    nodeRunId,
    label,
    attempt,
    span: seq,
    reason,
  };
  const cause = context.memory.activations.get(id)?.cause;
  if (item !== undefined) event.item = item;
  if (args !== undefined) event.args = args;
  if (cause !== undefined) event.cause = cause;
  return event;
}

/** Returns the end of an attempt that commits. */
export function attemptCommitted(
  record: LogRecord & CommitRecord,
  context: EventContext,
): readonly [AttemptFinished, Committed, StepFacts] {
  const { seq, at, usage, step, output, writes, patches } = record;
  const { runId, threadId } = context;
  const facts = attemptSpanOf(context, record);
  const { node, nodeRun, nodeRunId, label, attempt, item, span, durationMs } = facts;
  const ended: EventDraft<AttemptFinished> = {
    runId,
    threadId,
    seq,
    part: 0,
    at,
    kind: "attempt.finished",
    node,
    nodeRun,
    nodeRunId,
    label,
    attempt,
    durationMs,
    span,
    status: "ok",
    usage,
  };
  const event: EventDraft<Committed> = {
    runId,
    threadId,
    seq,
    part: 1,
    at,
    kind: "commit",
    node,
    nodeRun,
    nodeRunId,
    label,
    attempt,
    durationMs,
    step,
    writes,
    patches,
    usage,
  };
  if (item !== undefined) {
    ended.item = item;
    event.item = item;
  }
  if (output !== undefined) event.output = output;
  if (record.cache?.hit === true) ended.isCached = true;
  if (record.served !== undefined) ended.served = record.served;
  return [ended, event, facts];
}

type StepFacts = NodeFacts & { readonly durationMs: number; readonly span: number };

/** Returns the event of a record's flow; none where no token moves. */
export function routeChosen(
  flow: readonly FlowOp[],
  record: LogRecord,
  { step, context }: { readonly step: number; readonly context: EventContext },
): RouteChosen | undefined {
  let to: RouteTarget[] | undefined;
  let ended = 0;
  let handover: RouteChosen["handover"];
  for (const op of flow) {
    if (op.op === "end") ended += 1;
    if (op.op === "hand-over" || op.op === "return") handover = op.op;
    if (op.op !== "activate") continue;
    to = grown(to ?? [], target(op, context));
  }
  if (to === undefined && ended === 0) return undefined;
  const { runId, threadId } = context;
  const { seq, at } = record;
  const event: EventDraft<RouteChosen> = {
    runId,
    threadId,
    seq,
    part: 0,
    at,
    kind: "route.chosen",
    step,
    to: to ?? [],
    ended,
  };
  if (handover !== undefined) event.handover = handover;
  if (record.kind === "commit" || record.kind === "attempt") {
    event.node = record.node;
    event.nodeRun = record.id;
  }
  return event;
}

function target(
  op: Extract<FlowOp, { readonly op: "activate" }>,
  context: EventContext,
): RouteTarget {
  const node = context.names.nodes[op.node] ?? `node ${op.node}`;
  return { node, nodeRun: op.id, label: `${node}#${op.ordinal}` };
}
