/** Holds every SQL statement of the store. Columns are named as the fields of the rows, so a query returns rows as they are used. */
import { type WritableTable, writableColumns } from "./writable-columns.ts";

export const insertGraph = `
  INSERT INTO graphs (key, ir)
  VALUES (:key, :ir)
  ON CONFLICT (key) DO NOTHING`;

export const insertRun = `
  INSERT INTO runs (
    run_id, thread_id, graph, graph_hash, graph_key, meta, created_at, updated_at,
    status, reason, steps, usage, error, last_seq, log_id, due_at
  )
  VALUES (
    :runId, :threadId, :graph, :graphHash, :irKey, :meta, :createdAt, :updatedAt,
    :status, :reason, :steps, :usage, :error, :lastSeq, :logId, :dueAt
  )`;

export const changeRun = `
  UPDATE runs
  SET updated_at = :updatedAt, status = :status, reason = :reason, steps = :steps,
    usage = :usage, error = :error, last_seq = :lastSeq, due_at = :dueAt
  WHERE run_id = :runId`;

const selectRun = `
  SELECT run_id AS runId, thread_id AS threadId, graph, graph_hash AS graphHash,
    graph_key AS irKey, meta, created_at AS createdAt, updated_at AS updatedAt,
    status, reason, steps, usage, error, last_seq AS lastSeq, log_id AS logId,
    due_at AS dueAt
  FROM runs`;

export const run = `${selectRun}
  WHERE run_id = :runId`;

export const runs = `${selectRun}
  WHERE (:graph IS NULL OR graph = :graph)
    AND (:status IS NULL OR status = :status)
    AND (:thread IS NULL OR thread_id = :thread)
    AND (:until IS NULL OR created_at <= :until)
  ORDER BY created_at DESC, rowid DESC
  LIMIT :limit`;

/** Conditions as those of the index `runs_left`. */
export const runsLeft = `${selectRun}
  WHERE status IN ('running', 'waiting', 'paused') AND (due_at IS NULL OR due_at <= :at)`;

export const nextDue = `
  SELECT min(due_at) AS at
  FROM runs
  WHERE status IN ('running', 'waiting', 'paused') AND due_at > :after`;

export const runIdsLike = `
  SELECT run_id AS runId
  FROM runs
  WHERE substr(run_id, 1, length(:word)) = :word OR substr(run_id, -length(:word)) = :word
  ORDER BY created_at DESC, rowid DESC`;

export const ir = `
  SELECT ir
  FROM graphs
  WHERE key = :key`;

export const positions = `
  SELECT run_id AS runId, last_seq AS lastSeq, log_id AS logId
  FROM runs
  ORDER BY rowid`;

export const insertSegment = `
  INSERT INTO segments (run_id, first_seq, last_seq, records)
  VALUES (:runId, :firstSeq, :lastSeq, :records)`;

export const segmentsAfter = `
  SELECT records
  FROM segments
  WHERE run_id = :runId AND last_seq > :seq
  ORDER BY last_seq`;

const selectSnapshot = `
  SELECT run_id AS runId, seq, steps, since, graph_hash AS graphHash, layout, hash, content
  FROM snapshots`;

export const snapshot = `${selectSnapshot}
  WHERE run_id = :runId
  ORDER BY seq DESC
  LIMIT 1`;

export const snapshotBefore = `${selectSnapshot}
  WHERE run_id = :runId AND steps < :step AND seq <= :upTo
  ORDER BY seq DESC
  LIMIT 1`;

export const snapshotLengths = `
  SELECT seq, octet_length(content) + (
    SELECT coalesce(sum(octet_length(chunk.content)), 0)
    FROM snapshot_chunks AS chunk
    WHERE chunk.run_id = snapshots.run_id AND chunk.seq = snapshots.seq
  ) AS length
  FROM snapshots
  WHERE run_id = :runId
  ORDER BY seq DESC
  LIMIT 2`;

export const putSnapshot = `
  INSERT INTO snapshots (run_id, seq, steps, since, graph_hash, layout, hash, content)
  VALUES (:runId, :seq, :steps, :since, :graphHash, :layout, :hash, :content)
  ON CONFLICT (run_id, seq) DO UPDATE
  SET steps = excluded.steps, since = excluded.since, graph_hash = excluded.graph_hash,
    layout = excluded.layout, hash = excluded.hash, content = excluded.content`;

export const deleteSnapshot = `
  DELETE FROM snapshots
  WHERE run_id = :runId AND seq = :seq`;

export const deleteSnapshots = `
  DELETE FROM snapshots
  WHERE run_id = :runId`;

export const snapshotChunk = `
  SELECT content
  FROM snapshot_chunks
  WHERE run_id = :runId AND hash = :hash`;

export const chunksOfSnapshot = `
  SELECT hash
  FROM snapshot_chunks
  WHERE run_id = :runId AND seq = :seq`;

export const putSnapshotChunk = `
  INSERT INTO snapshot_chunks (run_id, hash, seq, content)
  VALUES (:runId, :hash, :seq, :content)
  ON CONFLICT (run_id, hash) DO UPDATE
  SET content = excluded.content`;

export const moveSnapshotChunk = `
  UPDATE snapshot_chunks
  SET seq = :seq
  WHERE run_id = :runId AND hash = :hash`;

export const deleteSnapshotChunk = `
  DELETE FROM snapshot_chunks
  WHERE run_id = :runId AND hash = :hash`;

export const deleteSnapshotChunks = `
  DELETE FROM snapshot_chunks
  WHERE run_id = :runId`;

