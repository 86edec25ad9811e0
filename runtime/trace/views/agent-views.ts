/** Defines the views of the state that agents keep for themselves. */
/** One row a patch of state that one instance of an agent has for itself; \`agent\` says which. */
export const AGENT_CHANGES = `
CREATE OR REPLACE VIEW agent_changes AS
SELECT
  e.run_id,
  e.thread_id,
  e.step,
  e.name AS agent,
  e.node,
  e.node_run_id,
  e.label,
  e.attempt,
  e.item,
  e.ts,
  change.patch ->> '$.path[0]' AS field,
  change.patch ->> '$.op' AS op,
  change.patch -> '$.path' AS path,
  change.patch -> '$.value' AS value,
  e.seq,
  change.place
FROM event_log e,
LATERAL (
  SELECT
    unnest(from_json(e.payload, '["JSON"]')) AS patch,
    unnest(range(json_array_length(e.payload)::BIGINT)) AS place
) change
WHERE e.kind = 'agent.changed' AND NOT e.stale`;
