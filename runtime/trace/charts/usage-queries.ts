/** Queries tokens, cost, latency and failures over any number of runs. */
import { isOfRuns, type Queryable, type RunIds, rowsOf, runParams } from "./chart-runs.ts";

/** The usage of one model by one node. */
export interface ModelUse {
  readonly node: string;
  readonly model: string;
  readonly model_source: string | null;
  readonly calls: number;
  readonly input_tokens: number;
  readonly output_tokens: number;
  readonly tokens: number;
  /** Null where no call has a known price. */
  readonly cost_usd: number | null;
  /** Calls whose price nobody knows. */
  readonly unpriced: number;
}

// What was copied with a fork has no tokens: it was paid for in the run that the fork left.
// Materialized, here and below: a sum over a window reads what it is of a second time, all of its scan included.
export const modelUseSql = (runs: RunIds) => `
WITH part AS MATERIALIZED (
  SELECT
    kind, node, model, name, model_source, count(*) AS calls, sum(input_tokens) AS input_tokens,
    sum(output_tokens) AS output_tokens, sum(cost_usd) AS cost_usd, count(*) - count(cost_usd) AS unpriced
  FROM event_log
  WHERE kind IN ('model.response', 'tool.result', 'function.result', 'controller.event', 'interrupt.answered')
    AND input_tokens IS NOT NULL
    -- Tools that ask a model, agents of others, judges: of most of them there is nothing to tell.
    AND (kind = 'model.response' OR input_tokens + output_tokens > 0)
    AND ${isOfRuns(runs)}
  GROUP BY kind, node, model, name, model_source
),
used AS (
  SELECT
    coalesce(node, '(the run)') AS agent,
    coalesce(model, CASE WHEN kind <> 'model.response' THEN name END, '(unnamed)') AS asked,
    string_agg(DISTINCT model_source, ', ' ORDER BY model_source) AS model_source,
    sum(calls)::BIGINT AS calls,
    sum(input_tokens)::BIGINT AS input_tokens,
    sum(output_tokens)::BIGINT AS output_tokens,
    sum(cost_usd) AS cost_usd,
    sum(unpriced)::BIGINT AS unpriced
  FROM part
  GROUP BY agent, asked
)
SELECT
  agent AS node,
  asked AS model,
  model_source,
  calls,
  input_tokens,
  output_tokens,
  input_tokens + output_tokens AS tokens,
  cost_usd,
  unpriced
FROM used
ORDER BY sum(input_tokens + output_tokens) OVER (PARTITION BY agent) DESC, agent, tokens DESC, asked
LIMIT 1000`;

/** The nodes that used most first. */
export function modelUse(traces: Queryable, runs: RunIds): Promise<ModelUse[]> {
  return rowsOf<ModelUse>(traces, modelUseSql(runs), runParams(runs));
}

/** The kind of thing that a latency is of. */
export type LatencyOf = "node" | "model" | "tool";

const ENDS: Readonly<Record<LatencyOf, string>> = {
  node: "attempt.finished",
  model: "model.response",
  tool: "tool.result",
};

const NAMES: Readonly<Record<LatencyOf, string>> = {
  node: "node",
  model: "coalesce(model, name)",
  tool: "name",
};

// Of a run that another was forked from, times are that run's.
const latencySql = (of: LatencyOf, runs: RunIds) => `
  SELECT ${NAMES[of]} AS name, dur_us
  FROM event_log
  WHERE kind = '${ENDS[of]}' AND dur_us IS NOT NULL AND copied IS NULL AND ${isOfRuns(runs)}`;

/** The longest of a share of what has one name. */
export interface LatencyPoint {
  readonly name: string;
  readonly share: number;
  readonly seconds: number;
  readonly count: number;
}

/** More curves are not told apart. */
const CURVES = 8;

/** Each half percent, and the longest of a thousand. */
const SHARES = `[${[...Array.from({ length: 201 }, (_, n) => n / 200), 0.999].sort((a, b) => a - b).join(", ")}]`;

export const latencyCurvesSql = (of: LatencyOf, runs: RunIds) => `
WITH span AS (${latencySql(of, runs)}
),
curve AS (
  -- Sorted once: asked for two hundred quantiles, DuckDB looks two hundred times.
  SELECT name, count(*) AS count, sum(dur_us) AS total, list_sort(list(dur_us)) AS times
  FROM span
  WHERE name IS NOT NULL
  GROUP BY name
  ORDER BY total DESC, name
  LIMIT ${CURVES}
),
placed AS (
  SELECT name, count, total, times, list_transform(${SHARES}, lambda s: greatest(ceil(s * count)::BIGINT, 1)) AS places
  FROM curve
),
point AS (
  -- The list of all times goes no further than this: carried along, it would be copied for each point.
  SELECT
    name, count, total, unnest(${SHARES})::DOUBLE AS share, unnest(places) AS place,
    unnest(list_append(places[2:], NULL)) AS next, unnest(list_select(times, places)) / 1e6 AS seconds
  FROM placed
)
SELECT name, share, seconds, count
FROM point
-- Of few, each has one point: the largest share that it is the longest of.
WHERE share = 0 OR place IS DISTINCT FROM next
ORDER BY total DESC, name, share`;

/** Two hundred points a name, of fewer times one each, of the names that took most time in all. */
export function latencyCurves(
  traces: Queryable,
  { of, runs }: { readonly of: LatencyOf; readonly runs: RunIds },
): Promise<LatencyPoint[]> {
  return rowsOf<LatencyPoint>(traces, latencyCurvesSql(of, runs), runParams(runs));
}

