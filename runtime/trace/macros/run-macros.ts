/** Defines the macros about one run or two, and about the cost of all runs. */

/** A run in one row: what it did, what it used, where its time went. */
export const RUN_SUMMARY = `
CREATE OR REPLACE MACRO run_summary(run) AS TABLE
WITH seen AS (
  SELECT
    count(*) AS events,
    count(DISTINCT node_run) FILTER (kind = 'attempt.started' AND NOT stale) AS node_runs,
    count(*) FILTER (kind = 'attempt.started' AND NOT stale) AS attempts,
    count(*) FILTER (kind = 'attempt.finished' AND reason IN ('retry', 'repair') AND NOT stale) AS retries,
    count(*) FILTER (status = 'error' AND kind IN ('model.response', 'tool.result', 'function.result') AND NOT stale) AS failed_calls,
    count(*) FILTER (kind = 'message.sent' AND NOT stale) AS messages,
    count(*) FILTER (kind = 'artifact.created' AND NOT stale) AS artifacts,
    count(*) FILTER (kind = 'interrupt.opened') AS interrupts,
    coalesce(sum(dur_us) FILTER (kind = 'interrupt.answered'), 0)::BIGINT AS asked_us,
    coalesce(sum(dur_us) FILTER (kind = 'model.response'), 0)::BIGINT AS model_us,
    coalesce(sum(dur_us) FILTER (kind = 'tool.result'), 0)::BIGINT AS tool_us
  FROM event_log
  WHERE run_id = run
),
-- Attempts say how long they worked: a wait for an answer is no part of them.
moment AS (
  SELECT running, epoch_us(lead(ts) OVER (ORDER BY ts)) - epoch_us(ts) AS us
  FROM parallelism(run)
)
SELECT
  r.run_id,
  r.graph,
  r.status,
  r.reason,
  r.ts,
  r.dur_us,
  (SELECT coalesce(sum(us), 0)::BIGINT FROM moment WHERE running > 0) AS active_us,
  r.steps,
  s.*,
  (SELECT max(running) FROM parallelism(run)) AS parallel_most,
  (SELECT sum(dur_us)::BIGINT FROM critical_path(run)) AS critical_us,
  r.model_calls,
  r.tool_calls,
  r.input_tokens,
  r.output_tokens,
  r.cost_usd,
  r.model,
  r.model_source,
  r.error_code
FROM (FROM runs WHERE run_id = run) r, seen s`;

/**
 * The differences between two runs, the earliest first: node runs of one key that wrote something else, or that only
 * one of the runs has. The order of parallel branches is no difference.
 */
export const DIVERGENCES = `
CREATE OR REPLACE MACRO divergences(a, b) AS TABLE
WITH made AS (
  SELECT
    run_id,
    substr(node_run_id, length(run_id) + 2) AS key,
    step,
    label,
    node,
    payload::JSON -> '$.output' AS output,
    payload::JSON -> '$.writes' AS writes
  FROM event_log
  WHERE run_id IN (a, b) AND kind = 'commit' AND NOT stale
)
SELECT
  coalesce(l.key, r.key) AS key,
  coalesce(l.label, r.label) AS label,
  l.step AS step_a,
  r.step AS step_b,
  CASE
    WHEN l.key IS NULL THEN 'only in b'
    WHEN r.key IS NULL THEN 'only in a'
    WHEN l.node <> r.node THEN 'another node'
    ELSE 'another result'
  END AS what,
  l.output AS output_a,
  r.output AS output_b
FROM (FROM made WHERE run_id = a) l
FULL JOIN (FROM made WHERE run_id = b) r ON r.key = l.key
WHERE l.key IS NULL OR r.key IS NULL OR l.node <> r.node
  OR l.output IS DISTINCT FROM r.output OR l.writes IS DISTINCT FROM r.writes
ORDER BY least(coalesce(l.step, r.step), coalesce(r.step, l.step)), key`;

/** The first place where two runs went different ways; no row where they are the same. */
export const FIRST_DIVERGENCE = `
CREATE OR REPLACE MACRO first_divergence(a, b) AS TABLE
FROM divergences(a, b)
LIMIT 1`;

/** The cost of all calls, by `node`, `model`, `model_source`, `graph`, `thread`, `run`, `day` or `kind`. */
export const COST_BY = `
CREATE OR REPLACE MACRO cost_by(what) AS TABLE
WITH spent AS (
  SELECT
    CASE what
      WHEN 'node' THEN node
      WHEN 'model' THEN model
      WHEN 'model_source' THEN model_source
      WHEN 'graph' THEN graph
      WHEN 'thread' THEN thread_id
      WHEN 'run' THEN run_id
      WHEN 'day' THEN strftime(ts, '%Y-%m-%d')
      WHEN 'kind' THEN split_part(kind, '.', 1)
      ELSE error('cost_by: node, model, model_source, graph, thread, run, day or kind')
    END AS name,
    input_tokens,
    output_tokens,
    cached_tokens,
    cost_usd
  FROM event_log
  WHERE input_tokens IS NOT NULL
)
SELECT
  name,
  count(*) AS calls,
  sum(input_tokens)::BIGINT AS input_tokens,
  sum(output_tokens)::BIGINT AS output_tokens,
  sum(cached_tokens)::BIGINT AS cached_tokens,
  total_cost(input_tokens, cost_usd) AS cost_usd,
  count(*) FILTER (cost_usd IS NULL) AS unpriced
FROM spent
GROUP BY name
ORDER BY cost_usd DESC NULLS LAST, name`;
