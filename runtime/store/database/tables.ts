/** Defines the rows of a store and the interface that the SQLite tables and those in memory implement. */

import type { MemoryIndex } from "../memories/memory-index.ts";
import type { RunFilter, StoredRunPosition } from "../run-store.ts";
import type { WritableRow, WritableTable, WritableValues } from "./writable-columns.ts";

export interface StoredRunRow {
  readonly runId: string;
  readonly threadId: string;
  readonly graph: string;
  readonly graphHash: string;
  /** The sha256 of the stored IR's text: one graph hash can have several, which differ in spans. */
  readonly irKey: string;
  /** The rest of `RunMeta` as JSON. */
  readonly meta: string;
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly status: string;
  readonly reason: string | null;
  readonly steps: number;
  readonly usage: string;
  readonly error: string | null;
  readonly lastSeq: number;
  readonly dueAt: number | null;
  /** The number of the log, among the logs that a run of this id has had. */
  readonly logId: number;
}

/** The changes of a run's row by a flush. */
export interface RunChange {
  readonly updatedAt: number;
  readonly status: string;
  readonly reason: string | null;
  readonly steps: number;
  readonly usage: string;
  readonly error: string | null;
  readonly lastSeq: number;
  /** Before that time it has nothing to do by itself; null where that is not known. */
  readonly dueAt: number | null;
}

/** Records as a database keeps them: as JSON, or as the bytes of that JSON compressed with zstd. */
export type StoredText = string | Uint8Array;

/** Records in a row; `Content` is what a store keeps them as, see `segments.ts`. */
export interface SegmentRow<Content> {
  readonly firstSeq: number;
  readonly lastSeq: number;
  readonly records: Content;
}

/** Stays after its release, so that the epoch only ever grows; released = expired at 0. */
export interface LeaseRow {
  readonly runId: string;
  readonly ownerId: string;
  readonly pid: number;
  readonly host: string;
  readonly epoch: number;
  readonly since: number;
  readonly expiresAt: number;
}

export interface ArtifactRow {
  readonly hash: string;
  readonly bytes: number;
  readonly kind: string;
  readonly mime: string;
  readonly producer: string | null;
  readonly createdAt: number;
}

/** The value of a field of a thread or a user, as JSON. */
export interface KeptRow {
  readonly scope: string;
  readonly owner: string;
  readonly field: string;
  /** Of a user's field: the graph that wrote it first. */
  readonly graph: string;
  /** Its type as a hash; empty where that is not known. */
  readonly type: string;
  readonly value: string;
  readonly runId: string;
  readonly updatedAt: number;
}

/** A note to a run, as JSON. */
export interface NoteRow {
  readonly number: number;
  readonly runId: string;
  readonly body: string;
  readonly by: string;
  readonly at: number;
}

/** The output of a node, as JSON. */
export interface CacheRow {
  readonly key: string;
  readonly value: string;
  readonly storedAt: number;
}

/** The last one with fewer steps than that, of those that stand no further than behind a record. */
export interface SnapshotPlace {
  readonly step: number;
  readonly upTo: number;
}

/** The length of a snapshot in bytes, with the chunks that it was the first to have. */
export interface SnapshotLength {
  readonly seq: number;
  readonly length: number;
}

/** The snapshot of a run behind a record, as a text. */
export interface SnapshotRow {
  readonly runId: string;
  readonly seq: number;
  readonly steps: number;
  readonly since: number;
  readonly graphHash: string;
  readonly layout: number;
  /** The sha256 of all the rest. */
  readonly hash: string;
  readonly content: string;
}

/** A chunk of a long list of the snapshots of a run. */
export interface SnapshotChunkRow {
  readonly runId: string;
  readonly hash: string;
  /** The first kept snapshot that has it. */
  readonly seq: number;
  readonly content: Uint8Array;
}

export interface TransactionOptions {
  /** Survives a power cut as soon as it returns. */
  readonly synced: boolean;
  /** Blocks this long for another process's transaction before M5104. */
  readonly waitMs: number;
}

