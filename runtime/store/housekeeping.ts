/** Deletes runs, prunes old ones, and removes artifacts and graphs that no run refers to any more. */

import { referencesIn } from "./artifacts/references.ts";
import type { Blobs, StoredRunRow, Tables } from "./database/tables.ts";
import { heldError, isLive, type Liveness } from "./lease.ts";
import { lockWaitMs } from "./log/group-commit.ts";
import type { SegmentForm } from "./log/segments.ts";
import type { Pruned, PruneOptions, RunSummary } from "./run-store.ts";

/** The time for which bytes without a record are kept: large values are in a file before the row that names them. */
const graceMs = 60_000;

export interface HousekeepingParts<Content> {
  readonly tables: Tables<Content>;
  readonly form: SegmentForm<Content>;
  readonly blobs: Blobs;
  readonly now: number;
  readonly liveness: Liveness;
}

/** Within a transaction: takes runs away whole; M5105, and nothing is taken, while somebody drives one of them. */
export function deleteRuns(parts: HousekeepingParts<unknown>, runIds: readonly string[]): void {
  const { tables, now } = parts;
  for (const runId of runIds) assertFree(parts, runId);
  for (const runId of runIds) tables.deleteRun(runId, now);
  tables.deleteUnusedIrs();
}

/** Clears out what `options` say, then every artifact that no run names, and what killed processes left of some. */
export function prune<Content>(parts: HousekeepingParts<Content>, options: PruneOptions): Pruned {
  const { tables } = parts;
  if (options.isTrial === true) return { runIds: outdated(parts, options), artifacts: 0, bytes: 0 };
  const runIds = tables.transact({ synced: true, waitMs: lockWaitMs }, () => {
    const old = outdated(parts, options);
    deleteRuns(parts, old);
    return old;
  });
  const swept = sweep(parts);
  if (runIds.length > 0) tables.shrink();
  return { runIds, ...swept };
}

function outdated(
  parts: HousekeepingParts<unknown>,
  { olderThanMs, keep = 0 }: PruneOptions,
): string[] {
  if (olderThanMs === undefined) return [];
  const before = parts.now - olderThanMs;
  const seen = new Map<string, number>();
  return parts.tables.runs({}).flatMap((row) => {
    const newer = seen.get(row.threadId) ?? 0;
    seen.set(row.threadId, newer + 1);
    const goes =
      newer >= keep && row.updatedAt < before && isOver(row) && !isHeld(parts, row.runId);
    return goes ? [row.runId] : [];
  });
}

/** One that was never more than created has not even its input. */
const OVER: readonly RunSummary["status"][] = ["succeeded", "failed", "aborted", "created"];

function isOver({ status }: StoredRunRow): boolean {
  return OVER.some((one) => one === status);
}

function isHeld({ tables, now, liveness }: HousekeepingParts<unknown>, runId: string): boolean {
  const lease = tables.lease(runId);
  return lease !== undefined && isLive(lease, now, liveness);
}

function assertFree(parts: HousekeepingParts<unknown>, runId: string): void {
  const lease = parts.tables.lease(runId);
  if (lease !== undefined && isHeld(parts, runId)) throw heldError(lease);
}

/**
 * Removes the bytes that no record names. A run under way may have put some that no record names yet; whatever was put
 * since the first of these runs was taken up stays.
 */
function sweep<Content>(parts: HousekeepingParts<Content>): Omit<Pruned, "runIds"> {
  const { tables, blobs, now } = parts;
  const named = referencesIn(parts);
  return tables.transact({ synced: false, waitMs: lockWaitMs }, () => {
    const before = Math.min(now - graceMs, ...takenUp(parts));
    blobs.removeAbandoned(before);
    let [artifacts, bytes] = [0, 0];
    for (const entry of blobs.list()) {
      if (named.has(entry.hash) || !blobs.remove(entry.hash, before)) continue;
      tables.deleteArtifact(entry.hash);
      artifacts += 1;
      bytes += entry.bytes;
    }
    return { artifacts, bytes };
  });
}

function takenUp(parts: HousekeepingParts<unknown>): number[] {
  const { tables } = parts;
  return tables.positions().flatMap(({ runId }) => {
    const lease = tables.lease(runId);
    return lease !== undefined && isHeld(parts, runId) ? [lease.since] : [];
  });
}
