/** Collects what one transaction writes into a trace file, and writes it. */
import type { LogRecord } from "../../records/records.ts";
import { appendRows } from "../columns/append.ts";
import type { TraceDatabase } from "../database/database.ts";
import {
  type BlobRow,
  blobLog,
  type EventRow,
  eventLog,
  type GraphRow,
  graphLog,
  type QuarantineRow,
  quarantine,
  type RunRow,
  runLog,
} from "../schema/tables.ts";

export const DROP_RUN_ROW = `
DELETE FROM run_log
WHERE run_id = $1`;

export const DROP_RUN_ROWS = `
DELETE FROM run_log
WHERE run_id IN (SELECT unnest(from_json($1, '["VARCHAR"]')))`;

export const DROP_EVENT_ROWS = `
DELETE FROM event_log
WHERE run_id IN (SELECT unnest(from_json($1, '["VARCHAR"]')))`;

export const DROP_BLOB_ROWS = `
DELETE FROM blob_log
WHERE run_id IN (SELECT unnest(from_json($1, '["VARCHAR"]')))`;

export const DROP_QUARANTINED = `
DELETE FROM quarantine
WHERE run_id IN (SELECT unnest(from_json($1, '["VARCHAR"]')))`;

/** Between the record that a rewind went back to and its own, and all of the node runs that were open then. */
export const MARK_STALE = `
UPDATE event_log
SET stale = true
WHERE run_id = $1
  AND (
    (seq > $2 AND seq < $3)
    OR (seq = $3 AND kind = 'attempt.finished')
    OR (seq <= $3 AND node_run IN (SELECT unnest(from_json($4, '["UINTEGER"]'))))
  )`;

type Rewind = LogRecord & { readonly kind: "control"; readonly verb: "rewind" };

export interface RowBatch {
  readonly events: EventRow[];
  readonly blobs: BlobRow[];
  readonly runs: Map<string, RunRow>;
  readonly graphs: Map<string, GraphRow>;
  readonly rewinds: { readonly runId: string; readonly record: Rewind }[];
  readonly quarantined: QuarantineRow[];
  /** Runs whose log is no longer the one that was read: their rows go. */
  readonly dropped: string[];
}

export function isRewind(record: LogRecord): record is Rewind {
  return record.kind === "control" && record.verb === "rewind";
}

export function emptyBatch(): RowBatch {
  return {
    events: [],
    blobs: [],
    runs: new Map(),
    graphs: new Map(),
    rewinds: [],
    dropped: [],
    quarantined: [],
  };
}

/** Begins a transaction and commits it; who calls it rolls back what fails. `isKnown` are runs that the database has rows of. */
export async function writeBatch(
  database: TraceDatabase,
  { events, blobs, runs, graphs, rewinds, dropped, quarantined }: RowBatch,
  isKnown: (runId: string) => boolean,
): Promise<void> {
  const { writer: connection } = database;
  const into = { ...database, connection };
  await connection.run("BEGIN");
  const drops = [DROP_EVENT_ROWS, DROP_BLOB_ROWS, DROP_QUARANTINED];
  for (const statement of dropped.length > 0 ? drops : []) {
    await connection.run(statement, [JSON.stringify(dropped)]);
  }
  const known = [...runs.keys()].filter(isKnown);
  // Most often one run goes on, and without a list DuckDB does it in half the time.
  if (known.length === 1) await connection.run(DROP_RUN_ROW, known);
  else if (known.length > 1) await connection.run(DROP_RUN_ROWS, [JSON.stringify(known)]);
  await appendRows(into, graphLog, [...graphs.values()]);
  await appendRows(into, eventLog, events);
  await appendRows(into, blobLog, blobs);
  await appendRows(into, runLog, [...runs.values()]);
  await appendRows(into, quarantine, quarantined);
  for (const { runId, record } of rewinds) {
    const ids = JSON.stringify(record.renumbered.map(({ from }) => from));
    await connection.run(MARK_STALE, [runId, record.to, record.seq, ids]);
  }
  await connection.run("COMMIT");
}
