/** Reads and replaces the rows of the tables that people write with SQL: scores, prices of models, lengths of contexts. */
import { randomUUID } from "node:crypto";
import type { Tables } from "./database/tables.ts";
import {
  type WritableTable,
  type WritableValues,
  writableColumns,
} from "./database/writable-columns.ts";
import { lockWaitMs } from "./log/group-commit.ts";
import type { WritableRows, WritableTables } from "./run-store.ts";

export class StoredWritableTables implements WritableTables {
  readonly #tables: Tables<unknown>;

  constructor(parts: { readonly tables: Tables<unknown> }) {
    this.#tables = parts.tables;
  }

  revision(): string {
    return this.#tables.writableRevision();
  }

  rows(): WritableRows {
    const rows = writableNames.map((table) => [table, this.rowsOf(table)]);
    return Object.fromEntries(rows);
  }

  rowsOf(table: WritableTable): readonly WritableValues[] {
    return this.#tables.writableRows(table).map(({ values }) => values);
  }

  replace(from: string, rows: WritableRows): string | undefined {
    return this.#tables.transact({ synced: true, waitMs: lockWaitMs }, () => {
      if (this.#tables.writableRevision() !== from) return undefined;
      const isChanged = writableNames.map((table) => this.#replaceIn(table, rows[table]));
      if (!isChanged.includes(true)) return from;
      const revision = randomUUID();
      this.#tables.setWritableRevision(revision);
      return revision;
    });
  }

  /** Deletes the rows that are gone and inserts the new ones; whether there were any. */
  #replaceIn(table: WritableTable, rows: readonly WritableValues[]): boolean {
    const gone = new Map<string, number[]>();
    for (const { id, values } of this.#tables.writableRows(table)) {
      const ids = gone.get(keyOf(values));
      if (ids === undefined) gone.set(keyOf(values), [id]);
      else ids.push(id);
    }
    const added = rows
      .map((values) => values.map(toStored))
      .filter((values) => gone.get(keyOf(values))?.pop() === undefined);
    const ids = [...gone.values()].flat();
    for (const id of ids) this.#tables.deleteWritable(table, id);
    for (const values of added) this.#tables.insertWritable(table, values);
    return ids.length + added.length > 0;
  }
}

const writableNames = Object.keys(writableColumns) as readonly WritableTable[];

/** SQLite has no NaN. */
function toStored(value: string | number | null): string | number | null {
  return Number.isNaN(value) ? null : value;
}

/** Equal for rows with the same values; JSON has no infinity. */
function keyOf(values: WritableValues): string {
  return JSON.stringify(values.map((value) => (value === null ? null : String(value))));
}
