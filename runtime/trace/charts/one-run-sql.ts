/**
 * Gives the SQL with which the charts of one run begin: its rows, read once and with few columns, and its node runs. DuckDB
 * takes longer to plan the views than to read a run, and reads the run again for each view that a query names.
 */
import { END_OF_NODE_RUN, LAST_OF_ATTEMPTS, STATUS_OF_NODE_RUN } from "../views/node-run-parts.ts";

/** Behind `WITH`: `mine`, the rows of `$run`, and `known`, those that the view `node_runs` has of it, as far as charts need them. */
export const OF_ONE_RUN = `mine AS MATERIALIZED (
  SELECT
    seq, ts, kind, stale, span_id, parent_id, node, node_run, label, item, cause, attempt, name, model_source, status,
    reason, error_class, error_code, dur_us, input_tokens, output_tokens, cost_usd
  FROM event_log
  WHERE run_id = $run
),
told AS (
  SELECT
    node_run,
    bool_or(stale) AS stale,
    any_value(node) AS node,
    any_value(label) AS label,
    any_value(item) AS item,
    any_value(cause) AS cause,
    count(*) FILTER (kind = 'attempt.started') AS attempts,
    min(ts) FILTER (kind = 'attempt.started') AS ts,
    min(seq) FILTER (kind = 'attempt.started') AS begun_seq,
    ${LAST_OF_ATTEMPTS},
    arg_max(model_source, seq) FILTER (model_source IS NOT NULL) AS model_source,
    coalesce(sum(input_tokens), 0)::BIGINT AS input_tokens,
    coalesce(sum(output_tokens), 0)::BIGINT AS output_tokens,
    total_cost(input_tokens, cost_usd) AS cost_usd
  FROM mine
  WHERE label IS NOT NULL
  GROUP BY node_run
),
known AS MATERIALIZED (
  SELECT
    n.* EXCLUDE (last, last_ts, stale),
  ${STATUS_OF_NODE_RUN},
  ${END_OF_NODE_RUN}
  FROM told n
  LEFT JOIN run_log r ON r.run_id = $run
  WHERE n.ts IS NOT NULL
),
extent AS (
  SELECT min(ts) AS first_ts, max(ts) AS last_ts
  FROM mine
),
under_way AS (
  SELECT s.*
  FROM mine s
  JOIN run_log r ON r.run_id = $run AND r.ended_at IS NULL
  WHERE s.kind IN ('attempt.started', 'model.request', 'tool.call', 'function.call', 'session.requested')
    AND NOT s.stale
    AND NOT EXISTS (
      FROM mine e
      WHERE e.span_id = s.span_id
        AND e.kind IN ('attempt.finished', 'model.response', 'tool.result', 'function.result', 'session.ended')
    )
    AND NOT EXISTS (FROM mine e WHERE e.span_id = s.parent_id AND e.kind = 'attempt.finished')
    AND NOT EXISTS (
      FROM mine e
      WHERE e.node_run = s.node_run AND e.kind = 'attempt.started' AND e.seq > s.seq
    )
)`;
