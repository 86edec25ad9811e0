/** Opens a store of runs on disk or in memory, and implements `RunStore` over its tables, logs and artifacts. */
import { dirname, join } from "node:path";
import type { Ir } from "../../dsl/index.ts";
import { systemClock, type TimerClock } from "../clock.ts";
import { RunError } from "../failure.ts";
import type { LogRecord } from "../records/records.ts";
import { shortRunId } from "../run-names.ts";
import { ArtifactShelf } from "./artifacts/artifacts.ts";
import { CacheBox } from "./artifacts/cache-box.ts";
import { fileBlobs } from "./artifacts/file-blobs.ts";
import { MemoryTables, memoryBlobs } from "./database/memory-tables.ts";
import { metaOf, newRunRow, summaryOf } from "./database/run-rows.ts";
import { SqliteTables } from "./database/sqlite-tables.ts";
import type { Blobs, LeaseRow, StoredRunRow, Tables } from "./database/tables.ts";
import { findRun, runWithId } from "./find-run.ts";
import { deleteRuns, type HousekeepingParts, prune } from "./housekeeping.ts";
import { changeKept } from "./lasting-fields/change-kept.ts";
import { heldThreadError } from "./lasting-fields/thread-holder.ts";
import { type Liveness, machineLiveness, takeLease, takenLease } from "./lease.ts";
import { GroupCommit, lockWaitMs, type RunStart } from "./log/group-commit.ts";
import { SegmentLog } from "./log/segment-log.ts";
import { asObjects, asText, type SegmentForm } from "./log/segments.ts";
import { SnapshotBox } from "./log/snapshots.ts";
import { StoredMemories } from "./memories/stored-memories.ts";
import { NoteBox } from "./notes.ts";
import type {
  Durability,
  KeptChange,
  KeptField,
  KeptOwner,
  Owner,
  Pruned,
  PruneOptions,
  RunFilter,
  RunLog,
  RunMeta,
  RunStore,
  RunSummary,
  StoredRun,
  StoredRunPosition,
  ThreadCopy,
} from "./run-store.ts";
import { copyThread, deleteThread, restore } from "./transfer/restore.ts";
import type { Workspace } from "./workspace.ts";
import { StoredWritableTables } from "./writable-tables.ts";

export interface StoreOptions {
  readonly clock?: TimerClock;
  readonly liveness?: Liveness;
  /** It is opened also where it can't be written. */
  readonly isForReading?: boolean;
}

/** The store on disk: a workspace's, or the one in this file with its artifacts beside it. Makes what is not there. */
export function openRunStore(
  at: Pick<Workspace, "runsFile" | "artifactsDir"> | string,
  options: StoreOptions = {},
): RunStore {
  const { runsFile, artifactsDir } =
    typeof at === "string" ? { runsFile: at, artifactsDir: join(dirname(at), "artifacts") } : at;
  const tables = new SqliteTables(runsFile, options);
  const blobs = fileBlobs(artifactsDir, options.clock ?? systemClock);
  const files = { runsFile, artifactsDir };
  return new TableStore({ tables, form: asText, blobs, files }, options);
}

/** A store that ends with its process. */
export function memoryRunStore(options: StoreOptions = {}): RunStore {
  const tables = new MemoryTables();
  const blobs = memoryBlobs(options.clock ?? systemClock);
  return new TableStore({ tables, form: asObjects, blobs, files: undefined }, options);
}

const blocking = { synced: true, waitMs: lockWaitMs };
const irsMax = 32;

interface StorePlaces<Content> {
  readonly tables: Tables<Content>;
  readonly form: SegmentForm<Content>;
  readonly blobs: Blobs;
  readonly files: RunStore["files"];
}

class TableStore<Content> implements RunStore {
  readonly files: RunStore["files"];
  readonly artifacts: ArtifactShelf;
  readonly notes: NoteBox;
  readonly cache: CacheBox;
  readonly snapshots: SnapshotBox;
  readonly memories: StoredMemories;
  readonly writable: StoredWritableTables;
  readonly #tables: Tables<Content>;
  readonly #form: SegmentForm<Content>;
  readonly #blobs: Blobs;
  readonly #group: GroupCommit<Content>;
  readonly #clock: TimerClock;
  readonly #liveness: Liveness;
  /** The graphs of the last runs that were asked for, by the key of their IR: a graph is run many times. */
  readonly #irs = new Map<string, Ir>();
  /** The logs that this store gave out and that are not closed. */
  readonly #logs = new Map<string, SegmentLog<Content>>();

  constructor(places: StorePlaces<Content>, options: StoreOptions) {
    const { tables, form, blobs, files } = places;
    const { clock = systemClock, liveness = machineLiveness } = options;
    this.files = files;
    this.#tables = tables;
    this.#form = form;
    this.#blobs = blobs;
    this.#clock = clock;
    this.#liveness = liveness;
    this.artifacts = new ArtifactShelf({ tables, blobs, clock });
    this.notes = new NoteBox({ tables, clock });
    this.cache = new CacheBox({ tables, clock });
    this.snapshots = new SnapshotBox({ tables });
    this.memories = new StoredMemories({ tables });
    this.writable = new StoredWritableTables({ tables });
    this.#group = new GroupCommit({ tables, blobs, shelf: this.artifacts, clock });
  }

