/** Defines the table macros, which are queries with an argument: `FROM run_gantt('…')`. */
import { BLOB } from "../views/blob-views.ts";
import { endOf } from "../views/node-run-parts.ts";
import { nodeRunsOf } from "../views/node-runs-view.ts";
import { COST_BY, DIVERGENCES, FIRST_DIVERGENCE, RUN_SUMMARY } from "./run-macros.ts";
import { BLAME, STATE_FIELDS, STATE_PATCHES, TASK_STATUS } from "./state-macros.ts";

/** A sum of costs, NULL as soon as a call that used tokens has no known price. */
export const TOTAL_COST = `
CREATE OR REPLACE MACRO total_cost(tokens, usd) AS
  CASE
    WHEN count(*) FILTER (tokens IS NOT NULL AND usd IS NULL) > 0 THEN NULL
    ELSE coalesce(sum(usd), 0)
  END`;

/** A bar for the run, each attempt (depth 1) and each call in it (depth 2); open ones reach to the last event. */
export const RUN_GANTT = `
CREATE OR REPLACE MACRO run_gantt(run) AS TABLE
WITH extent AS (
  SELECT min(ts) AS first_ts, max(ts) AS last_ts
  FROM event_log
  WHERE run_id = run
),
bar AS (
  SELECT span_id, parent_id, kind, node, label, attempt, name, status, ts, end_ts, cost_usd
  FROM spans
  WHERE run_id = run
  UNION ALL
  SELECT o.span_id, o.parent_id, o.kind, o.node, o.label, o.attempt, o.name, 'running', o.ts, e.last_ts, NULL
  FROM open_spans o, extent e
  WHERE o.run_id = run
)
SELECT
  b.kind,
  CASE b.kind WHEN 'run' THEN 0 WHEN 'attempt' THEN 1 WHEN 'each' THEN 1 ELSE 2 END AS depth,
  b.node,
  b.label,
  b.attempt,
  b.name,
  b.status,
  (epoch_us(b.ts) - epoch_us(e.first_ts)) / 1e6 AS begin_s,
  (epoch_us(b.end_ts) - epoch_us(e.first_ts)) / 1e6 AS end_s,
  b.cost_usd,
  b.span_id,
  b.parent_id
FROM bar b, extent e
ORDER BY begin_s, depth, b.span_id`;

/**
 * The node runs that the run's end waited for, first to last: back from the last one, each time to what made it due. The
 * last one of a failed run is the one whose failure ended it: those beside it were only cut short by that.
 */
export const CRITICAL_PATH = `
CREATE OR REPLACE MACRO critical_path(run) AS TABLE
WITH RECURSIVE node AS MATERIALIZED (
  SELECT node_run, cause, node, label, node_run_id, ts, end_ts, dur_us, cost_usd, status
  FROM node_runs
  WHERE run_id = run AND end_ts IS NOT NULL AND status <> 'stale'
),
path AS (
  SELECT *, 0 AS back
  FROM ${endOf({ node: "node", run: "run" })}
  UNION ALL
  SELECT n.*, p.back + 1
  FROM path p
  JOIN node n ON n.node_run = p.cause
)
SELECT
  row_number() OVER (ORDER BY back DESC) AS place,
  node,
  label,
  node_run_id,
  ts,
  dur_us,
  epoch_us(ts) - epoch_us(lag(end_ts) OVER (ORDER BY back DESC)) AS wait_us,
  cost_usd
FROM path
ORDER BY place`;

/** The number of running attempts from each moment on. */
export const PARALLELISM = `
CREATE OR REPLACE MACRO parallelism(run) AS TABLE
WITH change AS (
  SELECT ts, 1 AS difference
  FROM spans
  WHERE run_id = run AND kind = 'attempt'
  UNION ALL
  SELECT ts, 1
  FROM open_spans
  WHERE run_id = run AND kind = 'attempt'
  UNION ALL
  SELECT end_ts, -1
  FROM spans
  WHERE run_id = run AND kind = 'attempt'
)
SELECT ts, (sum(sum(difference)) OVER (ORDER BY ts))::INTEGER AS running
FROM change
GROUP BY ts
ORDER BY ts`;

