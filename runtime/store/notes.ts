/** Stores what people say to a run (answers, aborts, pauses, steering) until the process that drives the run has read it. */
import type { TimerClock } from "../clock.ts";
import type { NoteRow, Tables } from "./database/tables.ts";
import { lockWaitMs } from "./log/group-commit.ts";
import type { Note, NoteBody, Notes } from "./run-store.ts";

export class NoteBox implements Notes {
  readonly #tables: Tables<unknown>;
  readonly #clock: TimerClock;

  constructor(parts: { tables: Tables<unknown>; clock: TimerClock }) {
    this.#tables = parts.tables;
    this.#clock = parts.clock;
  }

  leave(runId: string, body: NoteBody, by: string): number | undefined {
    return this.#tables.transact({ synced: true, waitMs: lockWaitMs }, () => {
      const pending = this.pending(runId);
      // A question is answered once, also while nobody has read the answer.
      if (pending.some((note) => answersTo(note.body) === answersTo(body, NOTHING)))
        return undefined;
      const again = pending.find((note) => idOf(note.body) === idOf(body, NOTHING));
      if (again !== undefined) return again.number;
      const at = this.#clock.now();
      return this.#tables.insertNote({ runId, body: JSON.stringify(body), by, at });
    });
  }

  pending(runId: string): readonly Note[] {
    return this.#tables.pendingNotes(runId).map(noteOf);
  }

  settle(number: number, outcome: string): void {
    this.#tables.transact({ synced: false, waitMs: lockWaitMs }, () =>
      this.#tables.settleNote(number, outcome),
    );
  }

  outcome(number: number): string | undefined {
    return this.#tables.noteOutcome(number);
  }
}

const NOTHING = "";

function answersTo(body: NoteBody, otherwise?: string): string | undefined {
  return body.verb === "answer" ? body.interrupt : otherwise;
}

/** The id that the sender of a steer has given. */
function idOf(body: NoteBody, otherwise?: string): string | undefined {
  return body.verb === "steer" ? (body.givenId ?? otherwise) : otherwise;
}

function noteOf({ number, runId, by, at, body }: NoteRow): Note {
  return { number, runId, by, at, body: JSON.parse(body) };
}
