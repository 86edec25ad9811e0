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
 * One row an action of an agent, strong ones and the program's own: a call of a tool, or a file that it made or changed.
 * `controller` is NULL for an agent of the program's own.
 */
export const AGENT_ACTIONS = `
CREATE OR REPLACE VIEW agent_actions AS
WITH driven AS (
  SELECT DISTINCT run_id, node_run_id, attempt, name AS controller
  FROM event_log
  WHERE kind = 'session.requested'
),
told AS (
  SELECT *, payload::JSON AS file
  FROM ${WHOLE_EVENTS}
  WHERE kind = 'controller.event' AND reason = 'artifact_created' AND (payload::JSON ->> '$.path') IS NOT NULL
  UNION ALL
  SELECT e.*, e.payload::JSON AS file
  FROM event_log e
  ANTI JOIN driven d ON d.run_id = e.run_id AND d.node_run_id = e.node_run_id
  WHERE e.kind = 'artifact.created' AND e.reason IN ('file', 'patch') AND (e.payload::JSON ->> '$.path') IS NOT NULL
),
action AS (
  SELECT
    run_id, thread_id, step, graph_path, node, node_run_id, label, attempt, ts, dur_us,
    'call' AS action, tool, NULL::VARCHAR AS path, NULL::VARCHAR AS diff, NULL::VARCHAR AS hash,
    status, error_class, request, result, stale, copied, seq
  FROM tool_calls
  UNION ALL
  SELECT
    t.run_id, t.thread_id, c.step, t.graph_path, t.node, t.node_run_id, t.label, t.attempt, t.ts, NULL,
    'file', NULL, t.file ->> '$.path',
    CASE WHEN (t.file ->> '$.artifactKind') = 'patch' THEN t.file ->> '$.text' END, t.file ->> '$.hash',
    'ok', NULL, NULL, NULL, t.stale, t.copied IS NOT NULL, t.seq
  FROM told t
  LEFT JOIN event_log c
    ON c.run_id = t.run_id AND c.node_run = t.node_run AND c.kind = 'commit' AND NOT c.stale
)
SELECT
  a.run_id,
  a.thread_id,
  a.step,
  a.graph_path,
  a.node AS agent,
  d.controller,
  a.node_run_id,
  a.label,
  a.attempt,
  a.ts,
  a.dur_us,
  a.action,
  a.tool,
  a.path,
  len(regexp_extract_all(a.diff, '(?m)^[+]')) - len(regexp_extract_all(a.diff, '(?m)^[+]{3} ')) AS added,
  len(regexp_extract_all(a.diff, '(?m)^[-]')) - len(regexp_extract_all(a.diff, '(?m)^[-]{3} ')) AS removed,
  a.diff,
  a.hash,
  a.status,
  a.error_class,
  a.request,
  a.result,
  a.stale,
  a.copied,
  a.seq
FROM action a
LEFT JOIN driven d
  ON d.run_id = a.run_id AND d.node_run_id = a.node_run_id AND d.attempt = a.attempt`;

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
