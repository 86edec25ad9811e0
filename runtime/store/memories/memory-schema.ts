/** Defines the tables of memories, a step of the layout of runs.sqlite. */

/**
 * A space is one memory of one owner, and its number stands before each word in the index: whoever asks in one space can
 * find nothing of another. `memory_terms` counts in how many entries of a space a word stands. Entries that are not `kept`
 * are not in the index. What is deleted from it is overwritten (`secure-delete`).
 */
export const memoryTables = `
  CREATE TABLE memory_spaces (
    number INTEGER PRIMARY KEY,
    memory TEXT NOT NULL,
    scope TEXT NOT NULL,
    owner TEXT NOT NULL,
    UNIQUE (memory, scope, owner)
  ) STRICT;

  CREATE TABLE memory_entries (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    space INTEGER NOT NULL REFERENCES memory_spaces (number),
    state TEXT NOT NULL,
    key TEXT,
    hash TEXT NOT NULL,
    value TEXT NOT NULL,
    run_id TEXT NOT NULL,
    seq INTEGER NOT NULL,
    place INTEGER NOT NULL,
    node TEXT NOT NULL,
    stored_at INTEGER NOT NULL,
    expires_at INTEGER,
    superseded_by TEXT
  ) STRICT;

  CREATE INDEX memory_entries_by_key ON memory_entries (space, key);

  CREATE INDEX memory_entries_by_hash ON memory_entries (space, hash);

  CREATE INDEX memory_entries_by_run ON memory_entries (run_id, seq);

  CREATE INDEX memory_entries_by_successor ON memory_entries (superseded_by)
  WHERE superseded_by IS NOT NULL;

  CREATE INDEX memory_entries_by_end ON memory_entries (expires_at) WHERE expires_at IS NOT NULL;

  CREATE TABLE memory_terms (
    term TEXT PRIMARY KEY,
    entries INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;

  CREATE VIRTUAL TABLE memory_words USING fts5 (words, tokenize = 'ascii');

  INSERT INTO memory_words (memory_words, rank) VALUES ('secure-delete', 1);
`;
