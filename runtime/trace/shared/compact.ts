/**
 * Merges many Parquet files into few. A process that is killed meanwhile leaves a run in two files, of which all processes
 * read the same one.
 */

import { randomUUID } from "node:crypto";
import { existsSync, linkSync, renameSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import type { DuckDBConnection } from "@duckdb/node-api";
import type { Catalog } from "./catalog.ts";
import { FILE_RUNS, monthFileName } from "./export-runs.ts";
import { type HeldRun, type TraceFile, toMetadata } from "./file-metadata.ts";
import { stampOf } from "./found-files.ts";
import { copyParts, writeSealed } from "./parquet-sql.ts";
import { placeFile } from "./place-file.ts";

/** The result of a compaction, or of its plan. */
export interface Compacted {
  readonly runs: number;
  readonly filesBefore: number;
  readonly filesAfter: number;
  readonly bytesBefore: number;
  readonly bytesAfter: number;
}

const FILE_BYTES = 64 * 1024 * 1024;

/** Merges small files month by month, and takes out of others what nobody reads any more. */
export async function compact(connection: DuckDBConnection, catalog: Catalog): Promise<Compacted> {
  await catalog.refresh(connection);
  const [filesBefore, bytesBefore] = [catalog.files.length, bytesOf(catalog)];
  for (const files of mergesIn(catalog)) await merge(connection, catalog, files);
  await sweep(connection, catalog);
  const [filesAfter, bytesAfter] = [catalog.files.length, bytesOf(catalog)];
  return { runs: catalog.held.size, filesBefore, filesAfter, bytesBefore, bytesAfter };
}

/** Returns the plan of a compaction; the number of bytes after it is known afterwards. */
export function compactedBy(catalog: Catalog): Compacted {
  const merges = mergesIn(catalog);
  const used = new Set(merges.flat());
  const kept = catalog.files.filter(
    (file) => !used.has(file) && liveRuns(catalog, file).length > 0,
  );
  const bytes = bytesOf(catalog);
  return {
    runs: catalog.held.size,
    filesBefore: catalog.files.length,
    filesAfter: kept.length + merges.length,
    bytesBefore: bytes,
    bytesAfter: bytes,
  };
}

/** Takes away what nobody reads: files whose runs others have later, and the rows of runs that were deleted or pruned. */
export async function sweep(connection: DuckDBConnection, catalog: Catalog): Promise<void> {
  for (const file of catalog.files) {
    if (liveRuns(catalog, file).length === 0) removeAsRead(file);
    else if (file.runs.some((run) => catalog.isGone(run))) await merge(connection, catalog, [file]);
  }
  await catalog.refresh(connection);
}

/** Sums the bytes of all files. */
export function bytesOf({ files }: Catalog): number {
  return files.reduce((sum, { bytes }) => sum + bytes, 0);
}

/** Groups of files of one folder and month that become one file each. */
function mergesIn(catalog: Catalog): readonly (readonly TraceFile[])[] {
  const small = catalog.files.filter((file) => isSmall(catalog, file));
  const months = Object.values(
    Object.groupBy(small, ({ path, runs }) => `${dirname(path)} ${runs[0]?.month ?? "undated"}`),
  );
  return months.flatMap((files = []) => grouped(files)).filter((files) => files.length > 1);
}

function isSmall(catalog: Catalog, file: TraceFile): boolean {
  const live = liveRuns(catalog, file).length;
  return live > 0 && live <= FILE_RUNS / 2 && file.bytes <= FILE_BYTES / 2;
}

function grouped(files: readonly TraceFile[]): readonly TraceFile[][] {
  const groups: TraceFile[][] = [];
  let [runs, bytes] = [Number.POSITIVE_INFINITY, 0];
  for (const file of [...files].sort((a, b) => (a.path < b.path ? -1 : 1))) {
    runs += file.runs.length;
    bytes += file.bytes;
    if (runs > FILE_RUNS || bytes > FILE_BYTES) {
      groups.push([]);
      [runs, bytes] = [file.runs.length, file.bytes];
    }
    groups.at(-1)?.push(file);
  }
  return groups;
}

async function merge(
  connection: DuckDBConnection,
  catalog: Catalog,
  files: readonly TraceFile[],
): Promise<void> {
  const runs = runsIn(catalog, files);
  const [[first], [file]] = [runs, files];
  if (first !== undefined && file !== undefined) {
    const parts = files.map((file) => ({
      paths: [file.path],
      without: file.runs.filter((run) => !isLive(catalog, file, run)).map(({ runId }) => runId),
    }));
    const name = monthFileName(first.month);
    const place = { folder: dirname(file.path), name, isForOthers: catalog.isPublished };
    await placeFile(place, (path) =>
      writeSealed(connection, copyParts(parts, path, toMetadata(runs)), path),
    );
  }
  for (const file of files) removeAsRead(file);
  await catalog.refresh(connection);
}

function runsIn(catalog: Catalog, files: readonly TraceFile[]): readonly HeldRun[] {
  return files.flatMap((file) => liveRuns(catalog, file));
}

/** The runs for which a file counts. */
function liveRuns(catalog: Catalog, file: TraceFile): readonly HeldRun[] {
  return file.runs.filter((run) => isLive(catalog, file, run));
}

function isLive(catalog: Catalog, file: TraceFile, run: HeldRun): boolean {
  return catalog.held.get(run.runId)?.file === file && !catalog.isGone(run);
}

/** Takes a file away, unless somebody has put another one in its place since it was read. */
function removeAsRead({ path, stamp }: TraceFile): void {
  const aside = join(path, "..", `.tmp-${process.pid}-${randomUUID()}`);
  if (!existsSync(path)) return;
  try {
    renameSync(path, aside);
    // Put back, unless there is a still later one.
    if (stampOf(aside) !== stamp) linkSync(aside, path);
  } catch {
    // Another process took it away, or has put a later one there.
  }
  rmSync(aside, { force: true });
}
