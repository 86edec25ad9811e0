/** Converts a traced run into OTLP spans. */
import type { EventRow, GraphRow } from "../../schema/tables.ts";
import { bool, double, integer, type KeyValue, text, texts } from "../any-value.ts";
import { cellAttributes, rowAttributes, spanAttributes } from "../own-attributes.ts";
import { type ScoreRow, scoreEvent } from "../scores.ts";
import { type OtlpEvent, type OtlpSpan, STATUS_ERROR, toNanos } from "../span.ts";
import { spanIds, traceIdOf } from "../trace-id.ts";
import { changedKeys, isError, nodeRunFace, type SpanFace, spanFace } from "./gen-ai.ts";
import { type SpanRows, spanGroups } from "./span-groups.ts";

/** The rows of one run in the trace. */
export interface RunRows {
  readonly run: ExportedRunFacts;
  /** By `seq` and `part`. */
  readonly events: readonly EventRow[];
  readonly graphs: readonly GraphRow[];
  readonly scores: readonly ScoreRow[];
}

/** The run's own row; JSON and times as texts and milliseconds. */
export interface ExportedRunFacts {
  readonly run_id: string;
  readonly thread_id: string;
  readonly graph: string;
  readonly [column: string]: unknown;
}

/** The columns of a run, as attributes of its span. */
export const RUN_FACTS = [
  "graph_hash",
  "forked_from",
  "forked_from_seq",
  "rerun_of",
  "status",
  "reason",
  "started_at",
  "ended_at",
  "steps",
  "models",
  "error_code",
  "error_node",
] as const;
export const RUN_CONTENT = ["input", "output", "error_message"] as const;
export const GRAPH_COLUMNS = ["graph_hash", "name", "file", "text", "ir"] as const;

/** The attribute with the end of a span that has none of its own, in milliseconds since the epoch. */
export const END_MS = "madrigal.end_ms";

interface SpanParts {
  readonly traceId: string;
  readonly ids: ReturnType<typeof spanIds>;
  readonly content: boolean;
  /** The end of spans that are still open, in milliseconds since the epoch. */
  readonly lastMs: number;
  readonly spans: ReadonlyMap<number, SpanRows>;
  readonly root: SpanRows;
  readonly scores: readonly ScoreRow[];
}

/** The spans of a run, its own first; without `content` none of them has what people, models and tools said. */
export function toSpans(of: RunRows, content: boolean): OtlpSpan[] {
  const traceId = traceIdOf(of.run.run_id);
  const spans = spanGroups(of.events);
  const [root] = spans.values();
  if (root === undefined) return [];
  const lastMs = of.events.reduce((last, { ts }) => Math.max(last, ts ?? 0), 0);
  const making = {
    traceId,
    ids: spanIds(traceId),
    content,
    lastMs,
    spans,
    root,
    scores: of.scores,
  };
  const made = [...spans.values()].map((span) => {
    const more = span === root ? runAttributes(of, content) : [];
    const graphs = span === root && content ? of.graphs : [];
    const judged = span === root ? scoresOfRun(making) : [];
    const events = [...graphs.map((graph) => graphEvent(graph, span)), ...judged];
    return toSpan(span, { attributes: more, events }, making);
  });
  return [...made, ...nodeRunSpans(making)];
}

function toSpan(
  span: SpanRows,
  more: { readonly attributes: readonly KeyValue[]; readonly events: readonly OtlpEvent[] },
  making: SpanParts,
): OtlpSpan {
  const { traceId, ids, content } = making;
  const { name, kind, attributes } = spanFace(span, content);
  const [startMs, endMs] = extent(span, making);
  const parent = parentOf(span, making);
  return {
    traceId,
    spanId: ids.of(span.number),
    ...(parent === undefined ? {} : { parentSpanId: parent }),
    name,
    kind,
    startTimeUnixNano: toNanos(startMs),
    endTimeUnixNano: toNanos(endMs),
    attributes: [
      ...attributes,
      ...spanAttributes(span, content),
      ...(span.end === undefined ? [bool("madrigal.open", true)] : []),
      // Of a clock that went back, the end is before the beginning, which OTLP does not allow.
      ...((span.end?.ts ?? endMs) < endMs ? [double(END_MS, span.end?.ts ?? endMs)] : []),
      ...more.attributes,
    ],
    events: [...more.events, ...span.events.map((row) => toEvent(row, content))],
    ...(isError(span.end) ? { status: { code: STATUS_ERROR, ...message(span, content) } } : {}),
  };
}

function extent({ begin, end }: SpanRows, { lastMs }: SpanParts): readonly [number, number] {
  const endMs = end?.ts ?? lastMs;
  const startMs = begin?.ts ?? endMs - (end?.dur_us ?? 0) / 1_000;
  return [startMs, Math.max(startMs, endMs)];
}

