/** Writes the ended runs of a workspace into a folder that many workspaces share, by day and graph. */
import { randomUUID } from "node:crypto";
import type { DuckDBConnection } from "@duckdb/node-api";
import { systemClock } from "../../clock.ts";
import type { Catalog } from "../shared/catalog.ts";
import { inFileSizes } from "../shared/export-runs.ts";
import { type HeldRun, toMetadata } from "../shared/file-metadata.ts";
import { copyRuns, writeSealed } from "../shared/parquet-sql.ts";
import { placeFile } from "../shared/place-file.ts";
import { type Partition, partitionFolder, UNDATED } from "./published-files.ts";

/** The result of a publication. */
export interface RunsPublished {
  /** The number of runs that the folder did not have yet as they are now. */
  readonly runs: number;
  readonly files: number;
}

/** A run that has ended, and where it belongs. */
type PublishableRun = HeldRun & Partition;

export const PUBLISHED_RUNS: string = `
SELECT
  run_id,
  last_seq::DOUBLE AS last_seq,
  log_id,
  coalesce(strftime(started_at, '%Y-%m'), '${UNDATED}') AS month,
  coalesce(strftime(started_at, '%Y-%m-%d'), '${UNDATED}') AS day,
  graph
FROM run_log
WHERE origin IS NULL AND ended_at IS NOT NULL
ORDER BY run_id`;

/**
 * Publishes the ended runs that a connection sees and that no file of the catalog has up to their last record. A file is
 * there whole or not at all, so whoever is killed publishes the rest the next time.
 */
export async function publishRuns(
  connection: DuckDBConnection,
  catalog: Catalog,
): Promise<RunsPublished> {
  const wanted = (await endedRuns(connection)).filter(({ runId, seq }) => {
    const there = catalog.held.get(runId)?.run;
    // The number of a log is that of its workspace: a run that was imported elsewhere has another one there.
    return there === undefined || there.seq < seq;
  });
  const files = inFiles(wanted);
  for (const runs of files) await writePublished(connection, catalog.folder, runs);
  return { runs: wanted.length, files: files.length };
}

async function endedRuns(connection: DuckDBConnection): Promise<readonly PublishableRun[]> {
  const written = systemClock.now();
  const rows = (await connection.runAndReadAll(PUBLISHED_RUNS)).getRowsJS();
  return rows.map(([runId, seq, logId, month, day, graph]) => ({
    runId: String(runId),
    seq: Number(seq),
    logId: logId === null ? null : Number(logId),
    written,
    month: String(month),
    day: String(day),
    graph: String(graph),
  }));
}

/** Files of one partition each. */
function inFiles(runs: readonly PublishableRun[]): readonly (readonly PublishableRun[])[] {
  const partitions = Object.values(Object.groupBy(runs, ({ day, graph }) => `${day} ${graph}`));
  return partitions.flatMap((of = []) => inFileSizes(of));
}

async function writePublished(
  connection: DuckDBConnection,
  root: string,
  runs: readonly PublishableRun[],
): Promise<void> {
  const [first] = runs;
  if (first === undefined) return;
  const ids = runs.map(({ runId }) => runId);
  const folder = partitionFolder(root, first);
  const name = `runs-${randomUUID()}.parquet`;
  await placeFile({ folder, name, isForOthers: true }, (path) =>
    writeSealed(connection, copyRuns(ids, path, toMetadata(runs)), path),
  );
}
