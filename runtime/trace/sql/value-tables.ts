/** Gives a query the tables that it misses of what a process has in memory: as temporary ones, for as long as it is answered. */
import type { DuckDBConnection } from "@duckdb/node-api";
import { RunError } from "../../failure.ts";
import { missingTable, SqlError, toSqlError } from "./sql-error.ts";

/** A part of the rows of a value. */
export interface ValuePart {
  /** The type of its rows as `from_json` takes it, as JSON: `[{"name":"VARCHAR"}]`; all parts have the same. */
  readonly type: string;
  /** The rows as a JSON array. */
  readonly rows: string;
}

/** A value that SQL may name as a table. Nothing of it is read before a query misses that table. */
export interface ValueTable {
  readonly name: string;
  /** The n-th part of its rows, from 0; there is a first one, and undefined behind the last. */
  readonly read: (at: number) => Promise<ValuePart | undefined>;
}

/** Calls `work` again as long as it misses a table that a value can stand for. Tables of the database go before values. */
export async function withValues<T>(
  bound: BoundValues,
  asked: { readonly sql: string; readonly signal?: AbortSignal | undefined },
  work: (isFirst: boolean) => Promise<T>,
): Promise<T> {
  for (let isFirst = true; ; isFirst = false) {
    try {
      return await work(isFirst);
    } catch (error) {
      const missing = missingTable(error);
      if (missing === undefined) throw error;
      const { offset } = toSqlError(error, asked.sql);
      if (!(await bound.bind(missing, { ...asked, offset }))) throw error;
    }
  }
}

interface BindOptions {
  readonly sql: string;
  /** The place at which the query names the table. */
  readonly offset?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** The values that one question may name, and those that are tables of its connection meanwhile. */
export class BoundValues {
  readonly #reader: DuckDBConnection;
  readonly #tables: ReadonlyMap<string, ValueTable>;
  readonly #bound = new Set<string>();

  constructor(reader: DuckDBConnection, tables: readonly ValueTable[] = []) {
    this.#reader = reader;
    // SQL does not tell capital letters from small ones.
    this.#tables = new Map(tables.map((table) => [table.name.toLowerCase(), table]));
  }

  /** Makes a table of a value; false where none has this name. */
  async bind(name: string, at: BindOptions): Promise<boolean> {
    const table = this.#tables.get(name.toLowerCase());
    if (table === undefined || this.#bound.has(table.name)) return false;
    this.#bound.add(table.name);
    try {
      for (let number = 0; ; number += 1) {
        at.signal?.throwIfAborted();
        const part = await table.read(number);
        if (part === undefined) return true;
        const named = quoted(table.name);
        const into = number === 0 ? `CREATE TEMP TABLE ${named} AS` : `INSERT INTO temp.${named}`;
        await this.#reader.run(`${into} ${ROWS}`, [part.rows, part.type]);
      }
    } catch (cause) {
      throw unbound(table.name, at, cause);
    }
  }

  /**
   * The text of a statement that makes a temporary table of the name of a value that it reads, so that the table takes the place of the
   * value's own; undefined for any other. From then on the table is the person's.
   */
  keep(statement: string): string | undefined {
    const [head = "", quotedName, plainName = ""] = CREATE_TABLE.exec(statement) ?? [];
    const name = (quotedName?.replaceAll('""', '"') ?? plainName).toLowerCase();
    const bound = [...this.#bound].find((one) => one.toLowerCase() === name);
    if (bound === undefined) return undefined;
    this.#bound.delete(bound);
    return `CREATE OR REPLACE TEMP TABLE ${quoted(bound)} ${statement.slice(head.length)}`;
  }

  /** Drops the tables again: the next query sees the values as they are then. */
  async release(): Promise<void> {
    for (const name of this.#bound)
      await this.#reader.run(`DROP TABLE IF EXISTS temp.${quoted(name)}`);
  }
}

/** The error of a value that can't be a table, with the code and hint of who has it. */
function unbound(name: string, at: BindOptions, cause: unknown): unknown {
  if (at.signal?.aborted === true) return cause;
  const { sql, offset } = at;
  if (cause instanceof RunError) {
    const { code, message, hint } = cause;
    return new SqlError(code, message, { sql, offset, hint, cause });
  }
  const why = toSqlError(cause, "").message;
  return new SqlError("M7841", `\`${name}\` can't be a table: ${why}`, { sql, offset, cause });
}

const CREATE_TABLE =
  /^\s*CREATE\s+(?:OR\s+REPLACE\s+)?TEMP(?:ORARY)?\s+TABLE\s+(?:IF\s+NOT\s+EXISTS\s+)?(?:temp\.)?(?:"((?:[^"]|"")*)"|([\p{L}_][\p{L}\p{N}_$]*))\s*(?=AS\b)/iu;

const ROWS = "SELECT unnest(from_json($1, $2), max_depth := 2)";

function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
