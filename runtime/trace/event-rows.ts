import type { RunEvent } from "../events.ts";
import type { Failure } from "../failure.ts";
import type { LoggedWrite } from "../records.ts";
import type { Patch } from "../state/patch.ts";
import type { Usage } from "../usage.ts";
import { stringify } from "./json-size.ts";
import type { EventRow } from "./tables.ts";
import { type Redact, redactUnder, shortened, toTraceJson } from "./trace-json.ts";

/** What a row needs beside its event. */
export interface RowContext {
  readonly graph: string;
  /** The `seq` of the record that began the run: the span that attempts are parts of. */
  readonly runSpan: number;
  /** The open attempt of a node run, by its number: the span that calls are parts of. */
  readonly attemptSpan: (nodeRun: number) => number | undefined;
  readonly redact: Redact;
}

/** The row of an event; deltas have none. */
export function toEventRow(event: RunEvent, context: RowContext): EventRow | undefined {
  if (event.kind === "model.delta") return undefined;
  return {
    run_id: event.runId,
    thread_id: event.threadId,
    graph: context.graph,
    seq: event.seq,
    part: event.part,
    ts: event.at,
    kind: event.kind,
    stale: false,
    ...nodeColumns(event),
    ...ownColumns(event, context),
  };
}

type Cells = EventRow;
type StoredEvent = Exclude<RunEvent, { readonly kind: "model.delta" }>;

function nodeColumns(event: StoredEvent): Cells {
  return {
    node: "node" in event && event.node !== undefined ? placed(event, event.node) : null,
    node_run: "nodeRun" in event ? (event.nodeRun ?? null) : null,
    node_run_id: "nodeRunId" in event ? event.nodeRunId : null,
    label: "label" in event ? [...(event.path ?? []), event.label].join(" › ") : null,
    attempt: "attempt" in event ? (event.attempt ?? null) : null,
    item: "item" in event ? (event.item ?? null) : null,
    step: "step" in event ? (event.step ?? null) : null,
    span_id: "span" in event ? event.span : null,
    graph_path: event.path === undefined ? null : event.path.join(" › "),
    dur_us: "durationMs" in event ? Math.round(event.durationMs * 1_000) : null,
  };
}

