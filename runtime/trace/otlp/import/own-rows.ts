/** Converts spans that Madrigal exported back into the rows that they were made of. */
import type { EventRow, GraphRow, RunRow } from "../../schema/tables.ts";
import { membersOf } from "../any-value.ts";
import { END_MS } from "../export/to-spans.ts";
import { readCells } from "../own-attributes.ts";
import type { TakenRows } from "../span.ts";
import { type Attributes, type ImportedSpan, SCOPE, toMs } from "../span.ts";
import { asJson } from "./foreign-facts.ts";

/** The rows of a run that another Madrigal, or this one, exported. */
export function ownRows(runId: string, spans: readonly ImportedSpan[]): TakenRows {
  const own = spans.filter(({ scope }) => scope === SCOPE);
  const events = own.flatMap((span) => rowsOf(span, sharedOf(runId, span.resource)));
  events.sort((a, b) => (a.seq ?? 0) - (b.seq ?? 0) || (a.part ?? 0) - (b.part ?? 0));
  const root = own.find(({ attributes }) => attributes["madrigal.run.status"] !== undefined);
  return {
    run: runRow(runId, { resource: own[0]?.resource ?? {}, root, events }),
    events,
    graphs: (root?.events ?? []).flatMap(({ name, attributes }) =>
      name === "madrigal.graph" ? [graphRow(attributes)] : [],
    ),
  };
}

function sharedOf(runId: string, resource: Attributes): EventRow {
  const thread = resource["madrigal.thread_id"];
  const graph = resource["madrigal.graph"];
  return { run_id: runId, thread_id: textOrNull(thread) ?? runId, graph: textOrNull(graph) };
}

/** The spans around node runs have no rows. */
function rowsOf(span: ImportedSpan, shared: EventRow): EventRow[] {
  const { attributes, start, end, events } = span;
  const rows: EventRow[] = events.flatMap(({ time, attributes: of }) =>
    of["madrigal.kind"] === undefined
      ? []
      : [withEnds(readCells({ ...shared, ts: toMs(time) }, of))],
  );
  if (attributes["madrigal.begin.kind"] !== undefined) {
    rows.push(readCells({ ...shared, ts: toMs(start) }, attributes, "begin"));
  }
  if (attributes["madrigal.end.kind"] !== undefined) {
    const endMs = attributes[END_MS];
    const ts = typeof endMs === "number" ? endMs : toMs(end);
    rows.push(readCells({ ...shared, ts }, attributes, "end"));
  }
  return rows;
}

/** Exports of versions before this one tell of a message's ends in its payload alone. */
function withEnds(row: EventRow): EventRow {
  const isMessage = row.kind === "message.sent" || row.kind === "run.steered";
  if (!isMessage || typeof row.sender === "string") return row;
  const { sender, receiver } = membersOf(asJson(row.payload));
  return { ...row, sender: textOrNull(sender), receiver: textOrNull(receiver) };
}

function runRow(
  runId: string,
  of: {
    readonly resource: Attributes;
    readonly root: ImportedSpan | undefined;
    readonly events: readonly EventRow[];
  },
): RunRow {
  const { resource, root, events } = of;
  const attribute = (name: string) => root?.attributes[`madrigal.run.${name}`];
  return {
    run_id: runId,
    thread_id: textOrNull(resource["madrigal.thread_id"]) ?? runId,
    graph: textOrNull(resource["madrigal.graph"]),
    graph_hash: textOrNull(attribute("graph_hash")),
    forked_from: textOrNull(attribute("forked_from")),
    forked_from_seq: numberOf(attribute("forked_from_seq")),
    rerun_of: textOrNull(attribute("rerun_of")),
    status: textOrNull(attribute("status")) ?? "running",
    reason: textOrNull(attribute("reason")),
    started_at: numberOf(attribute("started_at")) ?? events[0]?.ts ?? null,
    ended_at: numberOf(attribute("ended_at")),
    steps: numberOf(attribute("steps")) ?? 0,
    models: jsonOf(attribute("models")),
    input: jsonOf(attribute("input")),
    output: jsonOf(attribute("output")),
    error_code: textOrNull(attribute("error_code")),
    error_message: textOrNull(attribute("error_message")),
    error_node: textOrNull(attribute("error_node")),
    last_seq: null,
    last_at: null,
    log_id: null,
    origin: `otlp:${textOrNull(resource["service.name"]) ?? "unknown"}`,
  };
}

function graphRow(attributes: Attributes): GraphRow {
  const attribute = (name: string) => textOrNull(attributes[`madrigal.graph.${name}`]);
  return {
    graph_hash: attribute("graph_hash"),
    name: attribute("name"),
    file: attribute("file"),
    text: attribute("text"),
    ir: attribute("ir"),
  };
}

function textOrNull(value: unknown): string | null {
  return typeof value === "string" ? value : null;
}

function numberOf(value: unknown): number | null {
  return typeof value === "number" && Number.isFinite(value) ? value : null;
}

/** Returns the JSON of a value, or null where it has none: invalid JSON would make the views fail for every row. */
function jsonOf(value: unknown): string | null {
  if (typeof value !== "string") return null;
  try {
    JSON.parse(value);
    return value;
  } catch {
    return JSON.stringify(value);
  }
}
