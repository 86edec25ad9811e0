/** Defines the views that tell a run to people: a log of sentences, plans, sentinel rounds, called graphs. */
import { WHOLE_EVENTS } from "./blob-views.ts";

/** One sentence for each thing that a person would tell of a run, in order; the others have none and no row. */
export const EXECUTION_LOG = `
CREATE OR REPLACE VIEW execution_log AS
WITH told AS (
  SELECT
    run_id,
    thread_id,
    step,
    graph_path,
    node,
    node_run_id,
    label,
    attempt,
    ts,
    CASE kind
      WHEN 'run.started' THEN concat('run of ', name, ' started')
      WHEN 'run.finished' THEN concat('run ', status, CASE WHEN reason <> 'done' THEN concat(': ', reason) END)
      WHEN 'run.paused' THEN concat('run paused', ': ' || reason)
      WHEN 'run.held' THEN concat('run held: ', reason)
      WHEN 'run.resumed' THEN 'run resumed'
      WHEN 'run.rewound' THEN concat('run went back to step ', step)
      WHEN 'run.edited' THEN 'state edited by hand'
      WHEN 'run.steered' THEN concat('steered: ', payload::JSON ->> '$.payload')
      WHEN 'graph.started' THEN concat(graph_path, ' called graph ', name)
      WHEN 'graph.finished' THEN concat('graph ', name, ' of ', graph_path, ' ', status)
      WHEN 'commit' THEN concat(label, ' completed step ', step, ': ' || fields)
      WHEN 'attempt.finished' THEN CASE
        WHEN status = 'ok' THEN NULL
        WHEN reason IN ('retry', 'repair') THEN concat(label, ' failed (', error_class, '), tries again')
        ELSE concat(label, ' failed (', error_class, ')')
      END
      WHEN 'tool.result' THEN CASE WHEN status <> 'ok' THEN concat(label, ': tool ', name, ' failed (', error_class, ')') END
      WHEN 'intercepted' THEN concat(coalesce(label, 'run'), ': ', name, CASE status WHEN 'denied' THEN ' forbade the ' ELSE ' changed the ' END, payload::JSON ->> '$.on', ' ', payload::JSON ->> '$.name', ': ' || reason)
      WHEN 'each.started' THEN concat('each ', name, ': ', payload::JSON ->> '$.items', CASE payload::JSON ->> '$.items' WHEN '1' THEN ' item' ELSE ' items' END)
      WHEN 'limit.reached' THEN concat('limit reached: ', name)
      WHEN 'interrupt.opened' THEN concat(coalesce(label, 'the run'), ' asks: ', payload::JSON ->> '$.question')
      WHEN 'interrupt.answered' THEN concat(coalesce(label, 'the run'), ' was answered: ', status)
      WHEN 'message.sent' THEN concat(sender, ' told ', coalesce(receiver, 'whoever follows'), ': ', reason)
      WHEN 'message.dead' THEN concat('nobody read message ', name)
      WHEN 'artifact.created' THEN concat(label, ' made ', payload::JSON ->> '$.name')
      WHEN 'sentinel.checked' THEN concat(label, ' checked (', payload::JSON ->> '$.check', '): ', status)
      WHEN 'sentinel.sleeping' THEN concat(label, ' sleeps ', (payload::JSON ->> '$.sleepMs')::BIGINT / 1000, ' s')
    END AS text,
    seq,
    part
  FROM (
    SELECT *, CASE WHEN kind = 'commit' THEN
      array_to_string(list_distinct(from_json(patches, '[{"path": ["VARCHAR"]}]').list_transform(lambda p: p.path[1])), ', ')
    END AS fields
    FROM event_log
    WHERE NOT stale
  )
)
FROM told
WHERE text IS NOT NULL`;

