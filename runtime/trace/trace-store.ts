import { join } from "node:path";
import { messageOf } from "../failure.ts";
import { redactForTrace } from "../redact.ts";
import { IN_MEMORY, type TraceDatabase } from "./database.ts";
import { type Ingested, Ingester } from "./ingest.ts";
import { type Row, toRows } from "./plain-values.ts";
import { idle, queue } from "./queue.ts";
import { SharedTraces } from "./shared/shared-traces.ts";
import type { TraceSource } from "./source.ts";
import { SqlError, toSqlError } from "./sql-error.ts";
import { openSome, type TraceWarning } from "./trace-files.ts";
import type { Redact } from "./trace-json.ts";

export type { Row, Value } from "./plain-values.ts";
export type { TracedRun, TraceSource } from "./source.ts";
export { SqlError } from "./sql-error.ts";
export type { TraceWarning } from "./trace-files.ts";

export type QueryValue = null | boolean | number | bigint | string;
export type QueryParams = readonly QueryValue[] | Readonly<Record<string, QueryValue>>;

export interface TraceStore {
  /** The file's path, or `:memory:`. */
  readonly file: string;
  readonly warnings: readonly TraceWarning[];
  /** Brings the traces up to the logs of a source; the number of records read. Never rejects: see `warnings`. */
  ingest(source: TraceSource): Promise<number>;
  /** Reads every log again, from its first record. */
  rebuild(source: TraceSource): Promise<number>;
  /** The rows of the last statement; rejects with `SqlError`. */
  query(sql: string, params?: QueryParams, options?: QueryOptions): Promise<Row[]>;
  /** Waits for what is under way, then lets go of the file. */
  close(): Promise<void>;
}

export interface QueryOptions {
  readonly signal?: AbortSignal;
  /** Reads no row behind these; what is not read takes no memory. */
  readonly rowsMax?: number;
}

export interface TraceOptions {
  /** Without it, secrets are known by the names of keys and the forms of tokens. */
  readonly redact?: Redact;
}

/** Opens the traces of one process, `owner`, in a folder; whatever is wrong with the files, it opens. */
export async function openTraces(
  tracesDir: string,
  owner: string,
  options: TraceOptions = {},
): Promise<TraceStore> {
  const warnings: TraceWarning[] = [];
  const database = await openSome(tracesDir, owner, warnings);
  const ingester = new Ingester(database, options.redact ?? redactForTrace);
  await ingester.start();
  const folder = join(tracesDir, "runs");
  // What is in memory alone was not to be had on disk.
  const shared =
    database.file === IN_MEMORY ? undefined : await SharedTraces.open(database, folder, warnings);
  return traceStore({ database, ingester, warnings, shared });
}

/** One queue a connection: the ingester's own, and one for questions. */
function traceStore(of: {
  readonly database: TraceDatabase;
  readonly ingester: Ingester;
  readonly warnings: TraceWarning[];
  readonly shared: SharedTraces | undefined;
}): TraceStore {
  const { database, ingester, warnings, shared } = of;
  const writing = queue();
  const reading = queue();
  let closing: Promise<void> | undefined;
  const ingestBy = (pass: () => Promise<Ingested>) =>
    closing === undefined ? writing(() => tolerant(pass, warnings)) : Promise.resolve(0);
  return {
    file: database.file,
    warnings,
    ingest: (source) => ingestBy(() => ingestShared(of, source)),
    rebuild: (source) => ingestBy(() => ingester.rebuild(source)),
    query(sql, params, options = {}) {
      if (closing !== undefined) {
        return Promise.reject(new SqlError("M6103", "the traces are closed", { sql }));
      }
      return reading(() => askShared(of, { sql, params, ...options }));
    },
    close() {
      closing ??= Promise.all([writing(idle), reading(idle)])
        .then(() => shared?.close())
        .then(() => shut(database, warnings));
      return closing;
    },
  };
}

interface Parts {
  readonly database: TraceDatabase;
  readonly ingester: Ingester;
  readonly shared: SharedTraces | undefined;
}

