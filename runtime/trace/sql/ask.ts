/** Runs the SQL that people write, statement by statement, without letting it write what is derived from the logs. */
import type {
  DuckDBConnection,
  DuckDBPreparedStatement,
  DuckDBResultReader,
} from "@duckdb/node-api";
import type { DuckDb } from "../database/database.ts";
import type { WritableCopy } from "../database/writable-copy.ts";
import { endStream } from "./end-stream.ts";
import { type Row, toRows } from "./plain-values.ts";
import { isMissingTable, SqlError, toSqlError } from "./sql-error.ts";
import { bindNamed, type QueryParams, type QueryValue, withNames } from "./sql-parameters.ts";
import { isWritingTable, statementsOf } from "./sql-statements.ts";
import { BoundValues, type ValueTable, withValues } from "./value-tables.ts";

export interface QueryOptions {
  readonly signal?: AbortSignal;
  /** Reads no row behind these; what is not read takes no memory. */
  readonly rowsMax?: number;
}

export interface SqlAskOptions extends QueryOptions {
  /** Called a few times a second while a statement runs, with how many percent of it are done where DuckDB knows. */
  readonly progress?: (percent: number | undefined) => void;
  /** Values of the process that the query may name as tables. */
  readonly tables?: readonly ValueTable[];
}

/** The result of the last statement of a text. */
export interface SqlAnswer {
  readonly columns: readonly AnswerColumn[];
  readonly rows: readonly Row[];
  /** True if there are more rows than the maximum to read. */
  readonly isCut: boolean;
}

export interface AnswerColumn {
  readonly name: string;
  /** As DuckDB writes it. */
  readonly type: string;
}

export interface SqlQuestion extends SqlAskOptions {
  readonly sql: string;
  readonly params: QueryParams | undefined;
}

export interface SqlConnection {
  readonly duckdb: DuckDb;
  readonly reader: DuckDBConnection;
  /** Stores what is written for all processes; without it, the trace file alone has it. */
  readonly writable?: WritableCopy | undefined;
}

/** Runs `work` so that the signal ends it; what DuckDB throws in it comes out as `SqlError`. */
export async function askInterruptibly<T>(
  reader: DuckDBConnection,
  { sql, signal }: Pick<SqlQuestion, "sql" | "signal">,
  work: () => Promise<T>,
): Promise<T> {
  let interrupting: NodeJS.Timeout | undefined;
  const interrupt = () => {
    reader.interrupt();
    // DuckDB forgets an interrupt that comes before the query has begun.
    interrupting = setInterval(() => reader.interrupt(), 10);
  };
  try {
    signal?.throwIfAborted();
    signal?.addEventListener("abort", interrupt);
    return await work();
  } catch (error) {
    if (signal?.aborted === true) throw cancelled(sql, error);
    if (error instanceof SqlError) throw error;
    throw toSqlError(error, sql, isMissingTable(error) ? await tablesOf(reader) : []);
  } finally {
    signal?.removeEventListener("abort", interrupt);
    clearInterval(interrupting);
  }
}

/** Lists the tables and views that can be queried by name; those that the person made come first. */
async function tablesOf(reader: DuckDBConnection): Promise<string[]> {
  try {
    const read = await reader.runAndReadAll(TABLES);
    return read.getRows().map(([name]) => String(name));
  } catch {
    // They are for a hint: what went wrong first is what is told.
    return [];
  }
}

/** The tables and views that a query can name, temporary ones first. */
export const TABLES = `
SELECT table_name AS name, temporary
FROM duckdb_tables()
WHERE NOT internal
UNION
SELECT view_name, temporary
FROM duckdb_views()
WHERE NOT internal
ORDER BY temporary DESC, name`;

/** Makes the error of a query that was cancelled. */
export function cancelled(sql: string, cause: unknown): SqlError {
  return new SqlError("M6102", "the query was cancelled", { sql, cause, hint: "run it again" });
}

