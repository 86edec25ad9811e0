/** Runs work in a transaction of a connection: all of it or nothing. */
import type { DuckDBConnection } from "@duckdb/node-api";

/** Does all of the work or nothing of it. */
export async function inTransaction(
  connection: DuckDBConnection,
  work: () => Promise<void>,
): Promise<void> {
  await connection.run("BEGIN");
  try {
    await work();
    await connection.run("COMMIT");
  } catch (error) {
    await connection.run("ROLLBACK").catch(() => {}); // DuckDB may have done so itself.
    throw error;
  }
}
