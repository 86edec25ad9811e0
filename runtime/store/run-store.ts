/** Defines the interface of a store of runs: logs, summaries, artifacts, notes, cache, snapshots and writable tables. */

import type { Code, Ir, PromptTexts } from "../../dsl/index.ts";
import type { Answer } from "../interrupt.ts";
import type { LogRecord } from "../records/records.ts";
import type { RunStatus } from "../run-status.ts";
import type { Usage } from "../usage.ts";
import type { WritableTable, WritableValues } from "./database/writable-columns.ts";
import type { Memories, MemoryChange } from "./memories/memory.ts";
import type { Workspace } from "./workspace.ts";

/** The time at which records reach the disk: each before the next start, in groups, or all at the end. */
export type Durability = "sync" | "async" | "exit";

/** The process that drives a run: one value a process, with an `id` that no other process has. */
export interface Owner {
  readonly id: string;
  readonly pid: number;
  readonly host: string;
}

/** The facts of a run that are known when it starts; they never change. */
export interface RunMeta {
  readonly runId: string;
  readonly threadId: string;
  readonly graph: string;
  readonly graphHash: string;
  readonly ir: Ir;
  /** The model id of each alias. */
  readonly models: Readonly<Record<string, string>>;
  readonly durability: Durability;
  readonly createdAt: number;
  /** The file of its program, absolute; none where the program was given as text. */
  readonly file?: string;
  readonly scopeFile?: string;
  /**
   * The working folder that its program was compiled in: names of files in the graph are relative to it, and a program without
   * a file imports from it. Runs of earlier versions have none.
   */
  readonly folder?: string;
  readonly seed?: string;
  /** The id of the request that started it, as its caller gave it. */
  readonly request?: string;
  /** The user whose fields it has. */
  readonly user?: string;
  readonly config?: Readonly<Record<string, unknown>>;
  /** The prompts that were put in the place of its program's; `ir` has them. */
  readonly prompts?: PromptTexts;
  /** The cassette into which its model calls are recorded, absolute; whoever goes on with it records, too. */
  readonly record?: string;
  /** No other run of its thread may be under way: `create` looks, in its own transaction. */
  readonly holdsThread?: true;
  /** The run of its thread that it went on from, where that was said: such a run begins a branch of the thread. */
  readonly follows?: string;
  /** Of a fork: the run and the last record of it that this one begins with; what it begins with is in its own log too. */
  readonly forkedFrom?: ForkedFrom;
  /** The TypeScript that it began with: the hash of what its graphs name, by name, `FILE:name` for those of another file. */
  readonly code?: Readonly<Record<string, string>>;
  /** Of a run that is another one run again: what is unchanged is served from there. */
  readonly rerunOf?: RerunOf;
}

export interface RerunOf {
  readonly runId: string;
  /** Nodes that are performed in any case. */
  readonly anew?: readonly string[];
  /** Set if attempts that called something outside are performed again. */
  readonly external?: "anew";
}

export interface ForkedFrom {
  readonly runId: string;
  readonly seq: number;
  readonly step?: number;
  /** The start of the first of its ancestors; the thread's history before it is history of this run too. */
  readonly since?: number;
}

/** A whole run as it is given from store to store. */
export interface StoredRun {
  readonly meta: RunMeta;
  /** The summary of the run. */
  readonly summary: SummaryUpdate;
  readonly records: readonly LogRecord[];
}

export interface PruneOptions {
  /** Deletes ended runs whose last record is older; without it no run goes, only artifacts that no run names. */
  readonly olderThanMs?: number;
  /** So many of the newest runs of each thread stay however old they are. */
  readonly keep?: number;
  /** Says what would go, and deletes nothing. */
  readonly isTrial?: boolean;
}

export interface Pruned {
  readonly runIds: readonly string[];
  /** The number of deleted artifacts, and their bytes. */
  readonly artifacts: number;
  readonly bytes: number;
}

/** A run as lists show it. One that is `running` and has no owner lost its process: it can be resumed. */
export interface RunSummary {
  readonly runId: string;
  readonly threadId: string;
  readonly graph: string;
  readonly graphHash: string;
  readonly status: RunStatus;
  readonly reason?: string;
  readonly createdAt: number;
  readonly user?: string;
  readonly request?: string;
  /** The time of its last flushed record. */
  readonly updatedAt: number;
  readonly steps: number;
  readonly usage: Usage;
  /** The live holder of its lease, as text. */
  readonly owner?: string;
  readonly error?: RunFault;
  readonly follows?: string;
  readonly forkedFrom?: ForkedFrom;
}

export interface RunFault {
  readonly code: Code;
  readonly message: string;
  readonly node?: string;
}

/** The summary of the run after a record, stored with the flush that holds the record. */
export interface SummaryUpdate {
  readonly status: RunStatus;
  readonly reason?: string;
  readonly steps: number;
  readonly usage: Usage;
  readonly error?: RunFault;
  /** The changes of kept fields by the record; stored with it, once. */
  readonly kept?: readonly KeptWrite[];
  /** The changes of memories by the record, as `kept`. */
  readonly memories?: readonly MemoryChange[];
  /** A time before which the run has nothing to do by itself, asked for with the flush. */
  readonly dueAt?: () => number;
}

