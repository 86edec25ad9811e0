/** Defines the views of messages between agents and of conversations, of artifacts and of questions to people. */
import { NO_DURATION, NO_MODEL } from "./no-columns.ts";

/**
 * Envelopes between agents, one row a message. `status` is `read`, `dead` (the run ended and nobody had read it) or
 * `waiting`; of one that several nodes read, the first reader is told.
 */
export const MESSAGES = `
CREATE OR REPLACE VIEW messages AS
WITH reading AS (
  SELECT run_id, name, min_by({node: node, step: step, ts: ts}, seq) AS first
  FROM event_log
  WHERE kind = 'message.read' AND NOT stale
  GROUP BY run_id, name
),
dead AS (
  SELECT DISTINCT run_id, name
  FROM event_log
  WHERE kind = 'message.dead' AND NOT stale
)
SELECT
  s.run_id,
  s.thread_id,
  s.step,
  s.node,
  s.node_run_id,
  s.attempt,
  s.ts,
  ${NO_DURATION},
  s.name AS message_id,
  s.sender,
  s.receiver AS recipient,
  s.reason AS kind,
  s.payload::JSON ->> '$.replyTo' AS reply_to,
  s.payload::JSON -> '$.causedBy' AS caused_by,
  s.payload::JSON -> '$.artifacts' AS artifacts,
  s.payload::JSON -> '$.payload' AS content,
  s.payload::JSON ->> '$.topic' AS topic,
  coalesce((s.payload::JSON ->> '$.priority')::BIGINT, 0) AS priority,
  (s.payload::JSON ->> '$.group')::BIGINT AS group_id,
  CASE WHEN r.name IS NOT NULL THEN 'read' WHEN d.name IS NOT NULL THEN 'dead' ELSE 'waiting' END AS status,
  r.first.node AS read_by,
  r.first.step AS read_step,
  r.first.ts AS read_ts,
  s.seq,
  ${NO_MODEL}
FROM event_log s
LEFT JOIN reading r ON r.run_id = s.run_id AND r.name = s.name
LEFT JOIN dead d ON d.run_id = s.run_id AND d.name = s.name
WHERE s.kind = 'run.steered' OR (s.kind = 'message.sent' AND NOT s.stale)`;

/**
 * One row a message of a conversation, a field of the type `Messages`: at the step that wrote it, with its position in the
 * conversation then, from 0. A message that was replaced has a row for each form that it had.
 */
export const CONVERSATION_MESSAGES = `
CREATE OR REPLACE VIEW conversation_messages AS
WITH conversation AS (
  SELECT r.run_id, field.ir ->> '$.name' AS field
  FROM run_log r
  JOIN graph_log g ON g.graph_hash = r.graph_hash,
  LATERAL (
    SELECT unnest(list_concat(json_extract(g.ir, '$.fields[*]'), json_extract(g.ir, '$.graphs[*].fields[*]'))) AS ir
  ) field
  WHERE field.ir ->> '$.reducer.name' = 'messages'
  GROUP BY ALL
),
written AS (
  SELECT c.*, item.message, coalesce((c.path ->> 1)::BIGINT, item.position) AS position
  FROM state_changes c
  JOIN conversation t ON t.run_id = c.run_id AND t.field = c.field,
  LATERAL (
    SELECT
      unnest(items) AS message,
      unnest(range(len(items))) AS position
    FROM (
      SELECT CASE json_type(c.value) WHEN 'ARRAY' THEN from_json(c.value, '["JSON"]') ELSE [c.value] END AS items
    )
  ) item
  WHERE c.op <> 'remove'
)
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
  field,
  position,
  message ->> '$.id' AS message_id,
  message ->> '$.role' AS role,
  message ->> '$.name' AS name,
  message ->> '$.content' AS text,
  message -> '$.toolCalls' AS tool_calls,
  message ->> '$.toolCallId' AS tool_call_id,
  coalesce((message ->> '$.isError')::BOOLEAN, FALSE) AS is_error,
  seq
FROM written
WHERE message ->> '$.role' IS NOT NULL
-- A field that is written anew as a whole has the messages that were there before.
QUALIFY row_number() OVER (PARTITION BY run_id, graph_path, field, message::VARCHAR ORDER BY seq, place, position) = 1`;

