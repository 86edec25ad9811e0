/** Describes the entries of a run's mailbox, and what their senders are told. */

import type { Acknowledgement } from "../attempt/post-completion.ts";
import type { Cancellation } from "../cancellation.ts";
import { innermost, type RecordBody } from "../records/records.ts";
import type { Advance } from "../scheduler/advance.ts";
import type { Completion, Control } from "../scheduler/completion.ts";
import type { Goal } from "./hold.ts";

export interface MailboxEntry {
  readonly completion: Completion;
  readonly answer?: ((asked: Acknowledgement) => void) | undefined;
  /** Cancelled when its sender is called off before the entry is read. */
  readonly cancellation?: Cancellation | undefined;
  /** From here on, how far the run goes. */
  readonly goal?: Goal;
}

const OF_PEOPLE: ReadonlySet<string> = new Set([
  "control",
  "begin",
  "edit",
  "steer",
  "use",
  "answer",
  "opinion",
  "modify",
  "branch",
]);

/** Whether an attempt sent it, and no person. */
export function isOfAttempt({ completion: { kind } }: MailboxEntry): boolean {
  return !OF_PEOPLE.has(kind);
}

/** Whether it asks for a rewind, before which everything that is under way is cancelled. */
export function isRewind(
  completion: Completion,
): completion is Control & { readonly verb: "rewind" } {
  return completion.kind === "control" && completion.verb === "rewind";
}

/** What a sender is told once the run takes nothing any more. */
export const REFUSED: Acknowledgement = { taken: false, isRefused: true };

/** Whether it must be stored before its sender is told that it was taken. */
export function isSaid({ completion: { kind } }: MailboxEntry): boolean {
  return SAID.has(kind);
}

const SAID: ReadonlySet<string> = new Set(["answer", "edit", "steer", "use", "modify"]);

/** What the sender of a completion is told, by the records that it led to. */
export function answerOf({ records }: Pick<Advance, "records">): Acknowledgement {
  const [begun] = records;
  if (begun === undefined) return NOT_TAKEN;
  for (const record of records) {
    const ended = innermost(record);
    if (ended.kind === "attempt") return { taken: false, failure: ended.failure };
  }
  const first = innermost(begun);
  if (TAKEN.includes(first.kind)) return IS_TAKEN;
  // No attempt waits for the answer to one of the scheduler's own questions.
  return { taken: first.kind === "interrupt" && first.call !== undefined };
}

const IS_TAKEN: Acknowledgement = { taken: true };
const NOT_TAKEN: Acknowledgement = { taken: false };

const TAKEN: readonly RecordBody["kind"][] = ["start", "intent", "outcome", "answer"];
