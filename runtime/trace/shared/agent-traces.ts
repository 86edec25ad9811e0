/** SQL that an agent asks: in a database of its own, in memory, that has the runs which have ended and the agent's own, and no more. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { DuckDBConnection } from "@duckdb/node-api";
import { askInterruptibly } from "../ask.ts";
import type { TraceDatabase } from "../database.ts";
import { type Row, toRows } from "../plain-values.ts";
import { SCHEMA } from "../schema.ts";
import { SqlError } from "../sql-error.ts";
import { assertOneSelect } from "./one-select.ts";
import { copyRuns, type FilePart, ownTables, quoted, unionViews } from "./parquet-sql.ts";

export interface AgentQuestion {
  readonly runId: string;
  readonly sql: string;
  readonly signal: AbortSignal;
}

/** What an agent hears; `cut` when there was more. */
export interface AgentAnswer {
  readonly rows: readonly Row[];
  readonly cut: boolean;
}

const OPTIONS = {
  memory_limit: "256MB",
  threads: "1",
  temp_directory: "",
  autoinstall_known_extensions: "false",
  autoload_known_extensions: "false",
} as const;

const ROWS_MAX = 200;
const TEXT_MAX = 65_536;
const TIME_MAX_MS = 5_000;

/** Answers one SELECT; anything else, and what takes too long, is an `SqlError`. */
export async function answerAgent(
  { duckdb, reader }: Pick<TraceDatabase, "duckdb" | "reader">,
  parts: readonly FilePart[],
  question: AgentQuestion,
): Promise<AgentAnswer> {
  const folder = mkdtempSync(join(tmpdir(), "madrigal-asked-"));
  try {
    const own = join(folder, "own.parquet");
    await reader.run(copyRuns([question.runId], own, ""));
    const { connection, close } = await openForAgent(duckdb, own, parts);
    try {
      await assertOneSelect(connection, question.sql);
      return await answer(connection, duckdb, question);
    } finally {
      close();
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * A database that has what lies in the file `own` and, as views, what lies in others. From then on it reads nothing but
 * those, and nothing of this can be set otherwise.
 */
export async function openForAgent(
  duckdb: TraceDatabase["duckdb"],
  own: string,
  parts: readonly FilePart[],
): Promise<{ readonly connection: DuckDBConnection; close(): void }> {
  const instance = await duckdb.DuckDBInstance.create(":memory:", OPTIONS);
  try {
    const connection = await instance.connect();
    const paths = parts.flatMap((part) => part.paths).map(quoted);
    for (const statement of [
      SCHEMA.join(";"),
      "DROP TABLE meta",
      ...ownTables(own),
      `SET allowed_paths = [${paths.join(", ")}]`,
      "SET enable_external_access = false",
      ...unionViews("memory", parts),
      "SET errors_as_json = true",
      "SET lock_configuration = true",
    ]) {
      await connection.run(statement);
    }
    const close = () => {
      connection.closeSync();
      instance.closeSync();
    };
    return { connection, close };
  } catch (error) {
    instance.closeSync();
    throw error;
  }
}

async function answer(
  connection: DuckDBConnection,
  duckdb: TraceDatabase["duckdb"],
  { sql, signal }: AgentQuestion,
): Promise<AgentAnswer> {
  const late = AbortSignal.timeout(TIME_MAX_MS);
  const asked = { sql, signal: AbortSignal.any([signal, late]) };
  try {
    return await askInterruptibly(connection, asked, async () => {
      const result = await connection.streamAndReadUntil(sql, ROWS_MAX + 1);
      return cut(toRows(duckdb, result));
    });
  } catch (cause) {
    throw late.aborted ? tooLate(sql, cause) : cause;
  }
}

function tooLate(sql: string, cause: unknown): SqlError {
  return new SqlError("M5416", `the query took more than ${TIME_MAX_MS / 1000} s`, {
    sql,
    cause,
    hint: "ask for one run, or for fewer rows",
  });
}

/** As many of the rows as an agent can do with. */
function cut(all: readonly Row[]): AgentAnswer {
  const rows: Row[] = [];
  let length = 0;
  for (const row of all.slice(0, ROWS_MAX)) {
    length += JSON.stringify(row).length;
    if (length > TEXT_MAX) break;
    rows.push(row);
  }
  return { rows, cut: rows.length < all.length };
}
