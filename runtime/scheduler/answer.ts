/** Decides what follows from an answer or a judge's opinion: its record, and the end of a run whose limit was refused. */
import type { RecordBody } from "../records/records.ts";
import type { Completion } from "./completion.ts";
import { failRun } from "./flow/settle.ts";
import { answerRecord, openInterrupt } from "./interrupts.ts";
import { type LimitName, limitFailure } from "./limits.ts";
import type { Snapshot } from "./snapshot/snapshot.ts";

/** None where nobody waits for it any more: an answer counts once. A run that is held or paused keeps it. */
export function answerRecords(
  snapshot: Snapshot,
  { at: _, kind: _kind, ...completion }: Completion & { readonly kind: "answer" },
): readonly RecordBody[] {
  const question = openInterrupt(snapshot, completion);
  if (question === undefined || !LISTENING.includes(snapshot.status)) return [];
  const { answer, from, by, usage } = completion;
  const record = answerRecord(question, {
    answer,
    from,
    ...(by === undefined ? {} : { by }),
    ...(usage === undefined ? {} : { usage }),
  });
  if (question.whole !== true || answer.kind === "approve") return [record];
  // Also one that was reached in a node run ends all of it.
  return [record, failRun(limitFailure(question.limit as LimitName, "the run"), {})];
}

/** The record of a judge that decided nothing; none where nobody waits for it any more. */
export function opinionRecords(
  snapshot: Snapshot,
  { at: _, calls: __, sub: ___, ...opinion }: Completion & { readonly kind: "opinion" },
): readonly RecordBody[] {
  const question = openInterrupt(snapshot, opinion);
  if (question === undefined) return [];
  const { id, node, attempt } = question;
  return [{ ...opinion, id, node, attempt }];
}

const LISTENING: readonly Snapshot["status"][] = ["running", "waiting", "paused"];