export const lease = `
  SELECT run_id AS runId, owner_id AS ownerId, pid, host, epoch, since, expires_at AS expiresAt
  FROM leases
  WHERE run_id = :runId`;

export const putLease = `
  INSERT INTO leases (run_id, owner_id, pid, host, epoch, since, expires_at)
  VALUES (:runId, :ownerId, :pid, :host, :epoch, :since, :expiresAt)
  ON CONFLICT (run_id) DO UPDATE
  SET owner_id = excluded.owner_id, pid = excluded.pid, host = excluded.host,
    epoch = excluded.epoch, since = excluded.since, expires_at = excluded.expires_at`;

/** A second of a minute is not worth a page of the write-ahead log in each flush. */
export const isRenewed = `
  SELECT epoch
  FROM leases
  WHERE run_id = :runId AND epoch = :epoch
    AND expires_at BETWEEN :expiresAt - 1000 AND :expiresAt`;

export const renewLease = `
  UPDATE leases
  SET expires_at = :expiresAt
  WHERE run_id = :runId AND epoch = :epoch`;

export const kept = `
  SELECT scope, owner, field, graph, type, value, run_id AS runId, updated_at AS updatedAt
  FROM kept
  WHERE scope = :scope AND owner = :owner
  ORDER BY field, graph`;

export const keptOwners = `
  SELECT owner, max(updated_at) AS updatedAt
  FROM kept
  WHERE scope = :scope
  GROUP BY owner
  ORDER BY updatedAt DESC, owner`;

export const keptValues = `
  SELECT value
  FROM kept`;

export const putKept = `
  INSERT INTO kept (scope, owner, field, graph, type, value, run_id, updated_at)
  VALUES (:scope, :owner, :field, :graph, :type, :value, :runId, :updatedAt)
  ON CONFLICT (scope, owner, field, graph) DO UPDATE
  SET type = excluded.type, value = excluded.value, run_id = excluded.run_id, updated_at = excluded.updated_at`;

export const cached = `
  SELECT key, value, stored_at AS storedAt
  FROM cache
  WHERE key = :key`;

export const putCached = `
  INSERT INTO cache (key, value, stored_at)
  VALUES (:key, :value, :storedAt)
  ON CONFLICT (key) DO UPDATE
  SET value = excluded.value, stored_at = excluded.stored_at`;

export function writableRows(table: WritableTable): string {
  const columns = writableColumns[table].map((name) =>
    name === "context_tokens" ? `CAST(${name} AS TEXT) AS ${name}` : name,
  );
  return `
  SELECT rowid AS id, ${columns.join(", ")}
  FROM ${table}
  ORDER BY rowid`;
}

export function insertWritable(table: WritableTable): string {
  const columns = writableColumns[table];
  return `
  INSERT INTO ${table} (${columns.join(", ")})
  VALUES (${columns.map((name) => `:${name}`).join(", ")})`;
}

export function deleteWritable(table: WritableTable): string {
  return `
  DELETE FROM ${table}
  WHERE rowid = :id`;
}

export const writableRevision = `
  SELECT revision
  FROM writable_revision`;

export const setWritableRevision = `
  INSERT INTO writable_revision (only, revision)
  VALUES (1, :revision)
  ON CONFLICT (only) DO UPDATE
  SET revision = excluded.revision`;

export const insertNote = `
  INSERT INTO notes (run_id, body, said_by, said_at)
  VALUES (:runId, :body, :by, :at)
  RETURNING number`;

export const pendingNotes = `
  SELECT number, run_id AS runId, body, said_by AS "by", said_at AS "at"
  FROM notes
  WHERE run_id = :runId AND outcome IS NULL
  ORDER BY number`;

export const settleNote = `
  UPDATE notes
  SET outcome = :outcome
  WHERE number = :number AND outcome IS NULL`;

export const noteOutcome = `
  SELECT outcome
  FROM notes
  WHERE number = :number`;

export const putArtifact = `
  INSERT INTO artifacts (hash, bytes, kind, mime, producer, created_at)
  VALUES (:hash, :bytes, :kind, :mime, :producer, :createdAt)
  ON CONFLICT (hash) DO NOTHING`;

export const artifact = `
  SELECT hash, bytes, kind, mime, producer, created_at AS createdAt
  FROM artifacts
  WHERE hash = :hash`;

export const deleteSegments = `
  DELETE FROM segments
  WHERE run_id = :runId`;

export const deleteNotes = `
  DELETE FROM notes
  WHERE run_id = :runId`;

export const deleteLease = `
  DELETE FROM leases
  WHERE run_id = :runId`;

export const deleteRun = `
  DELETE FROM runs
  WHERE run_id = :runId`;

export const deleteUnusedGraphs = `
  DELETE FROM graphs
  WHERE key NOT IN (SELECT graph_key FROM runs)`;

export const putDeleted = `
  INSERT INTO deleted (run_id, epoch, deleted_at)
  VALUES (:runId, :epoch, :deletedAt)
  ON CONFLICT (run_id) DO UPDATE
  SET epoch = excluded.epoch, deleted_at = excluded.deleted_at`;

export const deletedEpoch = `
  SELECT epoch
  FROM deleted
  WHERE run_id = :runId`;

export const deletedRuns = `
  SELECT run_id AS runId
  FROM deleted
  ORDER BY deleted_at, run_id`;

export const dropDeleted = `
  DELETE FROM deleted
  WHERE run_id = :runId`;

export const deleteKept = `
  DELETE FROM kept
  WHERE scope = :scope AND owner = :owner`;

export const deleteArtifact = `
  DELETE FROM artifacts
  WHERE hash = :hash`;
