/**
 * Adds up the nodes of one run from its log, as the query `nodeTable` does from the trace: whoever shows a single stored run
 * need not wait for DuckDB.
 */
import { type LogRecord, STATUS_AFTER_ATTEMPT } from "../../records/records.ts";
import type { EventRow } from "../schema/tables.ts";
import type { NodeSummary } from "../sql/queries.ts";
import { isRewind } from "./batch.ts";
import { runTail } from "./run-tail.ts";
import type { TracedRun } from "./source.ts";

/** Returns the nodes in the order in which they first began. `records` is the whole log; one without rows counts nothing. */
export function summarizeNodes(traced: TracedRun, records: readonly LogRecord[]): NodeSummary[] {
  const { rows, hasEnded } = traceRows(traced, records);
  const took = durationsByNodeRun(rows);
  const ofNodeRuns = Map.groupBy(rows.filter(isLabelled), ({ node_run }) => node_run);
  const sums = [...ofNodeRuns].flatMap(([nodeRun, own]) =>
    sumNodeRun(own, { tookUs: took.get(nodeRun), hasEnded }),
  );
  return [...Map.groupBy(sums, ({ node }) => node)]
    .map(([node, own]) => ({ summary: summarize(node, own), began: minOf(own.map(beganOf)) }))
    .sort((a, b) => a.began - b.began || (a.summary.node < b.summary.node ? -1 : 1))
    .map(({ summary }) => summary);
}

/** The rows of a log, with what rewinds undid marked as stale, and whether the run has ended. */
function traceRows(traced: TracedRun, records: readonly LogRecord[]) {
  const tail = runTail(traced, (value) => value);
  const rows: TracedRow[] = [];
  for (const record of records) {
    try {
      for (const row of tail.read(record)) rows.push({ ...row, seq: record.seq });
    } catch {
      // The trace puts such a record aside.
      tail.skip(record);
    }
    if (!isRewind(record)) continue;
    const undone = new Set<unknown>(record.renumbered.map(({ from }) => from));
    for (const row of rows) {
      const isBetween = row.seq > record.to && row.seq < record.seq;
      const isEnded = row.seq === record.seq && row.kind === "attempt.finished";
      if (isBetween || isEnded || undone.has(row.node_run)) row.stale = true;
    }
  }
  return { rows, hasEnded: tail.run.ended_at !== null };
}

type TracedRow = Omit<EventRow, "seq" | "stale"> & { readonly seq: number; stale?: boolean | null };

const isLabelled = ({ label }: TracedRow) => label != null;

/** Adds up the time of each node run's attempts, in microseconds; after a crash, up to the last event before the run went on. */
function durationsByNodeRun(
  rows: readonly TracedRow[],
): ReadonlyMap<TracedRow["node_run"], number> {
  const gaps = rows.flatMap((row) =>
    isGap(row) ? [{ seq: row.seq, last: lastBefore(rows, row.seq) }] : [],
  );
  const ends = new Map<TracedRow["span_id"], TracedRow>();
  for (const row of rows) {
    // An attempt that was aborted with its run, which then went on, can end once more.
    if (row.kind === "attempt.finished" && !ends.has(row.span_id)) ends.set(row.span_id, row);
  }
  const took = new Map<TracedRow["node_run"], number>();
  for (const row of rows) {
    if (row.kind !== "attempt.started") continue;
    const end = ends.get(row.span_id);
    const gap = gaps.find(({ seq }) => seq > row.seq);
    const isEnded = gap === undefined || (end !== undefined && end.seq < gap.seq);
    const tookUs = isEnded ? end?.dur_us : microseconds(gap.last) - microseconds(row.ts ?? 0);
    if (tookUs != null) took.set(row.node_run, (took.get(row.node_run) ?? 0) + tookUs);
  }
  return took;
}

/** Times in milliseconds are kept in whole microseconds. */
const microseconds = (ms: number) => Math.round(ms * 1_000);

const isGap = ({ kind, status }: TracedRow) =>
  kind === "run.resumed" ||
  kind === "run.rewound" ||
  (kind === "run.finished" && status === "aborted");

function lastBefore(rows: readonly TracedRow[], before: number): number {
  return rows.reduce((last, { seq, ts }) => (seq < before ? Math.max(last, ts ?? 0) : last), 0);
}

