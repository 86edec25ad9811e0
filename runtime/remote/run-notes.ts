/** Leaves a note beside the log of a run that another process drives, and waits for its result. */

import type { Clock } from "../clock.ts";
import { RunError } from "../failure.ts";
import { shortRunId } from "../run-names.ts";
import type { Note, NoteBody } from "../store/run-store.ts";

/** The notes of one run. */
export interface RunNotes {
  /** Its number; nothing where the question has an answer already that nobody has read. */
  leave(body: NoteBody): number | undefined;
  pending(): readonly Note[];
  settle(number: number, outcome: string): void;
  outcome(number: number): string | undefined;
}

/** The outcome of a note that was taken in; of any other it is why not. */
export const TAKEN = "taken";

/** The same, for what may not be stored as it is said. */
export function redactedNotes(notes: RunNotes, redact: (text: string) => string): RunNotes {
  return { ...notes, leave: (body) => notes.leave(JSON.parse(redact(JSON.stringify(body)))) };
}

interface OutboxParts {
  readonly runId: string;
  readonly clock: Pick<Clock, "after">;
  readonly notes: RunNotes | undefined;
  /** Returns whether a living process drives the run. */
  isDriven(): boolean;
}

export class Outbox {
  readonly #parts: OutboxParts;
  /** Left here, and not known to be read. */
  #left: number[] = [];

  constructor(parts: OutboxParts) {
    this.#parts = parts;
  }

  /** Returns when it is stored: whoever drives the run next finds it. */
  leave(body: NoteBody): void {
    const { notes, runId } = this.#parts;
    if (notes === undefined) throw new RunError("M9000", `run \`${runId}\` is in no store`);
    const number = notes.leave(body);
    if (number === undefined) throw answeredAlready(runId, body);
    this.#left.push(number);
  }

  /**
   * Resolves with true when the notes left here have been taken in, and with false once no process drives the run.
   * Throws for a refused note.
   */
  async delivered(): Promise<boolean> {
    while (this.#left.length > 0) {
      const outcomes = this.#left.map((number) => this.#parts.notes?.outcome(number));
      const refused = outcomes.find((outcome) => outcome !== undefined && outcome !== TAKEN);
      this.#left = this.#left.filter((_, index) => outcomes[index] === undefined);
      if (refused !== undefined) throw refusedNote(this.#parts.runId, refused);
      if (this.#left.length === 0) break;
      if (!this.#parts.isDriven()) return false;
      await new Promise<void>((resolve) => this.#parts.clock.after(LOOK_MS, resolve));
    }
    return true;
  }
}

const LOOK_MS = 50;

function answeredAlready(runId: string, body: NoteBody): RunError {
  const what = body.verb === "answer" ? `\`${body.interrupt}\`` : "it";
  return new RunError(
    "M5310",
    `somebody has answered ${what} of run \`${shortRunId(runId)}\` already`,
    {
      hint: "the answer is stored, and is taken in when the run goes on",
      runId,
    },
  );
}

function refusedNote(runId: string, outcome: string): RunError {
  return new RunError("M5310", `run \`${shortRunId(runId)}\` did not take it: ${outcome}`, {
    hint: `\`madrigal show ${shortRunId(runId)}\` shows its status`,
    runId,
  });
}
