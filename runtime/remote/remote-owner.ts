/** Follows the log of a run that another process drives, until the run ends, rests, or its process is lost. */
import type { Clock } from "../clock.ts";
import { isOver, isUnfinished } from "../history/standstill.ts";
import type { LogRecord } from "../records/records.ts";
import type { Snapshot } from "../scheduler/snapshot/snapshot.ts";
import type { RunNotes } from "./run-notes.ts";

/** A run's log as every process of the workspace sees it. */
export interface FollowedLog {
  /** Returns the flushed records behind the record `seq`. */
  readAfter(seq: number): readonly LogRecord[];
  /** Returns whether a living process holds the run. */
  isDriven(): boolean;
  /** The notes from other processes to the run. */
  readonly notes?: RunNotes;
}

export interface RemoteOwnerParts {
  readonly clock: Pick<Clock, "after">;
  readonly stored: FollowedLog | undefined;
  /** Undefined while this process drives the run. */
  snapshot(): Snapshot | undefined;
  /** Takes what is new in the log. */
  catchUp(): void;
  /** Another process is at it. */
  begun(): void;
  rested(): void;
  /** It is under way by its log, and no process drives it. */
  lost(): void;
  failed(error: unknown): void;
}

export class RemoteOwner {
  readonly #parts: RemoteOwnerParts;
  #watch: Watch | undefined;

  constructor(parts: RemoteOwnerParts) {
    this.#parts = parts;
  }

  get isWatching(): boolean {
    return this.#watch !== undefined;
  }

  /** Keeps up with the process that drives the run, if one does. */
  follow(): void {
    const { clock, begun, failed } = this.#parts;
    if (this.isWatching || !this.#isUnderWay()) return;
    // Whoever was told what has come since may have followed it already.
    if (this.isWatching) return;
    begun();
    const give = (error: unknown) => {
      this.#watch = undefined;
      failed(error);
    };
    this.#watch = watchLog(clock, { look: () => this.#look(), failed: give });
  }

  /** Somebody waits for its end: the process lives on for that. If nobody drives the run, it would never come. */
  expectEnd(): void {
    this.follow();
    const snapshot = this.#parts.snapshot();
    if (this.#watch !== undefined) this.#watch.keepAlive();
    else if (this.#parts.stored !== undefined && snapshot !== undefined && isUnfinished(snapshot)) {
      this.#parts.lost();
    }
  }

  keepAlive(): void {
    this.#watch?.keepAlive();
  }

  /** From here on, this process drives it. */
  stop(): void {
    this.#watch?.stop();
    this.#watch = undefined;
  }

  /** Returns whether a process is known to drive the run. */
  isDriven(): boolean {
    try {
      return this.#parts.stored?.isDriven() === true;
    } catch {
      // The store is closed, or can't be read at the moment: nothing is seen of others.
      return false;
    }
  }

  /** Looks at the log once; returns whether more may follow. */
  #look(): boolean {
    const isDriven = this.#parts.stored?.isDriven() === true;
    // In this order: what a process wrote last is there when it is gone.
    this.#parts.catchUp();
    const snapshot = this.#parts.snapshot();
    if (snapshot === undefined) return false;
    if (isDriven && !isOver(snapshot)) return true;
    this.#watch = undefined;
    if (isUnfinished(snapshot)) this.#parts.lost();
    this.#parts.rested();
    return false;
  }

  #isUnderWay(): boolean {
    const snapshot = this.#parts.snapshot();
    if (snapshot === undefined || !this.isDriven()) return false;
    return !isOver(snapshot) || this.#isContinued();
  }

  /** Returns whether a run that was over has continued since. */
  #isContinued(): boolean {
    this.#parts.catchUp();
    const snapshot = this.#parts.snapshot();
    return snapshot !== undefined && !isOver(snapshot);
  }
}

interface Watch {
  /** Keeps the process alive from now on, as long as records may still come. */
  keepAlive(): void;
  stop(): void;
}

/** Often enough for people who look at a drawing, and nothing for SQLite. */
const LOOK_MS = 250;
/** A locked database is no reason to give up; one that stays so for 5 s is. */
const FAILURES_MAX = 20;

/** Calls `look` until it says that this was all; `failed` is told why nothing could be seen. */
export function watchLog(
  clock: Pick<Clock, "after">,
  { look, failed }: { readonly look: () => boolean; readonly failed: (error: unknown) => void },
): Watch {
  let isAwaited = false;
  let isStopped = false;
  let failures = 0;
  let cancel = later();
  return {
    keepAlive() {
      if (isAwaited) return;
      isAwaited = true;
      cancel();
      cancel = later();
    },
    stop() {
      isStopped = true;
      cancel();
    },
  };

  function later(): () => void {
    return clock.after(LOOK_MS, lookOnce, { background: !isAwaited });
  }

  function lookOnce(): void {
    const isUnfinished = seesMore();
    // Whoever was told what was seen may have gone on with the run, or may have had the next look set.
    cancel();
    if (isUnfinished && !isStopped) cancel = later();
  }

  function seesMore(): boolean {
    try {
      const isUnfinished = look();
      failures = 0;
      return isUnfinished;
    } catch (error) {
      failures += 1;
      if (failures > FAILURES_MAX) failed(error);
      return failures <= FAILURES_MAX;
    }
  }
}
