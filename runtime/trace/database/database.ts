/** Opens a trace file of DuckDB, makes its tables when it is new, and tells why a file can't be used. */
import { chmodSync } from "node:fs";
import type { DuckDBConnection, DuckDBInstance } from "@duckdb/node-api";
import { messageOf } from "../../failure.ts";
import type { Bindings } from "../columns/column-buffer.ts";
import { SCHEMA, schemaVersion } from "../schema/schema.ts";

/** DuckDB's library, loaded when the first trace is opened. */
export type DuckDb = typeof import("@duckdb/node-api");

/** One open trace file: the ingester writes by one connection, people ask by the other. */
export interface TraceDatabase {
  readonly file: string;
  readonly duckdb: DuckDb;
  readonly bindings: Bindings;
  readonly writer: DuckDBConnection;
  readonly reader: DuckDBConnection;
  /** One more connection; who asks for it closes it, before the file. */
  connect(): Promise<DuckDBConnection>;
  close(): void;
}

export const IN_MEMORY = ":memory:";

/** The reason why a file can't be used: it is locked, it can't be written, it is damaged, or another version made it. */
export interface NotOpened {
  readonly kind: "locked" | "unwritable" | "damaged" | "outdated";
  readonly message: string;
}

// The default checkpoint threshold stalls the main thread for a third of a second every 16 MB; the ingester checkpoints
// by itself. No extension is ever fetched.
const OPTIONS = {
  memory_limit: "1GB",
  checkpoint_threshold: "1GB",
  autoinstall_known_extensions: "false",
  autoload_known_extensions: "false",
} as const;

// A second instance of one file in one process loses rows without a word, so who has one open is kept here.
const openFiles = new Set<string>();

/** Keeps everything else in this process from opening a file, until what it gives is called; nothing where it is open. */
export function claimFile(file: string): (() => void) | undefined {
  if (openFiles.has(file)) return undefined;
  openFiles.add(file);
  return () => void openFiles.delete(file);
}

/** Opens a trace file, making its tables when it is new. */
export async function openDatabase(file: string): Promise<TraceDatabase | NotOpened> {
  if (openFiles.has(file)) return { kind: "locked", message: "this process has it open" };
  if (file !== IN_MEMORY) openFiles.add(file);
  try {
    const database = await connect(file);
    const problem = await prepare(database);
    if (problem === undefined) return database;
    database.close();
    return problem;
  } catch (error) {
    openFiles.delete(file);
    return whyNot(messageOf(error));
  }
}

async function connect(file: string): Promise<TraceDatabase> {
  const duckdb = await import("@duckdb/node-api");
  const { default: bindings } = await import("@duckdb/node-bindings");
  const instance = await duckdb.DuckDBInstance.fromCache(file, OPTIONS);
  try {
    const [writer, reader] = [await instance.connect(), await instance.connect()];
    restrict(file);
    const close = () => closeAll(file, [writer, reader], instance);
    const connect = () => instance.connect();
    return { file, duckdb, bindings, writer, reader, connect, close };
  } catch (error) {
    instance.closeSync();
    throw error;
  }
}

function closeAll(
  file: string,
  connections: readonly DuckDBConnection[],
  instance: DuckDBInstance,
): void {
  for (const connection of connections) connection.closeSync();
  instance.closeSync();
  openFiles.delete(file);
}

/** Makes the file and its write-ahead log the user's alone. By path: reading the file would drop DuckDB's lock on it. */
export function restrict(file: string): void {
  if (file === IN_MEMORY) return;
  for (const path of [file, walOf(file)]) {
    try {
      chmodSync(path, 0o600);
    } catch {
      // The write-ahead log comes and goes; the folder is closed to others anyway.
    }
  }
}

export function walOf(file: string): string {
  return `${file}.wal`;
}

export const TABLE_COUNT = `
SELECT count(*)::INTEGER AS tables
FROM duckdb_tables()
WHERE NOT internal`;

export const SCHEMA_VERSION = `
SELECT value
FROM meta
WHERE key = 'schema'`;

export const SET_SCHEMA_VERSION = `
INSERT INTO meta
VALUES ('schema', $1)`;

/** Makes the tables of a new file; says so when a file has others. */
async function prepare({ writer, reader }: TraceDatabase): Promise<NotOpened | undefined> {
  await prepareReader(reader);
  const [count] = (await writer.runAndReadAll(TABLE_COUNT)).getRowsJS();
  if (count?.[0] === 0) return makeTables(writer);
  try {
    const [version] = (await writer.runAndReadAll(SCHEMA_VERSION)).getRowsJS();
    if (version?.[0] === schemaVersion) return undefined;
  } catch {
    // A file without our `meta` is not ours.
  }
  return { kind: "outdated", message: "another version of Madrigal made it" };
}

/** Readies a connection for what people ask. */
export async function prepareReader(reader: DuckDBConnection): Promise<void> {
  // Errors then carry the offset at which they are.
  await reader.run("SET errors_as_json = true");
  // How far a query is can be asked for; DuckDB itself prints nothing.
  await reader.run("SET enable_progress_bar = true; SET enable_progress_bar_print = false");
}

async function makeTables(writer: DuckDBConnection): Promise<undefined> {
  await writer.run("BEGIN");
  for (const statement of SCHEMA) await writer.run(statement);
  await writer.run(SET_SCHEMA_VERSION, [schemaVersion]);
  await writer.run("COMMIT");
  // DDL in the write-ahead log has made files unreadable (duckdb/duckdb#22044): it does not stay there.
  await writer.run("CHECKPOINT");
}

function whyNot(message: string): NotOpened {
  if (/set lock|Conflicting lock/.test(message)) return { kind: "locked", message };
  if (
    /Permission denied|Read-only file system|No such file|Not a directory|No space/.test(message)
  ) {
    return { kind: "unwritable", message };
  }
  return { kind: "damaged", message };
}
