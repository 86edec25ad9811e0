/** Collects what records of a run change of memories, and asks them for what a run recalls. */
import { messageOf } from "../failure.ts";
import type { LoggedStore, Recalled, RecallRequest } from "../records/memory-records.ts";
import { innermost, type LogRecord } from "../records/records.ts";
import type { FunctionCall } from "../scheduler/expressions/calls.ts";
import { warnOfMemory } from "../store/memories/apply-memory.ts";
import {
  type Memories,
  type MemoryChange,
  type MemorySpace,
  memoryOwner,
} from "../store/memories/memory.ts";
import type { RunMeta } from "../store/run-store.ts";

type RememberingRun = Pick<RunMeta, "runId" | "threadId" | "user">;

/** The changes of memories by records: what commits store, and what a rewind takes back. */
export function memoryChanges(
  whose: RememberingRun,
  records: readonly LogRecord[],
): readonly MemoryChange[] {
  let changes: readonly MemoryChange[] = NONE;
  for (const record of records) {
    const made = innermost(record);
    if (made.kind === "control" && made.verb === "rewind")
      changes = [...changes, { kind: "withdraw", runId: whose.runId, afterSeq: made.to }];
    // The run that it was served from has stored it.
    if (made.kind !== "commit" || made.stores === undefined || made.served !== undefined) continue;
    const { node } = made;
    const puts = made.stores.map((stored, place): MemoryChange => {
      const source = { runId: whose.runId, seq: record.seq, place, node };
      return { kind: "put", write: { ...writeOf(whose, stored, record.at), source } };
    });
    changes = [...changes, ...puts];
  }
  return changes;
}

const NONE: readonly never[] = [];

function writeOf(
  whose: RememberingRun,
  { memory, scope, agent, ...stored }: LoggedStore,
  at: number,
) {
  const { value, key, keepMs, review } = stored;
  return {
    ...{ memory, scope, owner: memoryOwner(scope, { ...whose, agent }), value, at },
    ...(key === undefined ? {} : { key }),
    ...(keepMs === undefined ? {} : { expiresAt: at + keepMs }),
    ...(review === true ? { isProposed: true } : {}),
  };
}

/** The memory of the run's own user, thread or node that a request is about. */
function spaceOf(
  whose: RememberingRun,
  { memory, scope, agent }: Pick<RecallRequest, "memory" | "scope" | "agent">,
): MemorySpace {
  return { memory, scope, owner: memoryOwner(scope, { ...whose, agent }) };
}

interface RecallPlace {
  readonly memories: Memories | undefined;
  readonly now: () => number;
  /** Resolves when what the run has committed so far is stored: it finds its own entries, too. */
  readonly stored: () => Promise<void>;
}

/** The memories as a run reaches them: those of its own user, threads and nodes. */
export function memoriesFor(whose: RememberingRun, place: RecallPlace) {
  return {
    runId: whose.runId,
    memories: place.memories,
    space: (of: Parameters<typeof spaceOf>[1]) => spaceOf(whose, of),
    recall: recallFor(whose, place),
  };
}

/** Asks the memories of the run's own user and thread; what goes wrong is told once, and the run goes on without. */
function recallFor(
  whose: RememberingRun,
  { memories, now, stored }: RecallPlace,
): (call: FunctionCall) => Promise<Recalled> {
  return async ({ args, fits, vector }) => {
    const { memory, scope, agent, text, top, min } = args[0] as RecallRequest;
    const { owner } = spaceOf(whose, { memory, scope, agent });
    const query = {
      memory,
      scope,
      owner,
      text,
      top,
      now: now(),
      ...(min === undefined ? {} : { min }),
      ...(vector === undefined ? {} : { vector }),
    };
    try {
      await stored();
      const asked = fits === undefined ? query : { ...query, fits };
      return { entries: memories?.recall(asked) ?? [] };
    } catch (error) {
      warnOfMemory(`the memory \`${memory}\` could not be read`, error);
      return { entries: [], fault: messageOf(error) };
    }
  };
}
