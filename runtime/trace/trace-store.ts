/** Opens the traces of one process: ingests logs, answers queries, and shares ended runs with other processes. */
import type { DuckDBConnection } from "@duckdb/node-api";
import { messageOf, RunError } from "../failure.ts";
import { redactForTrace } from "../redaction/redact.ts";
import { shortRunId } from "../run-names.ts";
import { type AgentQuestion, answerAgent } from "./agent-sql/agent-traces.ts";
import type { Selected } from "./agent-sql/select-once.ts";
import { IN_MEMORY, type TraceDatabase } from "./database/database.ts";
import { bringMemories, type StoredEntries } from "./database/memory-rows.ts";
import { idle, queue } from "./database/queue.ts";
import { Readers } from "./database/readers.ts";
import { openSome, type TraceWarning } from "./database/trace-files.ts";
import { WritableCopy, type WritableSource } from "./database/writable-copy.ts";
import { type Ingested, Ingester } from "./ingest/ingest.ts";
import type { TraceSource } from "./ingest/source.ts";
import type { Redact } from "./ingest/trace-json.ts";
import { ImportedSpanFiles } from "./otlp/import/imported-span-files.ts";
import { ImportedIngester } from "./otlp/import/ingest-imported.ts";
import type { RunsPublished } from "./published/publish-runs.ts";
import type { PublishedTraces } from "./published/published-files.ts";
import type { QuarantineRow } from "./schema/tables.ts";
import type { Compacted } from "./shared/compact.ts";
import type { TracePruneOptions, TracesPruned } from "./shared/prune.ts";
import { type CompactOptions, SharedTraces } from "./shared/shared-traces.ts";
import {
  ask,
  askInterruptibly,
  type QueryOptions,
  type SqlAnswer,
  type SqlAskOptions,
} from "./sql/ask.ts";
import { endStream } from "./sql/end-stream.ts";
import { type Row, toRows } from "./sql/plain-values.ts";
import { isOwnFault, SqlError } from "./sql/sql-error.ts";
import type { QueryParams, QueryValue } from "./sql/sql-parameters.ts";
import { isWritingTable, statementsOf } from "./sql/sql-statements.ts";

export type { TraceWarning } from "./database/trace-files.ts";
export type { TracedRun, TraceSource } from "./ingest/source.ts";
export type { RunsPublished } from "./published/publish-runs.ts";
export type { PublishedTraces } from "./published/published-files.ts";
export type { Compacted } from "./shared/compact.ts";
export type { TracePruneOptions, TracesPruned } from "./shared/prune.ts";
export type { CompactOptions } from "./shared/shared-traces.ts";
export type { QueryOptions, SqlAnswer, SqlAskOptions } from "./sql/ask.ts";
export type { Row, SqlValue } from "./sql/plain-values.ts";
export { SqlError } from "./sql/sql-error.ts";
export type { QueryParams, QueryValue } from "./sql/sql-parameters.ts";
export type { ValuePart, ValueTable } from "./sql/value-tables.ts";

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
  /** The same for what people wrote: it writes nothing but scores and prices. Two such go on at a time. */
  ask(sql: string, params?: QueryParams, options?: SqlAskOptions): Promise<SqlAnswer>;
  /** One SELECT of an agent, about what has ended and its own run; rejects with `SqlError`. */
  answer(question: AgentQuestion): Promise<Selected>;
  /** Writes what has ended as Parquet now, and takes away there what was deleted. Never rejects. */
  share(): Promise<void>;
  /** Makes few Parquet files of many. */
  compact(options?: CompactOptions): Promise<Compacted>;
  /** Writes the ended runs that a folder shared by many workspaces does not have yet; rejects with M5418. */
  publish(folder: string): Promise<RunsPublished>;
  /** Shows published traces beside the own ones, in the place of those before; rejects with M5417 for a folder without any. */
  readPublished(wanted: readonly PublishedTraces[]): Promise<void>;
  /** Takes away traces that nobody wants any more; their logs stay. */
  prune(options?: TracePruneOptions): Promise<TracesPruned>;
  /** Takes over the files of dead processes; how many. Never rejects. */
  takeOver(): Promise<number>;
  /** Waits for what is under way, then lets go of the file. */
  close(): Promise<void>;
}

export interface TraceOptions {
  /** Without it, secrets are known by the names of keys and the forms of tokens. */
  readonly redact?: Redact;
  /** The tables that people write, for all processes; without them, what is written is in the own trace file alone. */
  readonly writable?: WritableSource;
  /** The entries of memories, for questions that name `memories`; without it there are none. */
  readonly memories?: StoredEntries;
  /** Trace files that are left alone, since this process may have them open. */
  readonly lostFiles?: readonly string[];
}

