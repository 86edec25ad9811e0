/** The events of a controller's effects. */

import type { Failure } from "../failure.ts";
import type { IntentRecord, OutcomeRecord } from "../records/call-records.ts";
import { type HeardEvent, isOutcome, type TurnHeard } from "../records/controller-values.ts";
import type { LogRecord } from "../records/records.ts";
import { noUsage, type Usage } from "../usage.ts";
import type { EventContext } from "./context.ts";
import type { EventBody } from "./kinds/run-event.ts";
import { verbOf } from "./operator-turns.ts";
import { sessionStopped } from "./session-stopped.ts";
import { nodeFactsOf } from "./shared-facts.ts";

/** Only the question for a turn is told by itself; all others are told with what came of them. */
export function ofControllerIntent(
  record: LogRecord & IntentRecord,
  context: EventContext,
): EventBody[] {
  if (verbOf(record) !== "begin") return [];
  const { seq: span, request } = record;
  return [
    {
      kind: "session.requested",
      ...nodeFactsOf(context, record),
      ...sourceOf(record),
      span,
      request,
    },
  ];
}

export function ofControllerOutcome(
  record: LogRecord & OutcomeRecord,
  context: EventContext,
): EventBody[] {
  const { value, failure, id, durationMs, seq } = record;
  const turn = context.memory.turns.get(id);
  const span = turn?.seq ?? seq;
  const facts = { ...nodeFactsOf(context, record), ...sourceOf(record) };
  if (failure !== undefined) return sessionStopped(context, { ...record, failure }, facts);
  if (!isOutcome(value)) return [];
  switch (value.verb) {
    case "begin": {
      const { verb: _, ...begun } = value;
      return [{ kind: "session.started", ...facts, span, ...begun, durationMs }];
    }
    case "next":
      return ofHeard(record, value, context);
    case "answer": {
      const { verb: _, ...answered } = value;
      return [{ kind: "controller.answered", ...facts, ...answered }];
    }
    case "end": {
      const { result } = value;
      const { status, sessionRef } = result;
      const took = record.at - (turn?.at ?? record.at);
      const { sessionId } = sessionRef;
      return [
        { kind: "session.ended", ...facts, span, sessionId, status, result, durationMs: took },
      ];
    }
  }
}

function sourceOf({ name, modelSource }: IntentRecord | OutcomeRecord) {
  return { controller: name, ...(modelSource === undefined ? {} : { modelSource }) };
}

/** The bytes first, then what they mean. */
function ofHeard(
  record: LogRecord & OutcomeRecord,
  { events, raw, reattached }: TurnHeard,
  context: EventContext,
): EventBody[] {
  const facts = { ...nodeFactsOf(context, record), ...sourceOf(record) };
  const turn = context.memory.turns.get(record.id);
  const sessionId = turn?.sessionId ?? "";
  const again: EventBody = {
    kind: "session.started",
    ...facts,
    span: turn?.seq ?? record.seq,
    sessionId,
    turn: 0,
    how: "reattached",
    durationMs: 0,
  };
  return [
    ...(reattached === true ? [again] : []),
    ...raw.map((piece): EventBody => ({ kind: "controller.raw", ...facts, raw: piece })),
    ...events.flatMap((event, index): EventBody[] => {
      const isLast = index === events.length - 1;
      const used = isLast ? usageOf(record.usage) : {};
      const named = event.kind === "session_started" ? event.sessionId : sessionId;
      return [
        { kind: "controller.event", ...facts, sessionId: named, event, ...used },
        ...toolEvents(event, record, context),
      ];
    }),
  ];
}

/** Returns the usage of a batch of events, for the last of them only. */
function usageOf(usage: Usage = noUsage): { readonly usage?: Usage } {
  const { inputTokens, outputTokens, costUsd } = usage;
  return inputTokens + outputTokens === 0 && costUsd === 0 ? {} : { usage };
}

/** A tool that a strong agent calls is a tool call like any other. */
function toolEvents(
  event: HeardEvent,
  record: LogRecord & OutcomeRecord,
  context: EventContext,
): EventBody[] {
  const facts = nodeFactsOf(context, record);
  if (event.kind === "tool_call") {
    const { callId: toolCallId, tool, input: request } = event;
    const { seq: span, call } = record;
    return [{ kind: "tool.call", ...facts, span, call, tool, toolCallId, request }];
  }
  if (event.kind !== "tool_result") return [];
  const { callId: toolCallId, value = null, error, isDenied = false } = event;
  const begun = context.memory.turns.get(record.id)?.calls.get(toolCallId);
  const { seq: span, at, call, tool } = begun ?? { ...record, tool: toolCallId };
  const ended = { span, call, tool, toolCallId, durationMs: record.at - at };
  if (error === undefined) return [{ kind: "tool.result", ...facts, ...ended, value }];
  const failure: Failure = isDenied
    ? { class: "denied", code: "M8508", message: error }
    : { class: "tool", code: "M8202", message: error };
  return [{ kind: "tool.result", ...facts, ...ended, failure }];
}
