/** Copies the tables that people write from an outdated trace file into the file that replaces it. */
import type { DuckDBConnection } from "@duckdb/node-api";
import { writableTables } from "../schema/tables.ts";
import type { TraceDatabase } from "./database.ts";

export const OLD_COLUMNS = `
SELECT table_name, column_name
FROM duckdb_columns()
WHERE database_name = 'outdated' AND schema_name = 'main'`;

/** Copies the tables that only people fill, as far as both files have their columns; false where it can't. */
export async function carryOver(
  { writer }: Pick<TraceDatabase, "writer">,
  oldFile: string,
): Promise<boolean> {
  try {
    await writer.run(`ATTACH '${oldFile.replaceAll("'", "''")}' AS outdated`);
  } catch {
    // Someone else's file, or one that can no longer be read: it lies aside, whole.
    return false;
  }
  try {
    await copyAll(writer);
    return true;
  } catch {
    return false;
  } finally {
    await writer.run("DETACH outdated");
  }
}

async function copyAll(writer: DuckDBConnection): Promise<void> {
  const rows = (await writer.runAndReadAll(OLD_COLUMNS)).getRowsJS();
  for (const { name, columns } of writableTables) {
    const old = new Set(rows.filter(([table]) => table === name).map(([, column]) => column));
    const both = Object.keys(columns).filter((column) => old.has(column));
    if (both.length > 0) await writer.run(copyTable(name, both));
  }
}

/** The statement that takes a table's rows over. */
export function copyTable(name: string, columns: readonly string[]): string {
  const list = columns.join(", ");
  return `INSERT INTO ${name} (${list}) SELECT ${list} FROM outdated.${name}`;
}
