/** Defines the view `node_runs`: one row a node run, over all its attempts. */
import { END_OF_NODE_RUN, LAST_OF_ATTEMPTS, STATUS_OF_NODE_RUN } from "./node-run-parts.ts";

/** Node runs of the events in `log`; whoever asks about few runs of all gives a `log` of those alone. */
export const nodeRunsOf = (log: string): string => `WITH gap AS (
  -- After a crash nobody says when an attempt stopped: the last event before the run went on, or was given up, does.
  SELECT g.run_id, g.seq, max(e.ts) AS last_ts
  FROM ${log} g
  JOIN ${log} e ON e.run_id = g.run_id AND e.seq < g.seq
  WHERE g.kind IN ('run.resumed', 'run.rewound') OR (g.kind = 'run.finished' AND g.status = 'aborted')
  GROUP BY g.run_id, g.seq
),
ended AS (
  -- An attempt that was aborted with its run, which then went on, can end once more.
  SELECT run_id, span_id, min(seq) AS seq, arg_min(dur_us, seq) AS dur_us
  FROM ${log}
  WHERE kind = 'attempt.finished'
  GROUP BY run_id, span_id
),
attempt AS (
  SELECT
    s.run_id,
    s.node_run,
    CASE WHEN f.seq < g.seq OR g.seq IS NULL THEN f.dur_us ELSE epoch_us(g.last_ts) - epoch_us(s.ts) END AS dur_us
  FROM ${log} s
  ASOF LEFT JOIN gap g ON g.run_id = s.run_id AND g.seq > s.seq
  LEFT JOIN ended f ON f.run_id = s.run_id AND f.span_id = s.span_id
  WHERE s.kind = 'attempt.started'
),
took AS (
  SELECT run_id, node_run, sum(dur_us)::BIGINT AS dur_us
  FROM attempt
  GROUP BY run_id, node_run
),
run AS (
  SELECT
    run_id,
    thread_id,
    node_run,
    max(step) FILTER (kind = 'commit' AND NOT stale) AS step,
    bool_or(stale) AS stale,
    any_value(graph_path) AS graph_path,
    any_value(node) AS node,
    any_value(node_run_id) AS node_run_id,
    any_value(label) AS label,
    any_value(item) AS item,
    any_value(cause) AS cause,
    max(attempt) AS attempt,
    count(*) FILTER (kind = 'attempt.started') AS attempts,
    coalesce(bool_or(kind = 'attempt.finished' AND reason = 'cached'), FALSE) AS cached,
    coalesce(bool_or(kind = 'attempt.finished' AND reason = 'served'), FALSE) AS served,
    min(ts) FILTER (kind = 'attempt.started') AS ts,
    ${LAST_OF_ATTEMPTS},
    arg_max(model, seq) FILTER (model IS NOT NULL) AS model,
    arg_max(model_source, seq) FILTER (model_source IS NOT NULL) AS model_source,
    count(*) FILTER (kind = 'model.response' AND copied IS NULL) AS model_calls,
    count(*) FILTER (kind = 'tool.result' AND copied IS NULL) AS tool_calls,
    coalesce(sum(input_tokens), 0)::BIGINT AS input_tokens,
    coalesce(sum(output_tokens), 0)::BIGINT AS output_tokens,
    total_cost(input_tokens, cost_usd) AS cost_usd
  FROM ${log}
  WHERE label IS NOT NULL
  GROUP BY run_id, thread_id, node_run
)
SELECT
  n.* EXCLUDE (last, last_ts, stale),
  ${STATUS_OF_NODE_RUN},
  n.last.error_class AS error_class,
  n.last.error_code AS error_code,
  ${END_OF_NODE_RUN},
  CASE WHEN end_ts IS NOT NULL THEN t.dur_us END AS dur_us
FROM run n
LEFT JOIN took t ON t.run_id = n.run_id AND t.node_run = n.node_run
LEFT JOIN run_log r ON r.run_id = n.run_id
WHERE n.ts IS NOT NULL`;

/** `dur_us` is what its attempts took: what lies between them, pauses and the time without a process count nothing. */
export const NODE_RUNS = `
CREATE OR REPLACE VIEW node_runs AS
${nodeRunsOf("event_log")}`;
