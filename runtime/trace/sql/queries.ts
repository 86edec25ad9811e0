/** Holds the queries that commands and notebooks run by name. */

import type { QueryParams, TraceStore } from "../trace-store.ts";
import type { SqlValue } from "./plain-values.ts";

/** A source that answers SQL. */
export type QueryableTraces = Pick<TraceStore, "query">;

/** One node of a run, over all its node runs; what a rewind undid counts only where it was paid for. */
export interface NodeSummary {
  readonly node: string;
  readonly runs: number;
  readonly attempts: number;
  readonly failed: number;
  /** Added up over node runs, also those that ran side by side. */
  readonly dur_us: number | null;
  readonly model_calls: number;
  readonly tool_calls: number;
  readonly input_tokens: number;
  readonly output_tokens: number;
  /** Null as soon as one call has no known price. */
  readonly cost_usd: number | null;
  readonly model: string | null;
  readonly model_source: string | null;
}

export const NODE_TABLE = `
SELECT
  node,
  count(*) FILTER (status <> 'stale') AS runs,
  coalesce(sum(attempts) FILTER (status <> 'stale'), 0) AS attempts,
  count(*) FILTER (status = 'failed') AS failed,
  sum(dur_us) FILTER (status <> 'stale') AS dur_us,
  sum(model_calls) AS model_calls,
  sum(tool_calls) AS tool_calls,
  sum(input_tokens) AS input_tokens,
  sum(output_tokens) AS output_tokens,
  CASE WHEN count(*) = count(cost_usd) THEN sum(cost_usd) END AS cost_usd,
  string_agg(DISTINCT model, ', ' ORDER BY model) AS model,
  string_agg(DISTINCT model_source, ', ' ORDER BY model_source) AS model_source
FROM node_runs
WHERE run_id = $run
GROUP BY node
ORDER BY min(ts), node`;

/** The nodes of a run, in the order in which they first began. */
export function nodeTable(traces: QueryableTraces, runId: string): Promise<NodeSummary[]> {
  return rowsOf<NodeSummary>(traces, NODE_TABLE, { run: runId });
}

/** One run in a list. */
export interface RunListed {
  readonly run_id: string;
  readonly thread_id: string;
  readonly graph: string;
  readonly status: string;
  readonly reason: string | null;
  readonly ts: string | null;
  readonly dur_us: number | null;
  readonly steps: number;
  readonly model_calls: number;
  readonly tool_calls: number;
  readonly input_tokens: number;
  readonly output_tokens: number;
  readonly cost_usd: number | null;
  readonly model: string | null;
  readonly model_source: string | null;
  readonly error_code: string | null;
  readonly error_message: string | null;
}

export const RUN_LIST = `
SELECT
  run_id,
  thread_id,
  graph,
  status,
  reason,
  ts,
  dur_us,
  steps,
  model_calls,
  tool_calls,
  input_tokens,
  output_tokens,
  cost_usd,
  model,
  model_source,
  error_code,
  error_message
FROM runs
ORDER BY ts DESC, run_id DESC
LIMIT $limit::BIGINT`;

/** The newest runs first. */
export function runList(traces: QueryableTraces, limit: number): Promise<RunListed[]> {
  return rowsOf<RunListed>(traces, RUN_LIST, { limit });
}

/** The number of calls of models and tools by a run, by name. */
export interface CallCount {
  readonly kind: "model" | "tool" | "function";
  readonly name: string;
  readonly model_source: string | null;
  readonly calls: number;
  readonly errors: number;
  readonly dur_us: number;
}

export const CALL_COUNTS = `
SELECT
  kind,
  name,
  model_source,
  count(*) AS calls,
  count(*) FILTER (status <> 'ok') AS errors,
  sum(dur_us) AS dur_us
FROM spans
WHERE run_id = $run AND kind IN ('model', 'tool', 'function')
GROUP BY kind, name, model_source
ORDER BY kind, calls DESC, name`;

/** The calls of a run that have come back. */
export function callCounts(traces: QueryableTraces, runId: string): Promise<CallCount[]> {
  return rowsOf<CallCount>(traces, CALL_COUNTS, { run: runId });
}

/** The facts below the title of every picture of a run. */
export interface RunFacts {
  readonly run_id: string;
  readonly graph: string;
  readonly status: string;
  readonly model_source: string | null;
}

// As the view `runs` says it, without adding up what its calls took.
export const RUN_FACTS = `
SELECT
  run_id,
  graph,
  status,
  (
    SELECT string_agg(DISTINCT model_source, ', ' ORDER BY model_source)
    FROM event_log
    WHERE run_id = $run AND kind IN ('model.response', 'tool.result', 'function.result', 'controller.event')
  ) AS model_source
FROM run_log
WHERE run_id = $run`;

/** Undefined when nothing of the run is traced. */
export async function runFacts(
  traces: QueryableTraces,
  runId: string,
): Promise<RunFacts | undefined> {
  const [facts] = await rowsOf<RunFacts>(traces, RUN_FACTS, { run: runId });
  return facts;
}

/** The tokens that the calls of one node read or wrote. */
export interface NodeTokens {
  readonly node: string;
  readonly direction: "input" | "output";
  readonly tokens: number;
  readonly model_source: string | null;
}

export const TOKENS_BY_NODE = `
WITH total AS (
  SELECT
    node,
    sum(input_tokens)::BIGINT AS input,
    sum(output_tokens)::BIGINT AS output,
    string_agg(DISTINCT model_source, ', ' ORDER BY model_source) AS model_source,
    min(ts) AS ts
  FROM node_runs
  WHERE run_id = $run AND model_calls > 0
  GROUP BY node
)
SELECT
  node,
  direction,
  tokens,
  model_source
FROM total UNPIVOT (tokens FOR direction IN (input, output))
ORDER BY ts, node, direction`;

/** Two rows for each node that called a model, in the order in which the nodes first began. */
export function tokensByNode(traces: QueryableTraces, runId: string): Promise<NodeTokens[]> {
  return rowsOf<NodeTokens>(traces, TOKENS_BY_NODE, { run: runId });
}

// What a query gives is what its columns say: a test asks each of them on the real schema.
async function rowsOf<T extends { readonly [K in keyof T]: SqlValue }>(
  traces: QueryableTraces,
  sql: string,
  params: QueryParams,
): Promise<T[]> {
  return (await traces.query(sql, params)) as unknown as T[];
}
