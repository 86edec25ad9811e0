/** Converts an event of a run into its row of `event_log`. */
import type { RunEvent } from "../../events/kinds/run-event.ts";
import { isTransient } from "../../events/transient.ts";
import { type LoggedWrite, nameInLabel } from "../../records/records.ts";
import type { EventRow } from "../schema/tables.ts";
import { callColumns } from "./call-columns.ts";
import {
  type Cells,
  errorColumns,
  failureColumns,
  patchesJson,
  pick,
  type RowContext,
  type StoredEvent,
  spanAround,
  usageColumns,
  writesOf,
} from "./cells.ts";
import { flowColumns } from "./flow-columns.ts";
import { toTraceJson } from "./trace-json.ts";

/** A row that is being made. */
type RowDraft = { -readonly [K in keyof EventRow]: EventRow[K] };

/** The row of an event; transient ones have none. What it does not have is left out: a row has few of the columns. */
export function toEventRow(event: RunEvent, context: RowContext): EventRow | undefined {
  if (isTransient(event)) return undefined;
  const row: RowDraft = {
    run_id: event.runId,
    thread_id: event.threadId,
    graph: context.graph,
    seq: event.seq,
    part: event.part,
    ts: event.at,
    kind: event.kind,
    stale: false,
  };
  putNode(row, event);
  return Object.assign(row, ownColumns(event, context));
}

function putNode(row: RowDraft, event: StoredEvent): void {
  const { path } = event;
  if ("node" in event && event.node !== undefined)
    row.node = path === undefined ? event.node : nodePath(path, event.node);
  if ("nodeRun" in event && event.nodeRun !== undefined) row.node_run = event.nodeRun;
  if ("nodeRunId" in event) row.node_run_id = event.nodeRunId;
  if ("label" in event)
    row.label = path === undefined ? event.label : [...path, event.label].join(" › ");
  if ("attempt" in event && event.attempt !== undefined) row.attempt = event.attempt;
  if ("item" in event && event.item !== undefined) row.item = event.item;
  if ("step" in event && event.step !== undefined) row.step = event.step;
  if ("span" in event) row.span_id = event.span;
  if (path !== undefined) row.graph_path = path.join(" › ");
  if ("durationMs" in event) row.dur_us = Math.round(event.durationMs * 1_000);
}

/** `search`, and `go/search` in the graph that `go` calls: no two nodes of a run have one name. */
function nodePath(path: readonly string[], node: string): string {
  return [...path.map(nameInLabel), node].join("/");
}

function ownColumns(event: StoredEvent, context: RowContext): Cells {
  const json = (payload: unknown): string | null => toTraceJson(payload, context);
  switch (event.kind) {
    case "run.started":
    case "run.finished":
      return runColumns(event, context);
    case "plan.modified":
      return { payload: json(pick(event, "plan", "done", "carriedOver")) };
    case "graph.started":
      return {
        ...calledColumns(event, context),
        status: "running",
        payload: json(pick(event, "input", "graphHash")),
      };
    case "graph.finished":
      return {
        ...calledColumns(event, context),
        ...(event.failure === undefined ? {} : errorColumns(event.failure)),
        status: event.status,
        reason: event.reason,
        payload: json(pick(event, "output", "failure", "usage", "steps")),
      };
    case "run.paused":
      return { reason: event.reason ?? null };
    case "run.resumed": {
      const { reason = null, owner = null, graphHash, code } = event;
      const isOther = graphHash !== undefined || code !== undefined;
      const other = isOther ? { payload: json(pick(event, "graphHash", "code")) } : {};
      return { reason, name: owner, ...other };
    }
    case "run.held":
    case "branch.held":
      return { reason: event.reason };
    case "run.waiting":
    case "run.released":
    case "branch.released":
      return {};
    case "run.edited":
      return { reason: event.reason ?? null, patches: patchesJson(event.patches, context) };
    case "agent.changed":
      // No patches of the run's own state.
      return { name: event.agent, payload: patchesJson(event.patches, context) };
    case "run.rewound":
      return { payload: json(pick(event, "to", "dropped")) };
    case "attempt.started":
    case "attempt.finished":
      return { parent_id: spanAround(event, context), ...attemptColumns(event, context) };
    case "commit":
      return {
        payload: json({ output: event.output, writes: writesOf(event.writes, context) }),
        patches: patchesJson(event.patches, context),
      };
    case "intercepted":
    case "model.request":
    case "tool.call":
    case "function.call":
    case "model.response":
    case "tool.result":
    case "function.result":
    case "session.requested":
    case "session.started":
    case "session.ended":
    case "controller.event":
    case "controller.raw":
    case "controller.answered":
    case "context.shaped":
    case "context.compacted":
    case "context.reduced":
    case "model.fallback":
    case "guard.decided":
      return callColumns(event, context);
    case "route.chosen":
    case "join.fired":
    case "join.late":
    case "work.detached":
    case "quorum.failed":
    case "join.released":
    case "each.failed":
    case "each.started":
    case "each.item":
    case "each.finished":
    case "sentinel.started":
    case "sentinel.checked":
    case "sentinel.failed":
    case "sentinel.sleeping":
    case "sentinel.finished":
      return flowColumns(event, context);
    case "limit.reached":
      return { name: event.limit, payload: json(pick(event, "message")) };
    case "node.used":
      return { model: event.model ?? null, payload: json(pick(event, "model", "tools", "prompt")) };
    case "interrupt.left":
      return {
        name: event.interrupt,
        reason: event.ask,
        status: "left",
        payload: json(pick(event, "by", "reason", "usage")),
        ...(event.nodeRun < 0 ? OF_NO_NODE : {}),
      };
    case "interrupt.opened":
    case "interrupt.answered":
      return interruptColumns(event, context);
    case "error":
      return failureColumns(event.failure, context);
    case "artifact.created": {
      const { id, kind, ...rest } = event.artifact;
      return { name: id, reason: kind, payload: json(rest) };
    }
    case "run.steered":
    case "message.sent":
      return messageColumns(event, context);
    case "message.read":
    case "message.dead":
      return { name: event.message };
  }
}

