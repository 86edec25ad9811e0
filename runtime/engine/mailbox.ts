/** Keeps the completions that a run has yet to decide on, and the snapshot that the decided ones led to. */
import { isDeferred } from "../scheduler/advance.ts";
import type { Completion } from "../scheduler/completion.ts";
import type { Snapshot } from "../scheduler/snapshot/snapshot.ts";
import { type MailboxEntry, REFUSED } from "./mailbox-entry.ts";

/**
 * The snapshot and how many entries are in it. Both change in one assignment: a thread that is interrupted between two
 * statements (a kernel's stop button) must neither lose an entry nor decide on it twice.
 */
interface MailboxPosition {
  readonly snapshot: Snapshot;
  readonly taken: number;
  /** Entries that came while the run was held; they are read when it continues. */
  readonly waiting: readonly MailboxEntry[];
}

export class Mailbox {
  #entries: MailboxEntry[] = [];
  #position: MailboxPosition;
  /** Entries that wait for functions in expressions. Other entries do not wait for them. */
  readonly #parked = new Set<MailboxEntry>();

  constructor(snapshot: Snapshot) {
    this.#position = { snapshot, taken: 0, waiting: [] };
  }

  get snapshot(): Snapshot {
    return this.#position.snapshot;
  }

  push(entry: MailboxEntry): void {
    this.#entries.push(entry);
  }

  /** Puts an entry before all others. */
  pushFirst(entry: MailboxEntry): void {
    this.#position = { ...this.#position, waiting: [entry, ...this.#position.waiting] };
  }

  /** The entry to decide on, which stays here until it is removed. */
  next(): MailboxEntry | undefined {
    const { snapshot, taken, waiting } = this.#position;
    const first =
      waiting.length === 0
        ? undefined
        : waiting.find(({ completion }) => !isDeferred(snapshot, completion));
    return first ?? this.#entries[taken];
  }

  /** Removes an entry that was decided on; `snapshot` is what it led to. */
  remove(entry: MailboxEntry, snapshot = this.snapshot): void {
    this.#position = this.#without(entry, snapshot);
  }

  /** The same for an entry that is to be decided on again, before all others. */
  postpone(entry: MailboxEntry, snapshot: Snapshot): void {
    const { waiting, ...position } = this.#without(entry, snapshot);
    this.#position = { ...position, waiting: [entry, ...waiting] };
  }

  /** Has the next entry wait until the run is no longer held. */
  defer(entry: MailboxEntry): void {
    const { snapshot, taken, waiting } = this.#position;
    this.#position = { snapshot, taken: taken + 1, waiting: [...waiting, entry] };
  }

  /** Sets an entry aside until `unpark`. */
  park(entry: MailboxEntry): void {
    this.#parked.add(entry);
    this.remove(entry);
  }

  /** Takes an entry out of those parked; returns false if it was refused before. */
  unpark(entry: MailboxEntry): boolean {
    return this.#parked.delete(entry);
  }

  /** Returns whether a completion waits for the end of a hold. */
  isWaiting(completion: Completion): boolean {
    return this.#position.waiting.some((entry) => entry.completion === completion);
  }

  /** Drops the entries that have been read. */
  clearRead(): void {
    this.#position = { ...this.#position, taken: 0 };
    this.#entries = [];
  }

  /** Drops the entries that wait for the end of a hold. */
  clearWaiting(): void {
    this.#position = { ...this.#position, waiting: [] };
  }

  /** Tells the senders of these entries that nobody decides on them. */
  refuse(which: (entry: MailboxEntry) => boolean): void {
    const { taken, waiting } = this.#position;
    for (const entry of [...waiting, ...this.#entries.slice(taken), ...this.#parked]) {
      if (!which(entry)) continue;
      this.#parked.delete(entry);
      entry.answer?.(REFUSED);
    }
  }

  #without(entry: MailboxEntry, snapshot: Snapshot): MailboxPosition {
    const { taken, waiting } = this.#position;
    if (waiting.length === 0 || !waiting.includes(entry)) {
      return { snapshot, taken: taken + 1, waiting };
    }
    return { snapshot, taken, waiting: waiting.filter((other) => other !== entry) };
  }
}
