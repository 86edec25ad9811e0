/** Carries out a note that another process has left for a run. */
import type { Drive } from "../engine/drive.ts";
import { RunError } from "../failure.ts";
import type { Questions } from "../questions/questions.ts";
import type { LogRecord } from "../records/records.ts";
import type { DrivenRun } from "../run/driven-run.ts";
import type { Note } from "../store/run-store.ts";
import { TAKEN } from "./run-notes.ts";

export interface NoteTaker {
  readonly run: DrivenRun;
  readonly drive: Drive;
  readonly questions: Questions;
}

/**
 * Carries out a note and resolves with its outcome; undefined where the run is coming to rest, so that the next process
 * that drives it takes the note.
 */
export async function takeNote(taker: NoteTaker, note: Note): Promise<string | undefined> {
  const { run, drive, questions } = taker;
  const { body } = note;
  if (drive.engine === undefined) return undefined;
  switch (body.verb) {
    case "answer":
      return await answered(questions, note.by, body);
    case "abort":
      if (!isAborted(drive.history.records, note.at)) ignoring(run.abort(body.reason));
      return TAKEN;
    case "pause": {
      const { now = false, reason } = body;
      ignoring(run.pause({ now, ...(reason === undefined ? {} : { reason }) }));
      return TAKEN;
    }
    case "steer":
      return await steered(taker, note.number, body);
  }
}

/** A failure to stop is that of the run, which whoever waits for it is told. */
function ignoring(stopped: Promise<void>): void {
  stopped.catch(() => {});
}

async function answered(
  questions: Questions,
  by: string,
  { interrupt, answer }: Note["body"] & { readonly verb: "answer" },
): Promise<string | undefined> {
  try {
    return (await questions.hear(interrupt, answer, by)) ? TAKEN : undefined;
  } catch (error) {
    if (error instanceof RunError) return `${error.code}: ${error.message}`;
    throw error;
  }
}

async function steered(
  { drive }: NoteTaker,
  note: number,
  { verb: _, ...words }: Note["body"] & { readonly verb: "steer" },
): Promise<string | undefined> {
  if (isHeard(drive.history.records, note)) return TAKEN;
  const isLate = await drive.isTooLate((at) => ({ kind: "steer", ...words, note, at }));
  return isLate ? undefined : TAKEN;
}

export function isHeard(records: readonly LogRecord[], note: number): boolean {
  return records.some((record) => record.kind === "steer" && record.note === note);
}

export function isAborted(records: readonly LogRecord[], since: number): boolean {
  return records.some(
    (record) => record.kind === "control" && record.verb === "abort" && record.at >= since,
  );
}
