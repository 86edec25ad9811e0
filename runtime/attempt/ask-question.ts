/** Asks a question of an attempt once, however often the attempt begins again. */
import { untilCancelled } from "../agents/abort.ts";
import { FailureError } from "../failure.ts";
import type { Journal } from "../history/journal.ts";
import type { GivenAnswer, Question } from "../interrupt.ts";
import { openInterrupt } from "../scheduler/interrupts.ts";
import { describeMisfit, misfits } from "../state/json-schema.ts";
import type { AttemptHost, EffectScene } from "./attempt-host.ts";
import { postAndAwait } from "./post-completion.ts";

/** Resolves with the answer: the recorded one, else the one that somebody gives. */
export async function askQuestion(
  host: AttemptHost,
  scene: EffectScene,
  question: Question,
): Promise<GivenAnswer> {
  const known = recorded(host, scene, question);
  if (known?.answer !== undefined) return known.answer;
  const asked = known ?? (await pose(host, scene, question));
  return untilCancelled(() => host.journal.answer(asked), scene.cancellation);
}

type JournalledQuestion = NonNullable<ReturnType<Journal["asked"]>>;

/** Finds the question in the journal, answered or open. A question that a rewind or an end closed is asked anew. */
function recorded(
  { journal, snapshot }: AttemptHost,
  { id, attempt, call }: EffectScene,
  { ask, question }: Question,
): JournalledQuestion | undefined {
  const known = journal.asked(id, attempt, call);
  if (known === undefined) return undefined;
  const { interrupt } = known;
  if (known.answer === undefined && openInterrupt(snapshot(), interrupt) === undefined)
    return undefined;
  if (interrupt.ask === ask && interrupt.question === question) return known;
  throw new FailureError({
    class: "invalid",
    code: "M5020",
    message: `question ${call + 1} was \`${interrupt.question}\` when it was asked and is \`${question}\` now`,
    hint: "the node's code changed since; retry the node run instead of resuming it",
  });
}

async function pose(
  host: AttemptHost,
  scene: EffectScene,
  question: Question,
): Promise<JournalledQuestion> {
  const { id, attempt, call, cancellation } = scene;
  assertDefaultFits(question);
  const at = host.clock.now();
  await postAndAwait(host, { kind: "interrupt", id, attempt, call, ...question, at }, cancellation);
  const asked = host.journal.asked(id, attempt, call);
  if (asked === undefined)
    throw new Error(`M9000: question ${call} of node run ${id} is not in the log`);
  return asked;
}

/** A question that time would answer with what it does not take is not asked at all. */
function assertDefaultFits({ default: given, schema }: Question): void {
  const [first] = given === undefined || schema === undefined ? [] : misfits(given, schema);
  if (first === undefined) return;
  throw new FailureError({
    class: "invalid",
    code: "M5311",
    message: `the default answer does not fit: ${describeMisfit(first)}`,
  });
}