/** Reads what no file has; what has ended in it is soon in one. */
async function ingestShared({ ingester, shared }: Parts, source: TraceSource): Promise<Ingested> {
  if (shared === undefined) return ingester.ingestOnce(source);
  await shared.refresh();
  shared.forget(source.deleted?.() ?? []);
  const ingested = await ingester.ingestOnce(source, (position) => shared.has(position));
  if (ingested.records > 0) shared.exportSoon();
  return ingested;
}

/** Asks what this process and all others have traced; a file that turns out damaged is left out, and it is asked again. */
async function askShared({ database, shared }: Parts, of: Asked): Promise<Row[]> {
  await shared?.bring(database.reader);
  try {
    return await ask(database, of);
  } catch (error) {
    const isMendable = of.signal?.aborted !== true && !isOwnFault(error);
    if (!isMendable || (await shared?.mend()) !== true) throw error;
    await shared?.bring(database.reader);
    return ask(database, of);
  }
}

/** A statement that DuckDB did not understand reads no file. */
function isOwnFault(error: unknown): boolean {
  return error instanceof SqlError && error.code === "M6101";
}

async function tolerant(pass: () => Promise<Ingested>, warnings: TraceWarning[]): Promise<number> {
  try {
    const { records, failures } = await pass();
    for (const { runId, cause } of failures) warn(warnings, `the log of run ${runId}`, cause);
    return records;
  } catch (error) {
    warn(warnings, "what is new in the logs", error);
    return 0;
  }
}

/** The same trouble comes back with every pass; it is told once. */
function warn(warnings: TraceWarning[], what: string, cause: unknown): void {
  const [reason] = messageOf(cause).split("\n", 1);
  const message = `${what} was not traced: ${reason}`;
  if (warnings.some((warning) => warning.message === message)) return;
  warnings.push({
    code: "M6005",
    message,
    hint: "the runs are not touched; `madrigal trace rebuild` makes the traces anew",
  });
}

interface Asked extends QueryOptions {
  readonly sql: string;
  readonly params: QueryParams | undefined;
}

async function ask(database: TraceDatabase, of: Asked): Promise<Row[]> {
  const { reader } = database;
  let interrupting: NodeJS.Timeout | undefined;
  const interrupt = () => {
    reader.interrupt();
    // DuckDB forgets an interrupt that comes before the query has begun.
    interrupting = setInterval(() => reader.interrupt(), 10);
  };
  try {
    of.signal?.throwIfAborted();
    of.signal?.addEventListener("abort", interrupt);
    return await read(database, of);
  } catch (error) {
    throw of.signal?.aborted === true ? cancelled(of.sql, error) : toSqlError(error, of.sql);
  } finally {
    of.signal?.removeEventListener("abort", interrupt);
    clearInterval(interrupting);
  }
}

async function read({ duckdb, reader }: TraceDatabase, of: Asked): Promise<Row[]> {
  const { sql, rowsMax } = of;
  const params = toParams(of.params);
  if (rowsMax === undefined) return toRows(duckdb, await reader.runAndReadAll(sql, params));
  const result = await reader.streamAndReadUntil(sql, rowsMax, params);
  const rows = toRows(duckdb, result).slice(0, rowsMax);
  // A stream that is not read to its end keeps its transaction, and with it the writer's checkpoints, until the next one.
  if (!result.done) await reader.run("SELECT 1");
  return rows;
}

function cancelled(sql: string, cause: unknown): SqlError {
  return new SqlError("M6102", "the query was cancelled", { sql, cause, hint: "run it again" });
}

function toParams(params: QueryParams | undefined) {
  if (params === undefined) return undefined;
  return Array.isArray(params) ? [...params] : { ...(params as Record<string, QueryValue>) };
}

async function shut(database: TraceDatabase, warnings: TraceWarning[]): Promise<void> {
  try {
    await database.writer.run("CHECKPOINT");
  } catch (error) {
    warn(warnings, "the last checkpoint", error);
  }
  database.close();
}
