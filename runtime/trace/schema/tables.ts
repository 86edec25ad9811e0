/**
 * Defines the base tables: each is one list of columns that makes its DDL and the type of its rows. No table has a key or an
 * index, because runs are written in order of time: DuckDB's zone maps find one at once, and indexes only cost.
 */

/** The types in which rows hold the values of each column type; times are milliseconds since the epoch. */
export interface ColumnValue {
  VARCHAR: string;
  BOOLEAN: boolean;
  USMALLINT: number;
  UINTEGER: number;
  BIGINT: number;
  DOUBLE: number;
  TIMESTAMP: number;
}

type ColumnType = keyof ColumnValue;
export type Columns = Readonly<Record<string, ColumnType>>;

/** A row of a table; NULL is written out. */
export type RowOf<C extends Columns> = { readonly [K in keyof C]: ColumnValue[C[K]] | null };

export interface Table<C extends Columns = Columns> {
  readonly name: string;
  readonly columns: C;
}

/** Everything that happened, one row an event; JSON is kept as text and cast in the views. */
export const eventLog = {
  name: "event_log",
  columns: {
    run_id: "VARCHAR",
    thread_id: "VARCHAR",
    graph: "VARCHAR",
    seq: "UINTEGER",
    part: "USMALLINT",
    ts: "TIMESTAMP",
    kind: "VARCHAR",
    // Of work that a rewind undid: paid for, but no part of the run's path.
    stale: "BOOLEAN",
    // Of the run that this one was forked from, else NULL: no tokens and no cost, which are that run's.
    copied: "BOOLEAN",
    // Both rows of a span have its number; only the one that ends it has `dur_us`.
    span_id: "UINTEGER",
    parent_id: "UINTEGER",
    step: "UINTEGER",
    // Of a graph that a node run has called: that node run's label, below those around it. `step` counts in there.
    graph_path: "VARCHAR",
    node: "VARCHAR",
    node_run: "UINTEGER",
    node_run_id: "VARCHAR",
    label: "VARCHAR",
    attempt: "USMALLINT",
    item: "UINTEGER",
    cause: "UINTEGER",
    name: "VARCHAR",
    // Of a message: nodes, or `user`; a receiver is NULL for whoever follows.
    sender: "VARCHAR",
    receiver: "VARCHAR",
    model: "VARCHAR",
    model_source: "VARCHAR",
    status: "VARCHAR",
    reason: "VARCHAR",
    error_class: "VARCHAR",
    error_code: "VARCHAR",
    dur_us: "BIGINT",
    ttft_us: "BIGINT",
    transport_retries: "UINTEGER",
    // Only rows of one call have tokens and cost, so that their sum over any events counts nothing twice.
    input_tokens: "BIGINT",
    output_tokens: "BIGINT",
    cached_tokens: "BIGINT",
    reasoning_tokens: "BIGINT",
    cache_write_tokens: "BIGINT",
    cost_usd: "DOUBLE",
    // The price by which a call has its cost, in dollars for a million tokens, and whose word it is.
    price_in: "DOUBLE",
    price_out: "DOUBLE",
    price_cached: "DOUBLE",
    price_cache_write: "DOUBLE",
    price_source: "VARCHAR",
    price_as_of: "VARCHAR",
    // In the payload of a call, hashes stand between two \u0001 for long texts, which are in `blob_log`: the one that it is,
    // or whether there are several, which takes longer to put back.
    blob: "VARCHAR",
    has_blobs: "BOOLEAN",
    payload: "VARCHAR",
    patches: "VARCHAR",
  },
} as const satisfies Table;

/** The blobs of a run, each once: the JSON of a long text, or of a value that was cut in its payload. */
export const blobLog = {
  name: "blob_log",
  columns: {
    run_id: "VARCHAR",
    // SHA-256 of `data`.
    hash: "VARCHAR",
    bytes: "BIGINT",
    data: "VARCHAR",
  },
} as const satisfies Table;

