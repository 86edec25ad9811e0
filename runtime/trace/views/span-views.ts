/** Defines the views of spans: those that have ended and those that are open. */

/** Everything that lasted and has ended: runs, attempts, calls, uses of an `each`. A run that went on ends last. */
export const SPANS = `
CREATE OR REPLACE VIEW spans AS
WITH ended AS (
  FROM event_log
  WHERE kind IN (
    'attempt.finished', 'model.response', 'tool.result', 'function.result', 'session.ended',
    'each.finished'
  )
  UNION ALL
  FROM event_log e
  SEMI JOIN run_log r ON r.run_id = e.run_id AND r.ended_at = e.ts
  WHERE e.kind = 'run.finished'
)
SELECT
  run_id,
  thread_id,
  span_id,
  parent_id,
  split_part(kind, '.', 1) AS kind,
  node,
  node_run,
  node_run_id,
  label,
  attempt,
  name,
  model,
  model_source,
  status,
  error_class,
  ts - to_microseconds(dur_us) AS ts,
  ts AS end_ts,
  dur_us,
  input_tokens,
  output_tokens,
  cost_usd,
  stale
FROM ended`;

/**
 * The calls and attempts that are under way now. A call is over with its attempt; an attempt that a crash cut off is
 * over with the next one of its node run.
 */
export const OPEN_SPANS = `
CREATE OR REPLACE VIEW open_spans AS
SELECT
  s.run_id,
  s.thread_id,
  s.span_id,
  s.parent_id,
  split_part(s.kind, '.', 1) AS kind,
  s.node,
  s.node_run,
  s.node_run_id,
  s.label,
  s.attempt,
  s.name,
  s.model,
  s.model_source,
  s.ts
FROM event_log s
JOIN run_log r ON r.run_id = s.run_id AND r.ended_at IS NULL
WHERE s.kind IN ('run.started', 'attempt.started', 'model.request', 'tool.call', 'function.call',
  'session.requested')
  AND NOT s.stale
  AND NOT EXISTS (
    FROM event_log e
    WHERE e.run_id = s.run_id
      AND e.span_id = s.span_id
      AND e.kind IN ('attempt.finished', 'model.response', 'tool.result', 'function.result',
        'session.ended')
  )
  AND NOT EXISTS (
    FROM event_log e
    WHERE e.run_id = s.run_id AND e.span_id = s.parent_id AND e.kind = 'attempt.finished'
  )
  AND NOT EXISTS (
    FROM event_log e
    WHERE e.run_id = s.run_id
      AND e.node_run = s.node_run
      AND e.kind = 'attempt.started'
      AND e.seq > s.seq
  )`;