/**
 * The owner of a field that outlives its run: a thread by its id, or a user by name. Of the scope `answer` is when somebody
 * took back a remembered answer of a thread: the field is its question, the value the time.
 */
export interface KeptOwner {
  readonly scope: "thread" | "user" | "answer";
  readonly owner: string;
}

export interface KeptWrite extends KeptOwner {
  readonly field: string;
  /** Of a user's field: whose it is where it is new, and whether what another graph keeps under its name can be shared. */
  readonly of?: KeptType;
  /** Of a thread's field: whether its type has anything private in it, which is told when its programs are gone. */
  readonly isPrivate?: boolean;
  /** The value after the write, given the one that is stored; called within the transaction, so it is quick and pure. */
  readonly update: (stored: unknown) => unknown;
}

/** The graph that declares a user's field, and what its values are. */
export interface KeptType {
  readonly graph: string;
  /** A hash of the type: graphs of one type share the field. */
  readonly type: string;
  fits(value: unknown): boolean;
}

export interface KeptField extends KeptOwner {
  readonly field: string;
  /** Of a user's field: the graph that wrote it first, and the type as a hash, if that is known; of a thread's `private` where it is. */
  readonly graph: string;
  readonly type: string;
  readonly value: unknown;
  /** The run that wrote it last, and when; no run where a person did. */
  readonly runId: string;
  readonly updatedAt: number;
}

/** The new kept values of a thread or a user. */
export interface KeptChange extends KeptOwner {
  /** The kept values as the caller knows them. */
  readonly before: readonly KeptField[];
  readonly after: readonly Pick<KeptField, "field" | "graph" | "type" | "value">[];
}

/** The results of nodes with `cache`, by the key of their input; the last stored entry counts. */
export interface Cache {
  get(key: string): CacheEntry | undefined;
  put(key: string, value: unknown): void;
}

export interface CacheEntry {
  readonly value: unknown;
  readonly storedAt: number;
}

export interface RunFilter {
  readonly graph?: string;
  readonly status?: RunStatus;
  readonly thread?: string;
  /** Begun at this time or before, in milliseconds since the epoch. */
  readonly until?: number;
  readonly limit?: number;
}

/** The last flushed record of a run's log; -1 before its first flush. */
export interface StoredRunPosition {
  readonly runId: string;
  readonly lastSeq: number;
  /** Another one where the run of this id was replaced, or deleted and brought in again. */
  readonly logId: number;
}

/** The writing end of one run's log. Once a flush failed, every later call fails with the same error. */
export interface RunLog {
  readonly runId: string;
  /** The last acknowledged record; -1 when there is none. */
  readonly flushedSeq: number;
  /** Takes one record as it is now; `seq` goes on from the last one without a gap. */
  append(record: LogRecord, summary: SummaryUpdate): void;
  /** Resolves when everything appended so far is stored, in every durability mode. */
  flush(): Promise<void>;
  /** Flushes and gives up the lease. */
  close(): Promise<void>;
}

export interface ThreadCopy {
  readonly from: string;
  readonly to: string;
  /** An id that no run has; called in the order in which the runs began. */
  readonly newRunId: () => string;
}

export interface RunStore {
  /** The files on the disk; undefined for a store in memory. */
  readonly files: Pick<Workspace, "runsFile" | "artifactsDir"> | undefined;
  /** A new run with its lease. */
  create(meta: RunMeta, owner: Owner): RunLog;
  /** Goes on with a stored run: takes its lease, unless a live owner holds it (M5105). */
  open(runId: string, owner: Owner): RunLog;
  /** All flushed records in order, also of a run that another process drives. */
  read(runId: string): LogRecord[];
  /** Those after `seq`; with `enough`, no more than it takes to read so many of them, as they were flushed together. */
  readAfter(runId: string, seq: number, enough?: number): LogRecord[];
  positions(): StoredRunPosition[];
  meta(runId: string): RunMeta;
  /** The run with this id, the only one whose id begins so, or the newest for `last`. */
  find(prefix: string): RunSummary;
  /** Newest first. */
  list(filter?: RunFilter): RunSummary[];
  /** Runs that are not over, and may have something due at a time: all others have not. */
  left(at: number): RunSummary[];
  /** The first time after another at which a run may have something due. */
  nextDue(after: number): number | undefined;
  /**
   * A run with its whole log, in one transaction; it is driven by nobody. Where one of its id is there it is M5114, or that
   * one goes with `replace`.
   */
  restore(run: StoredRun, options?: { readonly replace?: boolean }): void;
  /** A run with its log, its lease and what is known of it; M5105 while somebody drives it. What threads and users keep stays. */
  delete(runId: string): void;
  /** All runs of a thread and what the thread keeps, in one transaction; their ids. M5107 where it has neither. */
  deleteThread(threadId: string): readonly string[];
  /** All runs of a thread, under new ids, and what it keeps, in one transaction; M5115 where the other thread is there. */
  copyThread(of: ThreadCopy): readonly string[];
  /** Clears out old runs, and artifacts that no run names. */
  prune(options?: PruneOptions): Pruned;
  /** The ids of runs that were deleted and did not come back: what is derived from their logs can go. */
  deleted(): readonly string[];
  /** The fields that a thread or a user has so far. */
  kept(of: KeptOwner): readonly KeptField[];
  /** Lists the threads or users that keep something, the last written first. */
  keptOwners(scope: KeptOwner["scope"]): readonly string[];
  /** In one transaction; M5350 while a run of the thread is under way, M5358 where it keeps something else than `before`. */
  changeKept(change: KeptChange): void;
  readonly memories: Memories;
  readonly artifacts: Artifacts;
  readonly notes: Notes;
  readonly cache: Cache;
  readonly snapshots: Snapshots;
  readonly writable: WritableTables;
  /** Stores what is still pending in one blocking transaction, gives up all leases, closes the files. */
  close(): void;
}

