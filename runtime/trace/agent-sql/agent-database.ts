/** Opens the database in memory in which an agent's SQL is answered, closed to everything but its own files. */
import type { DuckDBConnection } from "@duckdb/node-api";
import type { DuckDb } from "../database/database.ts";
import { SCHEMA } from "../schema/schema.ts";
import { type FilePart, ownTables, quoted, unionViews } from "../shared/parquet-sql.ts";

const OPTIONS = {
  memory_limit: "256MB",
  threads: "1",
  temp_directory: "",
  autoinstall_known_extensions: "false",
  autoload_known_extensions: "false",
} as const;

/**
 * A database that has what lies in the file `own` and, as views, what lies in others. From then on it reads nothing but
 * those, and nothing of this can be set otherwise.
 */
export async function openForAgent(
  duckdb: DuckDb,
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
