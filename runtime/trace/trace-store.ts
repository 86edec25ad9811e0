import { messageOf } from "../failure.ts";
import { redactForTrace } from "../redact.ts";
import type { TraceDatabase } from "./database.ts";
import { type Ingested, Ingester } from "./ingest.ts";
import { type Row, toRows } from "./plain-values.ts";
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
  return traceStore({ database, ingester, warnings });
}

/** One queue a connection: the ingester's own, and one for questions. */
function traceStore(of: {
  readonly database: TraceDatabase;
  readonly ingester: Ingester;
  readonly warnings: TraceWarning[];
}): TraceStore {
  const { database, ingester, warnings } = of;
  const writing = queue();
  const reading = queue();
  let closing: Promise<void> | undefined;
  const ingestBy = (pass: () => Promise<Ingested>) =>
    closing === undefined ? writing(() => tolerant(pass, warnings)) : Promise.resolve(0);
  return {
    file: database.file,
    warnings,
    ingest: (source) => ingestBy(() => ingester.ingestOnce(source)),
    rebuild: (source) => ingestBy(() => ingester.rebuild(source)),
    query(sql, params, options = {}) {
      if (closing !== undefined) {
        return Promise.reject(new SqlError("M6103", "the traces are closed", { sql }));
      }
      return reading(() => ask(database, { sql, params, ...options }));
    },
    close() {
      closing ??= Promise.all([writing(idle), reading(idle)]).then(() => shut(database, warnings));
      return closing;
    },
  };
}

/** Runs tasks one after the other. */
function queue(): <T>(task: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve();
  return (task) => {
    const result = last.then(task);
    last = result.catch(idle);
    return result;
  };
}

async function idle(): Promise<void> {}

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