/** The run and every graph called in it: one row each, with the node run that called it; `total` columns count those it called in turn. */
export const GRAPH_RUNS = `
CREATE OR REPLACE VIEW graph_runs AS
WITH activation AS (
  SELECT
    run_id, thread_id, NULL::VARCHAR AS graph_path, graph, graph_hash, NULL::UINTEGER AS parent_span,
    started_at AS ts, ended_at AS end_ts, status, steps
  FROM run_log
  UNION ALL
  SELECT
    s.run_id, s.thread_id, s.graph_path, s.name, s.payload::JSON ->> '$.graphHash', s.parent_id,
    s.ts, f.ts, coalesce(f.status, 'running'), (f.payload::JSON ->> '$.steps')::UINTEGER
  FROM event_log s
  LEFT JOIN event_log f
    ON f.run_id = s.run_id AND f.graph_path = s.graph_path AND f.parent_id = s.parent_id AND f.kind = 'graph.finished' AND NOT f.stale
  WHERE s.kind = 'graph.started' AND NOT s.stale
),
spent AS (
  SELECT
    run_id,
    graph_path,
    sum(input_tokens)::BIGINT AS input_tokens,
    sum(output_tokens)::BIGINT AS output_tokens,
    total_cost(input_tokens, cost_usd) AS cost_usd
  FROM event_log
  WHERE input_tokens IS NOT NULL
  GROUP BY run_id, graph_path
)
SELECT
  a.run_id,
  a.thread_id,
  a.graph_path,
  a.graph,
  a.graph_hash,
  CASE WHEN contains(a.graph_path, ' › ') THEN regexp_replace(a.graph_path, ' › [^›]*$', '') END AS parent_path,
  any_value(c.node) AS parent_node,
  any_value(c.node_run_id) AS parent_node_run_id,
  a.parent_span AS parent_seq,
  a.ts,
  a.end_ts,
  epoch_us(a.end_ts) - epoch_us(a.ts) AS dur_us,
  a.status,
  a.steps,
  coalesce(sum(s.input_tokens) FILTER (s.graph_path IS NOT DISTINCT FROM a.graph_path), 0)::BIGINT AS input_tokens,
  coalesce(sum(s.output_tokens) FILTER (s.graph_path IS NOT DISTINCT FROM a.graph_path), 0)::BIGINT AS output_tokens,
  coalesce(sum(s.input_tokens), 0)::BIGINT AS total_input_tokens,
  coalesce(sum(s.output_tokens), 0)::BIGINT AS total_output_tokens,
  CASE WHEN count(s.run_id) = count(s.cost_usd) THEN coalesce(sum(s.cost_usd), 0) END AS total_cost_usd
FROM activation a
LEFT JOIN event_log c ON c.run_id = a.run_id AND c.kind = 'attempt.started' AND c.seq = a.parent_span
LEFT JOIN spent s
  ON s.run_id = a.run_id
  AND (a.graph_path IS NULL OR s.graph_path = a.graph_path OR starts_with(s.graph_path, a.graph_path || ' › '))
GROUP BY ALL`;

