/** Defines the tables of memories, steps of the layout of runs.sqlite. */

/**
 * A space is one memory of one owner, and its number stands before each word in the index: whoever asks in one space can
 * find nothing of another. `memory_terms` counts in how many entries of a space a word stands. Entries that are not `kept`
 * are not in the index. What is deleted from it is overwritten (`secure-delete`).
 */
const memoryTables = `
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

/**
 * Entries have vectors, and are found by one character of a script without spaces: the index of words is made anew by
 * `memory_words_of(space, value)`, which whoever brings a file up gives to SQLite. `memory_signs` has the signs of a thousand vectors
 * of one space and model in a row, each in the slot that `memory_vectors` names; `free` says how many slots are empty.
 */
const memoryVectors = `
  CREATE TABLE memory_vectors (
    number INTEGER NOT NULL,
    model TEXT NOT NULL,
    chunk INTEGER NOT NULL,
    slot INTEGER NOT NULL,
    vector BLOB NOT NULL,
    PRIMARY KEY (number, model)
  ) STRICT;

  CREATE TABLE memory_signs (
    chunk INTEGER PRIMARY KEY,
    space INTEGER NOT NULL,
    model TEXT NOT NULL,
    dimensions INTEGER NOT NULL,
    free INTEGER NOT NULL,
    numbers BLOB NOT NULL,
    bits BLOB NOT NULL
  ) STRICT;

  CREATE INDEX memory_signs_by_space ON memory_signs (space, model, dimensions, free);

  DROP TABLE memory_words;

  CREATE VIRTUAL TABLE memory_words USING fts5 (words, tokenize = 'ascii');

  INSERT INTO memory_words (memory_words, rank) VALUES ('secure-delete', 1);

  INSERT INTO memory_words (rowid, words)
  SELECT number, memory_words_of(space, value)
  FROM memory_entries
  WHERE state = 'kept';

  DELETE FROM memory_terms;

  CREATE VIRTUAL TABLE memory_vocabulary USING fts5vocab (memory_words, row);

  INSERT INTO memory_terms (term, entries)
  SELECT term, doc FROM memory_vocabulary
  UNION ALL
  SELECT space || 'x', count(*) FROM memory_entries WHERE state = 'kept' GROUP BY space;

  DROP TABLE memory_vocabulary;
`;

export const memorySteps: readonly string[] = [memoryTables, memoryVectors];