function calledColumns(
  event: Extract<StoredEvent, { readonly kind: "graph.started" | "graph.finished" }>,
  context: RowContext,
): Cells {
  const parent_id = spanAround(event, context);
  return { name: event.graph, parent_id, patches: patchesJson(event.patches, context) };
}

function messageColumns(
  { message }: RunEvent & { readonly kind: "message.sent" | "run.steered" },
  context: RowContext,
): Cells {
  const { id, kind, createdAt: _, ...rest } = message;
  const { sender, receiver } = message;
  return { name: id, sender, receiver, reason: kind, payload: toTraceJson(rest, context) };
}

function runColumns(
  event: Extract<RunEvent, { readonly kind: "run.started" | "run.finished" }>,
  context: RowContext,
): Cells {
  const shared = { name: context.graph, patches: patchesJson(event.patches, context) };
  if (event.kind === "run.started") {
    const payload = toTraceJson(pick(event, "input", "graphHash"), context);
    return { ...shared, step: 0, status: "running", payload };
  }
  const payload = pick(event, "output", "failure", "usage", "steps");
  return {
    ...shared,
    ...(event.failure === undefined ? {} : errorColumns(event.failure)),
    status: event.status,
    reason: event.reason,
    payload: toTraceJson(payload, context),
  };
}

const OF_NO_NODE = { node: null, node_run: null, node_run_id: null, label: null, attempt: null };

function interruptColumns(
  event: Extract<RunEvent, { readonly kind: "interrupt.opened" | "interrupt.answered" }>,
  context: RowContext,
): Cells {
  const shared = {
    name: event.interrupt,
    reason: event.ask,
    parent_id: context.attemptSpan(event.nodeRun) ?? null,
    // A question of the whole run is no node run's.
    ...(event.nodeRun < 0 ? OF_NO_NODE : {}),
  };
  if (event.kind === "interrupt.opened") {
    const payload = pick(
      event,
      "question",
      "options",
      "shown",
      "hash",
      "limit",
      "tool",
      "by",
      "to",
      "among",
      "need",
      "agreed",
      "declined",
      "expiresAt",
      "then",
      "passed",
      "schema",
    );
    return { ...shared, status: "waiting", payload: toTraceJson(payload, context) };
  }
  const payload = pick(event, "question", "answer", "from", "by");
  return {
    ...shared,
    ...usageColumns(event.usage),
    status: event.answer.kind,
    payload: toTraceJson(payload, context),
  };
}

function attemptColumns(
  event: Extract<RunEvent, { readonly kind: "attempt.started" | "attempt.finished" }>,
  context: RowContext,
): Cells {
  if (event.kind === "attempt.started") {
    return {
      status: "running",
      reason: event.reason,
      cause: event.cause ?? null,
      payload: toTraceJson(event.args === undefined ? undefined : { args: event.args }, context),
    };
  }
  return {
    ...(event.failure === undefined ? {} : errorColumns(event.failure)),
    status: event.status,
    reason: event.next ?? takenFrom(event),
    payload: toTraceJson(
      { ...pick(event, "usage", "failure", "notBefore", "served"), ...writesIn(event, context) },
      context,
    ),
    patches: patchesJson(event.patches ?? [], context),
  };
}

/** Returns the source of a result that was not computed: the cache or another run. */
function takenFrom({
  isCached,
  served,
}: Extract<RunEvent, { readonly kind: "attempt.finished" }>): string | null {
  if (isCached === true) return "cached";
  return served === undefined ? null : "served";
}

function writesIn({ writes }: { readonly writes?: readonly LoggedWrite[] }, context: RowContext) {
  return writes === undefined ? {} : { writes: writesOf(writes, context) };
}