/** One row a run: how it stands, and up to which record (`last_seq`, of time `last_at`) which log of it (`log_id`) has been read. */
export const runLog = {
  name: "run_log",
  columns: {
    run_id: "VARCHAR",
    thread_id: "VARCHAR",
    graph: "VARCHAR",
    graph_hash: "VARCHAR",
    // The run that this one was forked from, and the last record that it has from there.
    forked_from: "VARCHAR",
    forked_from_seq: "BIGINT",
    // The run that this one is again: what is unchanged was served from there.
    rerun_of: "VARCHAR",
    status: "VARCHAR",
    reason: "VARCHAR",
    started_at: "TIMESTAMP",
    ended_at: "TIMESTAMP",
    steps: "UINTEGER",
    models: "VARCHAR",
    input: "VARCHAR",
    output: "VARCHAR",
    error_code: "VARCHAR",
    error_message: "VARCHAR",
    error_node: "VARCHAR",
    last_seq: "BIGINT",
    last_at: "DOUBLE",
    log_id: "UINTEGER",
    // Of a run that was imported as spans: from where. It has no log here.
    origin: "VARCHAR",
  },
} as const satisfies Table;

/** One row a graph, by the hash of its IR. */
export const graphLog = {
  name: "graph_log",
  columns: {
    graph_hash: "VARCHAR",
    name: "VARCHAR",
    file: "VARCHAR",
    text: "VARCHAR",
    ir: "VARCHAR",
  },
} as const satisfies Table;

/** Records that could not be traced, each with the reason; its `record` is redacted and cut like any payload. */
export const quarantine = {
  name: "quarantine",
  columns: {
    run_id: "VARCHAR",
    seq: "BIGINT",
    ts: "TIMESTAMP",
    kind: "VARCHAR",
    reason: "VARCHAR",
    record: "VARCHAR",
  },
} as const satisfies Table;

/** The scores that people or code give to runs; written with SQL, never derived. */
export const scores = {
  name: "scores",
  columns: {
    run_id: "VARCHAR",
    node_run_id: "VARCHAR",
    name: "VARCHAR",
    value: "DOUBLE",
    label: "VARCHAR",
    comment: "VARCHAR",
    source: "VARCHAR",
    ts: "TIMESTAMP",
  },
} as const satisfies Table;

/** Prices in USD for a million tokens, written with SQL: for calls to come, and for `repriced`. */
export const modelPrices = {
  name: "model_prices",
  columns: {
    model: "VARCHAR",
    valid_from: "TIMESTAMP",
    input_usd: "DOUBLE",
    output_usd: "DOUBLE",
    cached_usd: "DOUBLE",
  },
} as const satisfies Table;

/** The context length of models in tokens, written with SQL; `context_usage` reads it. */
export const modelContexts = {
  name: "model_contexts",
  columns: { model: "VARCHAR", context_tokens: "BIGINT" },
} as const satisfies Table;

/** By which schema a file was made. */
export const meta = {
  name: "meta",
  columns: { key: "VARCHAR", value: "VARCHAR" },
} as const satisfies Table;

/** A row with the columns that its event has; absent columns are NULL. */
export type EventRow = Partial<RowOf<typeof eventLog.columns>>;
export type RunRow = RowOf<typeof runLog.columns>;
export type BlobRow = RowOf<typeof blobLog.columns>;
export type QuarantineRow = RowOf<typeof quarantine.columns>;
export type GraphRow = RowOf<typeof graphLog.columns>;

/** Tables that are derived from the log: a rebuild makes them anew and leaves the others alone. */
export const derivedTables: readonly Table[] = [eventLog, runLog, graphLog, blobLog, quarantine];
/** Tables that only people fill, with SQL: copies of those in the store of runs. */
export const writableTables = [scores, modelPrices, modelContexts] as const;
/** Those that a rebuild leaves alone. */
export const lastingTables: readonly Table[] = [...writableTables, meta];

/** The statement that makes a table, empty. */
export function createTable({ name, columns }: Table): string {
  const lines = Object.entries(columns).map(([column, type]) => `  ${column} ${type}`);
  return `CREATE OR REPLACE TABLE ${name} (\n${lines.join(",\n")}\n)`;
}
