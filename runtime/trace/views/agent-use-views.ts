/** Defines the views of what agents use and do: context usage by call, trajectories by step. */
import { WHOLE_EVENTS } from "./blob-views.ts";

/**
 * The context of each agent after every model call, and how full it was. The length of a model's context is what
 * `model_contexts` says, else 128,000 tokens; `used_context_length` is what the call read and wrote.
 */
export const CONTEXT_USAGE = `
CREATE OR REPLACE VIEW context_usage AS
SELECT
  e.run_id,
  e.thread_id,
  e.graph_path,
  e.node AS agent,
  e.node_run_id,
  e.label,
  e.attempt,
  row_number() OVER (PARTITION BY e.run_id, e.node ORDER BY e.seq) AS call,
  e.ts,
  e.model,
  e.model_source,
  coalesce(p.context_tokens, 128000) AS total_context_length,
  e.input_tokens + e.output_tokens AS used_context_length,
  (e.input_tokens + e.output_tokens) / coalesce(p.context_tokens, 128000) AS used_share,
  e.input_tokens,
  e.output_tokens,
  sum(e.input_tokens + e.output_tokens) OVER (PARTITION BY e.run_id, e.node ORDER BY e.seq)::BIGINT AS tokens_so_far,
  e.seq
FROM event_log e
LEFT JOIN (
  SELECT model, max(context_tokens) AS context_tokens
  FROM model_contexts
  GROUP BY model
) p ON p.model = e.model
WHERE e.kind = 'model.response' AND e.input_tokens IS NOT NULL AND NOT e.stale`;

/**
 * One row a step, as those who train or judge agents read it: what the agent saw, what it did, what came of it, and what
 * `scores` say of the node run, else of the whole run in its last row.
 */
export const TRAJECTORY = `
CREATE OR REPLACE VIEW trajectory AS
WITH asked AS (
  SELECT run_id, node_run_id, list(payload::JSON -> '$.messages' ORDER BY seq) AS observation
  FROM ${WHOLE_EVENTS}
  WHERE kind = 'model.request' AND NOT stale
  GROUP BY run_id, node_run_id
),
used AS (
  SELECT
    r.run_id,
    r.node_run_id,
    list({tool: r.name, request: q.payload::JSON, result: r.payload::JSON, status: r.status} ORDER BY r.seq) AS tools
  FROM ${WHOLE_EVENTS} r
  LEFT JOIN ${WHOLE_EVENTS} q ON q.run_id = r.run_id AND q.span_id = r.span_id AND q.kind = 'tool.call'
  WHERE r.kind = 'tool.result' AND NOT r.stale
  GROUP BY r.run_id, r.node_run_id
),
scored AS (
  SELECT run_id, node_run_id, avg(value) AS value
  FROM scores
  GROUP BY run_id, node_run_id
)
SELECT
  c.run_id,
  c.thread_id,
  c.graph_path,
  c.node AS agent,
  c.label,
  c.node_run_id,
  row_number() OVER (PARTITION BY c.run_id ORDER BY c.seq, c.part) AS place,
  c.step,
  c.ts,
  a.observation AS state,
  {tools: coalesce(u.tools, []), output: c.payload::JSON -> '$.output'} AS action,
  c.patches::JSON AS patches,
  coalesce(
    n.value,
    CASE WHEN lead(c.seq) OVER (PARTITION BY c.run_id ORDER BY c.seq, c.part) IS NULL THEN w.value END
  ) AS reward,
  r.status AS run_status
FROM event_log c
JOIN run_log r ON r.run_id = c.run_id
LEFT JOIN asked a ON a.run_id = c.run_id AND a.node_run_id = c.node_run_id
LEFT JOIN used u ON u.run_id = c.run_id AND u.node_run_id = c.node_run_id
LEFT JOIN scored n ON n.run_id = c.run_id AND n.node_run_id = c.node_run_id
LEFT JOIN scored w ON w.run_id = c.run_id AND w.node_run_id IS NULL
WHERE c.kind = 'commit' AND NOT c.stale`;
