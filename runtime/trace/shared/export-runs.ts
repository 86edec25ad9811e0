/** Writes the runs of a trace that have ended as Parquet, which every process reads. */
import { createHash, randomUUID } from "node:crypto";
import type { DuckDBConnection } from "@duckdb/node-api";
import { systemClock } from "../../clock.ts";
import { type Catalog, type HeldRun, toMetadata } from "./catalog.ts";
import { copyRuns } from "./parquet-sql.ts";
import { placeFile } from "./place-file.ts";

/** More than so many at once go into files of many: a folder of thousands of files is slow to read. */
const ALONE_MAX = 16;
/** How many runs a file has at most. */
export const FILE_RUNS = 1_000;

export const ENDED_RUNS = `
SELECT
  run_id,
  last_seq::DOUBLE AS last_seq,
  log_id,
  coalesce(strftime(started_at, '%Y-%m'), 'undated') AS month
FROM run_log
-- Imported ones are read by every process from their spans.
WHERE ended_at IS NOT NULL AND origin IS NULL
ORDER BY run_id`;

/** A run that has ended, with the month in which it began. */
interface Ended extends HeldRun {
  readonly month: string;
}

/** Those that no file has as they are now: one file a run, or one for many. The number of runs written. */
export async function exportRuns(
  connection: DuckDBConnection,
  catalog: Catalog,
  options: { readonly again?: boolean } = {},
): Promise<number> {
  const ended = await endedRuns(connection);
  const missing = options.again === true ? ended : ended.filter((run) => !isHeld(catalog, run));
  const files = missing.length > ALONE_MAX ? byMonth(missing) : missing.map((run) => [run]);
  for (const runs of files) await writeRuns(connection, catalog.folder, runs);
  return missing.length;
}

function isHeld({ held }: Catalog, { runId, seq, logId }: HeldRun): boolean {
  const there = held.get(runId)?.run;
  return there?.seq === seq && there.logId === logId;
}

async function endedRuns(connection: DuckDBConnection): Promise<readonly Ended[]> {
  const written = systemClock.now();
  const rows = (await connection.runAndReadAll(ENDED_RUNS)).getRowsJS();
  return rows.map(([runId, seq, logId, month]) => ({
    runId: String(runId),
    seq: Number(seq),
    logId: logId === null ? null : Number(logId),
    written,
    month: String(month),
  }));
}

/** Files of one month each. */
export function byMonth<T extends { readonly month: string }>(runs: readonly T[]): readonly T[][] {
  return Object.values(Object.groupBy(runs, ({ month }) => month)).flatMap((of = []) =>
    Array.from({ length: Math.ceil(of.length / FILE_RUNS) }, (_, at) =>
      of.slice(at * FILE_RUNS, (at + 1) * FILE_RUNS),
    ),
  );
}

async function writeRuns(
  connection: DuckDBConnection,
  folder: string,
  runs: readonly Ended[],
): Promise<void> {
  const [first] = runs;
  if (first === undefined) return;
  const name = runs.length === 1 ? fileName(first.runId) : monthFileName(first.month);
  const ids = runs.map(({ runId }) => runId);
  await placeFile({ folder, name }, (path) =>
    // What is written is what `endedRuns` saw, or more: a file that tells too little of itself is only read again.
    connection.run(copyRuns(ids, path, toMetadata(runs.map(toHeld)))),
  );
}

function toHeld({ runId, seq, logId, written }: HeldRun): HeldRun {
  return { runId, seq, logId, written };
}

/** The file of one run; an id that is no name of a file goes by its hash. */
export function fileName(runId: string): string {
  const isName = /^[\w-][\w.-]{0,99}$/.test(runId) && !runId.startsWith("many-");
  const name = isName ? runId : `run-${createHash("sha256").update(runId).digest("hex")}`;
  return `${name}.parquet`;
}

/** A new file of many runs. */
export function monthFileName(month: string): string {
  return `many-${month}-${randomUUID()}.parquet`;
}
