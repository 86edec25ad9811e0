/** Reads and writes the rows of one runs.sqlite with prepared statements and transactions. */
import type { DatabaseSync, SQLInputValue, StatementSync } from "node:sqlite";
import { MemoryIndex } from "../memories/memory-index.ts";
import type { RunFilter, StoredRunPosition } from "../run-store.ts";
import { Checkpoints } from "./checkpoints.ts";
import { openDatabase, openDatabaseToRead } from "./open-database.ts";
import { isLocked, storageError } from "./sqlite-error.ts";
import * as sql from "./statements.ts";
import type {
  ArtifactRow,
  CacheRow,
  KeptRow,
  LeaseRow,
  NoteRow,
  RunChange,
  SegmentRow,
  SnapshotChunkRow,
  SnapshotLength,
  SnapshotPlace,
  SnapshotRow,
  StoredRunRow,
  StoredText,
  Tables,
  TransactionOptions,
} from "./tables.ts";
import { tellsLength, WalRoom } from "./wal-room.ts";
import { WalSync } from "./wal-sync.ts";
import {
  type WritableRow,
  type WritableTable,
  type WritableValues,
  writableColumns,
} from "./writable-columns.ts";

/** Blocking longer than this is left to the caller, who can wait without blocking. */
const shortestWaitMs = 20;

/** The rows of one runs.sqlite. */
export class SqliteTables implements Tables<StoredText> {
  readonly memories: MemoryIndex = new MemoryIndex(() => this.#database);
  readonly #file: string;
  readonly #database: DatabaseSync;
  readonly #statements = new Map<string, StatementSync>();
  readonly #wal: WalSync;
  readonly #room: WalRoom | undefined;
  readonly #checkpoints: Checkpoints;
  #synced = false;
  #waitMs = -1;

  constructor(file: string, { isForReading = false }: { readonly isForReading?: boolean } = {}) {
    this.#file = file;
    this.#database = isForReading ? openDatabaseToRead(file) : openDatabase(file);
    this.#database.exec("PRAGMA synchronous = NORMAL; PRAGMA wal_autocheckpoint = 0");
    this.#wal = new WalSync(`${file}-wal`);
    const { sqlite } = process.versions;
    this.#room = tellsLength(sqlite) ? new WalRoom(this.#database) : undefined;
    this.#checkpoints = new Checkpoints(file, () => this.#checkpointHere());
    this.#setWait(shortestWaitMs);
  }

  transact<T>(options: TransactionOptions, body: () => T): T {
    return this.#guarded(() => {
      this.#setWait(Math.max(shortestWaitMs, options.waitMs));
      this.#setSynced(options.synced);
      this.#database.exec("BEGIN IMMEDIATE");
      try {
        const result = body();
        this.#makeRoom();
        this.#database.exec("COMMIT");
        this.#committed();
        return result;
      } finally {
        // SQLite ends the transaction itself after some errors.
        if (this.#database.isTransaction) this.#database.exec("ROLLBACK");
      }
    });
  }

