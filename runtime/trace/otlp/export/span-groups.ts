/** Groups the rows of a run into spans: the row that begins one, the row that ends it, and those within it. */
import type { EventRow } from "../../schema/tables.ts";

/** A span of a run; one that only has an end began that end's duration before, one that only has a beginning is open. */
export interface SpanRows {
  readonly number: number;
  begin?: EventRow;
  end?: EventRow;
  /** The events of the span, in order. */
  readonly events: EventRow[];
}

const BEGINS = new Set([
  "run.started",
  "graph.started",
  "attempt.started",
  "model.request",
  "tool.call",
  "function.call",
  "session.requested",
  "interrupt.opened",
]);

const ENDS = new Set([
  "run.finished",
  "graph.finished",
  "attempt.finished",
  "model.response",
  "tool.result",
  "function.result",
  "session.ended",
  "interrupt.answered",
]);

/** The spans of a run by their number, its own first. Each row is in one of them, once. */
export function spanGroups(rows: readonly EventRow[]): ReadonlyMap<number, SpanRows> {
  const [first] = rows;
  const root: SpanRows = { number: first?.span_id ?? 0, events: [] };
  const spans = new Map([[root.number, root]]);
  const attempts = new Map<number, SpanRows>();
  for (const row of rows) {
    if (addToSpan(spans, row)) {
      const span = spans.get(row.span_id ?? root.number);
      if (row.kind === "attempt.started" && span !== undefined)
        attempts.set(row.node_run ?? -1, span);
    } else hostOf(row, { spans, attempts, root }).events.push(row);
  }
  return spans;
}

/** Adds a row that begins or ends a span; returns whether it did. A run that continues ends again: its last end counts. */
function addToSpan(spans: Map<number, SpanRows>, row: EventRow): boolean {
  const { span_id: number, kind } = row;
  if (number === null || number === undefined || typeof kind !== "string") return false;
  if (!BEGINS.has(kind) && !ENDS.has(kind)) return false;
  const span = spans.get(number) ?? { number, events: [] };
  spans.set(number, span);
  if (BEGINS.has(kind)) {
    if (span.begin !== undefined) return false;
    span.begin = row;
    return true;
  }
  if (span.end !== undefined) span.events.push(span.end);
  span.end = row;
  return true;
}

function hostOf(
  row: EventRow,
  of: {
    readonly spans: ReadonlyMap<number, SpanRows>;
    readonly attempts: ReadonlyMap<number, SpanRows>;
    readonly root: SpanRows;
  },
): SpanRows {
  const own = row.span_id ?? row.parent_id;
  const around = own === null || own === undefined ? undefined : of.spans.get(own);
  return around ?? of.attempts.get(row.node_run ?? -1) ?? of.root;
}
