/** Opens the storage of one run: on disk, in the memory of the process, or in its handle alone. */

import type { Ir } from "../../dsl/index.ts";
import { hashesIn, McpServers } from "../agents/mcp/mcp-servers.ts";
import { RunError } from "../failure.ts";
import { storedPast } from "../history/stored-steps.ts";
import { noLog } from "../store/log/no-store.ts";
import type { Owner, RunMeta, RunStore } from "../store/run-store.ts";
import { earlierRuns } from "../threads/thread-talks.ts";
import type { Keep, RunPlace } from "./run-storage.ts";

/** The stores that a session has; `memory` is made when a run first asks for it. */
export interface Stores {
  readonly owner: Owner;
  store(keep: Exclude<Keep, "none"> | undefined): RunStore;
}

/** The storage of a run that asks for `keep`; by default that of its session. Throws M5111 where the session has no disk. */
export function chooseRunPlace(keep: Keep | undefined, stores: Stores): RunPlace {
  if (keep === "none") return nowhere;
  return placeIn(stores.store(keep), stores.owner);
}

/** The place of the runs of one store. */
export function placeIn(store: RunStore, owner: Owner): RunPlace {
  return {
    create: (meta) => store.create(meta, owner),
    open: (runId) => store.open(runId, owner),
    restore: (run) => store.restore(run),
    kept: {
      kept: (of) => store.kept(of),
      runsOf: (thread) => store.list({ thread }),
      recordsOf: (runId) =>
        store.positions().some((one) => one.runId === runId) ? store.read(runId) : [],
    },
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
    find: (id) => store.find(id),
    read: (runId) => {
      const isThere = store.positions().some((one) => one.runId === runId);
      return isThere ? { meta: store.meta(runId), records: store.read(runId) } : undefined;
    },
    earlier: (meta) =>
      earlierRuns(meta, (thread) => store.list({ thread })).map((runId) => store.read(runId)),
    cache: store.cache,
    snapshots: store.snapshots,
    past: (meta) => storedPast(store, meta),
    artifacts: store.artifacts,
    memories: store.memories,
  };
}

const nowhere: RunPlace = {
  create: ({ runId }) => noLog(runId),
  open: (runId) => noLog(runId),
  restore: () => {},
  stored: () => undefined,
  find: (id) => {
    throw new RunError("M5107", `there is no run \`${id}\` where nothing is kept`);
  },
  read: () => undefined,
  earlier: () => [],
  kept: { kept: () => [], runsOf: () => [], recordsOf: () => [] },
};

/** The surroundings of the servers of tools of a run. */
interface ServersOf {
  readonly place: RunPlace;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Declared by the program. */
  readonly folder: string | undefined;
  readonly ir: Ir;
}

/** Opens no server yet: each is started by the first call of one of its tools. */
export function serversOf(
  { runId, config }: RunMeta,
  { place, env, folder, ir }: ServersOf,
): McpServers {
  return new McpServers({
    env,
    ...(folder === undefined ? {} : { folder }),
    ...(config === undefined ? {} : { config }),
    ...(ir.graphs === undefined ? {} : { graphs: ir.graphs }),
    ...(ir.source === undefined ? {} : { file: ir.source.file }),
    earlier: () => hashesIn(place.read(runId)?.records ?? []),
  });
}
