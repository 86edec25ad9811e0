/** Asks a person whether an external call happened that did not come back: a pause, the end of its process, its connection or its time. */
import { FailureError } from "../failure.ts";
import type { BegunCall } from "../history/journal.ts";
import type { Answer } from "../interrupt.ts";
import type { Attempt, EffectCall } from "../performer.ts";
import { askQuestion } from "./ask-question.ts";
import type { AttemptHost, EffectScene } from "./attempt-host.ts";
import { doubtNumber } from "./doubt-number.ts";

/**
 * Returns the outcome of the call if it happened, and undefined where it is to be made again. Throws M5021 where it is
 * to fail.
 */
export async function settleDoubt<T>(
  host: AttemptHost,
  scene: EffectScene,
  of: {
    readonly given: Attempt;
    readonly call: EffectCall<T>;
    readonly begun: BegunCall;
    /** The error it ended with; without one, a pause or the end of its process cut it off. */
    readonly how?: string;
  },
): Promise<{ readonly value: unknown } | undefined> {
  const { given, call, begun, how } = of;
  const { intent, at } = begun;
  const when = at === undefined ? "" : ` at ${new Date(at).toISOString()}`;
  const number = doubtNumber(scene.call);
  const ending = how ?? cutOff(host, begun);
  // Asked in a process that is gone, it is the same question here.
  const open = host.journal.asked(scene.id, scene.attempt, number)?.interrupt.question;
  const { answer } = await askQuestion(
    host,
    { ...scene, call: number },
    {
      ask: "doubt",
      question:
        open ??
        `\`${given.label}\` called \`${call.name}\`${when}, and ${ending}. ` +
          "Did it happen? Say what it came to, have it called again, or let it fail.",
      shown: {
        call: call.name,
        ...(intent.request === undefined ? {} : { request: intent.request }),
      },
      ...(call.effect === "tool" ? { tool: call.name } : {}),
    },
  );
  return decided(answer, given, call);
}

function cutOff({ journal }: AttemptHost, begun: BegunCall): string {
  return journal.wasPausedAfter(begun)
    ? "the run was paused, which cancelled the call"
    : "its process ended before the call came back";
}

function decided<T>(
  answer: Answer,
  { label }: Attempt,
  { name }: EffectCall<T>,
): { readonly value: unknown } | undefined {
  if (answer.kind === "value") return { value: answer.value };
  if (answer.kind === "approve") return undefined;
  const why = answer.kind === "deny" && answer.reason !== undefined ? `: ${answer.reason}` : "";
  throw new FailureError({
    class: "denied",
    code: "M5021",
    message: `it is not known whether \`${name}\` of \`${label}\` took effect, and it was not to be called again${why}`,
    hint: "first check whether the call took effect: resuming the run repeats it, aborting the run does not",
  });
}
