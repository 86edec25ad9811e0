/** Judges the output of an attempt before its commit: each question is a journalled call of the attempt. */
import type { Attempt, JudgeQuestion, PerformerContext } from "../performer.ts";
import type { Judged, Verdict } from "../records/directions.ts";
import type { LoggedCall } from "../records/records.ts";
import { questionsOf } from "../scheduler/attempts/judge-questions.ts";
import { locate } from "../scheduler/called-snapshots.ts";
import { KnownCalls } from "../scheduler/expressions/calls.ts";
import { hashOf } from "../scheduler/interrupts.ts";
import type { AttemptHost } from "./attempt-host.ts";
import { type MakeCall, withCalls } from "./with-calls.ts";

interface ToJudge {
  readonly id: number;
  readonly output: unknown;
  readonly call: MakeCall;
  /** Questions that were asked of this output before, and met. */
  readonly known?: readonly string[];
}

interface AttemptJudgement {
  readonly judged?: Judged;
  readonly calls?: readonly LoggedCall[];
  /** The sha256 of each question that is met. */
  readonly met?: readonly string[];
}

/**
 * Returns the verdicts of judges on `output`; undefined where nobody judges. Rejects with `FailureError` where a
 * condition can't be judged.
 */
export async function judged(
  { program, performer, clock, snapshot }: AttemptHost,
  attempt: Attempt,
  context: PerformerContext,
  { id, output, call, known = [] }: ToJudge,
): Promise<AttemptJudgement> {
  if (performer.judge === undefined) return {};
  const located = locate(program, snapshot(), id);
  if (located === undefined) return {};
  let found: Judged = {};
  let calls: readonly LoggedCall[] = [];
  const at = clock.now();
  const questions = await withCalls((known) => {
    calls = known;
    const functions = new KnownCalls(known, { otherwise: located.program.functions, at });
    const informed = { ...located.program, functions };
    return questionsOf(informed, located.snapshot, located.run, { output, at });
  }, call);
  const met: string[] = [];
  for (const question of questions) {
    const hash = hashOf(question);
    const verdict = known.includes(hash)
      ? AS_BEFORE
      : await performer.judge({ question, attempt, output }, context);
    if (verdict.met) met.push(hash);
    found = withVerdict(found, question, verdict);
    if (question.kind === "ensure" && !verdict.met) break;
  }
  // The commit asks for the same again: it decides with these.
  return { judged: found, met, ...(calls.length === 0 ? {} : { calls }) };
}

const AS_BEFORE: Verdict = { met: true, reason: "as it was judged before" };

function withVerdict(judged: Judged, question: JudgeQuestion, verdict: Verdict): Judged {
  if (question.kind === "until") return { ...judged, until: verdict };
  const { met, reason } = verdict;
  const ensures = [...(judged.ensures ?? []), { condition: question.number, met, reason }];
  return { ...judged, ensures };
}
