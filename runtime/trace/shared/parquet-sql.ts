/** Makes the SQL between the trace's tables and Parquet files, which have one layout for one run and for many. */
import { createHash } from "node:crypto";
import type { DuckDBConnection } from "@duckdb/node-api";
import { blobLog, createTable, eventLog, graphLog, runLog, type Table } from "../schema/tables.ts";
import { SEAL_METADATA, seal } from "./seal.ts";

const SHARED: readonly Table[] = [eventLog, runLog, graphLog, blobLog];

/** Changes with the columns of what is written: files of another layout are left out, and made again from the logs. */
export const rowsVersion: string = createHash("sha256")
  .update(["3", ...SHARED.map(createTable)].join(";"))
  .digest("hex")
  .slice(0, 16);

// Small enough for one run's rows to be found without reading a month.
const ROW_GROUP_ROWS = 8_192;

/** Files, but for some of their runs. */
export interface FilePart {
  readonly paths: readonly string[];
  readonly without: readonly string[];
}

/**
 * Writes the rows of runs to a file: `what` says whether a row is a run (in `run_row`), a graph (in `graph_row`), a blob (in
 * `blob_row`) or an event (in the columns of `event_log`); `metadata` says which runs there are.
 */
export function copyRuns(runIds: readonly string[], path: string, metadata: string): string {
  const ids = runIds.map(quoted).join(", ");
  const rows = {
    run_log: `FROM run_log WHERE run_id IN (${ids})`,
    graph_log: `
FROM graph_log
WHERE graph_hash IN (
  SELECT graph_hash FROM run_log WHERE run_id IN (${ids})
  UNION
  SELECT payload::JSON ->> '$.graphHash' FROM event_log
  WHERE kind = 'run.resumed' AND run_id IN (${ids})
)`,
    blob_log: `FROM blob_log WHERE run_id IN (${ids})`,
    event_log: `FROM event_log WHERE run_id IN (${ids})`,
  };
  // The table has the rows of one run in their order, which DuckDB keeps.
  const order = runIds.length === 1 ? "" : BY_RUN;
  return copyTo(rows, order, { path, metadata });
}

/** The same with the rows that lie in files. */
export function copyParts(parts: readonly FilePart[], path: string, metadata: string): string {
  const rows = {
    run_log: inFiles(runLog, parts),
    graph_log: inFiles(graphLog, parts),
    blob_log: inFiles(blobLog, parts),
    event_log: inFiles(eventLog, parts),
  };
  return copyTo(rows, BY_RUN, { path, metadata });
}

const BY_RUN = "ORDER BY what, run_id, seq, part";

type TableRows = Readonly<Record<"run_log" | "graph_log" | "blob_log" | "event_log", string>>;

function copyTo(
  rows: TableRows,
  order: string,
  { path, metadata }: { readonly path: string; readonly metadata: string },
): string {
  return `COPY (
SELECT 'run' AS what, run_id, one AS run_row
FROM (${rows.run_log}) one
UNION ALL BY NAME
SELECT 'graph' AS what, one AS graph_row
FROM (${rows.graph_log}) one
UNION ALL BY NAME
SELECT 'blob' AS what, run_id, one AS blob_row
FROM (${rows.blob_log}) one
UNION ALL BY NAME
SELECT 'event' AS what, *
FROM (${rows.event_log})
${order}
) TO ${quoted(path)} (
  FORMAT parquet, COMPRESSION zstd, ROW_GROUP_SIZE ${ROW_GROUP_ROWS},
  KV_METADATA {madrigal: ${quoted(metadata)}, ${SEAL_METADATA}}
)`;
}

/** Runs a statement that writes a file, and seals that. */
export async function writeSealed(
  connection: DuckDBConnection,
  copy: string,
  path: string,
): Promise<void> {
  await connection.run(copy);
  await seal(path);
}

/** Returns the SQL that reads the metadata of files: their layout and their runs, as `copyTo` wrote them. */
export function metadataOf(paths: readonly string[]): string {
  return `
SELECT file_name, decode(value) AS metadata
FROM parquet_kv_metadata(${listed(paths)})
WHERE decode(key) = 'madrigal'`;
}

/** Reads every value of a file. */
export function readThrough(path: string): string {
  return `SELECT count(*), bit_xor(hash(COLUMNS(*))) FROM ${rowsOf([path])}`;
}

/** The rows of files of ours. A folder above them that is called `name=value` gives them no column. */
export function rowsOf(paths: readonly string[]): string {
  return `read_parquet(${listed(paths)}, hive_partitioning = false)`;
}

/** For one connection: views of the tables' names, of the process's own rows (in `catalog`) and those in files. */
export function unionViews(catalog: string, parts: readonly FilePart[]): readonly string[] {
  return SHARED.map((table) => {
    const own = `${quotedName(catalog)}.main.${table.name}`;
    const unknown =
      table === graphLog ? `\nWHERE graph_hash NOT IN (SELECT graph_hash FROM ${own})` : "";
    return `CREATE OR REPLACE TEMP VIEW ${table.name} AS
SELECT ${namesOf(table)}
FROM ${own}
UNION ALL
SELECT ${namesOf(table)}
FROM (${inFiles(table, parts)})${unknown}`;
  });
}

/** Takes those views away: the tables of the same names show again. */
export const NO_UNION_VIEWS: readonly string[] = SHARED.map(
  ({ name }) => `DROP VIEW IF EXISTS temp.${name}`,
);

/** Fills new tables with what lies in one file. */
export function ownTables(path: string): readonly string[] {
  return SHARED.map(
    (table) => `INSERT INTO ${table.name}\n${inFiles(table, [{ paths: [path], without: [] }])}`,
  );
}

/** A graph that several files have counts once. */
function inFiles(table: Table, parts: readonly FilePart[]): string {
  const all = parts.map((part) => inPart(table, part)).join("\nUNION ALL\n") || noRows(table);
  return table === graphLog ? `SELECT DISTINCT ON (graph_hash) *\nFROM (${all})` : all;
}

function inPart(table: Table, { paths, without }: FilePart): string {
  const what = table.name.replace("_log", "");
  const columns = Object.keys(table.columns).map(quotedName);
  const values = columns.map((name) =>
    what === "event" ? name : `${what}_row.${name} AS ${name}`,
  );
  const gone = without.map(quoted).join(", ");
  const kept = gone === "" || what === "graph" ? "" : `\n  AND run_id NOT IN (${gone})`;
  return `SELECT ${values.join(", ")}
FROM ${rowsOf(paths)}
WHERE what = '${what}'${kept}`;
}

function noRows({ columns }: Table): string {
  const nulls = Object.entries(columns).map(([name, type]) => `NULL::${type} AS ${name}`);
  return `SELECT ${nulls.join(", ")}\nWHERE false`;
}

function namesOf({ columns }: Table): string {
  return Object.keys(columns).map(quotedName).join(", ");
}

function listed(paths: readonly string[]): string {
  return `[${paths.map(quoted).join(", ")}]`;
}

/** A path or the id of a run as SQL has text: a statement that makes a view or a file takes no parameters. */
export function quoted(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

/** A name as SQL has names. */
export function quotedName(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
