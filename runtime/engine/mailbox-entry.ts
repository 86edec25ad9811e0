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

/** Returns whether an attempt sent the entry, rather than a person. */
export function isOfAttempt({ completion: { kind } }: MailboxEntry): boolean {
  return !OF_PEOPLE.has(kind);
}

/** Returns whether the entry asks for a rewind, before which all open attempts are cancelled. */
export function isRewind(
  completion: Completion,
): completion is Control & { readonly verb: "rewind" } {
  return completion.kind === "control" && completion.verb === "rewind";
}

/** The acknowledgement of an entry once the run takes nothing any more. */
export const REFUSED: Acknowledgement = { taken: false, isRefused: true };

/** Returns whether the entry must be stored before its sender is told that it was taken. */
export function isSaid({ completion: { kind } }: MailboxEntry): boolean {
  return SAID.has(kind);
}

const SAID: ReadonlySet<string> = new Set(["answer", "edit", "steer", "use", "modify"]);

/** Returns the acknowledgement for the sender of a completion, by the records that it led to. */
export function answerOf({ records }: Pick<Advance, "records">): Acknowledgement {
  const [begun] = records;
  if (begun === undefined) return NOT_TAKEN;
  for (const record of records) {
    const ended = innermost(record);
    if (ended.kind === "attempt") return { taken: false, failure: ended.failure };
  }
  const first = innermost(begun);
  if (TAKEN.includes(first.kind)) return IS_TAKEN;
  if (first.kind !== "interrupt") return NOT_TAKEN;
  // No attempt waits for the answer to one of the scheduler's own questions; of several persons one has said yes.
  return { taken: first.call !== undefined || first.given !== undefined };
}

const IS_TAKEN: Acknowledgement = { taken: true };
const NOT_TAKEN: Acknowledgement = { taken: false };

const TAKEN: readonly RecordBody["kind"][] = ["run", "start", "intent", "outcome", "answer"];
