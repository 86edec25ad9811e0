/** Derives events of messages and artifacts. */

import type { IntentRecord } from "../records/call-records.ts";
import type { SteerRecord } from "../records/control-records.ts";
import type { CommitRecord, LogRecord } from "../records/records.ts";
import type { EventContext } from "./context.ts";
import type { EventBody } from "./kinds/run-event.ts";
import { nodeFactsOf } from "./shared-facts.ts";

const NONE: readonly never[] = [];

/** Returns the events of a commit: messages read, artifacts made, messages sent, in this order. */
export function mailEvents(
  record: LogRecord & CommitRecord,
  context: EventContext,
): readonly EventBody[] {
  if ((record.read ?? record.messages ?? record.artifacts) === undefined) return NONE;
  const { read = NONE, messages = NONE, artifacts = NONE, step } = record;
  const facts = nodeFactsOf(context, record);
  return [
    ...read.map((message): EventBody => ({ kind: "message.read", ...facts, step, message })),
    ...artifacts.map(
      ({ producer: _, nodeRun: __, item: ___, ...artifact }): EventBody => ({
        kind: "artifact.created",
        ...facts,
        step,
        artifact,
      }),
    ),
    ...messages.map(
      ({ to: _, ...message }): EventBody => ({ kind: "message.sent", ...facts, step, message }),
    ),
  ];
}

/** Returns the events of messages that are unread at the end of a run. */
export function deadEvents(
  { dead = [] }: { readonly dead?: readonly string[] },
  { memory: { step } }: EventContext,
): EventBody[] {
  return dead.map((message) => ({ kind: "message.dead", step, message }));
}

/** Returns the event of what a person said to the run. */
export function steerEvent(
  { message: { to: _, ...message } }: SteerRecord,
  { memory: { step } }: EventContext,
): EventBody {
  return { kind: "run.steered", step, message };
}

/** Returns the events of what people said that a model call takes in. */
export function heardEvents(record: LogRecord & IntentRecord, context: EventContext): EventBody[] {
  const { steers = [] } = record;
  const { step } = context.memory;
  return steers.map(({ id }) => ({
    kind: "message.read",
    ...nodeFactsOf(context, record),
    step,
    message: id,
  }));
}