/** The answer of the last statement. The others are run before it, each on its own: nothing joins them. */
export async function ask(asking: SqlConnection, asked: SqlQuestion): Promise<SqlAnswer> {
  const { duckdb, reader } = asking;
  return await askInterruptibly(reader, asked, async () => {
    const texts = statementsOf(asked.sql);
    if (texts.length === 0) throw nothingAsked(asked.sql);
    const stopWatching = watchProgress(reader, asked.progress);
    const values = new BoundValues(reader, asked.tables);
    try {
      const { sql, named } = withNames(asked.sql, asked.params);
      let statements = await reader.extractStatements(sql);
      // DuckDB makes two of a PIVOT; then nobody knows which text is whose, and nothing is written.
      const isSplit = texts.length === statements.count;
      const namedTexts = statementsOf(sql);
      for (let at = 0; ; at += 1) {
        const isLast = at === statements.count - 1;
        const statement = await withValues(values, asked, async (isFirst) => {
          // DuckDB gives away what it extracted, also where it can't prepare it.
          if (!isFirst) statements = await reader.extractStatements(sql);
          const prepared = await statements.prepare(at);
          const kept = isSplit ? values.keep(namedTexts[at] ?? "") : undefined;
          if (kept === undefined) return prepared;
          prepared.destroySync();
          return await reader.prepare(kept);
        });
        try {
          const mayWrite = isSplit && isWritingTable(texts[at] ?? "");
          const rowsMax = isLast ? asked.rowsMax : 1;
          const answer = await run({ statement, named, mayWrite, rowsMax }, asking, asked.sql);
          if (isLast) return answerOf(answer, duckdb, asked.rowsMax);
        } finally {
          statement.destroySync();
        }
      }
    } finally {
      stopWatching();
      await values.release();
    }
  });
}

function nothingAsked(sql: string): SqlError {
  return new SqlError("M6101", "there is no statement in the query", {
    sql,
    hint: "for example: SELECT node, sum(dur_us) FROM node_runs GROUP BY node",
  });
}

// ── one statement ───────────────────────────────────────────────────────────────────────────────

interface Running {
  readonly statement: DuckDBPreparedStatement;
  readonly named: Readonly<Record<string, QueryValue>>;
  readonly mayWrite: boolean;
  readonly rowsMax: number | undefined;
}

async function run(
  { statement, named, mayWrite, rowsMax }: Running,
  { duckdb, reader, writable }: SqlConnection,
  sql: string,
): Promise<DuckDBResultReader> {
  bindNamed(statement, named);
  const { SELECT, TRANSACTION } = duckdb.StatementType;
  if (statement.statementType === TRANSACTION) throw noTransactions(sql);
  // It can't write, so it is spared two more ways to DuckDB.
  if (statement.statementType === SELECT) return await readRows(statement, rowsMax, reader);
  if (mayWrite && writable !== undefined) {
    return await writable.write(reader, () => statement.runAndReadAll());
  }
  await reader.run(mayWrite ? "BEGIN" : "BEGIN TRANSACTION READ ONLY");
  try {
    const result = await statement.runAndReadAll();
    await reader.run("COMMIT");
    return result;
  } catch (error) {
    await reader.run("ROLLBACK").catch(() => {}); // DuckDB may have done so itself.
    throw isRefused(error) ? derivedOnly(sql, error) : error;
  }
}

async function readRows(
  statement: DuckDBPreparedStatement,
  rowsMax: number | undefined,
  reader: DuckDBConnection,
): Promise<DuckDBResultReader> {
  if (rowsMax === undefined) return await statement.runAndReadAll();
  const result = await statement.streamAndReadUntil(rowsMax + 1);
  await endStream(reader, result);
  return result;
}

function noTransactions(sql: string): SqlError {
  return new SqlError("M7630", "a query has no transaction of its own", {
    sql,
    hint: "leave BEGIN, COMMIT and ROLLBACK out: each statement is one",
  });
}

function isRefused(error: unknown): boolean {
  return /launched in read-only mode/.test(String(error));
}

function derivedOnly(sql: string, cause: unknown): SqlError {
  return new SqlError(
    "M7630",
    "a query writes nothing but `scores`, `model_prices` and `model_contexts`",
    {
      sql,
      cause,
      hint: "CREATE TEMP TABLE … keeps rows of your own for this session; COPY (…) TO 'file' writes them to a file",
    },
  );
}

/** Of a SET, an ATTACH, a CREATE TEMP VIEW. */
const NOTHING: SqlAnswer = { columns: [], rows: [], isCut: false };

function answerOf(result: DuckDBResultReader, duckdb: DuckDb, rowsMax = Infinity): SqlAnswer {
  if (result.returnType === duckdb.ResultReturnType.NOTHING) return NOTHING;
  const names = result.deduplicatedColumnNames();
  const columns = names.map((name, at) => {
    const type = result.columnType(at);
    return { name, type: type.alias ?? String(type) };
  });
  const rows = toRows(duckdb, result);
  return { columns, rows: rows.slice(0, rowsMax), isCut: rows.length > rowsMax };
}

// ── how far it is ───────────────────────────────────────────────────────────────────────────────

const LOOK_MS = 250;

function watchProgress(reader: DuckDBConnection, progress: SqlAskOptions["progress"]): () => void {
  if (progress === undefined) return () => {};
  const look = setInterval(() => {
    const { percentage } = reader.progress;
    progress(percentage < 0 ? undefined : percentage);
  }, LOOK_MS);
  return () => clearInterval(look);
}
