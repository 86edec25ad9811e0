/** Converts the spans of another tool into rows of the trace, so that the same queries and charts work on them. */

import { toTraceJson } from "../../ingest/trace-json.ts";
import type { EventRow } from "../../schema/tables.ts";
import type { TakenRows } from "../span.ts";
import { type ImportedSpan, STATUS_ERROR, toMs } from "../span.ts";
import {
  attributeText,
  conversationOf,
  inputOf,
  modelId,
  otherAttributes,
  outputOf,
  toolName,
  usageOf,
} from "./foreign-facts.ts";
import { answerOf, requestOf } from "./foreign-messages.ts";
import { compareTimes, type Moment, moments, type PlacedSpan, placeSpans } from "./foreign-tree.ts";

/** The model source of imported calls, whose provider is unknown. */
const SOURCE = "imported";

interface ForeignRowParts {
  readonly runId: string;
  readonly shared: EventRow;
  /** The `seq` of each span's beginning, which is its number. */
  readonly numbers: Map<string, number>;
  readonly runSpan: number;
  readonly lastEnds: Map<
    PlacedSpan | undefined,
    { readonly nodeRun: number; readonly time: string }
  >;
  steps: number;
}

/** The rows of a trace that another tool made: its root is the run, agents and nodes of a graph are node runs, each one step. */
export function foreignRows(runId: string, spans: readonly ImportedSpan[]): TakenRows {
  const all = placeSpans(spans);
  const own = all.find(({ kind }) => kind === "run");
  const facts = runFacts(runId, spans, own);
  const shared = { run_id: runId, thread_id: facts.thread_id, graph: facts.graph };
  const making: ForeignRowParts = {
    runId,
    shared,
    numbers: new Map(),
    runSpan: 0,
    lastEnds: new Map(),
    steps: 0,
  };
  const events: EventRow[] = own === undefined ? [beginOfRun(facts, making)] : [];
  for (const moment of moments(all)) {
    const { of, kind } = moment;
    const seq = events.length;
    if (kind === "begin") making.numbers.set(of.span.spanId, seq);
    const rows =
      of.kind === "run" && kind !== "event"
        ? [kind === "begin" ? beginOfRun(facts, making) : endOfRun(facts, making)]
        : rowsOf(moment, making);
    for (const row of rows)
      events.push({ ...shared, stale: false, ...row, seq: events.length, part: 0 });
  }
  if (own === undefined) events.push({ ...endOfRun(facts, making), seq: events.length });
  return { run: { ...facts, steps: making.steps }, events, graphs: [] };
}

function runFacts(runId: string, spans: readonly ImportedSpan[], own: PlacedSpan | undefined) {
  const first = spans.reduce((a, b) => (compareTimes(b.start, a.start) < 0 ? b : a));
  const last = spans.reduce((a, b) => (compareTimes(b.end, a.end) > 0 ? b : a));
  const span = own?.span;
  const service = attributeText(first.resource, "service.name") ?? "unknown";
  const isFailed = span?.status.code === STATUS_ERROR;
  const name =
    span === undefined
      ? service
      : (attributeText(span.attributes, "gen_ai.workflow.name") ?? span.name);
  return {
    run_id: runId,
    thread_id: spans.map(conversationOf).find((id) => id !== undefined) ?? runId,
    graph: name.replace(/^invoke_workflow /, ""),
    graph_hash: null,
    forked_from: null,
    forked_from_seq: null,
    rerun_of: null,
    status: isFailed ? "failed" : "succeeded",
    reason: isFailed ? "error" : "done",
    started_at: toMs((span ?? first).start),
    ended_at: toMs((span ?? last).end),
    steps: 0,
    models: "{}",
    input: span === undefined ? null : json(inputOf(span)),
    output: span === undefined ? null : json(outputOf(span)),
    error_code: null,
    error_message: isFailed ? errorOf(span).message : null,
    error_node: null,
    last_seq: null,
    last_at: null,
    log_id: null,
    origin: `otlp:${service}`,
  };
}

type ForeignFacts = ReturnType<typeof runFacts>;

function beginOfRun(
  { graph, started_at, input }: ForeignFacts,
  { shared, runSpan }: ForeignRowParts,
): EventRow {
  const payload = input === null ? null : `{"input":${input}}`;
  const row = { ...shared, seq: 0, part: 0, ts: started_at, stale: false, kind: "run.started" };
  return { ...row, span_id: runSpan, step: 0, name: graph, status: "running", payload };
}

function endOfRun(facts: ForeignFacts, { shared, runSpan, steps }: ForeignRowParts): EventRow {
  const { graph, started_at, ended_at, status, reason, output } = facts;
  return {
    ...shared,
    part: 0,
    ts: ended_at,
    stale: false,
    kind: "run.finished",
    span_id: runSpan,
    step: steps,
    name: graph,
    status,
    reason,
    dur_us: Math.max(0, Math.round((ended_at - started_at) * 1_000)),
    payload: output === null ? null : `{"output":${output}}`,
  };
}

function rowsOf(moment: Moment, making: ForeignRowParts): EventRow[] {
  const { of, time } = moment;
  const base = { ts: toMs(time), ...nodeCells(of, making) };
  if (moment.kind === "event") return [{ ...base, ...eventRow(of.span, moment.event) }];
  const number = making.numbers.get(of.span.spanId) ?? 0;
  const span = { ...base, span_id: number, parent_id: parentOf(of, making) };
  if (moment.kind === "begin") return [{ ...span, status: "running", ...beginning(of, making) }];
  return ending(of, span, making);
}