  create(meta: RunMeta, owner: Owner): RunLog {
    const { runId, durability } = meta;
    if (this.#logs.has(runId) || this.#tables.run(runId) !== undefined) throw takenId(runId);
    const lease = takenLease(runId, owner, { now: this.#clock.now(), before: undefined });
    const isFree = () => heldThreadError(meta, this.list({ thread: meta.threadId }));
    const refused = meta.holdsThread === true ? { refused: isFree } : {};
    const start = { ...newRunRow(meta), lease, ...refused };
    const log = this.#log({ durability, lease, lastSeq: -1, start });
    this.#group.tryNow(log);
    if (log.failure === undefined) return log;
    this.#logs.delete(runId);
    throw log.failure;
  }

  open(runId: string, owner: Owner): RunLog {
    const row = runWithId(this.#tables, runId);
    const { durability } = metaOf(row, this.#ir(row));
    const taken = this.#tables.transact({ synced: false, waitMs: lockWaitMs }, () => {
      const lease = takeLease(this.#tables, runId, {
        owner,
        now: this.#clock.now(),
        liveness: this.#liveness,
        isOpenHere: this.#logs.has(runId),
      });
      return { lease, lastSeq: runWithId(this.#tables, runId).lastSeq };
    });
    return this.#log({ durability, ...taken, start: undefined });
  }

  read(runId: string): LogRecord[] {
    return this.readAfter(runId, -1);
  }

  readAfter(runId: string, seq: number, enough = Number.POSITIVE_INFINITY): LogRecord[] {
    runWithId(this.#tables, runId);
    const load = (hash: string) => new TextDecoder().decode(this.artifacts.get(hash));
    const found: LogRecord[] = [];
    for (const { records } of this.#tables.segmentsAfter(runId, seq)) {
      for (const record of this.#form.read(records, load)) if (record.seq > seq) found.push(record);
      if (found.length >= enough) break;
    }
    return found;
  }

  positions(): StoredRunPosition[] {
    return this.#tables.positions();
  }

  meta(runId: string): RunMeta {
    const row = runWithId(this.#tables, runId);
    return metaOf(row, this.#ir(row));
  }

  find(prefix: string): RunSummary {
    return this.#summary(findRun(this.#tables, prefix));
  }

  list(filter: RunFilter = {}): RunSummary[] {
    return this.#tables.runs(filter).map((row) => this.#summary(row));
  }

  left(at: number): RunSummary[] {
    return this.#tables.runsLeft(at).map((row) => this.#summary(row));
  }

  nextDue(after: number): number | undefined {
    return this.#tables.nextDue(after);
  }

  restore(run: StoredRun, options?: { readonly replace?: boolean }): void {
    restore(this.#housekeeping(), run, options);
  }

  delete(runId: string): void {
    runWithId(this.#tables, runId);
    this.#tables.transact(blocking, () => deleteRuns(this.#housekeeping(), [runId]));
  }

  deleteThread(threadId: string): readonly string[] {
    return deleteThread(this.#housekeeping(), threadId);
  }

  copyThread(of: ThreadCopy): readonly string[] {
    return copyThread({ ...this.#housekeeping(), read: (runId) => this.read(runId) }, of);
  }

  prune(options: PruneOptions = {}): Pruned {
    return prune(this.#housekeeping(), options);
  }

  deleted(): readonly string[] {
    return this.#tables.deletedRuns();
  }

  kept({ scope, owner }: KeptOwner): readonly KeptField[] {
    return this.#tables
      .keptRows(scope, owner)
      .map((row) => ({ ...row, scope, value: JSON.parse(row.value) }));
  }

  keptOwners(scope: KeptOwner["scope"]): readonly string[] {
    return this.#tables.keptOwners(scope);
  }

  changeKept(change: KeptChange): void {
    const runs = () => this.list({ thread: change.owner });
    changeKept({ tables: this.#tables, now: this.#clock.now(), runs }, change);
  }

  close(): void {
    const logs = [...this.#logs.values()];
    this.#logs.clear();
    for (const log of logs) log.shutNow();
    this.#group.drain(logs.filter((log) => log.failure === undefined));
    this.#tables.close();
    const failed = logs.find((log) => log.failure !== undefined);
    if (failed?.failure !== undefined) throw failed.failure;
  }

  #housekeeping(): HousekeepingParts<Content> {
    return {
      tables: this.#tables,
      form: this.#form,
      blobs: this.#blobs,
      now: this.#clock.now(),
      liveness: this.#liveness,
    };
  }

  #log(of: {
    durability: Durability;
    lease: LeaseRow;
    lastSeq: number;
    start: RunStart | undefined;
  }): SegmentLog<Content> {
    const { runId, epoch } = of.lease;
    const log: SegmentLog<Content> = new SegmentLog(
      { runId, epoch, durability: of.durability, lastSeq: of.lastSeq, start: of.start },
      {
        group: this.#group,
        form: this.#form,
        clock: this.#clock,
        onClosed: () => this.#forget(log),
      },
    );
    this.#logs.set(runId, log);
    return log;
  }

  #forget(log: SegmentLog<Content>): void {
    if (this.#logs.get(log.runId) === log) this.#logs.delete(log.runId);
  }

  #ir({ runId, irKey }: StoredRunRow): Ir {
    const known = this.#irs.get(irKey);
    if (known !== undefined) return known;
    const text = this.#tables.ir(irKey);
    if (text === undefined)
      throw new RunError("M5102", `the graph of run \`${shortRunId(runId)}\` is missing`);
    const ir: Ir = JSON.parse(text);
    this.#irs.set(irKey, ir);
    const [oldest] = this.#irs.keys();
    if (this.#irs.size > irsMax && oldest !== undefined) this.#irs.delete(oldest);
    return ir;
  }

  #summary(row: StoredRunRow): RunSummary {
    const lease = this.#tables.lease(row.runId);
    return summaryOf(row, { lease, now: this.#clock.now(), liveness: this.#liveness });
  }
}

function takenId(runId: string): RunError {
  return new RunError("M9000", `there is a run \`${runId}\` already`, { runId });
}
