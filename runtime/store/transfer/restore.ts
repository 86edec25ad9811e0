/** Puts whole runs into a store in one transaction: imported, forked or copied ones. */

import { RunError } from "../../failure.ts";
import type { LogRecord } from "../../records/records.ts";
import { shortRunId } from "../../run-names.ts";
import { frozenCopy } from "../../state/json.ts";
import { largeValueRow } from "../artifacts/artifacts.ts";
import { metaOf, standingOf, storedRunRow } from "../database/run-rows.ts";
import type { Tables } from "../database/tables.ts";
import { deleteRuns, type HousekeepingParts } from "../housekeeping.ts";
import { keptAfter } from "../lasting-fields/lasting-fields.ts";
import { lockWaitMs } from "../log/group-commit.ts";
import type { StoredRun, ThreadCopy } from "../run-store.ts";

/** Puts a run with its log; with `replace` in the place of one that has its id, else M5114 where there is one. */
export function restore<Content>(
  parts: HousekeepingParts<Content>,
  stored: StoredRun,
  { replace = false }: { readonly replace?: boolean } = {},
): void {
  const { tables } = parts;
  const { runId } = stored.meta;
  assertInOrder(stored);
  tables.transact(wholeRun, () => {
    if (tables.run(runId) !== undefined) {
      if (!replace) throw takenId(runId);
      deleteRuns(parts, [runId]);
    }
    insert(parts, stored);
  });
}

/** The runs of a thread and what it keeps, once more as another thread. */
export function copyThread<Content>(
  parts: HousekeepingParts<Content> & { readonly read: (runId: string) => LogRecord[] },
  { from, to, newRunId }: ThreadCopy,
): readonly string[] {
  const { tables } = parts;
  return tables.transact(wholeRun, () => {
    const rows = tables.runs({ thread: from }).reverse();
    assertCopies(tables, { from, to });
    const names = new Map(rows.map(({ runId }) => [runId, newRunId()]));
    const nameOf = (runId: string) => names.get(runId) ?? runId;
    for (const row of rows) {
      const { forkedFrom, follows, ...meta } = metaOf(
        row,
        JSON.parse(tables.ir(row.irKey) ?? "{}"),
      );
      const fork = forkedFrom && { ...forkedFrom, runId: nameOf(forkedFrom.runId) };
      insert(parts, {
        meta: {
          ...meta,
          runId: nameOf(row.runId),
          threadId: to,
          ...(follows && { follows: nameOf(follows) }),
          ...(fork && { forkedFrom: fork }),
        },
        summary: standingOf(row),
        records: parts.read(row.runId),
      });
    }
    for (const scope of ["thread", "answer"])
      for (const row of tables.keptRows(scope, from))
        tables.putKept({ ...row, owner: to, runId: nameOf(row.runId) });
    return [...names.values()];
  });
}

/** Deletes the runs of a thread and what it keeps. */
export function deleteThread(
  parts: HousekeepingParts<unknown>,
  threadId: string,
): readonly string[] {
  const { tables } = parts;
  return tables.transact(wholeRun, () => {
    const runIds = tables.runs({ thread: threadId }).map(({ runId }) => runId);
    if (!hasThread(tables, threadId)) throw unknownThread(threadId);
    deleteRuns(parts, runIds);
    for (const scope of ["thread", "answer"]) tables.deleteKept(scope, threadId);
    return runIds;
  });
}

const wholeRun = { synced: true, waitMs: lockWaitMs };

/** Within a transaction. */
function insert<Content>(
  { tables, form, blobs, now }: HousekeepingParts<Content>,
  stored: StoredRun,
) {
  const { runId } = stored.meta;
  const { run, ir } = storedRunRow(stored);
  const epoch = (tables.deletedEpoch(runId) ?? 0) + 1;
  tables.insertRun({ ...run, logId: epoch }, ir);
  tables.putLease({ runId, ...nobody, epoch, since: now });
  const records = stored.records.map((record) => frozenCopy(record));
  const { segments, large } = form.write(records, run.lastSeq);
  for (const value of large) {
    blobs.put(value.hash, value.bytes);
    tables.putArtifact(largeValueRow(runId, value, now));
  }
  blobs.syncNow();
  for (const segment of segments) tables.insertSegment(runId, segment);
  const kept = keptAfter(tables, { runId, kept: stored.summary.kept ?? [] }, now);
  if (kept instanceof RunError) throw kept;
  for (const row of kept) tables.putKept(row);
}

const nobody = { ownerId: "nobody", pid: 0, host: "", expiresAt: 0 };

function assertInOrder({ meta, records }: StoredRun): void {
  const [first] = records;
  if (records.every(({ seq }, index) => seq === (first?.seq ?? 0) + index)) return;
  throw new RunError("M9000", `the records of run \`${meta.runId}\` are not in order`, {
    runId: meta.runId,
  });
}

function assertCopies(
  tables: Tables<unknown>,
  { from, to }: Pick<ThreadCopy, "from" | "to">,
): void {
  if (!hasThread(tables, from)) throw unknownThread(from);
  if (!hasThread(tables, to)) return;
  throw new RunError("M5115", `there is a thread \`${to}\` already`, {
    hint: "copy to another name, or delete that thread first",
  });
}

function hasThread(tables: Tables<unknown>, thread: string): boolean {
  return (
    tables.runs({ thread, limit: 1 }).length > 0 || tables.keptRows("thread", thread).length > 0
  );
}

function unknownThread(threadId: string): RunError {
  return new RunError("M5107", `no thread is called \`${threadId}\``, {
    hint: "`madrigal runs --json` has the thread of each run",
  });
}

function takenId(runId: string): RunError {
  return new RunError("M5114", `there is a run \`${shortRunId(runId)}\` already`, {
    hint: "`--copy` takes it under another id, `--replace` in the place of that one; so do `copy` and `replace` of `runs.import`",
    runId,
  });
}
