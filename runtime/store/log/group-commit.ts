/** Writes the pending records of many logs in one transaction, retries while the database is locked, and fails logs alone. */
import type { TimerClock } from "../../clock.ts";
import { RunError } from "../../failure.ts";
import { type ArtifactShelf, largeValueRow } from "../artifacts/artifacts.ts";
import { isLocked, storageError } from "../database/sqlite-error.ts";
import type { Blobs, LeaseRow, RunChange, StoredRunRow, Tables } from "../database/tables.ts";
import { keptAfter } from "../lasting-fields/lasting-fields.ts";
import { leaseMs, lostLeaseError } from "../lease.ts";
import { applyMemory } from "../memories/apply-memory.ts";
import type { MemoryChange } from "../memories/memory.ts";
import type { KeptWrite } from "../run-store.ts";
import type { WrittenSegment } from "./segments.ts";

/** The time for which a locked database is tried again before callers get M5104, in milliseconds. */
export const lockWaitMs = 5_000;
const firstPauseMs = 5;
/** So often what was put while others went to the disk goes there without anybody being held up. */
const fileRounds = 4;
const pauseMsMax = 200;

/** The records that one log wants stored. */
export interface CommitBatch<Content> extends WrittenSegment<Content> {
  readonly runId: string;
  readonly epoch: number;
  /** Nobody is told that it is stored before it survives a power cut. */
  readonly synced: boolean;
  /** The last record that there is. */
  readonly upTo: number;
  /** The run itself, while it is not stored yet. */
  readonly start: RunStart | undefined;
  readonly change: RunChange | undefined;
  readonly kept: readonly KeptWrite[];
  readonly memories: readonly MemoryChange[];
  /** Gives the lease up. */
  readonly release: boolean;
}

export interface RunStart {
  readonly run: StoredRunRow;
  readonly ir: string;
  readonly lease: LeaseRow;
  /** Says within the transaction why it may not begin. */
  readonly refused?: () => RunError | undefined;
}

/** A log as the committer sees it: `settle` follows `batch` in the same turn. */
export interface CommitMember<Content> {
  batch(): CommitBatch<Content>;
  /** Without an error the batch is stored, with one nothing of it is. */
  settle(error: RunError | undefined): void;
  /** Of a synced batch: what was stored up to this record is on the disk, or can't be brought there. */
  synced(upTo: number, error?: RunError): void;
}

/** Stored records that may not be on the disk yet. */
interface Unsynced<Content> {
  readonly member: CommitMember<Content>;
  readonly upTo: number;
}

/** Stores what all logs of a store want in one transaction a turn. A log that lost its lease fails alone. */
export class GroupCommit<Content> {
  readonly #tables: Tables<Content>;
  readonly #blobs: Blobs;
  readonly #shelf: ArtifactShelf;
  readonly #clock: TimerClock;
  readonly #waiting = new Set<CommitMember<Content>>();
  #round: Promise<void> | undefined;
  #unsynced: Unsynced<Content>[] = [];
  #syncing = Promise.resolve();
  #isSyncing = false;
  /** The member that was the only one to sync, the last time. */
  #lastAlone: CommitMember<Content> | undefined;

  constructor(parts: {
    tables: Tables<Content>;
    blobs: Blobs;
    shelf: ArtifactShelf;
    clock: TimerClock;
  }) {
    this.#tables = parts.tables;
    this.#blobs = parts.blobs;
    this.#shelf = parts.shelf;
    this.#clock = parts.clock;
  }

  /** Resolves, never rejects, once `member` is settled; whatever it takes up before that is stored with it. */
  request(member: CommitMember<Content>): Promise<void> {
    this.#waiting.add(member);
    // A turn later, so that all appends of this one share a transaction.
    this.#round ??= Promise.resolve().then(() => this.#run());
    return this.#round;
  }

  /** One try at once; a locked database leaves the rest to a later turn. */
  tryNow(member: CommitMember<Content>): void {
    this.#waiting.add(member);
    if (this.#attempt(0) !== undefined) void this.request(member); // never rejects
  }

  /** Blocks until everything is settled: for a process about to end. */
  drain(members: readonly CommitMember<Content>[]): void {
    for (const member of members) this.#waiting.add(member);
    const locked = this.#attempt(lockWaitMs);
    if (locked !== undefined) this.#settle(() => locked);
    if (this.#unsynced.length > 0 || this.#isSyncing) this.#syncNow();
  }

  /** Resolves, never rejects, once all that is stored is on the disk, for those who want that. */
  onDisk(): Promise<void> {
    const taken = this.#unsynced;
    if (taken.length === 0) return this.#syncing;
    this.#unsynced = [];
    this.#isSyncing = true;
    const settle = (error?: RunError) => {
      this.#isSyncing = false;
      tell(taken, error);
    };
    const syncing = this.#tables.sync({ alone: this.#isAlone(taken) });
    this.#syncing = syncing.then(
      () => settle(),
      (error) => settle(storageError(error, "the store")),
    );
    return this.#syncing;
  }

  /** One log that flushes again and again: nobody else would wait. */
  #isAlone([only, ...others]: readonly Unsynced<Content>[]): boolean {
    const before = this.#lastAlone;
    this.#lastAlone = others.length === 0 ? only?.member : undefined;
    return this.#lastAlone !== undefined && this.#lastAlone === before;
  }