/** An attempt is in its node run, everything else where its row says. */
function parentOf(span: SpanRows, { ids, spans, root }: SpanParts): string | undefined {
  if (span === root) return undefined;
  const row = span.begin ?? span.end ?? {};
  if (isAttempt(row)) return ids.ofNodeRun(row.node_run ?? 0);
  return ids.of(spans.has(row.parent_id ?? -1) ? (row.parent_id ?? 0) : root.number);
}

function isAttempt({ kind, node_run }: EventRow): boolean {
  return kind?.startsWith("attempt.") === true && typeof node_run === "number";
}

/** One around the attempts of each node run. */
function nodeRunSpans(making: SpanParts): OtlpSpan[] {
  const attempts = Map.groupBy(
    [...making.spans.values()].filter(({ begin, end }) => isAttempt(begin ?? end ?? {})),
    ({ begin, end }) => (begin ?? end)?.node_run ?? 0,
  );
  return [...attempts].map(([nodeRun, group]) => nodeRunSpan(nodeRun, group, making));
}

function nodeRunSpan(nodeRun: number, attempts: readonly SpanRows[], making: SpanParts): OtlpSpan {
  const { traceId, ids, spans, root, scores, content } = making;
  const extents = attempts.map((attempt) => extent(attempt, making));
  const last = attempts.at(-1);
  const row = last?.begin ?? last?.end ?? {};
  const face: SpanFace = nodeRunFace(row);
  return {
    traceId,
    spanId: ids.ofNodeRun(nodeRun),
    parentSpanId: ids.of(spans.has(row.parent_id ?? -1) ? (row.parent_id ?? 0) : root.number),
    name: face.name,
    kind: face.kind,
    startTimeUnixNano: toNanos(Math.min(...extents.map(([start]) => start))),
    endTimeUnixNano: toNanos(Math.max(...extents.map(([, end]) => end))),
    attributes: [
      ...face.attributes,
      integer("madrigal.node_run", nodeRun),
      text("madrigal.node", row.node ?? ""),
      text("madrigal.label", row.label ?? ""),
      integer("madrigal.attempts", attempts.length),
    ],
    events: scores
      .filter(({ node_run_id }) => node_run_id !== null && node_run_id === row.node_run_id)
      .map((score) => scoreEvent(score, content, Math.max(...extents.map(([, end]) => end)))),
    ...(isError(last?.end) ? { status: { code: STATUS_ERROR } } : {}),
  };
}

/** Those of the run, and those of a node run that it does not have. */
function scoresOfRun({ scores, spans, content, lastMs }: SpanParts): OtlpEvent[] {
  const there = new Set([...spans.values()].map(({ begin, end }) => (begin ?? end)?.node_run_id));
  return scores
    .filter(({ node_run_id }) => node_run_id === null || !there.has(node_run_id))
    .map((score) => scoreEvent(score, content, lastMs));
}

/** Messages quote what was said. */
function message({ end }: SpanRows, content: boolean): { readonly message?: string } {
  const short = [end?.error_code, end?.error_class, end?.reason].filter(Boolean).join(" ");
  if (!content) return { message: short };
  const found = /"message":"((?:[^"\\]|\\.)*)"/.exec(end?.payload ?? "")?.[1];
  return { message: found === undefined ? short : (JSON.parse(`"${found}"`) as string) };
}

function toEvent(row: EventRow, content: boolean): OtlpEvent {
  const { name, attributes } = eventFace(row);
  return {
    timeUnixNano: toNanos(row.ts ?? 0),
    name,
    attributes: [...attributes, ...rowAttributes(row, content)],
  };
}

function eventFace(row: EventRow): { readonly name: string; readonly attributes: KeyValue[] } {
  if (row.kind === "error") {
    const type = row.error_code ?? row.error_class ?? "_OTHER";
    return { name: "exception", attributes: [text("exception.type", type)] };
  }
  const changed = row.kind === "commit" ? changedKeys(row.patches) : [];
  if (changed.length === 0) return { name: `madrigal.${row.kind}`, attributes: [] };
  const attributes = [
    integer("gen_ai.execution.state.changed_key.count", changed.length),
    texts("gen_ai.execution.state.changed_keys", changed),
  ];
  return { name: "gen_ai.execution.state.changed", attributes };
}

function runAttributes({ run }: RunRows, content: boolean): KeyValue[] {
  const names = content ? [...RUN_FACTS, ...RUN_CONTENT] : RUN_FACTS;
  return [
    text("gen_ai.conversation.id", run.thread_id),
    ...cellAttributes(run, "madrigal.run.", names),
  ];
}

function graphEvent(graph: GraphRow, { begin, end }: SpanRows): OtlpEvent {
  return {
    timeUnixNano: toNanos(begin?.ts ?? end?.ts ?? 0),
    name: "madrigal.graph",
    attributes: cellAttributes(graph, "madrigal.graph.", GRAPH_COLUMNS),
  };
}
