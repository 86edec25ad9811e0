/** Makes the columns of an event row for events of the flow through a graph and for the rounds of nodes with `every`. */
import type { FlowEvent } from "../../events/kinds/flow-events.ts";
import type { SentinelEvent } from "../../events/kinds/sentinel-events.ts";
import {
  type Cells,
  errorColumns,
  failureColumns,
  pick,
  type RowContext,
  spanAround,
} from "./cells.ts";
import { toTraceJson } from "./trace-json.ts";

/** The columns of what is told of the way through the graph, and of the rounds of nodes with `every`. */
export function flowColumns(event: FlowEvent | SentinelEvent, context: RowContext): Cells {
  const json = (payload: unknown): string | null => toTraceJson(payload, context);
  switch (event.kind) {
    case "route.chosen":
      return {
        reason: event.handover ?? null,
        payload: json({ to: event.to, ended: event.ended }),
      };
    case "join.fired":
      return { name: event.join, reason: event.by ?? null, payload: missingOf(event, context) };
    case "join.late":
      return { name: event.join, payload: json({ source: event.source }) };
    case "work.detached":
      return { payload: json({ to: event.to }) };
    case "quorum.failed":
      return { name: event.join, ...failureColumns(event.failure, context) };
    case "join.released":
      return { name: event.join, payload: json({ missing: event.missing }) };
    case "each.failed":
      return { name: event.each, payload: json({ expansion: event.expansion }) };
    case "each.started":
      return {
        name: event.each,
        parent_id: spanAround(event, context),
        payload: json(pick(event, "expansion", "items", "parallel")),
      };
    case "each.item":
      return {
        ...itemColumns(event, context),
        name: event.each,
        parent_id: spanAround(event, context),
        status: event.status,
      };
    case "each.finished":
      return {
        name: event.each,
        parent_id: spanAround(event, context),
        payload: json(pick(event, "expansion", "items")),
      };
    case "sentinel.started":
      return {};
    case "sentinel.checked":
      return {
        status: event.met ? "met" : "not met",
        reason: event.reason ?? null,
        payload: json(pick(event, "check", "of", "condition", "met", "errors", "sinceStartMs")),
      };
    case "sentinel.failed":
      return {
        ...errorColumns(event.failure),
        payload: json(pick(event, "check", "errors", "failure")),
      };
    case "sentinel.sleeping":
      return {
        reason: event.reason ?? null,
        payload: json(pick(event, "check", "until", "sleepMs")),
      };
    case "sentinel.finished":
      return { reason: event.reason, payload: json(pick(event, "checks", "sinceStartMs")) };
  }
}

function missingOf({ missing }: { readonly missing?: readonly string[] }, context: RowContext) {
  return missing === undefined ? null : toTraceJson({ missing }, context);
}

function itemColumns(
  { failure, value, number }: FlowEvent & { readonly kind: "each.item" },
  context: RowContext,
): Cells {
  if (failure !== undefined) return failureColumns(failure, context);
  return { payload: toTraceJson({ number, value }, context) };
}