/** A node run, as the view `node_runs` has it. */
type NodeRunSum = Pick<
  NodeSummary,
  | "node"
  | "attempts"
  | "dur_us"
  | "model_calls"
  | "tool_calls"
  | "input_tokens"
  | "output_tokens"
  | "cost_usd"
  | "model"
  | "model_source"
> & { readonly began: number; readonly isStale: boolean; readonly isFailed: boolean };

const beganOf = ({ began }: NodeRunSum) => began;

/** None for what was never attempted. */
function sumNodeRun(
  rows: readonly TracedRow[],
  of: { readonly tookUs: number | undefined; readonly hasEnded: boolean },
): readonly NodeRunSum[] {
  const started = rows.filter(({ kind }) => kind === "attempt.started");
  if (started.length === 0) return [];
  const attempts = rows.filter(({ kind }) => kind?.startsWith("attempt.") === true);
  const last = attempts.reduce((latest, row) => (row.seq > latest.seq ? row : latest));
  const after = afterAttempt(last);
  const isStale = rows.some(({ stale }) => stale);
  const isOver = isStale || of.hasEnded || (last.kind === "attempt.finished" && after !== "ready");
  const unpriced = rows.some((row) => row.input_tokens != null && row.cost_usd == null);
  const paidCalls = (kind: string) => rows.filter((row) => row.kind === kind && !row.copied).length;
  return [
    {
      node: rows[0]?.node ?? "",
      began: minOf(started.map(({ ts }) => ts ?? 0)),
      isStale,
      isFailed: !isStale && last.status !== "ok" && after === "failed",
      attempts: started.length,
      dur_us: isOver ? (of.tookUs ?? null) : null,
      model_calls: paidCalls("model.response"),
      tool_calls: paidCalls("tool.result"),
      input_tokens: sumOf(rows.map(({ input_tokens }) => input_tokens)),
      output_tokens: sumOf(rows.map(({ output_tokens }) => output_tokens)),
      cost_usd: unpriced ? null : sumOf(rows.map(({ cost_usd }) => cost_usd)),
      model: rows.findLast(({ model }) => model != null)?.model ?? null,
      model_source: rows.findLast(({ model_source }) => model_source != null)?.model_source ?? null,
    },
  ];
}

/** The status of a node run after its last attempt, where the attempt's reason decides it. */
function afterAttempt({ reason }: TracedRow): string | undefined {
  const statuses: Readonly<Record<string, string>> = STATUS_AFTER_ATTEMPT;
  return Object.hasOwn(statuses, reason ?? "") ? statuses[reason ?? ""] : undefined;
}

function summarize(node: string, all: readonly NodeRunSum[]): NodeSummary {
  const valid = all.filter(({ isStale }) => !isStale);
  const durations = valid.flatMap(({ dur_us }) => (dur_us === null ? [] : [dur_us]));
  const isPriced = all.every(({ cost_usd }) => cost_usd !== null);
  return {
    node,
    runs: valid.length,
    attempts: sumOf(valid.map(({ attempts }) => attempts)),
    failed: valid.filter(({ isFailed }) => isFailed).length,
    dur_us: durations.length === 0 ? null : sumOf(durations),
    model_calls: sumOf(all.map(({ model_calls }) => model_calls)),
    tool_calls: sumOf(all.map(({ tool_calls }) => tool_calls)),
    input_tokens: sumOf(all.map(({ input_tokens }) => input_tokens)),
    output_tokens: sumOf(all.map(({ output_tokens }) => output_tokens)),
    cost_usd: isPriced ? sumOf(all.map(({ cost_usd }) => cost_usd)) : null,
    model: namesOf(all.map(({ model }) => model)),
    model_source: namesOf(all.map(({ model_source }) => model_source)),
  };
}

function namesOf(names: readonly (string | null)[]): string | null {
  const known = [...new Set(names)].filter((name) => name !== null).sort();
  return known.length === 0 ? null : known.join(", ");
}

function sumOf(values: readonly (number | null | undefined)[]): number {
  return values.reduce<number>((total, value) => total + (value ?? 0), 0);
}

function minOf(values: readonly number[]): number {
  return values.reduce((least, value) => Math.min(least, value), Number.POSITIVE_INFINITY);
}
