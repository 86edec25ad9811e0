/** Queries everything that the report of a run shows from its trace, also for runs without a log here. */
import type { SqlValue } from "../sql/plain-values.ts";
import { type Queryable, rowsOf } from "./chart-runs.ts";

/** A run as the view `runs` has it, with its graph. */
export interface ReportedRun {
  readonly run_id: string;
  readonly thread_id: string;
  readonly graph: string;
  readonly graph_hash: string;
  readonly status: string;
  readonly reason: string | null;
  readonly ts: string | null;
  readonly ended_at: string | null;
  readonly dur_us: number | null;
  readonly steps: number;
  readonly model_source: string | null;
  readonly model_calls: number;
  readonly tool_calls: number;
  readonly input_tokens: number;
  readonly output_tokens: number;
  /** Null as soon as one call has no known price. */
  readonly cost_usd: number | null;
  readonly error_code: string | null;
  readonly error_message: string | null;
  readonly error_node: string | null;
  readonly input: SqlValue;
  readonly output: SqlValue;
  /** Null where the graph is not traced. */
  readonly ir: SqlValue;
}

export const REPORTED_RUN = `
SELECT
  r.run_id, r.thread_id, r.graph, r.graph_hash, r.status, r.reason, r.ts, r.ended_at, r.dur_us, r.steps,
  r.model_source, r.model_calls, r.tool_calls, r.input_tokens, r.output_tokens, r.cost_usd,
  r.error_code, r.error_message, r.error_node, r.input, r.output,
  g.ir
FROM (FROM runs WHERE run_id = $run) r
LEFT JOIN graphs g ON g.graph_hash = r.graph_hash
LIMIT 1`;

/** The status of one node, for the drawing. */
export interface ReportedNode {
  readonly node: string;
  readonly statuses: readonly string[];
  readonly done: number;
  readonly total: number;
  readonly dur_us: number;
  readonly tokens: number;
}

// What was undone is told only where nothing else is.
export const REPORTED_NODES = `
WITH found AS MATERIALIZED (
  SELECT node, status, dur_us, input_tokens, output_tokens
  FROM node_runs
  WHERE run_id = $run AND graph_path IS NULL
),
known AS (
  SELECT *, bool_and(status = 'stale') OVER (PARTITION BY node) AS is_undone
  FROM found
)
SELECT
  node,
  list(DISTINCT status ORDER BY status) AS statuses,
  count(*) FILTER (status = 'succeeded') AS done,
  count(*) AS total,
  coalesce(sum(dur_us), 0)::BIGINT AS dur_us,
  sum(input_tokens + output_tokens)::BIGINT AS tokens
FROM known
WHERE is_undone OR status <> 'stale'
GROUP BY node
ORDER BY node`;

/** One commit; of a called graph `graph_path` says where. */
export interface ReportedStep {
  readonly step: number;
  readonly graph_path: string | null;
  readonly node: string;
  readonly label: string;
  readonly attempt: number;
  readonly dur_us: number | null;
  readonly output: SqlValue;
  readonly seq: number;
  /** JSON. */
  readonly patches: string | null;
}

export const REPORTED_STEPS = `
SELECT step, graph_path, node, label, attempt, dur_us, output, seq, patches::VARCHAR AS patches
FROM steps
WHERE run_id = $run
ORDER BY seq`;

/** A message, an artifact, a question or a failure; one line each, in order. */
export interface ReportedFact {
  readonly what: "message" | "artifact" | "interrupt" | "failure";
  readonly ts: string;
  readonly node: string | null;
  /** Its kind, or the code of the error. */
  readonly kind: string | null;
  readonly status: string | null;
  readonly content: SqlValue;
}

export const REPORTED_FACTS = `
SELECT 'message' AS what, seq, ts, sender || ' → ' || coalesce(recipient, 'whoever follows') AS node, kind, status, content
FROM messages
WHERE run_id = $run
UNION ALL
SELECT
  'artifact', seq, ts, node, kind, mime,
  json_object('name', coalesce(name, path), 'path', path, 'bytes', bytes, 'hash', hash)
FROM artifacts
WHERE run_id = $run
UNION ALL
SELECT 'interrupt', seq, ts, node, kind, status, json_object('question', question -> '$.question', 'answer', answer -> '$.answer')
FROM interrupts
WHERE run_id = $run
UNION ALL
SELECT
  'failure', seq, ts, label, error_code, coalesce(reason, error_class),
  coalesce(payload -> '$.failure.message', to_json(error_class))
FROM events
WHERE run_id = $run AND kind = 'attempt.finished' AND error_code IS NOT NULL AND NOT stale
ORDER BY seq`;

/** The content of a page about a run. */
export interface RunReport {
  readonly run: ReportedRun;
  readonly nodes: readonly ReportedNode[];
  readonly steps: readonly ReportedStep[];
  readonly facts: readonly ReportedFact[];
}

/** Undefined when nothing of the run is traced. */
export async function runReport(traces: Queryable, id: string): Promise<RunReport | undefined> {
  const params = { run: id };
  const [run] = await rowsOf<ReportedRun>(traces, REPORTED_RUN, params);
  if (run === undefined) return undefined;
  return {
    run,
    nodes: await rowsOf<ReportedNode>(traces, REPORTED_NODES, params),
    steps: await rowsOf<ReportedStep>(traces, REPORTED_STEPS, params),
    facts: await rowsOf<ReportedFact>(traces, REPORTED_FACTS, params),
  };
}
