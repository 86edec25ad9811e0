/** Writes the runs of a trace that have ended as Parquet files, which every process reads. */
import { createHash, randomUUID } from "node:crypto";
import type { DuckDBConnection } from "@duckdb/node-api";
import { systemClock } from "../../clock.ts";
import type { Catalog } from "./catalog.ts";
import { type HeldRun, toMetadata } from "./file-metadata.ts";
import { copyRuns, writeSealed } from "./parquet-sql.ts";
import { placeFile } from "./place-file.ts";

/** More than so many at once go into files of many: a folder of thousands of files is slow to read. */
const ALONE_MAX = 16;
/** The maximal number of runs of a file. */
export const FILE_RUNS = 1_000;
/** A file is sorted as it is written: so many records of all of its runs fit into the memory that DuckDB has here. */
const FILE_RECORDS = 150_000;

export const ALL_RUNS = `
SELECT
  run_id,
  last_seq::DOUBLE AS last_seq,
  log_id,
  coalesce(strftime(started_at, '%Y-%m'), 'undated') AS month
FROM run_log
-- Imported ones are read by every process from their spans.
WHERE origin IS NULL
ORDER BY run_id`;

export const ENDED_RUNS: string = ALL_RUNS.replace("ORDER", "  AND ended_at IS NOT NULL\nORDER");

/** Writes those that have ended and that no file has as they are now: one file a run, or one for many. */
export async function exportRuns(connection: DuckDBConnection, catalog: Catalog): Promise<void> {
  const ended = await runsBy(connection, ENDED_RUNS);
  await writeAll(
    connection,
    catalog,
    ended.filter((run) => !isHeld(catalog, run)),
  );
}

/** The same of all of them, as if no file had any. */
export async function exportAgain(connection: DuckDBConnection, catalog: Catalog): Promise<void> {
  await writeAll(connection, catalog, await runsBy(connection, ENDED_RUNS));
}

/** Writes what a process has left behind: also runs that have not ended, and none of which there is more elsewhere. */
export async function exportLeft(connection: DuckDBConnection, catalog: Catalog): Promise<void> {
  const left = (await runsBy(connection, ALL_RUNS)).filter((run) => {
    const there = catalog.held.get(run.runId)?.run;
    return there === undefined || (there.logId === run.logId && there.seq < run.seq);
  });
  await writeAll(connection, catalog, left);
}

async function writeAll(
  connection: DuckDBConnection,
  catalog: Catalog,
  runs: readonly HeldRun[],
): Promise<void> {
  const wanted = runs.filter((run) => !catalog.isGone(run));
  const files = wanted.length > ALONE_MAX ? byMonth(wanted) : wanted.map((run) => [run]);
  for (const file of files) await writeRuns(connection, catalog.folder, file);
  if (files.length > 0) await catalog.refresh(connection);
}

function isHeld({ held }: Catalog, { runId, seq, logId }: HeldRun): boolean {
  const there = held.get(runId)?.run;
  return there?.seq === seq && there.logId === logId;
}

async function runsBy(connection: DuckDBConnection, sql: string): Promise<readonly HeldRun[]> {
  const written = systemClock.now();
  const rows = (await connection.runAndReadAll(sql)).getRowsJS();
  return rows.map(([runId, seq, logId, month]) => ({
    runId: String(runId),
    seq: Number(seq),
    logId: logId === null ? null : Number(logId),
    written,
    month: String(month),
  }));
}

/** Files of one month each. */
function byMonth(runs: readonly HeldRun[]): readonly (readonly HeldRun[])[] {
  return Object.values(Object.groupBy(runs, ({ month }) => month)).flatMap((of = []) =>
    inFileSizes(of),
  );
}

/** Divides runs into those of one file each; a run is never divided. */
export function inFileSizes<T extends HeldRun>(runs: readonly T[]): readonly (readonly T[])[] {
  const files: T[][] = [];
  let records = Number.POSITIVE_INFINITY;
  for (const run of runs) {
    records += run.seq;
    if (records > FILE_RECORDS || files.at(-1)?.length === FILE_RUNS) {
      files.push([]);
      records = run.seq;
    }
    files.at(-1)?.push(run);
  }
  return files;
}

async function writeRuns(
  connection: DuckDBConnection,
  folder: string,
  runs: readonly HeldRun[],
): Promise<void> {
  const [first] = runs;
  if (first === undefined) return;
  const name = runs.length === 1 ? fileName(first.runId) : monthFileName(first.month);
  const ids = runs.map(({ runId }) => runId);
  await placeFile({ folder, name }, (path) =>
    // What is written is what was seen before, or more: a file that tells too little of itself is only read again.
    writeSealed(connection, copyRuns(ids, path, toMetadata(runs)), path),
  );
}

/** The file of one run; an id that is no name of a file goes by its hash. */
function fileName(runId: string): string {
  const isName = /^[\w-][\w.-]{0,99}$/.test(runId) && !runId.startsWith("many-");
  const name = isName ? runId : `run-${createHash("sha256").update(runId).digest("hex")}`;
  return `${name}.parquet`;
}

/** A new file of many runs. */
export function monthFileName(month: string): string {
  return `many-${month}-${randomUUID()}.parquet`;
}
