/** The layout of runs.sqlite. A change appends to `steps`: files of older versions are brought up when opened. */

/** "Mdgl", so that another program's database is never taken for ours. */
export const applicationId = 0x4d64676c;

const first = `
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
    last_seq INTEGER NOT NULL
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
`;

/** Fields that outlive their run: `scope` is `thread` or `user`, `owner` which one. */
const second = `
  CREATE TABLE kept (
    scope TEXT NOT NULL,
    owner TEXT NOT NULL,
    field TEXT NOT NULL,
    value TEXT NOT NULL,
    run_id TEXT NOT NULL REFERENCES runs (run_id),
    updated_at INTEGER NOT NULL,
    PRIMARY KEY (scope, owner, field)
  ) STRICT;
`;

/** What people say to runs, until the process that drives the run has taken it in. */
const notes = `
  CREATE TABLE notes (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    run_id TEXT NOT NULL REFERENCES runs (run_id),
    body TEXT NOT NULL,
    said_by TEXT NOT NULL,
    said_at INTEGER NOT NULL,
    outcome TEXT
  ) STRICT;

  CREATE INDEX notes_pending ON notes (run_id) WHERE outcome IS NULL;
`;

/** What a thread or a user keeps outlives the run that wrote it last, and of a deleted run its epoch: it may come back. */
const outlived = `
  CREATE TABLE kept_now (
    scope TEXT NOT NULL,
    owner TEXT NOT NULL,
    field TEXT NOT NULL,
    value TEXT NOT NULL,
    run_id TEXT NOT NULL,
    updated_at INTEGER NOT NULL,
    PRIMARY KEY (scope, owner, field)
  ) STRICT;

  INSERT INTO kept_now (scope, owner, field, value, run_id, updated_at)
  SELECT scope, owner, field, value, run_id, updated_at
  FROM kept;

  DROP TABLE kept;

  ALTER TABLE kept_now RENAME TO kept;

  CREATE TABLE deleted (
    run_id TEXT PRIMARY KEY,
    epoch INTEGER NOT NULL,
    deleted_at INTEGER NOT NULL
  ) STRICT;
`;

/** Segments may say of a value that it is the same as another one (`pack.ts`), which earlier versions would take for the value. */
const sharing = "-- The tables stay as they are.";

/** What nodes with `cache` came to. */
const caching = `
  CREATE TABLE cache (
    key TEXT PRIMARY KEY,
    value TEXT NOT NULL,
    stored_at INTEGER NOT NULL
  ) STRICT;
`;

/** Where runs stood behind a record, so that they need not be folded from the first one on; all of it can be deleted. */
const standing = `
  CREATE TABLE snapshots (
    run_id TEXT PRIMARY KEY REFERENCES runs (run_id),
    seq INTEGER NOT NULL,
    since INTEGER NOT NULL,
    graph_hash TEXT NOT NULL,
    layout INTEGER NOT NULL,
    hash TEXT NOT NULL,
    content TEXT NOT NULL
  ) STRICT;
`;

/** Which of the logs that a run of this id has had it is: one that was brought in again is another, whatever it looks like. */
const numbering = `
  ALTER TABLE runs ADD COLUMN log_id INTEGER NOT NULL DEFAULT 1;
`;

/** Several of a run, so that whoever goes back in it folds no more than lies behind the nearest. Those of before had no steps. */
const standings = `
  DROP TABLE snapshots;

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

/** `steps[n]` turns version n into version n + 1. */
export const steps: readonly string[] = [
  first,
  second,
  notes,
  outlived,
  sharing,
  caching,
  standing,
  numbering,
  standings,
];

/** What this Madrigal writes; kept in the file as `user_version`. */
export const schemaVersion = steps.length;
