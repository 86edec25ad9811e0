/** Defines the layout of runs.sqlite. A change appends a step to `steps`; files of earlier layouts are migrated when opened. */

import { memorySteps } from "../memories/memory-schema.ts";

/** "Mdgl", so that another program's database is never taken for ours. */
export const applicationId = 0x4d64676c;

/** The oldest layout that is read: no version that wrote an older one was released. */
export const oldestVersion = 9;

/**
 * `runs.log_id` is which of the logs that a run of this id has had it is: one that was brought in again is another,
 * whatever it looks like. `kept` has the fields that outlive their run: `scope` is `thread` or `user`, `owner` which one; `answer` for
 * when an answer was taken back that a thread remembered.
 * `notes` are what people say to runs, until the process that drives the run has taken it in. `deleted` has the epochs of
 * deleted runs: they may come back. `cache` is what nodes with `cache` came to. `snapshots` say where runs stood behind a
 * record, several of a run, so that it need not be folded from the first record on; all of them can be deleted.
 */
const tables = `
  CREATE TABLE graphs (
    key TEXT PRIMARY KEY,
    ir TEXT NOT NULL
  ) STRICT;

  CREATE TABLE runs (
    run_id TEXT PRIMARY KEY,
    thread_id TEXT NOT NULL,
    graph TEXT NOT NULL,
    graph_hash TEXT NOT NULL,
    graph_key TEXT NOT NULL REFERENCES graphs (key),
    meta TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    status TEXT NOT NULL,
    reason TEXT,
    steps INTEGER NOT NULL,
    usage TEXT NOT NULL,
    error TEXT,
    last_seq INTEGER NOT NULL,
    log_id INTEGER NOT NULL DEFAULT 1
  ) STRICT;

  CREATE INDEX runs_by_time ON runs (created_at);

  CREATE INDEX runs_by_thread ON runs (thread_id, created_at);

  CREATE TABLE segments (
    run_id TEXT NOT NULL REFERENCES runs (run_id),
    first_seq INTEGER NOT NULL,
    last_seq INTEGER NOT NULL,
    records TEXT NOT NULL,
    PRIMARY KEY (run_id, last_seq)
  ) STRICT;

  CREATE TABLE leases (
    run_id TEXT PRIMARY KEY REFERENCES runs (run_id),
    owner_id TEXT NOT NULL,
    pid INTEGER NOT NULL,
    host TEXT NOT NULL,
    epoch INTEGER NOT NULL,
    since INTEGER NOT NULL,
    expires_at INTEGER NOT NULL
  ) STRICT;

  CREATE TABLE artifacts (
    hash TEXT PRIMARY KEY,
    bytes INTEGER NOT NULL,
    kind TEXT NOT NULL,
    mime TEXT NOT NULL,
    producer TEXT,
    created_at INTEGER NOT NULL
  ) STRICT;

  CREATE TABLE kept (
    scope TEXT NOT NULL,
    owner TEXT NOT NULL,
    field TEXT NOT NULL,
    value TEXT NOT NULL,
    run_id TEXT NOT NULL,
    updated_at INTEGER NOT NULL,
    PRIMARY KEY (scope, owner, field)
  ) STRICT;

  CREATE TABLE notes (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    run_id TEXT NOT NULL REFERENCES runs (run_id),
    body TEXT NOT NULL,
    said_by TEXT NOT NULL,
    said_at INTEGER NOT NULL,
    outcome TEXT
  ) STRICT;

  CREATE INDEX notes_pending ON notes (run_id) WHERE outcome IS NULL;

  CREATE TABLE deleted (
    run_id TEXT PRIMARY KEY,
    epoch INTEGER NOT NULL,
    deleted_at INTEGER NOT NULL
  ) STRICT;

  CREATE TABLE cache (
    key TEXT PRIMARY KEY,
    value TEXT NOT NULL,
    stored_at INTEGER NOT NULL
  ) STRICT;

  CREATE TABLE snapshots (
    run_id TEXT NOT NULL REFERENCES runs (run_id),
    seq INTEGER NOT NULL,
    steps INTEGER NOT NULL,
    since INTEGER NOT NULL,
    graph_hash TEXT NOT NULL,
    layout INTEGER NOT NULL,
    hash TEXT NOT NULL,
    content TEXT NOT NULL,
    PRIMARY KEY (run_id, seq)
  ) STRICT;
`;

