/** Defines the view of what memories have; it is empty but for whoever asks, see `database/memory-rows.ts`. */

/** The columns in order, as `memoryRow` has them. */
export const MEMORY_COLUMNS = {
  id: "VARCHAR",
  memory: "VARCHAR",
  scope: "VARCHAR",
  user_id: "VARCHAR",
  thread_id: "VARCHAR",
  agent: "VARCHAR",
  state: "VARCHAR",
  key: "JSON",
  value: "JSON",
  run_id: "VARCHAR",
  node: "VARCHAR",
  ts: "TIMESTAMP",
  expires_at: "TIMESTAMP",
  superseded_by: "VARCHAR",
} as const;

const none = Object.entries(MEMORY_COLUMNS).map(([name, type]) => `NULL::${type} AS ${name}`);

/** One row an entry of a memory, superseded ones too; `run_id` is NULL of what a person wrote. No agent sees any. */
export const MEMORIES = `
CREATE OR REPLACE VIEW memories AS
SELECT
  ${none.join(",\n  ")}
WHERE false`;
