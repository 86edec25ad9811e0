/** Implements the writing end of one run's log: takes records, flushes them in groups, and renews the lease. */
import type { TimerClock } from "../../clock.ts";
import { RunError } from "../../failure.ts";
import type { LogRecord } from "../../records/records.ts";
import { shortRunId } from "../../run-names.ts";
import { frozenCopy } from "../../state/json.ts";
import { isLocked } from "../database/sqlite-error.ts";
import { renewalMs } from "../lease.ts";
import type { MemoryChange } from "../memories/memory.ts";
import type { Durability, KeptWrite, RunLog, SummaryUpdate } from "../run-store.ts";
import type { CommitBatch, CommitMember, GroupCommit, RunStart } from "./group-commit.ts";
import { changeOf, joined, type SegmentForm, type WrittenSegment } from "./segments.ts";

const flushRecordsMax = 256;
const flushDelayMs = 20;

/** Made by the scheduler out of frozen values. What others hold may be changed by whoever made it before it is stored. */
const MADE_BY_US: ReadonlySet<LogRecord["kind"]> = new Set(["start", "attempt", "commit", "end"]);

export interface LogStart {
  readonly runId: string;
  readonly durability: Durability;
  readonly epoch: number;
  /** The last stored record; -1 for a new run. */
  readonly lastSeq: number;
  /** The run, when it is new. */
  readonly start: RunStart | undefined;
}

/** The log of one run as segments, a row or more a flush, stored together with how the run stands. */
export class SegmentLog<Content> implements RunLog, CommitMember<Content> {
  readonly runId: string;
  readonly #options: LogStart;
  readonly #group: GroupCommit<Content>;
  readonly #form: SegmentForm<Content>;
  readonly #clock: TimerClock;
  readonly #onClosed: () => void;
  #start: RunStart | undefined;
  #state: "open" | "closing" | "closed" = "open";
  #pending: LogRecord[] = [];
  #kept: KeptWrite[] = [];
  #memories: MemoryChange[] = [];
  #latest: { readonly record: LogRecord; readonly summary: SummaryUpdate } | undefined;
  #lastSeq: number;
  /** The last record that a crash of this process leaves, and the last that who waits for it was told of. */
  #storedSeq: number;
  #flushedSeq: number;
  #failure: RunError | undefined;
  /** The number of pending records that are written out, and the result. */
  #written: { readonly count: number; readonly content?: WrittenSegment<Content> } = { count: 0 };
  /** Set if a caller asked for a flush; with `exit` a renewal of the lease alone stores nothing. */
  #isWanted = false;
  #closed: Promise<void> | undefined;
  #cancelFlush: (() => void) | undefined;
  #cancelRenewal: () => void;

  constructor(
    options: LogStart,
    parts: {
      group: GroupCommit<Content>;
      form: SegmentForm<Content>;
      clock: TimerClock;
      onClosed: () => void;
    },
  ) {
    this.runId = options.runId;
    this.#options = options;
    this.#group = parts.group;
    this.#form = parts.form;
    this.#clock = parts.clock;
    this.#onClosed = parts.onClosed;
    this.#start = options.start;
    this.#lastSeq = options.lastSeq;
    this.#storedSeq = options.lastSeq;
    this.#flushedSeq = options.lastSeq;
    this.#cancelRenewal = this.#renewLater();
  }

  get flushedSeq(): number {
    return this.#flushedSeq;
  }

  append(record: LogRecord, summary: SummaryUpdate): void {
    this.#assertOpen();
    this.#assertNext(record.seq);
    this.#pending.push(MADE_BY_US.has(record.kind) ? record : frozenCopy(record));
    this.#latest = { record, summary };
    if (summary.kept !== undefined) this.#kept.push(...summary.kept);
    if (summary.memories !== undefined) this.#memories.push(...summary.memories);
    this.#lastSeq = record.seq;
    this.#flushLater();
  }