  #syncNow(): void {
    const taken = this.#unsynced;
    this.#unsynced = [];
    try {
      this.#tables.syncNow();
      tell(taken);
    } catch (error) {
      tell(taken, storageError(error, "the store"));
    }
  }

  async #run(): Promise<void> {
    const deadline = this.#clock.now() + lockWaitMs;
    for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(2 * pauseMs, pauseMsMax)) {
      const writing = this.#writeFiles();
      if (writing !== undefined) await this.#written(writing);
      const locked = this.#attempt(0);
      if (locked === undefined) return await this.onDisk();
      if (this.#clock.now() >= deadline) return this.#settle(() => locked);
      await new Promise<void>((resolve) => this.#clock.after(pauseMs, resolve));
    }
  }

  /**
   * Starts to write the files that the next records name, in other threads; returns undefined where all of them are on
   * the disk.
   */
  #writeFiles(): Promise<unknown> | undefined {
    try {
      const batches = [...this.#waiting].map((member) => member.batch());
      this.#putLarge(batches);
      return batches.some(hasRecords) ? this.#blobs.synced() : undefined;
    } catch {
      // The attempt is told the same, and tells everybody.
      return undefined;
    }
  }

  /** And what comes meanwhile; in the end the attempt waits for the rest. */
  async #written(first: Promise<unknown>): Promise<void> {
    let writing: Promise<unknown> | undefined = first;
    for (let round = 0; round < fileRounds && writing !== undefined; round += 1) {
      await writing;
      writing = this.#writeFiles();
    }
  }

  #putLarge(batches: readonly CommitBatch<Content>[]): void {
    for (const { large } of batches) {
      for (const { hash, bytes } of large) this.#blobs.put(hash, bytes);
    }
  }

  /** Settles all that wait, unless the database is locked: then says so. */
  #attempt(waitMs: number): RunError | undefined {
    try {
      const members = [...this.#waiting];
      const batches = members.map((member) => member.batch());
      const errors = batches.length === 0 ? [] : this.#store(batches, waitMs);
      this.#settle((index) => errors[index]);
      for (const [index, member] of members.entries()) {
        const { synced = false, upTo = -1, segments = [] } = batches[index] ?? {};
        const isStored = errors[index] === undefined && segments.length > 0;
        if (synced && isStored) this.#unsynced.push({ member, upTo });
      }
    } catch (thrown) {
      const error = storageError(thrown, "the store");
      if (isLocked(error)) return error;
      this.#settle(() => error);
    }
    return undefined;
  }

  #store(batches: readonly CommitBatch<Content>[], waitMs: number): (RunError | undefined)[] {
    // Before the records that name them: an unnamed file does no harm, a missing one does.
    this.#putLarge(batches);
    const named = batches.some(hasRecords);
    if (named) this.#blobs.syncNow();
    const errors = this.#tables.transact({ synced: false, waitMs }, () => {
      this.#shelf.index();
      const applied = batches.map((batch) => this.#apply(batch));
      if (named) this.#blobs.syncNow();
      return applied;
    });
    this.#shelf.forget();
    return errors;
  }

  #apply(batch: CommitBatch<Content>): RunError | undefined {
    const { runId, epoch, start, change } = batch;
    const expiresAt = batch.release ? 0 : this.#clock.now() + leaseMs;
    // First of all: whose reducer throws here has nothing stored, and nobody else is troubled.
    const kept = keptAfter(this.#tables, batch, this.#clock.now());
    if (kept instanceof RunError) return kept;
    if (start !== undefined) {
      const refused = start.refused?.();
      if (refused !== undefined) return refused;
      this.#tables.insertRun(start.run, start.ir);
      this.#tables.putLease({ ...start.lease, expiresAt });
    } else if (!this.#tables.renewLease(runId, epoch, expiresAt)) {
      return lostLeaseError(runId, this.#tables.lease(runId));
    }
    for (const value of batch.large) this.#indexLarge(runId, value);
    for (const segment of batch.segments) this.#tables.insertSegment(runId, segment);
    if (change !== undefined) this.#tables.changeRun(runId, change);
    for (const row of kept) this.#tables.putKept(row);
    for (const memory of batch.memories) applyMemory(this.#tables.memories, memory);
    return undefined;
  }

  #indexLarge(runId: string, { hash, bytes }: WrittenSegment<Content>["large"][number]): void {
    // Again, now that nobody cleans up: see `ArtifactShelf.index`.
    this.#blobs.put(hash, bytes);
    this.#tables.putArtifact(largeValueRow(runId, { hash, bytes }, this.#clock.now()));
  }

  #settle(errorOf: (index: number) => RunError | undefined): void {
    const members = [...this.#waiting];
    this.#waiting.clear();
    this.#round = undefined;
    for (const [index, member] of members.entries()) member.settle(errorOf(index));
  }
}

function hasRecords({ segments }: CommitBatch<unknown>): boolean {
  return segments.length > 0;
}

function tell<Content>(unsynced: readonly Unsynced<Content>[], error?: RunError): void {
  for (const { member, upTo } of unsynced) member.synced(upTo, error);
}