/** The tables that people write with SQL in the traces: `scores`, `model_prices`, `model_contexts`. */
export interface WritableTables {
  /** Another text after each change; empty in a file whose tables nobody has written yet. */
  revision(): string;
  rows(): WritableRows;
  rowsOf(table: WritableTable): readonly WritableValues[];
  /**
   * Makes these the rows of the tables, in one transaction, and returns their revision; nothing is written, and nothing
   * returned, where the tables have another revision than `from`.
   */
  replace(from: string, rows: WritableRows): string | undefined;
}

export type WritableRows = Readonly<Record<WritableTable, readonly WritableValues[]>>;

/** The snapshots of runs behind a record. They are derived from the logs: a missing one is folded anew. */
export interface Snapshots {
  /** The last one of a run; none where it is damaged or ahead of the log. */
  get(runId: string): StoredSnapshot | undefined;
  /** The last one with fewer steps than that which stands no further than behind a record; none where that is damaged. */
  before(
    runId: string,
    place: { readonly step: number; readonly upTo: number },
  ): StoredSnapshot | undefined;
  /**
   * Of a record that is flushed; false, and nothing stored or thrown, where that can't be done at once. Earlier ones stay
   * as long as they take no more room than the log.
   */
  put(runId: string, snapshot: StoredSnapshot, chunks?: SnapshotChunks): boolean;
  /** The bytes of a chunk that the text of a snapshot names; undefined where they are missing or damaged. */
  chunk(runId: string, hash: string): Uint8Array | undefined;
}

/** The chunks of long lists that the text of a snapshot names, each under the sha256 of its bytes, as base64url. */
export interface SnapshotChunks {
  readonly named: ReadonlySet<string>;
  /** Those of them that may not be stored yet. */
  readonly fresh: ReadonlyMap<string, Uint8Array>;
}

export interface StoredSnapshot {
  /** The record that it stands behind. */
  readonly seq: number;
  /** The number of own steps of the run. */
  readonly steps: number;
  /** The first record with a call or a question of node runs that were open then. */
  readonly since: number;
  /** The program that folded it. */
  readonly graphHash: string;
  /** The layout of the text. */
  readonly layout: number;
  readonly text: string;
}

/** A message to a run that another process drives, or none. */
export type NoteBody =
  | { readonly verb: "answer"; readonly interrupt: string; readonly answer: Answer }
  | { readonly verb: "abort"; readonly reason?: string }
  | { readonly verb: "pause"; readonly now?: boolean; readonly reason?: string }
  | {
      readonly verb: "steer";
      readonly text: string;
      readonly to?: string;
      readonly givenId?: string;
    };

export interface Note {
  /** Grows from note to note. */
  readonly number: number;
  readonly runId: string;
  readonly body: NoteBody;
  /** The process that it was said in. */
  readonly by: string;
  readonly at: number;
}

export interface Notes {
  /**
   * Returns when it is stored, with its number; nothing where the question has an answer already that nobody has read. A steer whose
   * id waits already is that one.
   */
  leave(runId: string, body: NoteBody, by: string): number | undefined;
  /** Those that nobody has taken in, in the order in which they were said. */
  pending(runId: string): readonly Note[];
  /** Settles a note: the process that drives the run took it in, or refused it with a reason. */
  settle(number: number, outcome: string): void;
  /** Returns the outcome of a note, once a process has read it. */
  outcome(number: number): string | undefined;
}

export interface ArtifactInfo {
  readonly kind: string;
  readonly mime: string;
  /** The id of the node run that made it. */
  readonly producer?: string;
}

/** Bytes under their sha256. */
export interface Artifacts {
  /** They are on the disk before a record that names them; equal bytes are stored once and keep their first description. */
  put(bytes: Uint8Array, info: ArtifactInfo): { readonly hash: string; readonly bytes: number };
  /** The same for bytes that are never whole in memory. The pieces can be read again. */
  putPieces(
    pieces: Iterable<Uint8Array>,
    info: ArtifactInfo,
  ): Promise<{ readonly hash: string; readonly bytes: number }>;
  /** Missing or damaged bytes are M5109. */
  get(hash: string): Uint8Array;
  info(hash: string): ArtifactInfo | undefined;
}
