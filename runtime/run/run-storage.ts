/** Describes the place that stores runs: their logs, snapshots, artifacts and lasting fields. */
import type { StoredPast } from "../history/stored-steps.ts";
import type { LogRecord } from "../records/records.ts";
import type { FollowedLog } from "../remote/remote-owner.ts";
import type { Memories } from "../store/memories/memory.ts";
import type {
  Artifacts,
  Cache,
  RunLog,
  RunMeta,
  RunSummary,
  Snapshots,
  StoredRun,
} from "../store/run-store.ts";
import type { KeptPlace } from "../threads/load-lasting-fields.ts";

/** `none` keeps no log: such a run is in no list and no trace, and ends with its process. */
export type Keep = "none" | "memory" | "disk";

export interface RunPlace {
  create(meta: RunMeta): RunLog;
  open(runId: string): RunLog;
  /** Keeps a run with its whole log. */
  restore(run: StoredRun): void;
  /** The log of a run as other processes write it, where they can. */
  stored(runId: string): FollowedLog | undefined;
  /** The run with this id, the only one whose id begins so, or the newest for `last`; throws M5107 where there is none. */
  find(id: string): RunSummary;
  /** A run of it, with its whole log; nothing where there is none of this id. */
  read(runId: string): Pick<StoredRun, "meta" | "records"> | undefined;
  /** The logs of the earlier runs of this graph in its thread, oldest first. */
  earlier(meta: RunMeta): readonly (readonly LogRecord[])[];
  /** The fields of threads and users. */
  readonly kept: KeptPlace;
  /** The cached outputs of nodes with `cache`, of all runs of the store. */
  readonly cache?: Cache;
  readonly snapshots?: Snapshots;
  /** Reads what is stored of a run. */
  past?(meta: RunMeta): StoredPast;
  /** The artifacts, unless nothing of a run is stored. */
  readonly artifacts?: Artifacts;
  readonly memories?: Memories;
}
