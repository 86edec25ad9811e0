/** Deletes the traces of old runs. Their logs stay, and `trace rebuild` brings the traces back. */
import { rmSync, statSync } from "node:fs";
import { join } from "node:path";
import type { DuckDBConnection } from "@duckdb/node-api";
import { systemClock } from "../../clock.ts";
import { listFolder } from "../database/list-folder.ts";
import type { HeldRun } from "./file-metadata.ts";

export interface TracePruneOptions {
  /** Takes the traces of runs that ended longer ago, and files that were set aside longer ago; without it, neither. */
  readonly olderThanMs?: number;
  /** So many of the newest runs of each thread stay however old they are. */
  readonly keep?: number;
  /** Says what would go, and takes nothing. */
  readonly isTrial?: boolean;
}

export interface TracesPruned {
  readonly runIds: readonly string[];
  /** Files that nobody reads: of other versions, damaged, set aside. */
  readonly files: readonly string[];
  readonly bytes: number;
}

export const OLD_RUNS = `
SELECT run_id, last_seq::DOUBLE AS last_seq, log_id
FROM (
  SELECT *, row_number() OVER (PARTITION BY thread_id ORDER BY started_at DESC, run_id DESC) AS place
  FROM run_log
)
WHERE ended_at < make_timestamp_ms($before::BIGINT) AND place > $keep AND origin IS NULL
ORDER BY run_id`;

/** A run as far as it is traced. */
export type Traced = Pick<HeldRun, "runId" | "seq" | "logId">;

/** The runs that go, of those a connection sees. */
export async function oldRuns(
  connection: DuckDBConnection,
  { olderThanMs, keep = 0 }: TracePruneOptions,
): Promise<readonly Traced[]> {
  if (olderThanMs === undefined) return [];
  const before = systemClock.now() - olderThanMs;
  const rows = (await connection.runAndReadAll(OLD_RUNS, { before, keep })).getRowsJS();
  return rows.map(([runId, seq, logId]) => ({
    runId: String(runId),
    seq: Number(seq),
    logId: logId === null ? null : Number(logId),
  }));
}

/** The files of a workspace's traces that were set aside long enough ago. */
export function setAside(tracesDir: string, { olderThanMs }: TracePruneOptions): readonly string[] {
  if (olderThanMs === undefined) return [];
  const before = systemClock.now() - olderThanMs;
  return [tracesDir, join(tracesDir, "runs"), join(tracesDir, "kept")]
    .flatMap((folder) => listFolder(folder).map((name) => join(folder, name)))
    .filter((path) => /\.(duckdb|parquet)\.(corrupt|outdated)-\d+(\.wal)?$/.test(path))
    .filter((path) => (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? before) < before);
}

/** Takes files away; how many bytes they had. */
export function removeFiles(paths: readonly string[], isTrial: boolean): number {
  let bytes = 0;
  for (const path of paths) {
    bytes += statSync(path, { throwIfNoEntry: false })?.size ?? 0;
    if (!isTrial) rmSync(path, { force: true });
  }
  return bytes;
}
