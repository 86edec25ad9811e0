/** Ends a query whose rows are not all wanted. */
import type { DuckDBConnection, DuckDBResultReader } from "@duckdb/node-api";

/**
 * Ends the stream of a connection's query, if rows of it are left; the rows that were read stay readable. Left alone, a stream
 * keeps its transaction, and with it the writer's checkpoints, and the file itself, for which another opening in this process waits.
 */
export async function endStream(
  connection: DuckDBConnection,
  result: DuckDBResultReader,
): Promise<void> {
  if (result.done) return;
  connection.interrupt();
  // An interrupted stream ends with its next rows, and only then lets the file go.
  await result.readAll();
}