function nodeCells({ nodeRun }: PlacedSpan, { runId }: ForeignRowParts): EventRow {
  if (nodeRun === undefined) return {};
  const { number, node, label } = nodeRun;
  return { node, node_run: number, node_run_id: `${runId}/${number}`, label, attempt: 1 };
}

function parentOf({ parent }: PlacedSpan, { numbers, runSpan }: ForeignRowParts): number {
  return parent === undefined ? runSpan : (numbers.get(parent.span.spanId) ?? runSpan);
}

function beginning(of: PlacedSpan, making: ForeignRowParts): EventRow {
  const { span } = of;
  switch (of.kind) {
    case "node": {
      const payload = json({ ...named("args", inputOf(span)), ...otherAttributes(span) });
      return { kind: "attempt.started", reason: "first", cause: causeOf(of, making), payload };
    }
    case "model": {
      const model = modelId(span);
      const payload = json({ ...requestOf(span), ...otherAttributes(span) });
      return { kind: "model.request", name: model, model, model_source: SOURCE, payload };
    }
    case "tool":
      return { kind: "tool.call", name: toolName(span), payload: json(toolInput(span)) };
    default: {
      const payload = json({ ...named("args", inputOf(span)), ...otherAttributes(span) });
      return { kind: "function.call", name: span.name, payload };
    }
  }
}

/** Returns the node run that ended last before it began, below the same span; its cause is otherwise unknown. */
function causeOf(of: PlacedSpan, { lastEnds }: ForeignRowParts): number | null {
  return lastEnds.get(of.parent)?.nodeRun ?? null;
}

function toolInput(span: ImportedSpan): unknown {
  const input = inputOf(span);
  const others = otherAttributes(span);
  return typeof input === "object" && input !== null && !Array.isArray(input)
    ? { ...input, ...others }
    : { ...named("input", input), ...others };
}

function named(name: string, value: unknown): Readonly<Record<string, unknown>> {
  return value === undefined ? {} : { [name]: value };
}

function ending(of: PlacedSpan, row: EventRow, making: ForeignRowParts): EventRow[] {
  const { span } = of;
  const dur_us = Math.max(0, Math.round((toMs(span.end) - toMs(span.start)) * 1_000));
  const isError = span.status.code === STATUS_ERROR;
  const ended = { ...row, dur_us, status: isError ? "error" : "ok" };
  const failed = isError
    ? { error_class: of.kind === "model" ? "model" : "tool", payload: json(errorOf(span)) }
    : undefined;
  switch (of.kind) {
    case "node":
      return nodeEnded(of, ended, making);
    case "model": {
      const model = modelId(span);
      const columns = { kind: "model.response", name: model, model, model_source: SOURCE };
      return [
        {
          ...ended,
          ...columns,
          ...usageOf(span),
          ...(failed ?? { payload: json(answerOf(span)) }),
        },
      ];
    }
    case "tool": {
      const columns = { kind: "tool.result", name: toolName(span) };
      return [{ ...ended, ...columns, ...(failed ?? { payload: json(outputOf(span)) }) }];
    }
    default: {
      const columns = { kind: "function.result", name: span.name };
      return [{ ...ended, ...columns, ...(failed ?? { payload: json(outputOf(span)) }) }];
    }
  }
}

/** A node that went well is a step. What it gave is known, and which fields that changed is not. */
function nodeEnded(of: PlacedSpan, row: EventRow, making: ForeignRowParts): EventRow[] {
  const { span, nodeRun } = of;
  making.lastEnds.set(of.parent, { nodeRun: nodeRun?.number ?? 0, time: span.end });
  const ended = { ...row, kind: "attempt.finished" };
  if (span.status.code === STATUS_ERROR) {
    const failure = errorOf(span);
    return [{ ...ended, reason: "fail", error_class: "tool", payload: json({ failure }) }];
  }
  making.steps += 1;
  const { span_id: _, parent_id: __, status: ___, ...facts } = row;
  const output = outputOf(span);
  const commit = {
    ...facts,
    kind: "commit",
    step: making.steps,
    payload: json(named("output", output)),
  };
  return [ended, commit];
}

function eventRow(span: ImportedSpan, index: number): EventRow {
  const event = span.events[index];
  if (event === undefined) return { kind: "otel.event" };
  if (event.name !== "exception") {
    return { kind: "otel.event", name: event.name, payload: json(event.attributes) };
  }
  return { kind: "error", error_class: "tool", payload: json(errorOf(span)) };
}

/** Returns the error of a span, by its status and the exception in its events. */
function errorOf(span: ImportedSpan | undefined) {
  const exception = span?.events.find(({ name }) => name === "exception")?.attributes ?? {};
  const status: ImportedSpan["status"] = span?.status ?? { code: 0 };
  const attributes = span?.attributes ?? {};
  const type =
    attributeText(exception, "exception.type") ?? attributeText(attributes, "error.type");
  const stack = attributeText(exception, "exception.stacktrace");
  return {
    class: "tool",
    message: firstLine(
      attributeText(exception, "exception.message") ?? status.message ?? type ?? "it failed",
    ),
    ...named("type", type),
    ...named("stack", stack ?? (status.message?.includes("\n") ? status.message : undefined)),
  };
}

/** Some put the whole stack into a message. */
function firstLine(text: string): string {
  return text.split("\n", 1)[0] ?? "";
}

/** Redacted when it came in; as bounded as all payloads are. */
function json(value: unknown): string | null {
  return toTraceJson(value, { redact: (same) => same });
}
