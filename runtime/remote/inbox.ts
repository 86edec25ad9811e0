/** Takes in the notes that other processes leave for a run that this one drives. */
import type { Clock } from "../clock.ts";
import { messageOf } from "../failure.ts";
import type { Note } from "../store/run-store.ts";
import type { RunNotes } from "./run-notes.ts";

export interface InboxParts {
  readonly clock: Pick<Clock, "after">;
  readonly notes: RunNotes | undefined;
  /**
   * Carries out a note and resolves with its outcome; undefined where the run comes to rest, so that the next process
   * that drives it must read the note.
   */
  take(note: Note): Promise<string | undefined>;
}

export class Inbox {
  readonly #parts: InboxParts;
  #isOpen = false;
  #cancel = () => {};
  /** Notes are taken in one after the other. */
  #turn: Promise<void> = Promise.resolve();
  #readTo = 0;

  constructor(parts: InboxParts) {
    this.#parts = parts;
  }

  /** From now on this process drives the run; one that has been driven before may have been told something meanwhile. */
  open(mayHaveNotes: boolean): void {
    if (this.#parts.notes === undefined) return;
    this.#isOpen = true;
    this.#readTo = 0;
    if (mayHaveNotes) this.#look(true);
    this.#lookLater();
  }

  close(): void {
    this.#isOpen = false;
    this.#cancel();
  }

  #lookLater(): void {
    this.#cancel = this.#parts.clock.after(
      LOOK_MS,
      () => {
        if (!this.#isOpen) return;
        this.#look(false);
        this.#lookLater();
      },
      { background: true },
    );
  }

  #look(isFirst: boolean): void {
    for (const note of this.#pending()) {
      if (note.number <= this.#readTo) continue;
      this.#readTo = note.number;
      // Said before somebody had the run go on: that is the later word.
      if (isFirst && note.body.verb === "pause") this.#settle(note, "the run was resumed since");
      else this.#take(note);
    }
  }

  #take(note: Note): void {
    // Already now, not in a turn of its own: until then the run would seem to wait for nobody.
    const taken = this.#parts.take(note).catch(messageOf);
    this.#turn = this.#turn.then(async () => {
      const outcome = await taken;
      if (outcome !== undefined) this.#settle(note, outcome);
    });
  }

  /** A store that can't be read at the moment is asked again. */
  #pending(): readonly Note[] {
    try {
      return this.#parts.notes?.pending() ?? [];
    } catch {
      return [];
    }
  }

  /** Not told to the store, it is read again by whoever drives the run next, who finds it done. */
  #settle({ number }: Note, outcome: string): void {
    try {
      this.#parts.notes?.settle(number, outcome);
    } catch {
      this.#readTo = Math.min(this.#readTo, number - 1);
    }
  }
}

/** As often as a run is looked at that another process drives. */
const LOOK_MS = 250;
