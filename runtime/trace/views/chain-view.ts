/** Defines the view `chain`: a run as the chain of what its agents did. */

/**
 * One row a node run that is over, with what it was asked, the tools it called in order (each once, with parameters and
 * result) and its result.
 */
export const CHAIN = `
CREATE OR REPLACE VIEW chain AS
WITH request AS (
  SELECT run_id, node_run_id, arg_min(request, seq) AS request
  FROM llm_calls
  WHERE NOT stale
  GROUP BY run_id, node_run_id
),
tool AS (
  SELECT
    run_id,
    node_run_id,
    list({name: tool, id: seq, params: request, result: result, status: status} ORDER BY seq) AS tools
  FROM tool_calls
  WHERE NOT stale
  GROUP BY run_id, node_run_id
),
result AS (
  SELECT run_id, node_run_id, any_value(output) AS output
  FROM steps
  GROUP BY run_id, node_run_id
)
SELECT
  n.run_id,
  n.thread_id,
  r.input AS task,
  n.step,
  n.graph_path,
  n.node AS agent,
  n.label,
  n.node_run_id,
  n.item,
  n.attempts,
  n.ts,
  n.dur_us,
  n.status,
  n.error_code,
  q.request,
  coalesce(t.tools, []) AS tools,
  s.output AS result
FROM node_runs n
JOIN runs r ON r.run_id = n.run_id
LEFT JOIN request q ON q.run_id = n.run_id AND q.node_run_id = n.node_run_id
LEFT JOIN tool t ON t.run_id = n.run_id AND t.node_run_id = n.node_run_id
LEFT JOIN result s ON s.run_id = n.run_id AND s.node_run_id = n.node_run_id
WHERE n.status NOT IN ('stale', 'running', 'ready')`;