/** One row a step of a plan that a graph was made of, in the order of the plan as it stands now. */
export const PLAN_STEPS = `
CREATE OR REPLACE VIEW plan_steps AS
WITH plan AS (
  SELECT
    run_id,
    thread_id,
    CASE kind WHEN 'graph.started' THEN graph_path ELSE label END AS graph_path,
    arg_max(coalesce(payload::JSON -> '$.plan.steps', payload::JSON -> '$.input.plan.steps'), seq) AS steps
  FROM event_log
  WHERE kind IN ('graph.started', 'plan.modified') AND NOT stale
  GROUP BY ALL
  HAVING steps IS NOT NULL
),
step AS (
  SELECT
    run_id,
    thread_id,
    graph_path,
    json_array_length(steps) AS plan_length,
    unnest(range(json_array_length(steps)::BIGINT)) + 1 AS place,
    unnest(from_json(steps, '["JSON"]')) AS step
  FROM plan
),
done AS (
  SELECT
    n.run_id,
    n.graph_path,
    split_part(n.node, '/', -1) AS id,
    arg_max(n.status, n.node_run) AS status,
    count(*) AS rounds,
    sum(n.attempts)::BIGINT AS attempts,
    min(n.ts) AS ts,
    sum(n.dur_us)::BIGINT AS dur_us,
    arg_max(c.request, n.node_run) AS request,
    arg_max(c.output, n.node_run) AS output
  FROM node_runs n
  LEFT JOIN (
    SELECT e.run_id, e.node_run_id, max(e.payload::JSON -> '$.output') FILTER (e.kind = 'commit') AS output,
      arg_min(e.payload::JSON, e.seq) FILTER (e.kind = 'model.request') AS request
    FROM ${WHOLE_EVENTS} e
    WHERE e.graph_path IS NOT NULL AND e.kind IN ('commit', 'model.request') AND NOT e.stale
    GROUP BY e.run_id, e.node_run_id
  ) c ON c.run_id = n.run_id AND c.node_run_id = n.node_run_id
  WHERE n.graph_path IS NOT NULL AND n.status <> 'stale'
  GROUP BY ALL
)
SELECT
  s.run_id,
  s.thread_id,
  s.graph_path,
  s.place,
  s.plan_length,
  s.step ->> '$.id' AS step_id,
  s.step ->> '$.title' AS title,
  s.step ->> '$.details' AS details,
  coalesce(s.step ->> '$.agent', s.step ->> '$.tool') AS agent_name,
  s.step ->> '$.repeat' AS repeat,
  d.request -> '$.messages' AS instruction,
  coalesce(d.status, 'waiting') AS status,
  coalesce(d.rounds, 0) AS rounds,
  coalesce(d.attempts, 0) AS attempts,
  d.ts,
  d.dur_us,
  d.output AS progress_summary
FROM step s
LEFT JOIN done d ON d.run_id = s.run_id AND d.graph_path = s.graph_path AND d.id = (s.step ->> '$.id')`;

/** One row a round of a node with `every`: what its check came to, and how long nothing of it ran behind it. */
export const SENTINEL_CHECKS = `
CREATE OR REPLACE VIEW sentinel_checks AS
WITH round AS (
  SELECT
    run_id,
    thread_id,
    graph_path,
    node,
    node_run_id,
    label,
    -- A round that failed has the check's number and the node run of the round that repeats it.
    attempt,
    (payload::JSON ->> '$.check')::BIGINT AS check_number,
    max(kind) FILTER (kind IN ('sentinel.checked', 'sentinel.failed')) AS kind,
    max(step) AS step,
    max(ts) FILTER (kind IN ('sentinel.checked', 'sentinel.failed')) AS ts,
    max((payload::JSON ->> '$.of')::BIGINT) AS total,
    max(payload::JSON ->> '$.condition') AS condition,
    bool_or((payload::JSON ->> '$.met')::BOOLEAN) AS met,
    max(reason) AS reason,
    max((payload::JSON ->> '$.errors')::BIGINT) AS errors,
    max((payload::JSON ->> '$.sinceStartMs')::DOUBLE * 1000)::BIGINT AS runtime_us,
    max(ts) FILTER (kind = 'sentinel.sleeping') AS sleeps_from,
    make_timestamp(max((payload::JSON ->> '$.until')::DOUBLE * 1000)::BIGINT) AS next_check
  FROM event_log
  WHERE kind IN ('sentinel.checked', 'sentinel.failed', 'sentinel.sleeping') AND NOT stale
  GROUP BY ALL
)
SELECT
  r.* EXCLUDE (kind),
  CASE
    WHEN r.kind = 'sentinel.failed' THEN 'error'
    WHEN r.met THEN 'met'
    WHEN r.errors > 0 THEN 'error'
    ELSE 'not met'
  END AS status,
  epoch_us(r.next_check) - epoch_us(r.sleeps_from) AS sleep_us,
  f.reason AS ended
FROM round r
LEFT JOIN event_log f
  ON f.run_id = r.run_id
  AND f.node_run_id = r.node_run_id
  AND f.attempt = r.attempt
  AND f.kind = 'sentinel.finished'
  AND NOT f.stale`;