  sync(options?: { readonly alone?: boolean }): Promise<void> {
    return this.#wal.sync(options).catch((error) => {
      throw storageError(error, this.#file);
    });
  }

  syncNow(): void {
    this.#guarded(() => this.#wal.syncNow());
  }

  insertRun(run: StoredRunRow, ir: string): void {
    this.#run(sql.insertGraph, { key: run.irKey, ir });
    this.#run(sql.insertRun, { ...run });
    this.#run(sql.dropDeleted, { runId: run.runId });
  }

  deleteRun(runId: string, deletedAt: number): void {
    const epoch = this.lease(runId)?.epoch ?? 0;
    this.#run(sql.putDeleted, { runId, epoch, deletedAt });
    this.#run(sql.deleteNotes, { runId });
    this.#run(sql.deleteSnapshots, { runId });
    this.#run(sql.deleteSnapshotChunks, { runId });
    this.#run(sql.deleteSegments, { runId });
    this.#run(sql.deleteLease, { runId });
    this.#run(sql.deleteRun, { runId });
  }

  deletedEpoch(runId: string): number | undefined {
    return this.#first<{ epoch: number }>(sql.deletedEpoch, { runId })?.epoch;
  }

  deletedRuns(): string[] {
    return this.#all<{ runId: string }>(sql.deletedRuns, {}).map(({ runId }) => runId);
  }

  deleteUnusedIrs(): void {
    this.#run(sql.deleteUnusedGraphs, {});
  }

  changeRun(runId: string, change: RunChange): void {
    this.#run(sql.changeRun, { runId, ...change });
  }

  run(runId: string): StoredRunRow | undefined {
    return this.#first<StoredRunRow>(sql.run, { runId });
  }

  ir(key: string): string | undefined {
    return this.#first<{ ir: string }>(sql.ir, { key })?.ir;
  }

  runs(filter: NullableFilter): StoredRunRow[] {
    const { graph = null, status = null, thread = null, until = null, limit = -1 } = filter;
    return this.#all<StoredRunRow>(sql.runs, { graph, status, thread, until, limit });
  }

  runsLeft(at: number): StoredRunRow[] {
    return this.#all<StoredRunRow>(sql.runsLeft, { at });
  }

  nextDue(after: number): number | undefined {
    return this.#first<{ at: number | null }>(sql.nextDue, { after })?.at ?? undefined;
  }

  runIdsLike(word: string): string[] {
    return this.#all<{ runId: string }>(sql.runIdsLike, { word }).map((row) => row.runId);
  }

  positions(): StoredRunPosition[] {
    return this.#all<StoredRunPosition>(sql.positions, {}).map(({ runId, lastSeq, logId }) => ({
      runId,
      lastSeq,
      logId,
    }));
  }

  insertSegment(runId: string, segment: SegmentRow<StoredText>): void {
    this.#checkpoints.wrote(segment.records.length);
    this.#wal.wrote(segment.records.length);
    this.#run(sql.insertSegment, { runId, ...segment });
  }

  *segmentsAfter(runId: string, seq: number): Generator<{ readonly records: StoredText }, void> {
    try {
      const rows = this.#statement(sql.segmentsAfter).iterate({ runId, seq });
      for (const { records } of rows) yield { records: records as StoredText };
    } catch (error) {
      throw storageError(error, this.#file);
    }
  }

  snapshot(runId: string): SnapshotRow | undefined {
    return this.#first<SnapshotRow>(sql.snapshot, { runId });
  }

  snapshotBefore(runId: string, place: SnapshotPlace): SnapshotRow | undefined {
    return this.#first<SnapshotRow>(sql.snapshotBefore, { runId, ...place });
  }

  snapshotLengths(runId: string): SnapshotLength[] {
    return this.#all<SnapshotLength>(sql.snapshotLengths, { runId });
  }

  putSnapshot(snapshot: SnapshotRow): void {
    this.#run(sql.putSnapshot, { ...snapshot });
  }

  deleteSnapshot(runId: string, seq: number): void {
    this.#run(sql.deleteSnapshot, { runId, seq });
  }

  snapshotChunk(runId: string, hash: string): Uint8Array | undefined {
    return this.#first<{ content: Uint8Array }>(sql.snapshotChunk, { runId, hash })?.content;
  }

  chunksOfSnapshot(runId: string, seq: number): string[] {
    return this.#all<{ hash: string }>(sql.chunksOfSnapshot, { runId, seq }).map(
      ({ hash }) => hash,
    );
  }

  putSnapshotChunk(chunk: SnapshotChunkRow): void {
    this.#run(sql.putSnapshotChunk, { ...chunk });
  }

  moveSnapshotChunk(chunk: Omit<SnapshotChunkRow, "content">): void {
    this.#run(sql.moveSnapshotChunk, { ...chunk });
  }

  deleteSnapshotChunk(runId: string, hash: string): void {
    this.#run(sql.deleteSnapshotChunk, { runId, hash });
  }

  lease(runId: string): LeaseRow | undefined {
    return this.#first<LeaseRow>(sql.lease, { runId });
  }

  putLease(lease: LeaseRow): void {
    this.#run(sql.putLease, { ...lease });
  }

  renewLease(runId: string, epoch: number, expiresAt: number): boolean {
    if (this.#first(sql.isRenewed, { runId, epoch, expiresAt }) !== undefined) return true;
    return this.#run(sql.renewLease, { runId, epoch, expiresAt }) === 1;
  }

  keptRows(scope: string, owner: string): KeptRow[] {
    return this.#all<KeptRow>(sql.kept, { scope, owner });
  }

  keptOwners(scope: string): string[] {
    return this.#all<{ owner: string }>(sql.keptOwners, { scope }).map(({ owner }) => owner);
  }

  keptValues(): string[] {
    return this.#all<{ value: string }>(sql.keptValues, {}).map(({ value }) => value);
  }

  putKept(row: KeptRow): void {
    this.#run(sql.putKept, { ...row });
  }

  cached(key: string): CacheRow | undefined {
    return this.#first<CacheRow>(sql.cached, { key });
  }

  putCached(row: CacheRow): void {
    this.#run(sql.putCached, { ...row });
  }

  writableRows(table: WritableTable): WritableRow[] {
    const names = writableColumns[table];
    const rows = this.#all<{ id: number } & Record<string, string | number | null>>(
      sql.writableRows(table),
      {},
    );
    return rows.map(({ id, ...row }) => ({ id, values: names.map((name) => row[name] ?? null) }));
  }

  insertWritable(table: WritableTable, values: WritableValues): void {
    const named = writableColumns[table].map((name, at) => [name, values[at] ?? null]);
    this.#run(sql.insertWritable(table), Object.fromEntries(named));
  }

  deleteWritable(table: WritableTable, id: number): void {
    this.#run(sql.deleteWritable(table), { id });
  }

  writableRevision(): string {
    return this.#first<{ revision: string }>(sql.writableRevision, {})?.revision ?? "";
  }

  setWritableRevision(revision: string): void {
    this.#run(sql.setWritableRevision, { revision });
  }

  insertNote(note: Omit<NoteRow, "number">): number {
    const stored = this.#first<{ number: number }>(sql.insertNote, { ...note });
    return stored?.number ?? 0;
  }

  pendingNotes(runId: string): NoteRow[] {
    return this.#all<NoteRow>(sql.pendingNotes, { runId });
  }

  settleNote(number: number, outcome: string): void {
    this.#run(sql.settleNote, { number, outcome });
  }

  noteOutcome(number: number): string | undefined {
    const row = this.#first<{ outcome: string | null }>(sql.noteOutcome, { number });
    return row?.outcome ?? undefined;
  }

  deleteKept(scope: string, owner: string): void {
    this.#run(sql.deleteKept, { scope, owner });
  }

  putArtifact(artifact: ArtifactRow): void {
    this.#run(sql.putArtifact, { ...artifact });
  }

  artifactRow(hash: string): ArtifactRow | undefined {
    return this.#first<ArtifactRow>(sql.artifact, { hash });
  }

  deleteArtifact(hash: string): void {
    this.#run(sql.deleteArtifact, { hash });
  }

  scrub(body: () => void): void {
    this.#guarded(() => this.#database.exec("PRAGMA secure_delete = ON"));
    try {
      body();
      // A log that somebody still reads is overwritten with the next checkpoint.
      this.#guarded(() => this.#database.exec("PRAGMA wal_checkpoint(TRUNCATE)"));
    } finally {
      this.#database.exec("PRAGMA secure_delete = OFF");
    }
  }

  shrink(): void {
    try {
      this.#guarded(() => this.#database.exec("VACUUM; PRAGMA wal_checkpoint(PASSIVE)"));
    } catch (error) {
      if (!isLocked(error)) throw error;
    }
  }

  close(): void {
    if (!this.#database.isOpen) return;
    this.#checkpoints.close();
    this.#wal.close();
    this.#database.close();
  }

  /** For a log that is synced. */
  #makeRoom(): void {
    const { descriptor } = this.#wal;
    if (descriptor !== undefined) this.#wal.wrote(this.#room?.extend(descriptor) ?? 0);
  }

  #committed(): void {
    const { descriptor } = this.#wal;
    if (descriptor !== undefined) this.#room?.committed(descriptor);
    this.#checkpoints.committed();
  }

  /** Copies the log into the file on this thread, where no other thread is available. */
  #checkpointHere(): void {
    if (this.#database.isOpen) this.#database.exec("PRAGMA wal_autocheckpoint = 1000");
  }

  #run(text: string, values: ColumnValues): number {
    return this.#guarded(() => Number(this.#statement(text).run(values).changes));
  }

  /** The statements name their columns as `Row` does, and the tables are strict. */
  #first<Row>(text: string, values: ColumnValues): Row | undefined {
    return this.#guarded(() => this.#statement(text).get(values)) as Row | undefined;
  }

  #all<Row>(text: string, values: ColumnValues): Row[] {
    return this.#guarded(() => this.#statement(text).all(values)) as Row[];
  }

  #statement(text: string): StatementSync {
    const known = this.#statements.get(text);
    if (known !== undefined) return known;
    const statement = this.#database.prepare(text);
    this.#statements.set(text, statement);
    return statement;
  }

  #setWait(waitMs: number): void {
    if (waitMs === this.#waitMs) return;
    this.#database.exec(`PRAGMA busy_timeout = ${waitMs}`);
    this.#waitMs = waitMs;
  }

  #setSynced(synced: boolean): void {
    if (synced === this.#synced) return;
    this.#database.exec(`PRAGMA synchronous = ${synced ? "FULL" : "NORMAL"}`);
    this.#synced = synced;
  }

  #guarded<T>(body: () => T): T {
    try {
      return body();
    } catch (error) {
      throw storageError(error, this.#file);
    }
  }
}

type ColumnValues = Record<string, SQLInputValue>;
type NullableFilter = { readonly [Key in keyof RunFilter]: RunFilter[Key] | null };
