/** Makes the columns of an event row for calls that leave the engine: models, tools, functions and controllers. */
import type { CallEvent, TransientEvent } from "../../events/kinds/call-events.ts";
import {
  type Cells,
  errorColumns,
  failureColumns,
  pick,
  priceColumns,
  type RowContext,
  usageColumns,
} from "./cells.ts";
import { payloadCells, requestCells, toTraceJson } from "./trace-json.ts";

/** The columns of a call that leaves the engine, and of what a model is shown in one. */
export function callColumns(event: Exclude<CallEvent, TransientEvent>, context: RowContext): Cells {
  const json = (payload: unknown): string | null => toTraceJson(payload, context);
  switch (event.kind) {
    case "intercepted": {
      const { by, veto = null } = event;
      const payload = json(pick(event, "on", "when", "name", "changes", "served"));
      return { name: by, reason: veto, status: veto === null ? "changed" : "denied", payload };
    }
    case "model.request":
      return {
        ...calledColumns(event, context),
        status: "running",
        ...requestCells(event.request, context),
      };
    case "tool.call":
    case "function.call":
      return {
        ...calledColumns(event, context),
        status: "running",
        ...(event.kind === "tool.call" ? { reason: event.explanation ?? null } : {}),
        ...payloadCells(event.request, context),
      };
    case "model.response":
    case "tool.result":
    case "function.result":
      return { ...calledColumns(event, context), ...resultColumns(event, context) };
    case "session.requested":
    case "session.started":
    case "session.ended":
    case "controller.event":
    case "controller.raw":
    case "controller.answered":
      return controllerColumns(event, context);
    case "model.fallback":
      return {
        parent_id: context.attemptSpan(event.nodeRun) ?? null,
        name: event.from,
        model: event.to,
        error_code: event.code,
        payload: json(pick(event, "from", "to", "why")),
      };
    case "guard.decided":
      return {
        name: event.tool,
        status: event.decision,
        reason: event.by,
        payload: json(pick(event, "why", "judge", "hash", "toolCallId")),
      };
    case "context.shaped":
      return { payload: json(pick(event, "offloaded", "dropped", "media", "repeated")) };
    case "context.compacted":
      return {
        reason: event.policy,
        payload: json(pick(event, "before", "after", "limit", "dropped", "covered")),
      };
    case "context.reduced":
      return { payload: json(pick(event, "turns", "dropped", "summarized")) };
  }
}

type NumberedEvent = Extract<CallEvent, { readonly call: number }>;
type ResultEvent = Extract<NumberedEvent, { readonly durationMs: number }>;

function calledColumns(event: NumberedEvent, context: RowContext): Cells {
  const called = "model" in event ? event.model : "tool" in event ? event.tool : event.function;
  return {
    parent_id: context.attemptSpan(event.nodeRun) ?? null,
    name: called,
    model: "model" in event ? event.model : null,
    model_source: "modelSource" in event ? event.modelSource : null,
    reason: "effect" in event ? event.effect : null,
  };
}

function resultColumns(event: ResultEvent, context: RowContext): Cells {
  const { firstTokenMs, price } = event.kind === "model.response" ? event : {};
  return {
    ...usageColumns(event.usage),
    ...priceColumns(price),
    ...(event.failure === undefined
      ? { status: "ok", ...payloadCells(event.value, context) }
      : { status: "error", ...failureColumns(event.failure, context) }),
    ttft_us: firstTokenMs === undefined ? null : Math.round(firstTokenMs * 1_000),
    transport_retries: event.transportRetries ?? null,
  };
}

/** `name` is the controller; `reason` of a `controller.event` its kind, of a `session.started` how it began. */
function controllerColumns(
  event: Extract<CallEvent, { readonly controller: string }>,
  context: RowContext,
): Cells {
  const cells = {
    parent_id: context.attemptSpan(event.nodeRun) ?? null,
    name: event.controller,
    model_source: event.modelSource ?? null,
  };
  const json = (payload: unknown) => toTraceJson(payload, context);
  switch (event.kind) {
    case "session.requested":
      return { ...cells, status: "running", ...payloadCells(event.request, context) };
    case "session.started":
      return {
        ...cells,
        reason: event.how,
        payload: json(pick(event, "sessionId", "turn", "gone")),
      };
    case "session.ended": {
      const payload = payloadCells(event.result ?? pick(event, "sessionId", "failure"), context);
      const failed = event.failure === undefined ? {} : errorColumns(event.failure);
      return { ...cells, ...failed, status: event.status, ...payload };
    }
    case "controller.event": {
      const { event: controllerEvent, usage, sessionId } = event;
      const payload = payloadCells({ ...controllerEvent, sessionId }, context);
      return { ...cells, ...usageColumns(usage), reason: controllerEvent.kind, ...payload };
    }
    case "controller.raw":
      return { ...cells, ...payloadCells(event.raw, context) };
    case "controller.answered":
      return { ...cells, reason: event.decision, payload: json(pick(event, "approvalId")) };
  }
}
