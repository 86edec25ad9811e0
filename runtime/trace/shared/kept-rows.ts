/**
 * What people write with SQL (scores, prices, the lengths of contexts) is the same for every process of a folder. The truth
 * is a series of numbered files, of which the last one counts; each process has its rows in its own tables. A change
 * becomes the next file before it is committed, and is made again where somebody else was faster: no lock can be left behind.
 */
import { randomUUID } from "node:crypto";
import { chmodSync, existsSync, linkSync, mkdirSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { DuckDBConnection } from "@duckdb/node-api";
import { systemClock } from "../../clock.ts";
import { messageOf } from "../../failure.ts";
import { namesIn } from "../database/names-in.ts";
import { queue } from "../database/queue.ts";
import type { TraceWarning } from "../database/trace-files.ts";
import { inTransaction } from "../database/transaction.ts";
import { written } from "../schema/tables.ts";
import { SqlError } from "../sql/sql-error.ts";
import {
  columnsIn,
  copyKept,
  emptyTable,
  KEPT_ROWS,
  KEPT_VERSION,
  keptFrom,
  keptOf,
  NO_KEPT_VERSION,
  SET_KEPT_VERSION,
} from "./kept-sql.ts";
import { writeSealed } from "./parquet-sql.ts";
import { isWhole } from "./seal.ts";

const ATTEMPTS_MAX = 50;

interface KeptOptions {
  readonly tracesDir: string;
  /** The name of the own database, for who reads under a view or a temporary table of the same name. */
  readonly name: string;
  readonly connection: DuckDBConnection;
  readonly warnings: TraceWarning[];
}

export class KeptRows {
  readonly #folder: string;
  readonly #name: string;
  /** Its own: what is under way on others is no part of a load. */
  readonly #connection: DuckDBConnection;
  readonly #warnings: TraceWarning[];
  readonly #turns = queue();
  /** The file whose rows the own tables have, 0 for none; undefined before the first look, null for rows that no file had. */
  #has: number | null | undefined;

  constructor({ tracesDir, name, connection, warnings }: KeptOptions) {
    this.#folder = join(tracesDir, "kept");
    this.#name = name;
    this.#connection = connection;
    this.#warnings = warnings;
  }

  /** Brings the own tables up to what others have written. Never rejects. */
  refresh(): Promise<void> {
    return this.#turns(async () => {
      try {
        await this.#catchUp();
      } catch (cause) {
        this.#warn(cause);
      }
    });
  }

  /** Makes a change by a connection with nothing under way; `change` may be called again where somebody else was faster. */
  write<T>(connection: DuckDBConnection, change: () => Promise<T>): Promise<T> {
    return this.#turns(async () => {
      await this.#catchUp();
      return await this.#write(connection, change);
    });
  }

  /** Takes over what another attached database has, which a connection uses; said twice, it is there once. */
  async adopt(database: string, connection: DuckDBConnection): Promise<void> {
    const version = await versionOf(connection);
    // What came so far is in the files, or was taken away since.
    const isKnown = version !== null && version <= newest(this.#folder);
    if (isKnown || !(await hasRows(connection))) return;
    await this.write(this.#connection, async () => {
      for (const table of written) {
        await this.#connection.run(keptOf(this.#name, { table, database }));
      }
    });
  }

  async #catchUp(again = ATTEMPTS_MAX): Promise<void> {
    if (this.#has === undefined) this.#has = await this.#look();
    const last = newest(this.#folder);
    if (last === this.#has) return;
    const path = this.#pathOf(last);
    try {
      const isOlder = this.#has === null || last < this.#has;
      if (isOlder && (await hasRows(this.#connection))) await this.#join(last);
      else if (last > 0) await this.#load(path, last);
    } catch (error) {
      // Others have written two since: this one is gone.
      if (again <= 1) throw error;
      if (existsSync(path) && !(await isWhole(path))) this.#setAside(path);
      else if (existsSync(path)) throw error;
      await this.#catchUp(again - 1);
    }
  }

  /** The own rows are those of a file from now on. */
  async #load(path: string, version: number): Promise<void> {
    const columns = await columnsIn(this.#connection, path);
    await inTransaction(this.#connection, async () => {
      for (const table of written) {
        await this.#connection.run(emptyTable(this.#name, table));
        await this.#connection.run(keptFrom(this.#name, { table, path, columns }));
      }
      await this.#note(this.#connection, version);
    });
    this.#has = version;
  }

  /** Rows that no other process knows, of a file from before or one whose folder was deleted, go to all. */
  async #join(last: number): Promise<void> {
    const path = this.#pathOf(last);
    const columns = last === 0 ? undefined : await columnsIn(this.#connection, path);
    const base = Math.max(last, this.#has ?? 0);
    await this.#write(
      this.#connection,
      async () => {
        if (columns === undefined) return;
        for (const table of written) {
          const rows = keptFrom(this.#name, { table, path, columns, isNew: true });
          await this.#connection.run(rows);
        }
      },
      base,
    );
  }

  async #write<T>(
    connection: DuckDBConnection,
    change: () => Promise<T>,
    base = this.#has ?? 0,
    again = ATTEMPTS_MAX,
  ): Promise<T> {
    const next = base + 1;
    await connection.run("BEGIN");
    let [result, isPlaced]: [T | undefined, boolean] = [undefined, false];
    try {
      result = await change();
      await this.#note(connection, next);
      isPlaced = await this.#place(connection, next);
      await connection.run(isPlaced ? "COMMIT" : "ROLLBACK");
    } catch (error) {
      await connection.run("ROLLBACK").catch(() => {}); // DuckDB may have done so itself.
      // What is in a file is done, and comes from there into the own tables.
      if (!isPlaced) throw error;
    }
    if (!isPlaced) {
      if (again <= 1) throw new Error("others write without end");
      this.#has = undefined;
      await this.#catchUp();
      return await this.#write(connection, change, this.#has ?? 0, again - 1);
    }
    this.#has = await this.#look();
    this.#removeBefore(next - 1);
    return result as T;
  }

  /** Writes the rows as a transaction sees them; false where there is such a file, or a later one. */
  async #place(connection: DuckDBConnection, version: number): Promise<boolean> {
    const unfinished = join(this.#folder, `.tmp-${process.pid}-${randomUUID()}`);
    this.#makeFolder();
    try {
      await writeSealed(connection, copyKept(this.#name, unfinished), unfinished);
      chmodSync(unfinished, 0o600);
      linkSync(unfinished, this.#pathOf(version));
      return newest(this.#folder) === version;
    } catch (cause) {
      if ((cause as NodeJS.ErrnoException).code === "EEXIST") return false;
      throw notShared(this.#folder, cause);
    } finally {
      rmSync(unfinished, { force: true });
    }
  }

  #makeFolder(): void {
    try {
      mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
    } catch (cause) {
      throw notShared(this.#folder, cause);
    }
  }

  async #note(connection: DuckDBConnection, version: number): Promise<void> {
    await connection.run(NO_KEPT_VERSION(this.#name));
    await connection.run(SET_KEPT_VERSION(this.#name), [String(version)]);
  }

  async #look(): Promise<number | null> {
    return (await versionOf(this.#connection)) ?? ((await hasRows(this.#connection)) ? null : 0);
  }

  /** The one before the last is left to who is about to read it. */
  #removeBefore(version: number): void {
    for (const older of versionsIn(this.#folder)) {
      if (older < version) rmSync(this.#pathOf(older), { force: true });
    }
  }

  #setAside(path: string): void {
    const aside = `${path}.corrupt-${systemClock.now()}`;
    renameSync(path, aside);
    const message = `${path} is not as it was written, and is now ${aside}`;
    const hint =
      "scores and prices are as this process, or the file before it, has them: look whether any are missing";
    this.#warnings.push({ code: "M5439", message, hint });
  }

  #warn(cause: unknown): void {
    const [reason] = messageOf(cause).split("\n", 1);
    const message = `scores and prices that others have written could not be read: ${reason}`;
    if (this.#warnings.some((warning) => warning.message === message)) return;
    const hint = `look at ${this.#folder}; the next query tries again`;
    this.#warnings.push({ code: "M5438", message, hint });
  }

  #pathOf(version: number): string {
    return join(this.#folder, `${String(version).padStart(8, "0")}.parquet`);
  }

  close(): void {
    this.#connection.closeSync();
  }
}

function notShared(folder: string, cause: unknown): SqlError {
  const [reason] = messageOf(cause).split("\n", 1);
  return new SqlError("M5438", `scores and prices could not be written to ${folder}: ${reason}`, {
    sql: "",
    cause,
    hint: "nothing was changed: make room, or the folder writable, and run it again",
  });
}

function versionsIn(folder: string): readonly number[] {
  return namesIn(folder).flatMap((name) => Number(/^(\d+)\.parquet$/.exec(name)?.[1] ?? []));
}

function newest(folder: string): number {
  return Math.max(0, ...versionsIn(folder));
}

/** How far a file has come, in the database that a connection uses. */
async function versionOf(connection: DuckDBConnection): Promise<number | null> {
  const [[value] = []] = (await connection.runAndReadAll(KEPT_VERSION)).getRowsJS();
  return value === undefined ? null : Number(value);
}

async function hasRows(connection: DuckDBConnection): Promise<boolean> {
  const [[rows] = []] = (await connection.runAndReadAll(KEPT_ROWS)).getRowsJS();
  return Number(rows) > 0;
}