/** The durations of everything of one name. */
export interface LatencyBox {
  readonly name: string;
  readonly count: number;
  readonly p5: number;
  readonly p25: number;
  readonly p50: number;
  readonly p75: number;
  readonly p95: number;
  readonly longest: number;
}

export const latencyBoxesSql = (of: LatencyOf, runs: RunIds) => `
WITH span AS (${latencySql(of, runs)}
),
box AS (
  SELECT
    name,
    count(*) AS count,
    quantile_cont(dur_us, [0.05, 0.25, 0.5, 0.75, 0.95]).list_transform(lambda us: us / 1e6) AS q,
    max(dur_us) / 1e6 AS longest,
    sum(dur_us) AS total
  FROM span
  WHERE name IS NOT NULL
  GROUP BY name
)
SELECT name, count, q[1] AS p5, q[2] AS p25, q[3] AS p50, q[4] AS p75, q[5] AS p95, longest
FROM box
ORDER BY total DESC, name
LIMIT 60`;

/** One box a name, those that took most time in all first. */
export function latencyBoxes(
  traces: Queryable,
  { of, runs }: { readonly of: LatencyOf; readonly runs: RunIds },
): Promise<LatencyBox[]> {
  return rowsOf<LatencyBox>(traces, latencyBoxesSql(of, runs), runParams(runs));
}

/** The number of messages from one sender to one recipient. */
export interface FlowEdge {
  readonly sender: string;
  /** `(whoever follows)` for those to nobody in particular. */
  readonly recipient: string;
  readonly messages: number;
}

// As the view `messages` has them, without asking who has read each.
export const flowsSql = (runs: RunIds) => `
SELECT
  coalesce(sender, '(unknown)') AS sender,
  coalesce(receiver, '(whoever follows)') AS recipient,
  count(*) AS messages
FROM event_log
WHERE (kind = 'run.steered' OR (kind = 'message.sent' AND NOT stale)) AND copied IS NULL AND ${isOfRuns(runs)}
GROUP BY ALL
ORDER BY sender, recipient
LIMIT 2500`;

export function flows(traces: Queryable, runs: RunIds): Promise<FlowEdge[]> {
  return rowsOf<FlowEdge>(traces, flowsSql(runs), runParams(runs));
}

/** The outcomes of calls of one tool. */
export interface ToolOutcome {
  readonly tool: string;
  /** `ok`, or the class of the error. */
  readonly outcome: string;
  readonly calls: number;
  /** Of all calls of the tool. */
  readonly share: number;
}

export const toolOutcomesSql = (runs: RunIds) => `
WITH counted AS MATERIALIZED (
  SELECT name, status, error_class, count(*) AS calls
  FROM event_log
  WHERE kind = 'tool.result' AND copied IS NULL AND ${isOfRuns(runs)}
  GROUP BY name, status, error_class
),
ended AS (
  SELECT
    coalesce(name, '(unnamed)') AS tool,
    CASE WHEN status IN ('ok', 'succeeded') THEN 'ok' ELSE coalesce(error_class, status, 'failed') END AS outcome,
    sum(calls)::BIGINT AS calls
  FROM counted
  GROUP BY tool, outcome
),
part AS (
  SELECT *, sum(calls) OVER (PARTITION BY tool) AS of_tool
  FROM ended
)
SELECT tool, outcome, calls, calls / of_tool AS share
FROM part
ORDER BY of_tool DESC, tool, outcome <> 'ok', calls DESC, outcome
LIMIT 1000`;

export function toolOutcomes(traces: Queryable, runs: RunIds): Promise<ToolOutcome[]> {
  return rowsOf<ToolOutcome>(traces, toolOutcomesSql(runs), runParams(runs));
}

/** Attempts of one node that failed in one way. */
export interface FailedAttempts {
  readonly node: string;
  readonly error: string;
  readonly failed: number;
  /** Of them, those that another attempt followed. */
  readonly tried_again: number;
  /** Of the node, however they ended. */
  readonly attempts: number;
}

export const failedAttemptsSql = (runs: RunIds) => `
WITH counted AS MATERIALIZED (
  SELECT node, status, error_class, reason, count(*) AS attempts
  FROM event_log
  WHERE kind = 'attempt.finished' AND copied IS NULL AND ${isOfRuns(runs)}
  GROUP BY node, status, error_class, reason
),
ended AS (
  SELECT
    node,
    CASE WHEN status IN ('ok', 'succeeded') THEN NULL ELSE coalesce(error_class, status, 'failed') END AS error,
    sum(attempts)::BIGINT AS ended,
    coalesce(sum(attempts) FILTER (reason IN ('retry', 'repair', 'resume')), 0)::BIGINT AS tried_again
  FROM counted
  GROUP BY ALL
),
part AS (
  SELECT
    *,
    sum(ended) OVER (PARTITION BY node)::BIGINT AS attempts,
    sum(ended) FILTER (error IS NOT NULL) OVER (PARTITION BY node) AS of_node
  FROM ended
)
SELECT node, error, ended AS failed, tried_again, attempts
FROM part
WHERE error IS NOT NULL
ORDER BY of_node DESC, node, failed DESC, error
LIMIT 1000`;

export function failedAttempts(traces: Queryable, runs: RunIds): Promise<FailedAttempts[]> {
  return rowsOf<FailedAttempts>(traces, failedAttemptsSql(runs), runParams(runs));
}