export interface Tables<Content> {
  /** All of `body` or nothing; one at a time. */
  transact<T>(options: TransactionOptions, body: () => T): T;
  /**
   * Resolves when everything committed by now survives a power cut. Holds up nobody, unless who asks is `alone` with it and
   * the disk is as quick as another thread.
   */
  sync(options?: { readonly alone?: boolean }): Promise<void>;
  /** The same, when it returns. */
  syncNow(): void;
  insertRun(run: StoredRunRow, ir: string): void;
  changeRun(runId: string, change: RunChange): void;
  run(runId: string): StoredRunRow | undefined;
  ir(key: string): string | undefined;
  /** Newest first. */
  runs(filter: RunFilter): StoredRunRow[];
  /** The runs that are not over, and may have something due at a time. */
  runsLeft(at: number): StoredRunRow[];
  /** The first time after another at which a run may have something due. */
  nextDue(after: number): number | undefined;
  /** Those that begin or end with a word; newest first. */
  runIdsLike(word: string): string[];
  positions(): StoredRunPosition[];
  /** Everything of a run but its epoch, which `deletedEpoch` knows from then on, until a run of this id is inserted again. */
  deleteRun(runId: string, deletedAt: number): void;
  deletedEpoch(runId: string): number | undefined;
  /** In the order in which they went. */
  deletedRuns(): string[];
  /** Graphs that no run has any more. */
  deleteUnusedIrs(): void;
  insertSegment(runId: string, segment: SegmentRow<Content>): void;
  /** Returns the segments that hold records after `seq`, in order; each is read when it is asked for. */
  segmentsAfter(runId: string, seq: number): Iterable<Pick<SegmentRow<Content>, "records">>;
  /** The last one of a run. */
  snapshot(runId: string): SnapshotRow | undefined;
  snapshotBefore(runId: string, place: SnapshotPlace): SnapshotRow | undefined;
  /** Those of the last two, the last one first. */
  snapshotLengths(runId: string): readonly SnapshotLength[];
  /** In the place of the one behind the same record. */
  putSnapshot(snapshot: SnapshotRow): void;
  deleteSnapshot(runId: string, seq: number): void;
  snapshotChunk(runId: string, hash: string): Uint8Array | undefined;
  /** The hashes of those that a snapshot was the first to have. */
  chunksOfSnapshot(runId: string, seq: number): readonly string[];
  /** One that is there keeps its `seq`, and has this content. */
  putSnapshotChunk(chunk: SnapshotChunkRow): void;
  moveSnapshotChunk(chunk: Omit<SnapshotChunkRow, "content">): void;
  deleteSnapshotChunk(runId: string, hash: string): void;
  lease(runId: string): LeaseRow | undefined;
  putLease(lease: LeaseRow): void;
  /** False when the run has another epoch by now. */
  renewLease(runId: string, epoch: number, expiresAt: number): boolean;
  keptRows(scope: string, owner: string): KeptRow[];
  /** Lists the threads or users that keep something, the last written first. */
  keptOwners(scope: string): string[];
  putKept(row: KeptRow): void;
  insertNote(note: Omit<NoteRow, "number">): number;
  /** Those without an outcome, in their order. */
  pendingNotes(runId: string): NoteRow[];
  /** The first outcome counts. */
  settleNote(number: number, outcome: string): void;
  noteOutcome(number: number): string | undefined;
  /** Lists the kept values of all threads and users, as JSON. */
  keptValues(): string[];
  deleteKept(scope: string, owner: string): void;
  cached(key: string): CacheRow | undefined;
  putCached(row: CacheRow): void;
  /** In the order in which they were inserted. */
  writableRows(table: WritableTable): readonly WritableRow[];
  insertWritable(table: WritableTable, values: WritableValues): void;
  deleteWritable(table: WritableTable, id: number): void;
  /** The text that was set last; empty in a file whose tables nobody has written yet. */
  writableRevision(): string;
  setWritableRevision(revision: string): void;
  putArtifact(artifact: ArtifactRow): void;
  artifactRow(hash: string): ArtifactRow | undefined;
  deleteArtifact(hash: string): void;
  /** The rows of all memories. */
  readonly memories: MemoryIndex;
  /** Has `body` delete rows, and overwrites what they were, also in the log of the database. */
  scrub(body: () => void): void;
  /** Gives back to the file system what deleted rows took, if nobody else is at the file. */
  shrink(): void;
  close(): void;
}

/** Content-addressed bytes. */
export interface Blobs {
  /** Anybody can read them then; what is there already is not written again, but counts as put now. */
  put(hash: string, bytes: Uint8Array): void;
  /** The same for content that is never whole in memory, one piece after the other; resolves with its hash and its length. */
  putPieces(pieces: Iterable<Uint8Array>): Promise<BlobEntry>;
  /** Counts content as put now; false where it is not there. */
  touch(hash: string): boolean;
  /** Resolves, never rejects, when what was put is on the disk or failed; nothing where there is nothing to wait for. */
  synced(): Promise<unknown> | undefined;
  /** Returns when what was put survives a power cut, or throws. */
  syncNow(): void;
  /** Undefined when there is no such content. */
  get(hash: string): Uint8Array | undefined;
  list(): readonly BlobEntry[];
  /** Unless it was put, or put again, at `before` or later; whether it went. */
  remove(hash: string, before: number): boolean;
  /** Takes away what killed processes have left half written before that time. */
  removeAbandoned(before: number): void;
}

export interface BlobEntry {
  readonly hash: string;
  readonly bytes: number;
}
