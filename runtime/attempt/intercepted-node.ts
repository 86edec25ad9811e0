/** Has interceptors look at an attempt of a node before it begins and at its output; their decisions are effects of it. */
import { FailureError } from "../failure.ts";
import { askInterceptors, inOrder, vetoed } from "../intercept/ask-interceptors.ts";
import { changedBy, type Interception } from "../intercept/interception.ts";
import { type Attempt, isDecided, isEdited } from "../performer.ts";
import type { AttemptHost, Scene } from "./attempt-host.ts";
import { effectIn } from "./effects.ts";
import { attemptFacts } from "./intercepted-call.ts";

/** The attempt as interceptors let it begin. */
export async function interceptedAttempt(
  host: AttemptHost,
  given: Attempt,
  scene: Scene,
): Promise<Attempt> {
  const { system, prompt, callArgs: args } = given;
  const seen = defined({ system, prompt, args });
  const changed = await decisionOn(host, { given, scene, when: "before", seen });
  const { args: callArgs, ...texts } = changed;
  return { ...given, ...texts, ...(callArgs === undefined ? {} : { callArgs: callArgs as never }) };
}

/** The result of its performer as interceptors let it pass. What is handed over is not its output. */
export async function interceptedResult(
  host: AttemptHost,
  given: Attempt,
  scene: Scene,
  result: unknown,
): Promise<unknown> {
  const isWrapped = isDecided(result) || isEdited(result);
  if (isDecided(result) && result.handoff !== undefined) return result;
  const output = isWrapped ? result.output : result;
  const seen = { output };
  const changed = await decisionOn(host, { given, scene, when: "after", seen });
  if (!("output" in changed)) return result;
  return isWrapped ? { ...result, output: changed.output } : changed.output;
}

interface NodeDecision {
  readonly given: Attempt;
  readonly scene: Scene;
  readonly when: "before" | "after";
  readonly seen: Readonly<Record<string, unknown>>;
}

/** Returns the members that are otherwise: those of the log, where that was here before. */
async function decisionOn(
  host: AttemptHost,
  { given, scene, when, seen }: NodeDecision,
): Promise<Readonly<Record<string, unknown>>> {
  const { interceptors = [] } = host;
  const before = host.journal.intent(scene.id, scene.attempt, scene.calls);
  const hook = `${when}Node` as const;
  const isAsked =
    before === undefined ? inOrder(interceptors, hook).length > 0 : before.effect === "intercept";
  if (!isAsked) return {};
  const { system, prompt, callArgs: args } = given;
  const what = `${when === "before" ? "before" : "behind"} \`${given.label}\``;
  const facts = { ...attemptFacts(given), ...defined({ system, prompt, args }) };
  const made = await effectIn<readonly Interception[]>(host, given, scene, {
    effect: "intercept",
    name: when,
    perform: async (cancellation) => {
      const asked = { hook, what, facts, seen };
      const { made: value, failure } = await askInterceptors(interceptors, asked, cancellation);
      const isVeto = value.some(({ reason }) => reason !== undefined);
      if (failure !== undefined && !isVeto) throw new FailureError(failure);
      return { value };
    },
  });
  const veto = made.find(({ reason }) => reason !== undefined);
  if (veto !== undefined) throw new FailureError(vetoed(veto.by, veto.reason ?? "", what));
  return changedBy(seen, made);
}

function defined(members: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined));
}