/** The artifacts of node runs; `node` made it, for the item `item`. The bytes are in `.madrigal/artifacts`, under `hash`. */
export const ARTIFACTS = `
CREATE OR REPLACE VIEW artifacts AS
SELECT
  run_id,
  thread_id,
  step,
  node,
  node_run_id,
  attempt,
  item,
  ts,
  ${NO_DURATION},
  name AS artifact_id,
  payload::JSON ->> '$.name' AS name,
  payload::JSON ->> '$.path' AS path,
  payload::JSON ->> '$.hash' AS hash,
  reason AS kind,
  payload::JSON ->> '$.mime' AS mime,
  (payload::JSON ->> '$.bytes')::BIGINT AS bytes,
  (payload::JSON ->> '$.count')::BIGINT AS items,
  payload::JSON -> '$.schema' AS value_schema,
  seq,
  ${NO_MODEL}
FROM event_log
WHERE kind = 'artifact.created' AND NOT stale`;

/** The length of a list of the question in a row of the events. */
function countIn(row: "n" | "o", list: "agreed" | "declined" | "passed"): string {
  return `coalesce(json_array_length(${row}.payload::JSON, '$.${list}'), 0)`;
}

/** Tells whether a person has been added to a list since the question was asked. */
function hasMore(list: "agreed" | "declined"): string {
  return `${countIn("n", list)} = ${countIn("o", list)} + 1`;
}

/**
 * One row for each person whom a question of a run goes to, with the answer once there is one. Of several persons who must
 * say yes each who answers has a row, up to the one whose answer decides.
 */
export const INTERRUPTS = `
CREATE OR REPLACE VIEW interrupts AS
SELECT
  o.run_id,
  o.thread_id,
  o.step,
  o.node,
  o.node_run_id,
  o.attempt,
  o.ts,
  epoch_us(coalesce(n.ts, a.ts)) - epoch_us(o.ts) AS dur_us,
  o.name AS interrupt_id,
  o.reason AS kind,
  CASE
    WHEN n.name IS NULL THEN coalesce(a.status, 'open')
    WHEN ${countIn("n", "passed")} <> ${countIn("o", "passed")} THEN 'passed'
    WHEN ${hasMore("agreed")} THEN 'agreed'
    ELSE 'declined'
  END AS status,
  o.payload::JSON AS question,
  CASE
    WHEN n.name IS NOT NULL AND ${countIn("n", "passed")} = ${countIn("o", "passed")} THEN json_object(
      'answer',
      CASE
        WHEN ${hasMore("agreed")} THEN n.payload::JSON -> '$.agreed[#-1]'
        ELSE n.payload::JSON -> '$.declined[#-1]'
      END
    )
    ELSE a.payload::JSON
  END AS answer,
  o.seq,
  ${NO_MODEL}
FROM event_log o
LEFT JOIN event_log n
  ON n.run_id = o.run_id AND n.name = o.name AND n.kind = 'interrupt.opened' AND n.seq > o.seq
  AND (
    ${countIn("n", "passed")} = ${countIn("o", "passed")} + 1
    OR ${countIn("n", "passed")} = ${countIn("o", "passed")}
    AND (${hasMore("agreed")} OR ${hasMore("declined")})
  )
LEFT JOIN event_log a
  ON a.run_id = o.run_id AND a.name = o.name AND a.kind = 'interrupt.answered' AND n.name IS NULL
WHERE o.kind = 'interrupt.opened'
QUALIFY row_number() OVER (PARTITION BY o.run_id, o.seq ORDER BY n.seq) = 1`;