  flush(): Promise<void> {
    if (this.#failure !== undefined) return Promise.reject(this.#failure);
    if (this.#pending.length > 0 || this.#start !== undefined) {
      this.#isWanted = true;
      return this.#stored(this.#group.request(this));
    }
    return this.#isOnDisk() ? Promise.resolve() : this.#stored(this.#group.onDisk());
  }

  close(): Promise<void> {
    this.#closed ??= this.#shut();
    return this.#closed;
  }

  /** For a store that closes: what is pending is to be stored now, by the caller. */
  shutNow(): void {
    this.#state = "closing";
    this.#isWanted = true;
    this.#stopTimers();
  }

  /** The error of a failed flush. */
  get failure(): RunError | undefined {
    return this.#failure;
  }

  batch(): CommitBatch<Content> {
    const pending = this.#isHeldBack() ? [] : this.#pending;
    const written = this.#write(pending);
    return {
      runId: this.runId,
      epoch: this.#options.epoch,
      synced: this.#isSynced(),
      upTo: this.#lastSeq,
      start: this.#start,
      ...written,
      change: pending.length > 0 && this.#latest ? changeOf(this.#latest) : undefined,
      kept: pending.length > 0 ? this.#kept : [],
      memories: pending.length > 0 ? this.#memories : [],
      release: this.#state === "closing",
    };
  }

  settle(error: RunError | undefined): void {
    if (error === undefined || this.#hasNothingToLose(error)) this.#acknowledge();
    else if (!this.#isOnlyLateRenewal(error)) this.#fail(error);
  }

  synced(upTo: number, error?: RunError): void {
    if (error !== undefined) this.#fail(error);
    else if (this.#failure === undefined) this.#flushedSeq = Math.max(this.#flushedSeq, upTo);
  }

  /** Writes records out; those that were written out for a failed attempt are reused. */
  #write(pending: readonly LogRecord[]): WrittenSegment<Content> {
    const { count, content } = this.#written;
    if (content !== undefined && count === pending.length) return content;
    const isMore = content !== undefined && pending.length > count;
    const more = this.#form.write(isMore ? pending.slice(count) : pending, this.#lastSeq);
    const all = isMore ? joined(content, more) : more;
    this.#written = { count: pending.length, content: all };
    return all;
  }

  async #shut(): Promise<void> {
    this.#stopTimers();
    if (this.#state === "open") {
      this.#state = "closing";
      this.#isWanted = true;
      if (this.#failure === undefined) await this.#group.request(this);
      this.#state = "closed";
      this.#onClosed();
    }
    if (this.#failure !== undefined) throw this.#failure;
  }

  async #stored(done: Promise<void>): Promise<void> {
    await done;
    if (this.#failure !== undefined) throw this.#failure;
  }

  #acknowledge(): void {
    this.#start = undefined;
    if (this.#isHeldBack()) return;
    this.#isWanted = false;
    this.#pending = [];
    this.#written = { count: 0 };
    this.#kept = [];
    this.#memories = [];
    this.#latest = undefined;
    this.#storedSeq = this.#lastSeq;
    if (!this.#isSynced()) this.#flushedSeq = this.#lastSeq;
    this.#cancelFlush?.();
    this.#cancelFlush = undefined;
    if (this.#state === "closing") this.#state = "closed";
  }

  #fail(error: RunError): void {
    this.#failure = error;
    this.#stopTimers();
  }

  /** A log that closes with everything stored has no use for a lease that others took. */
  #hasNothingToLose(error: RunError): boolean {
    const isEmpty = this.#pending.length === 0 && this.#start === undefined;
    return error.code === "M5106" && isEmpty && this.#state === "closing";
  }

  /** A renewal that finds the database locked loses nothing: the next one, or the next flush, makes up for it. */
  #isOnlyLateRenewal(error: RunError): boolean {
    const isOnlyRenewal = this.#pending.length === 0 || this.#isHeldBack();
    const isUrgent = this.#start !== undefined || this.#state !== "open";
    return isLocked(error) && isOnlyRenewal && !isUrgent;
  }

  #isSynced(): boolean {
    return this.#options.durability === "sync";
  }

  #isOnDisk(): boolean {
    return this.#flushedSeq >= this.#storedSeq;
  }

  #isHeldBack(): boolean {
    return this.#options.durability === "exit" && !this.#isWanted;
  }

  #flushLater(): void {
    if (this.#options.durability === "exit") return;
    if (this.#pending.length >= flushRecordsMax) this.#flushUnwatched();
    else this.#cancelFlush ??= this.#clock.after(flushDelayMs, () => this.#flushUnwatched());
  }

  #flushUnwatched(): void {
    // Never rejects; a failure is kept and thrown by the next call.
    void this.#group.request(this);
  }

  #renewLater(): () => void {
    const renew = () => {
      this.#cancelRenewal = this.#renewLater();
      this.#flushUnwatched();
    };
    return this.#clock.after(renewalMs, renew, { background: true });
  }

  #stopTimers(): void {
    this.#cancelFlush?.();
    this.#cancelFlush = undefined;
    this.#cancelRenewal();
  }

  #assertOpen(): void {
    if (this.#failure !== undefined) throw this.#failure;
    if (this.#state === "open") return;
    throw new RunError("M9000", `the log of run \`${this.runId}\` is closed`, {
      runId: this.runId,
    });
  }

  #assertNext(seq: number): void {
    const isNext = this.#lastSeq === -1 ? seq >= 0 : seq === this.#lastSeq + 1;
    if (isNext) return;
    const text = `record ${seq} of run \`${shortRunId(this.runId)}\` does not follow record ${this.#lastSeq}`;
    throw new RunError("M9000", text, { runId: this.runId });
  }
}
