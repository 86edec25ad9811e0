/** SQL that an agent asks: in a database of its own, in memory, that has the runs which have ended and the agent's own, and no more. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { DuckDBConnection } from "@duckdb/node-api";
import type { TraceDatabase } from "../database.ts";
import { SCHEMA } from "../schema.ts";
import { copyRuns, type FilePart, ownTables, quoted, unionViews } from "./parquet-sql.ts";
import { type Selected, selectOnce } from "./select-once.ts";

export interface AgentQuestion {
  readonly runId: string;
  readonly sql: string;
  readonly signal: AbortSignal;
}

const OPTIONS = {
  memory_limit: "256MB",
  threads: "1",
  temp_directory: "",
  autoinstall_known_extensions: "false",
  autoload_known_extensions: "false",
} as const;

const LIMITS = { rowsMax: 200, lengthMax: 65_536, timeMaxMs: 5_000 } as const;

/** Answers one SELECT; anything else, and what takes too long, is an `SqlError`. */
export async function answerAgent(
  { duckdb, reader }: Pick<TraceDatabase, "duckdb" | "reader">,
  parts: readonly FilePart[],
  question: AgentQuestion,
): Promise<Selected> {
  const folder = mkdtempSync(join(tmpdir(), "madrigal-asked-"));
  try {
    const own = join(folder, "own.parquet");
    await reader.run(copyRuns([question.runId], own, ""));
    const { connection, close } = await openForAgent(duckdb, own, parts);
    try {
      const { sql, signal } = question;
      return await selectOnce({ connection, duckdb }, sql, { ...LIMITS, signal });
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