/** Opens the traces of one process, `owner`, in a folder; whatever is wrong with the files, it opens. */
export async function openTraces(
  tracesDir: string,
  owner: string,
  options: TraceOptions = {},
): Promise<TraceStore> {
  const warnings: TraceWarning[] = [];
  const database = await openSome(tracesDir, owner, {
    warnings,
    lostFiles: options.lostFiles ?? [],
  });
  const ingester = new Ingester(database, options.redact ?? redactForTrace);
  await ingester.start();
  // What is in memory alone was not to be had on disk.
  const shared =
    database.file === IN_MEMORY
      ? undefined
      : await SharedTraces.open(database, tracesDir, warnings);
  const taken = new ImportedIngester(database, new ImportedSpanFiles(tracesDir));
  const { writable: store } = options;
  const writable =
    store === undefined
      ? undefined
      : await WritableCopy.open(database, { store, tracesDir, warnings });
  const { memories } = options;
  return traceStore({ database, ingester, taken, warnings, shared, writable, memories });
}

/** The ingester has a queue and a connection of its own; questions have theirs. */
function traceStore(of: {
  readonly database: TraceDatabase;
  readonly ingester: Ingester;
  readonly taken: ImportedIngester;
  readonly warnings: TraceWarning[];
  readonly shared: SharedTraces | undefined;
  readonly writable: WritableCopy | undefined;
  readonly memories: StoredEntries | undefined;
}): TraceStore {
  const { database, ingester, taken, warnings, shared, writable } = of;
  const writing = queue();
  const readers = new Readers(database);
  let closing: Promise<void> | undefined;
  const ingestBy = (pass: () => Promise<Ingested>) =>
    closing === undefined ? writing(() => tolerant(pass, warnings)) : Promise.resolve(0);
  return {
    file: database.file,
    warnings,
    ingest: (source) => ingestBy(() => both(taken.ingest(source), () => ingestShared(of, source))),
    async rebuild(source) {
      // What is in no log is kept: it is in a file before its rows go.
      await shared?.exportNow();
      const records = await ingestBy(async () => {
        const ingested = await ingester.rebuild(source);
        taken.forget();
        return both(taken.ingest(source), () => Promise.resolve(ingested));
      });
      await shared?.exportAgain();
      return records;
    },
    async answer(question) {
      if (closing !== undefined) throw closed(question.sql);
      return await readers.use((reader) =>
        shared === undefined ? answerAgent(reader, [], question) : shared.answer(reader, question),
      );
    },
    share: async () => shared?.exportNow(),
    compact: async (options) => (await shared?.compact(options)) ?? NOTHING_COMPACTED,
    publish: async (folder) => sharing(shared).publish(folder),
    readPublished: async (wanted) => sharing(shared).readPublished(wanted),
    prune: async (options = {}) =>
      (await readers.use(async (reader) =>
        shared?.prune(reader, options, (runIds) => writing(() => ingester.drop(runIds))),
      )) ?? NOTHING_PRUNED,
    takeOver: async () => (await shared?.takeOver()) ?? 0,
    async query(sql, params, options = {}) {
      if (closing !== undefined) throw closed(sql);
      const asked = { sql, params, ...options };
      return await readers.use((reader) =>
        askShared(of, reader, asked, () =>
          askInterruptibly(reader, asked, () => {
            const answer = () => queried(database, reader, asked);
            const isWriting = writable !== undefined && statementsOf(sql).some(isWritingTable);
            return isWriting ? writable.write(reader, answer) : answer();
          }),
        ),
      );
    },
    async ask(sql, params, options = {}) {
      if (closing !== undefined) throw closed(sql);
      return await readers.use((reader) =>
        askShared(of, reader, { ...options, sql }, () =>
          ask({ ...database, reader, writable }, { sql, params, ...options }),
        ),
      );
    },
    close() {
      closing ??= Promise.all([writing(idle), readers.close()])
        .then(() => shared?.close())
        .then(() => writable?.close())
        .then(() => shut(database, warnings));
      return closing;
    },
  };
}

function sharing(shared: SharedTraces | undefined): SharedTraces {
  if (shared !== undefined) return shared;
  throw new RunError("M5418", "traces that are kept in memory alone have no published ones", {
    hint: "make the folder `.madrigal/traces` writable, or work in another folder",
  });
}

