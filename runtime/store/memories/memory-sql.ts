/** The SQL by which entries of memories are read and written. */
import type { MemorySpace, MemoryState } from "./memory.ts";

export interface EntryRow {
  readonly number: number;
  readonly id: string;
  readonly space: number;
  readonly memory: string;
  readonly scope: MemorySpace["scope"];
  readonly owner: string;
  readonly state: MemoryState;
  readonly key: string | null;
  readonly value: string;
  readonly runId: string;
  readonly seq: number;
  readonly place: number;
  readonly node: string;
  readonly at: number;
  readonly expiresAt: number | null;
  readonly supersededBy: string | null;
}

/** As many entries as this are ranked for a query. */
export const RANKED_MAX = 1_000;

const COLUMNS = `
  memory_entries.number AS number, id, space, memory, scope, owner, state, key, value, run_id AS runId,
  seq, place, node, stored_at AS at, expires_at AS expiresAt, superseded_by AS supersededBy`;

export const ENTRIES = `SELECT ${COLUMNS} FROM memory_entries JOIN memory_spaces ON memory_spaces.number = space`;

/** The entries whose id begins so, that of the very id first. By bounds, for which there is an index: each write asks this. */
export const NAMED = `
  ${ENTRIES} WHERE id >= ?1 AND id <= ?1 || char(0x10ffff) AND space = coalesce(?2, space)
  ORDER BY length(id), id LIMIT ?3`;

export const LIST = `
  ${ENTRIES}
  WHERE memory = coalesce(?1, memory) AND scope = coalesce(?2, scope) AND state = coalesce(?3, state)
    AND run_id = coalesce(?4, run_id)
    AND (?5 IS NULL OR (scope = 'user' AND owner = ?5)
      OR (scope IN ('thread', 'agent') AND substr(owner, 1, length(?6)) = ?6))
  ORDER BY stored_at DESC, memory_entries.number DESC LIMIT ?7`;

export const SPACE =
  "SELECT number FROM memory_spaces WHERE memory = ? AND scope = ? AND owner = ?";

export const SAME = `${ENTRIES} WHERE space = ? AND hash = ? AND +key IS ? AND state IN ('kept', 'proposed')`;

export const OTHERS = `${ENTRIES} WHERE space = ? AND key = ? AND id <> ? AND state = 'kept'`;

/** The superseded entries of a key behind so many newer ones. */
export const OLDEST = `
  ${ENTRIES} WHERE space = ? AND key = ? AND state = 'superseded'
  ORDER BY memory_entries.number DESC LIMIT -1 OFFSET ?`;

export const INSERT = `
  INSERT INTO memory_entries (
    id, space, state, key, hash, value, run_id, seq, place, node, stored_at, expires_at
  ) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`;

export const LINK = "UPDATE memory_entries SET superseded_by = ? WHERE number = ?";

/** Behind an entry that a run has forgotten stands `RUN#SEQ` of the call that did, which a rewind takes back. */
export const RETIRE =
  "UPDATE memory_entries SET state = 'forgotten', superseded_by = ? WHERE number = ?";

/** Finds the kept entry of the key or the value of an entry that is not kept. */
export const IN_PLACE = `
  SELECT id FROM memory_entries
  WHERE space = ?1 AND state = 'kept'
    AND (key = ?2 OR hash = (SELECT hash FROM memory_entries WHERE number = ?3))
  LIMIT 1`;

export const RETIRED = `
  SELECT id FROM memory_entries
  WHERE superseded_by >= ?1 AND superseded_by < ?1 || ':' AND state = 'forgotten'
    AND CAST(substr(superseded_by, length(?1) + 1) AS INTEGER) > ?2`;

/** Has no rewind take back an entry that another run has stored, too: no record of a run has a negative number. */
export const AGAIN = `
  UPDATE memory_entries
  SET stored_at = ?, expires_at = ?, seq = CASE WHEN run_id = ? OR seq < 0 THEN seq ELSE -number END
  WHERE number = ?`;

export const COUNT_UP = `
  INSERT INTO memory_terms (term, entries) VALUES (?, 1)
  ON CONFLICT (term) DO UPDATE SET entries = entries + 1`;

export const ENTRIES_WITH = "SELECT entries FROM memory_terms WHERE term = ?";

export const NEWEST = `
  SELECT min(rowid) AS n FROM (
    SELECT rowid FROM memory_words WHERE memory_words MATCH ? ORDER BY rowid DESC LIMIT ${RANKED_MAX}
  )`;

export const RANK = `
  SELECT ${COLUMNS} FROM (
    SELECT rowid, rank FROM memory_words
    WHERE memory_words MATCH ?1 AND rowid >= ?2
      AND rowid NOT IN (SELECT number FROM memory_entries WHERE expires_at <= ?3)
    ORDER BY rank LIMIT max(200, ?4)
  ) AS found
  JOIN memory_entries ON memory_entries.number = found.rowid
  JOIN memory_spaces ON memory_spaces.number = space
  WHERE state = 'kept'
  ORDER BY found.rank LIMIT ?4`;

export const LATEST = `
  ${ENTRIES} WHERE space = ? AND state = 'kept' AND (expires_at IS NULL OR expires_at > ?)
  ORDER BY memory_entries.number DESC LIMIT ?`;

export const NUMBERED = `
  ${ENTRIES} WHERE memory_entries.number IN (SELECT value FROM json_each(?))
    AND state = 'kept' AND (expires_at IS NULL OR expires_at > ?)`;

export const UNEMBEDDED = `
  ${ENTRIES} WHERE space = ? AND state = 'kept'
    AND NOT EXISTS (
      SELECT 1 FROM memory_vectors WHERE memory_vectors.number = memory_entries.number AND model = ?
    )
  ORDER BY memory_entries.number DESC LIMIT ?`;
