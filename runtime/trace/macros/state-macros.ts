/** Defines the macros about the state of a run: its value at a step, and which node run wrote it. */

/**
 * Gives the SQL that applies a patch (`c`) below a field to the field's parts (`p`: `{k, v}` each, `k` for members of an
 * object), for use in a `CASE`. Patches change a field, an item of a list or a member of an object, never more deeply.
 */
const PATCHED_PARTS = `WHEN p.shape = 'OBJECT' THEN list_concat(
        list_filter(p.parts, lambda part: part.k <> c.key::VARCHAR),
        CASE c.op WHEN 'remove' THEN [] ELSE [{k: c.key::VARCHAR, v: c.value::VARCHAR}] END
      )
      ELSE list_concat(
        p.parts[:c.key::BIGINT],
        CASE c.op WHEN 'remove' THEN [] ELSE [{k: NULL::VARCHAR, v: c.value::VARCHAR}] END,
        p.parts[c.key::BIGINT + CASE c.op WHEN 'add' THEN 1 ELSE 2 END:]
      )`;

/** The patches of a run up to a place in its log, each record's in one row. */
export const STATE_PATCHES = `
CREATE OR REPLACE MACRO state_patches(run, upto_seq) AS TABLE
SELECT seq, step, node, patches::JSON AS patches
FROM event_log
WHERE run_id = run AND graph_path IS NULL AND patches IS NOT NULL AND NOT stale AND seq <= upto_seq
ORDER BY seq, part`;

/**
 * The value of each field after a step. Patches change a field, an item of a list or a member of an object, never more
 * deeply: so a field is its parts, and the parts are carried from patch to patch.
 */
export const STATE_FIELDS = `
CREATE OR REPLACE MACRO state_fields(run, upto_step) AS TABLE
WITH RECURSIVE change AS MATERIALIZED (
  SELECT
    field,
    op,
    step,
    node,
    path -> 1 AS key,
    value,
    row_number() OVER (PARTITION BY field ORDER BY seq, place) AS nth,
    max(CASE WHEN json_array_length(path) = 1 THEN seq * 100000 + place END) OVER (PARTITION BY field) AS whole_at,
    seq * 100000 + place AS moment
  FROM state_changes
  WHERE run_id = run AND graph_path IS NULL AND step <= upto_step
),
content AS (
  SELECT nth, field, step, node, op <> 'remove' AS is_there, json_type(value) AS shape,
    CASE json_type(value)
      WHEN 'ARRAY' THEN list_transform(from_json(value, '["JSON"]'), lambda v: {k: NULL::VARCHAR, v: v::VARCHAR})
      WHEN 'OBJECT' THEN list_transform(map_entries(value::MAP(VARCHAR, JSON)), lambda e: {k: to_json(e.key)::VARCHAR, v: e.value::VARCHAR})
      ELSE [{k: NULL::VARCHAR, v: value::VARCHAR}]
    END AS parts
  FROM change
  WHERE moment = whole_at
  UNION ALL
  SELECT
    c.nth,
    c.field,
    c.step,
    c.node,
    p.is_there,
    p.shape,
    CASE
      ${PATCHED_PARTS}
    END
  FROM content p
  JOIN change c ON c.field = p.field AND c.nth = p.nth + 1
)
SELECT
  field,
  CASE shape
    WHEN 'ARRAY' THEN '[' || array_to_string(list_transform(parts, lambda p: coalesce(p.v, 'null')), ',') || ']'
    WHEN 'OBJECT' THEN '{' || array_to_string(list_transform(parts, lambda p: p.k || ':' || coalesce(p.v, 'null')), ',') || '}'
    ELSE coalesce(parts[1].v, 'null')
  END::JSON AS value,
  step,
  node
FROM content
WHERE is_there
QUALIFY row_number() OVER (PARTITION BY field ORDER BY nth DESC) = 1
ORDER BY field`;

/**
 * The writers of a part of the state, newest first: `blame('…', 'findings')`, `blame('…', 'findings/0')`. The first row
 * wrote its value.
 */
export const BLAME = `
CREATE OR REPLACE MACRO blame(run, at_path) AS TABLE
WITH change AS (
  SELECT
    *,
    array_to_string(from_json(path, '["VARCHAR"]'), '/') AS place_text
  FROM state_changes
  WHERE run_id = run AND graph_path IS NULL
)
SELECT
  c.step,
  c.node,
  c.label,
  c.node_run_id,
  c.attempt,
  n.model,
  n.model_source,
  c.ts,
  c.op,
  c.place_text AS path,
  c.value,
  c.seq
FROM change c
LEFT JOIN node_runs n ON n.run_id = c.run_id AND n.node_run_id = c.node_run_id
WHERE c.place_text = at_path
  OR starts_with(c.place_text, at_path || '/')
  OR starts_with(at_path, c.place_text || '/')
ORDER BY c.seq DESC, c.place DESC`;

/** The tasks of a run, its node runs, after a step: each with its agent and its attempt. */
export const TASK_STATUS = `
CREATE OR REPLACE MACRO task_status(run, upto_step) AS TABLE
WITH moment AS (
  SELECT coalesce(max(seq), 0) AS seq
  FROM event_log
  WHERE run_id = run AND graph_path IS NULL AND kind IN ('run.started', 'commit') AND NOT stale AND step <= upto_step
),
told AS (
  SELECT e.node_run, e.node_run_id, e.label, e.node, e.item, e.attempt, e.kind, e.status, e.reason, e.seq, e.part, e.ts
  FROM event_log e, moment m
  WHERE e.run_id = run AND e.graph_path IS NULL AND e.seq <= m.seq AND NOT e.stale
    AND e.kind IN ('attempt.started', 'attempt.finished')
),
due AS (
  SELECT
    unnest(from_json(e.payload::JSON -> '$.to', '[{"node": "VARCHAR", "nodeRun": "UINTEGER", "label": "VARCHAR"}]')) AS target
  FROM event_log e, moment m
  WHERE e.run_id = run AND e.graph_path IS NULL AND e.seq <= m.seq AND NOT e.stale AND e.kind = 'route.chosen'
),
task AS (
  SELECT
    node_run,
    any_value(label) AS label,
    any_value(node) AS node,
    any_value(node_run_id) AS node_run_id,
    any_value(item) AS item,
    max(attempt) AS attempt,
    arg_max({kind: kind, status: status, reason: reason}, (seq, part)) AS last,
    max(ts) AS ts
  FROM told
  GROUP BY node_run
)
SELECT
  coalesce(l.label, d.target.label) AS task,
  coalesce(l.node, d.target.node) AS by,
  l.node_run_id,
  l.item,
  CASE
    WHEN l.node_run IS NULL THEN 'ready'
    WHEN l.last.kind = 'attempt.started' THEN 'running'
    WHEN l.last.status = 'ok' THEN 'succeeded'
    WHEN l.last.reason IN ('retry', 'repair', 'resume') THEN 'ready'
    WHEN l.last.reason = 'skip' THEN 'skipped'
    ELSE 'failed'
  END AS state,
  coalesce(l.attempt, 0) AS attempt,
  l.ts
FROM task l
FULL JOIN due d ON d.target.nodeRun = l.node_run
ORDER BY coalesce(l.node_run, d.target.nodeRun)`;