function closed(sql: string): SqlError {
  return new SqlError("M6103", "the traces are closed", { sql });
}
const NOTHING_COMPACTED: Compacted = {
  runs: 0,
  filesBefore: 0,
  filesAfter: 0,
  bytesBefore: 0,
  bytesAfter: 0,
};
const NOTHING_PRUNED: TracesPruned = { runIds: [], files: [], bytes: 0 };

/** Imported runs, and then those with logs, which go before them. */
async function both(taken: Promise<Ingested>, own: () => Promise<Ingested>): Promise<Ingested> {
  const { failures } = await taken;
  const ingested = await own();
  return { ...ingested, failures: [...failures, ...ingested.failures] };
}

interface TraceStoreParts {
  readonly database: TraceDatabase;
  readonly ingester: Ingester;
  readonly shared: SharedTraces | undefined;
  readonly writable: WritableCopy | undefined;
  readonly memories: StoredEntries | undefined;
}

/** Reads what no file has; what has ended in it is soon in one. */
async function ingestShared(
  { ingester, shared }: TraceStoreParts,
  source: TraceSource,
): Promise<Ingested> {
  if (shared === undefined) return ingester.ingestOnce(source);
  await shared.refresh();
  const deleted = new Set((await source.deleted?.()) ?? []);
  const logged = (await source.positions()).map(({ runId }) => runId);
  shared.catalog.comeBack(logged.filter((runId) => !deleted.has(runId)));
  shared.catalog.forget([...deleted]);
  if (shared.catalog.hasPruned) await ingester.dropWhere((run) => shared.catalog.isGone(run));
  const ingested = await ingester.ingestOnce(source, (position) => shared.has(position));
  if (ingested.records > 0) shared.exportSoon();
  return ingested;
}

/** Asks what this process and all others have traced. A file that others have just merged, or a damaged one: it is asked again. */
async function askShared<T>(
  parts: TraceStoreParts,
  reader: DuckDBConnection,
  of: { readonly sql: string; readonly signal?: AbortSignal; readonly again?: number },
  question: () => Promise<T>,
): Promise<T> {
  const { shared, writable, memories } = parts;
  const { signal, again = ATTEMPTS_MAX } = of;
  try {
    await writable?.refresh();
    await shared?.bring(reader);
    if (memories !== undefined) await bringMemories(reader, of.sql, memories);
    return await question();
  } catch (error) {
    const isMendable = again > 1 && signal?.aborted !== true && !isOwnFault(error);
    if (!isMendable || (await shared?.mend()) !== true) throw error;
    return await askShared(parts, reader, { ...of, again: again - 1 }, question);
  }
}

/** Others may merge files again and again while one asks. */
const ATTEMPTS_MAX = 5;

async function tolerant(pass: () => Promise<Ingested>, warnings: TraceWarning[]): Promise<number> {
  try {
    const { records, failures, quarantined = [] } = await pass();
    warnOfQuarantined(warnings, quarantined);
    for (const { runId, cause } of failures)
      warn(warnings, `the log of run ${shortRunId(runId)}`, cause);
    return records;
  } catch (error) {
    warn(warnings, "what is new in the logs", error);
    return 0;
  }
}

/** Once for a run and a pass: what is wrong with one of its records is often wrong with many. */
function warnOfQuarantined(warnings: TraceWarning[], rows: readonly QuarantineRow[]): void {
  for (const runId of new Set(rows.map((row) => row.run_id))) {
    const [first, ...others] = rows.filter((row) => row.run_id === runId);
    const more = others.length === 0 ? "" : `, and ${others.length} more`;
    warnings.push({
      code: "M5402",
      message: `record ${first?.seq} of run ${shortRunId(runId ?? "?")} was not traced: ${first?.reason}${more}`,
      hint: "the run is not touched; `FROM quarantine` shows what was put aside, and why",
    });
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

async function queried(
  { duckdb }: TraceDatabase,
  reader: DuckDBConnection,
  of: QueryOptions & { readonly sql: string; readonly params: QueryParams | undefined },
): Promise<Row[]> {
  const { sql, rowsMax } = of;
  const params = toParams(of.params);
  if (rowsMax === undefined) return toRows(duckdb, await reader.runAndReadAll(sql, params));
  const result = await reader.streamAndReadUntil(sql, rowsMax, params);
  const rows = toRows(duckdb, result).slice(0, rowsMax);
  await endStream(reader, result);
  return rows;
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