/** Latency by name for one kind: node, attempt, model, tool, function, each, run. */
export const LATENCY_BY = `
CREATE OR REPLACE MACRO latency_by(kind_of) AS TABLE
WITH span AS (
  SELECT 'node' AS kind, node AS name, dur_us
  FROM node_runs
  WHERE dur_us IS NOT NULL
  UNION ALL
  SELECT kind, CASE kind WHEN 'attempt' THEN node ELSE name END, dur_us
  FROM spans
)
SELECT
  name,
  count(*) AS n,
  quantile_cont(dur_us, 0.5)::BIGINT AS p50_us,
  quantile_cont(dur_us, 0.95)::BIGINT AS p95_us,
  quantile_cont(dur_us, 0.99)::BIGINT AS p99_us,
  max(dur_us) AS max_us,
  sum(dur_us)::BIGINT AS total_us
FROM span
WHERE kind = kind_of
GROUP BY name
ORDER BY total_us DESC, name`;

/** The patches that, applied in order to nothing, give the state after a step; 0 is the initial state. */
export const STATE_AT = `
CREATE OR REPLACE MACRO state_at(run, upto_step) AS TABLE
SELECT step, seq, patches::JSON AS patches
FROM event_log
WHERE run_id = run AND graph_path IS NULL AND patches IS NOT NULL AND NOT stale AND step <= upto_step
ORDER BY seq, part`;

/** Two runs, node by node; what a rewind undid counts only where it was paid for. */
export const COMPARE_RUNS = `
CREATE OR REPLACE MACRO compare_runs(a, b) AS TABLE
WITH log AS (
  -- Each run by itself: of two at once DuckDB reads all that lies between them.
  FROM event_log WHERE run_id = a
  UNION ALL
  FROM event_log WHERE run_id = b AND b <> a
),
one AS (
  -- For each of them, the view would be planned anew, which takes longer than all else.
  ${nodeRunsOf("log")}
),
side AS (
  SELECT
    run_id,
    node,
    count(*) FILTER (status <> 'stale') AS runs,
    sum(attempts) FILTER (status <> 'stale') AS attempts,
    (sum(dur_us) FILTER (status <> 'stale'))::BIGINT AS dur_us,
    sum(input_tokens)::BIGINT AS input_tokens,
    sum(output_tokens)::BIGINT AS output_tokens,
    CASE WHEN count(*) = count(cost_usd) THEN sum(cost_usd) END AS cost_usd
  FROM one
  GROUP BY run_id, node
)
SELECT
  coalesce(l.node, r.node) AS node,
  l.runs AS runs_a,
  r.runs AS runs_b,
  l.attempts AS attempts_a,
  r.attempts AS attempts_b,
  l.dur_us AS dur_us_a,
  r.dur_us AS dur_us_b,
  l.input_tokens AS input_tokens_a,
  r.input_tokens AS input_tokens_b,
  l.output_tokens AS output_tokens_a,
  r.output_tokens AS output_tokens_b,
  l.cost_usd AS cost_usd_a,
  r.cost_usd AS cost_usd_b
FROM (FROM side WHERE run_id = a) l
FULL JOIN (FROM side WHERE run_id = b) r ON r.node = l.node
ORDER BY 1`;

/** The model calls of a run with the cost that `model_prices` gives where the run itself knew none. */
export const REPRICED = `
CREATE OR REPLACE MACRO repriced(run) AS TABLE
SELECT
  c.* EXCLUDE (cost_usd),
  coalesce(
    c.cost_usd,
    (
      (c.input_tokens - c.cached_tokens) * p.input_usd
      + c.cached_tokens * coalesce(p.cached_usd, p.input_usd)
      + c.output_tokens * p.output_usd
    ) / 1e6
  ) AS cost_usd
FROM (FROM llm_calls WHERE run_id = run) c
ASOF LEFT JOIN model_prices p ON p.model = c.model AND c.ts >= p.valid_from`;