/**
 * A user's field stands beside one of the same name of another graph, where their types differ: each has the graph that wrote it
 * first, so far as its run is there, and its type, which is not known of values from before. A thread has one field of a name.
 */
const byGraph = `
  CREATE TABLE kept_now (
    scope TEXT NOT NULL,
    owner TEXT NOT NULL,
    field TEXT NOT NULL,
    graph TEXT NOT NULL,
    type TEXT NOT NULL,
    value TEXT NOT NULL,
    run_id TEXT NOT NULL,
    updated_at INTEGER NOT NULL,
    PRIMARY KEY (scope, owner, field, graph)
  ) STRICT;

  INSERT INTO kept_now (scope, owner, field, graph, type, value, run_id, updated_at)
  SELECT scope, owner, field,
    CASE scope WHEN 'user' THEN coalesce(runs.graph, '') ELSE '' END,
    '', value, kept.run_id, kept.updated_at
  FROM kept
  LEFT JOIN runs ON runs.run_id = kept.run_id;

  DROP TABLE kept;

  ALTER TABLE kept_now RENAME TO kept;
`;

/**
 * The tables that people write with SQL; times are text as DuckDB writes them, which keeps their microseconds. The row of
 * `writable_revision` is another text after each change; there is none before the first one.
 */
const writable = `
  CREATE TABLE scores (
    run_id TEXT,
    node_run_id TEXT,
    name TEXT,
    value REAL,
    label TEXT,
    comment TEXT,
    source TEXT,
    ts TEXT
  ) STRICT;

  CREATE TABLE model_prices (
    model TEXT,
    valid_from TEXT,
    input_usd REAL,
    output_usd REAL,
    cached_usd REAL
  ) STRICT;

  CREATE TABLE model_contexts (
    model TEXT,
    context_tokens INTEGER
  ) STRICT;

  CREATE TABLE writable_revision (
    only INTEGER PRIMARY KEY CHECK (only = 1),
    revision TEXT NOT NULL
  ) STRICT;
`;

/** Segments may be compressed: they are bytes then, and were texts in every layout before. */
const compressed = `
  CREATE TABLE segments_now (
    run_id TEXT NOT NULL REFERENCES runs (run_id),
    first_seq INTEGER NOT NULL,
    last_seq INTEGER NOT NULL,
    records ANY NOT NULL,
    PRIMARY KEY (run_id, last_seq)
  ) STRICT;

  INSERT INTO segments_now (run_id, first_seq, last_seq, records)
  SELECT run_id, first_seq, last_seq, records
  FROM segments;

  DROP TABLE segments;

  ALTER TABLE segments_now RENAME TO segments;
`;

/** The chunks of the long lists of a run's snapshots, each stored once: `seq` is the first of those snapshots that are kept. */
const chunks = `
  CREATE TABLE snapshot_chunks (
    run_id TEXT NOT NULL REFERENCES runs (run_id),
    hash TEXT NOT NULL,
    seq INTEGER NOT NULL,
    content BLOB NOT NULL,
    PRIMARY KEY (run_id, hash)
  ) STRICT;

  CREATE INDEX snapshot_chunks_by_seq ON snapshot_chunks (run_id, seq);
`;

/** `due_at` is a time before which a run that stands still has nothing to do; it is not known of runs of earlier layouts. */
const due = `
  ALTER TABLE runs ADD COLUMN due_at INTEGER;

  CREATE INDEX runs_left ON runs (due_at) WHERE status IN ('running', 'waiting', 'paused');
`;

/** The first makes a file of the oldest layout, each further one turns a layout into the next. */
const steps: readonly string[] = [
  ...[tables, byGraph, writable, compressed, chunks],
  ...memorySteps,
  due,
];

/** The layout that this version writes, kept in the file as `user_version`. */
export const schemaVersion: number = oldestVersion + steps.length - 1;

/** Returns the steps that bring a file of this layout to the current one; 0 has no tables yet. */
export function stepsFrom(version: number): readonly string[] {
  return version === 0 ? steps : steps.slice(version - oldestVersion + 1);
}
