/**
 * Keeps a trace file's tables that people write (`scores`, `model_prices`, `model_contexts`) a copy of those in the store
 * of runs, which are the truth for every process. A statement that writes them runs on the copy; its rows go into the
 * store before it is committed, and it runs again where another process has written meanwhile.
 */
import { rmSync } from "node:fs";
import { join } from "node:path";
import type { DuckDBConnection } from "@duckdb/node-api";
import { messageOf } from "../../failure.ts";
import type { WritableRows, WritableTables } from "../../store/run-store.ts";
import type { Eventual } from "../ingest/source.ts";
import { isWhole } from "../shared/seal.ts";
import { SqlError } from "../sql/sql-error.ts";
import type { TraceDatabase } from "./database.ts";
import { listFolder } from "./list-folder.ts";
import { queue } from "./queue.ts";
import type { TraceWarning } from "./trace-files.ts";
import { inTransaction } from "./transaction.ts";
import { readParquetRows, readRows, writeRows } from "./writable-sql.ts";

const ATTEMPTS_MAX = 50;

/** The tables of a store of runs; another thread may have it. */
export type WritableSource = {
  readonly [K in Exclude<keyof WritableTables, "rowsOf">]: (
    ...args: Parameters<WritableTables[K]>
  ) => Eventual<ReturnType<WritableTables[K]>>;
};

interface WritableCopyParts {
  readonly store: WritableSource;
  readonly tracesDir: string;
  readonly warnings: TraceWarning[];
}

export class WritableCopy {
  readonly #store: WritableSource;
  /** The folder in which earlier versions kept the rows, as numbered Parquet files of which the last one counts. */
  readonly #oldFolder: string;
  readonly #warnings: TraceWarning[];
  /** A connection of its own: the transactions of others are no part of a load. */
  readonly #connection: DuckDBConnection;
  /** The database that the tables are in: a connection may have a view or a temporary table of the same name. */
  readonly #database: string;
  readonly #turns = queue();
  /** The revision of the store whose rows the copy has. */
  #revision: string | undefined;
  #hasLookedForOldRows = false;

  private constructor(parts: WritableCopyParts, connection: DuckDBConnection, database: string) {
    this.#store = parts.store;
    this.#oldFolder = join(parts.tracesDir, "kept");
    this.#warnings = parts.warnings;
    this.#connection = connection;
    this.#database = database;
  }

  static async open(database: TraceDatabase, parts: WritableCopyParts): Promise<WritableCopy> {
    const connection = await database.connect();
    const [[name] = []] = (await connection.runAndReadAll(DATABASE_NAME)).getRowsJS();
    return new WritableCopy(parts, connection, String(name));
  }

  /** Brings the copy up to the store. Never rejects: what can't be read is a warning. */
  refresh(): Promise<void> {
    return this.#turns(async () => {
      try {
        await this.#catchUp();
      } catch (cause) {
        this.#warn(cause);
      }
    });
  }

  /** Runs a change on a connection without a transaction; `change` may be called again. Rejects with `SqlError` M5438 where the store can't be written. */
  write<T>(connection: DuckDBConnection, change: () => Promise<T>): Promise<T> {
    return this.#turns(() => this.#write(connection, change));
  }

  async #catchUp(): Promise<string> {
    let revision = await this.#store.revision();
    if (revision === "" && !this.#hasLookedForOldRows) {
      await this.#takeOverOldRows();
      revision = await this.#store.revision();
    }
    if (revision === this.#revision) return revision;
    const rows = await this.#store.rows();
    await inTransaction(this.#connection, () => writeRows(this.#connection, this.#database, rows));
    this.#revision = revision;
    return revision;
  }

  async #write<T>(
    connection: DuckDBConnection,
    change: () => Promise<T>,
    again = ATTEMPTS_MAX,
  ): Promise<T> {
    const from = await this.#catchUp();
    await connection.run("BEGIN");
    let [result, written]: [T | undefined, string | undefined] = [undefined, undefined];
    try {
      result = await change();
      written = await this.#replace(from, await readRows(connection, this.#database));
      await connection.run(written === undefined ? "ROLLBACK" : "COMMIT");
      this.#revision = written ?? this.#revision;
    } catch (error) {
      await connection.run("ROLLBACK").catch(() => {}); // DuckDB may have done so itself.
      // What the store has is done; the next look brings it into the copy.
      if (written === undefined) throw error;
    }
    if (written !== undefined) return result as T;
    if (again <= 1) throw notWritten(new Error("other processes write without end"));
    return await this.#write(connection, change, again - 1);
  }

  async #replace(from: string, rows: WritableRows): Promise<string | undefined> {
    try {
      return await this.#store.replace(from, rows);
    } catch (cause) {
      throw notWritten(cause);
    }
  }

  /** Moves what an earlier version kept in files into the store, once. */
  async #takeOverOldRows(): Promise<void> {
    try {
      const old = await this.#oldFileRows();
      // Without files, what the trace file itself has: one of an earlier version had no others.
      const rows = old ?? (await readRows(this.#connection, this.#database));
      const isAny = Object.values(rows).some(({ length }) => length > 0);
      const isStored = isAny && (await this.#store.replace("", rows)) !== undefined;
      if (isStored && old !== undefined) rmSync(this.#oldFolder, { recursive: true, force: true });
      this.#hasLookedForOldRows = true;
    } catch (error) {
      // Another process has moved them meanwhile, and deleted the files.
      if ((await this.#store.revision()) === "") throw error;
    }
  }

  /** The rows of the last file that is as it was written. */
  async #oldFileRows(): Promise<WritableRows | undefined> {
    const names = listFolder(this.#oldFolder).filter((name) => /^\d+\.parquet$/.test(name));
    for (const name of names.toSorted().toReversed()) {
      const path = join(this.#oldFolder, name);
      if (await isWhole(path)) return await readParquetRows(this.#connection, path);
      this.#warnings.push({
        code: "M5439",
        message: `${path} is corrupt: its checksum does not match its bytes`,
        hint: "the scores and prices of the file before it, or of this process, are used: look whether any are missing",
      });
    }
    return undefined;
  }

  #warn(cause: unknown): void {
    const [reason] = messageOf(cause).split("\n", 1);
    const message = `scores and prices could not be copied from the store of runs: ${reason}`;
    if (this.#warnings.some((warning) => warning.message === message)) return;
    const hint = "queries use those that were read last; the next query tries again";
    this.#warnings.push({ code: "M5438", message, hint });
  }

  close(): void {
    this.#connection.closeSync();
  }
}

export const DATABASE_NAME = `
SELECT current_database()`;

function notWritten(cause: unknown): SqlError {
  const [reason] = messageOf(cause).split("\n", 1);
  return new SqlError(
    "M5438",
    `scores and prices could not be written to the store of runs: ${reason}`,
    {
      sql: "",
      cause,
      hint: "nothing was changed: make room or make the file writable, then run it again",
    },
  );
}