/** The messages between one node run, its model and its tools, in order: `conversation('…', 'search#2')`. */
export const CONVERSATION = `
CREATE OR REPLACE MACRO conversation(run, node_run_label) AS TABLE
WITH call AS (
  SELECT seq, attempt, model_source, request, response
  FROM llm_calls
  WHERE run_id = run AND label = node_run_label AND NOT stale
),
message AS (
  SELECT c.attempt, c.model_source, c.seq, sent.place, sent.message
  FROM call c,
  LATERAL (
    SELECT
      unnest(from_json(c.request -> '$.messages', '["JSON"]')) AS message,
      unnest(range(json_array_length(c.request -> '$.messages')::BIGINT)) AS place
  ) sent
  UNION ALL
  -- A request holds what is new since the one before it, so every answer but an attempt's last is in the next request.
  SELECT attempt, model_source, seq, NULL, json_object('role', 'assistant', 'content', response -> '$.text')
  FROM call
  QUALIFY row_number() OVER (PARTITION BY attempt ORDER BY seq DESC) = 1
)
SELECT
  row_number() OVER (ORDER BY seq, place NULLS LAST) AS place,
  attempt,
  message ->> '$.role' AS role,
  CASE json_type(message -> '$.content')
    WHEN 'ARRAY' THEN from_json(message -> '$.content', '["JSON"]').list_transform(
      lambda part: CASE part ->> '$.type'
        WHEN 'text' THEN part ->> '$.text'
        WHEN 'tool-call' THEN concat(part ->> '$.toolName', ' ', part -> '$.input')
        WHEN 'tool-result' THEN concat(part ->> '$.toolName', ' → ', coalesce(part -> '$.output.value', part -> '$.output'))
        ELSE part::VARCHAR
      END
    ).list_aggregate('string_agg', chr(10))
    ELSE message ->> '$.content'
  END AS content,
  model_source
FROM message
ORDER BY place`;

/** The number of messages by sender and recipient; `recipient` is NULL for those to whoever follows. */
export const MESSAGE_MATRIX = `
CREATE OR REPLACE MACRO message_matrix(run) AS TABLE
SELECT
  sender,
  recipient,
  count(*) AS messages,
  count(*) FILTER (status = 'read') AS read,
  count(*) FILTER (status = 'dead') AS dead
FROM messages
WHERE run_id = run
GROUP BY sender, recipient
ORDER BY sender, recipient`;

/** A message and what led to it, back to the first: `depth` is how many messages lie between. */
export const MESSAGE_LINEAGE = `
CREATE OR REPLACE MACRO message_lineage(run, message) AS TABLE
WITH RECURSIVE lineage AS (
  SELECT message_id, 0 AS depth
  FROM messages
  WHERE run_id = run AND message_id = message
  UNION
  SELECT cause.id, l.depth + 1
  FROM lineage l
  JOIN messages m ON m.run_id = run AND m.message_id = l.message_id,
  LATERAL (SELECT unnest(from_json(m.caused_by, '["VARCHAR"]')) AS id) cause
)
SELECT
  min(l.depth) AS depth,
  m.message_id,
  m.sender,
  m.recipient,
  m.kind,
  m.reply_to,
  m.content
FROM lineage l
JOIN messages m ON m.run_id = run AND m.message_id = l.message_id
GROUP BY ALL
ORDER BY depth, m.message_id`;

/** The id of a graph's newest run. */
export const LAST_RUN = `
CREATE OR REPLACE MACRO last_run(graph_name) AS (
  SELECT run_id
  FROM run_log
  WHERE graph = graph_name
  ORDER BY started_at DESC, run_id DESC
  LIMIT 1
)`;

/** `total_cost` stands before the views that use it, the others after them. */
export const tableMacros = {
  run_gantt: RUN_GANTT,
  critical_path: CRITICAL_PATH,
  parallelism: PARALLELISM,
  latency_by: LATENCY_BY,
  state_at: STATE_AT,
  compare_runs: COMPARE_RUNS,
  repriced: REPRICED,
  conversation: CONVERSATION,
  message_matrix: MESSAGE_MATRIX,
  message_lineage: MESSAGE_LINEAGE,
  last_run: LAST_RUN,
  blob: BLOB,
  state_patches: STATE_PATCHES,
  state_fields: STATE_FIELDS,
  blame: BLAME,
  task_status: TASK_STATUS,
  run_summary: RUN_SUMMARY,
  divergences: DIVERGENCES,
  first_divergence: FIRST_DIVERGENCE,
  cost_by: COST_BY,
} as const;