/** `search`, and `go/search` in the graph that `go` calls: no two nodes of a run have one name. */
function placed({ path = [] }: StoredEvent, node: string): string {
  return [...path.map((label) => label.replace(/#\d+$/, "")), node].join("/");
}

function ownColumns(event: StoredEvent, context: RowContext): Cells {
  const json = (payload: unknown): string | null => toTraceJson(payload, context.redact);
  switch (event.kind) {
    case "run.started":
    case "run.finished":
      return runColumns(event, context);
    case "plan.modified":
      return { payload: json(pick(event, "plan", "done")) };
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
      return { reason: event.reason };
    case "run.waiting":
    case "run.released":
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
    case "model.request":
    case "tool.call":
    case "function.call":
      return { ...callColumns(event, context), status: "running", payload: json(event.request) };
    case "model.response":
    case "tool.result":
    case "function.result":
      return { ...callColumns(event, context), ...resultColumns(event, context) };
    case "session.requested":
    case "session.started":
    case "session.ended":
    case "controller.event":
    case "controller.raw":
    case "controller.answered":
      return controllerColumns(event, context);
    case "commit":
      return {
        payload: json({ output: event.output, writes: writesOf(event.writes, context) }),
        patches: patchesJson(event.patches, context),
      };
    case "route.chosen":
      return { payload: json({ to: event.to, ended: event.ended }) };
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
    case "limit.reached":
      return { name: event.limit, payload: json(pick(event, "message")) };
    case "node.used":
      return { model: event.model ?? null, payload: json(pick(event, "model", "tools", "prompt")) };
    case "context.shaped":
      return { payload: json(pick(event, "offloaded", "dropped")) };
    case "context.reduced":
      return { payload: json(pick(event, "turns", "dropped", "summarized")) };
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

/** A called graph is part of the attempt that called it. */
function spanAround({ caller }: StoredEvent, context: RowContext): number {
  const around = caller === undefined ? undefined : context.attemptSpan(caller);
  return around ?? context.runSpan;
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
  { redact }: RowContext,
): Cells {
  const { id, kind, createdAt: _, ...rest } = message;
  return { name: id, reason: kind, payload: toTraceJson(rest, redact) };
}

function itemColumns(
  { failure, value, number }: RunEvent & { readonly kind: "each.item" },
  context: RowContext,
): Cells {
  if (failure !== undefined) return failureColumns(failure, context);
  return { payload: toTraceJson({ number, value }, context.redact) };
}

function missingOf({ missing }: { readonly missing?: readonly string[] }, context: RowContext) {
  return missing === undefined ? null : toTraceJson({ missing }, context.redact);
}

function runColumns(
  event: Extract<RunEvent, { readonly kind: "run.started" | "run.finished" }>,
  context: RowContext,
): Cells {
  const shared = { name: context.graph, patches: patchesJson(event.patches, context) };
  if (event.kind === "run.started") {
    const payload = toTraceJson(pick(event, "input", "graphHash"), context.redact);
    return { ...shared, step: 0, status: "running", payload };
  }
  const payload = pick(event, "output", "failure", "usage", "steps");
  return {
    ...shared,
    ...(event.failure === undefined ? {} : errorColumns(event.failure)),
    status: event.status,
    reason: event.reason,
    payload: toTraceJson(payload, context.redact),
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
      "expiresAt",
      "schema",
    );
    return { ...shared, status: "waiting", payload: toTraceJson(payload, context.redact) };
  }
  const payload = pick(event, "question", "answer", "from", "by");
  return {
    ...shared,
    ...usageColumns(event.usage),
    status: event.answer.kind,
    payload: toTraceJson(payload, context.redact),
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
      payload: toTraceJson(
        event.args === undefined ? undefined : { args: event.args },
        context.redact,
      ),
    };
  }
  return {
    ...(event.failure === undefined ? {} : errorColumns(event.failure)),
    status: event.status,
    reason: event.next ?? (event.isCached === true ? "cached" : null),
    payload: toTraceJson(
      { ...pick(event, "usage", "failure", "notBefore"), ...writesIn(event, context) },
      context.redact,
    ),
    patches: patchesJson(event.patches ?? [], context),
  };
}

type CallEvent = Extract<RunEvent, { readonly call: number }>;
type ResultEvent = Extract<CallEvent, { readonly durationMs: number }>;

function callColumns(event: CallEvent, context: RowContext): Cells {
  const called = "model" in event ? event.model : "tool" in event ? event.tool : event.function;
  return {
    parent_id: context.attemptSpan(event.nodeRun) ?? null,
    name: called,
    model: "model" in event ? event.model : null,
    model_source: "modelSource" in event ? event.modelSource : null,
    reason: "effect" in event ? event.effect : null,
  };
}

/** `name` is the controller; `reason` of a `controller.event` its kind, of a `session.started` how it began. */
function controllerColumns(
  event: Extract<RunEvent, { readonly controller: string }>,
  context: RowContext,
): Cells {
  const cells = {
    parent_id: context.attemptSpan(event.nodeRun) ?? null,
    name: event.controller,
    model_source: event.modelSource ?? null,
  };
  const json = (payload: unknown) => toTraceJson(payload, context.redact);
  switch (event.kind) {
    case "session.requested":
      return { ...cells, status: "running", payload: json(event.request) };
    case "session.started":
      return {
        ...cells,
        reason: event.how,
        payload: json(pick(event, "sessionId", "turn", "gone")),
      };
    case "session.ended": {
      const payload = json(event.result ?? pick(event, "sessionId", "failure"));
      const failed = event.failure === undefined ? {} : errorColumns(event.failure);
      return { ...cells, ...failed, status: event.status, payload };
    }
    case "controller.event": {
      const { event: heard, usage, sessionId } = event;
      const payload = json({ ...heard, sessionId });
      return { ...cells, ...usageColumns(usage), reason: heard.kind, payload };
    }
    case "controller.raw":
      return { ...cells, payload: json(event.raw) };
    case "controller.answered":
      return { ...cells, reason: event.decision, payload: json(pick(event, "approvalId")) };
  }
}

function resultColumns(event: ResultEvent, context: RowContext): Cells {
  const firstTokenMs = event.kind === "model.response" ? event.firstTokenMs : undefined;
  return {
    ...usageColumns(event.usage),
    ...(event.failure === undefined
      ? { status: "ok", payload: toTraceJson(event.value, context.redact) }
      : { status: "error", ...failureColumns(event.failure, context) }),
    ttft_us: firstTokenMs === undefined ? null : Math.round(firstTokenMs * 1_000),
    transport_retries: event.transportRetries ?? null,
  };
}

/** Tokens of nothing are unknown, not 0; so is the cost of tokens without a price. */
function usageColumns(usage: Usage | undefined): Cells {
  if (usage === undefined) return {};
  return {
    input_tokens: usage.inputTokens,
    output_tokens: usage.outputTokens,
    cached_tokens: usage.cachedTokens,
    reasoning_tokens: usage.reasoningTokens,
    cost_usd: usage.costUsd,
  };
}

function failureColumns(failure: Failure, { redact }: RowContext): Cells {
  return { ...errorColumns(failure), payload: toTraceJson(failure, redact) };
}

function errorColumns(failure: Failure): Cells {
  return { error_class: failure.class, error_code: failure.code };
}

function writesIn({ writes }: { readonly writes?: readonly LoggedWrite[] }, context: RowContext) {
  return writes === undefined ? {} : { writes: writesOf(writes, context) };
}

function writesOf(writes: readonly LoggedWrite[], { redact }: RowContext): unknown {
  return writes.map((write) => ({
    ...write,
    value: shortened(redactUnder(write.field, write.value, redact)),
  }));
}

/** Patches stay patches: only their values are redacted and cut. */
function patchesJson(patches: readonly Patch[], { redact }: RowContext): string | null {
  if (patches.length === 0) return null;
  // Items of a list are often the same.
  const texts = new Map<unknown, string>();
  const valueText = (value: unknown): string => {
    const text = texts.get(value) ?? stringify(shortened(value));
    texts.set(value, text);
    return text;
  };
  const kept = patches.map(({ value, ...rest }) => {
    const text = stringify(rest);
    if (value === undefined) return text;
    const shown = redactUnder(rest.path.at(-1), value, redact);
    return `${text.slice(0, -1)},"value":${valueText(shown)}}`;
  });
  return `[${kept.join(",")}]`;
}

/** The named members that are there. */
function pick<T extends object, K extends keyof T>(value: T, ...names: K[]): Partial<Pick<T, K>> {
  const entries = names.flatMap((name) => (value[name] === undefined ? [] : [[name, value[name]]]));
  return Object.fromEntries(entries) as Partial<Pick<T, K>>;
}
