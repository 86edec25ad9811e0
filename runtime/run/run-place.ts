/** Where one run is kept: on disk, in this process's memory, or nowhere but in the handle that people hold. */
import type { LogRecord } from "../records.ts";
import {
  type Artifacts,
  type Cache,
  noLog,
  type Owner,
  type RunLog,
  type RunMeta,
  type RunStore,
  type Snapshots,
  type StoredRun,
} from "../store/index.ts";
import type { StoredLog } from "./elsewhere.ts";
import type { KeptPlace } from "./kept.ts";
import { earlierRuns } from "./thread-talks.ts";

/** `none` keeps no log: such a run is in no list and no trace, and ends with its process. */
export type Keep = "none" | "memory" | "disk";

export interface RunPlace {
  create(meta: RunMeta): RunLog;
  open(runId: string): RunLog;
  /** Keeps a run with its whole log. */
  restore(run: StoredRun): void;
  /** What other processes write to the log of this run, where any can. */
  stored(runId: string): StoredLog | undefined;
  /** A run of it, with its whole log; nothing where there is none of this id. */
  read(runId: string): Pick<StoredRun, "meta" | "records"> | undefined;
  /** The logs of the earlier runs of this graph in its thread, oldest first. */
  earlier(meta: RunMeta): readonly (readonly LogRecord[])[];
  /** What threads and users keep there. */
  readonly kept: KeptPlace;
  /** What nodes with `cache` came to, in all runs of its store. */
  readonly cache?: Cache;
  readonly snapshots?: Snapshots;
  /** Where its artifacts go, unless nothing of it is kept. */
  readonly artifacts?: Artifacts;
}

/** The stores that a session has; `memory` is made when a run first asks for it. */
export interface Stores {
  readonly owner: Owner;
  store(keep: Exclude<Keep, "none"> | undefined): RunStore;
}

/** Where a run goes that asks for `keep`; without it, where its session keeps runs. Throws M5111 for a disk that the session has not. */
export function placeOf(keep: Keep | undefined, stores: Stores): RunPlace {
  if (keep === "none") return nowhere;
  return placeIn(stores.store(keep), stores.owner);
}

/** The place of the runs of one store. */
export function placeIn(store: RunStore, owner: Owner): RunPlace {
  return {
    create: (meta) => store.create(meta, owner),
    open: (runId) => store.open(runId, owner),
    restore: (run) => store.restore(run),
    kept: { kept: (of) => store.kept(of), runsOf: (thread) => store.list({ thread }) },
    stored: (runId) => ({
      readAfter: (seq) => store.readAfter(runId, seq),
      isDriven: () => store.find(runId).owner !== undefined,
      notes: {
        leave: (body) => store.notes.leave(runId, body, owner.id),
        pending: () => store.notes.pending(runId),
        settle: (number, outcome) => store.notes.settle(number, outcome),
        outcome: (number) => store.notes.outcome(number),
      },
    }),
    read: (runId) => {
      const isThere = store.positions().some((one) => one.runId === runId);
      return isThere ? { meta: store.meta(runId), records: store.read(runId) } : undefined;
    },
    earlier: (meta) =>
      earlierRuns(meta, (thread) => store.list({ thread })).map((runId) => store.read(runId)),
    cache: store.cache,
    snapshots: store.snapshots,
    artifacts: store.artifacts,
  };
}

const nowhere: RunPlace = {
  create: ({ runId }) => noLog(runId),
  open: (runId) => noLog(runId),
  restore: () => {},
  stored: () => undefined,
  read: () => undefined,
  earlier: () => [],
  kept: { kept: () => [], runsOf: () => [] },
};
