/** Shows the entries of memories to a question that names them. They are copied into no file: what is forgotten there is gone. */
import type { DuckDBConnection } from "@duckdb/node-api";
import type { MemoryEntry } from "../../store/memories/memory.ts";
import type { Eventual } from "../ingest/source.ts";
import { MEMORY_COLUMNS } from "../views/memories-view.ts";

/** The memories of a store; another thread may have it. */
export interface StoredEntries {
  list(): Eventual<readonly MemoryEntry[]>;
}

const columns = Object.entries(MEMORY_COLUMNS);

/** A temporary table in front of the empty view. */
export const BRING_MEMORIES = `
CREATE OR REPLACE TEMP TABLE memories AS
SELECT ${columns.map(([name, type], at) => `row[${at + 1}]::${type} AS ${name}`).join(", ")}
FROM (SELECT unnest($1::JSON::VARCHAR[][]) AS row)`;

/** Gives a connection the entries as they are now, if the text of a question has their name. */
export async function bringMemories(
  connection: DuckDBConnection,
  sql: string,
  source: StoredEntries,
): Promise<void> {
  if (!/\bmemories\b/i.test(sql)) return;
  const rows = (await source.list()).map(memoryRow);
  await connection.run(BRING_MEMORIES, [JSON.stringify(rows)]);
}

function memoryRow(entry: MemoryEntry): readonly (string | null)[] {
  const { id, memory, scope, state, key, value, source, at, expiresAt, supersededBy } = entry;
  return [
    ...[id, memory, scope],
    ...ownersOf(entry),
    ...[state, key ?? null, JSON.stringify(value)],
    ...[source.runId || null, source.node || null],
    ...[timeOf(at), expiresAt === undefined ? null : timeOf(expiresAt)],
    supersededBy ?? null,
  ];
}

/** The user, the thread and the agent whose it is. */
function ownersOf({ scope, owner }: Pick<MemoryEntry, "scope" | "owner">) {
  if (scope === "workspace") return [null, null, null];
  if (scope === "user") return [owner || null, null, null];
  const [user = "", name = ""] = JSON.parse(owner) as readonly string[];
  return [user || null, scope === "thread" ? name : null, scope === "agent" ? name : null];
}

function timeOf(ms: number): string {
  return new Date(ms).toISOString().slice(0, -1);
}
