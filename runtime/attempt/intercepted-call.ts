/** Has interceptors look at a call before it is made and at what came of it; what the log has of them is served. */
import type { Cancellation } from "../cancellation.ts";
import { type Failure, FailureError } from "../failure.ts";
import {
  askInterceptors,
  type Intercepted,
  type InterceptorQuestion,
  vetoed,
} from "../intercept/ask-interceptors.ts";
import { changedBy, type Interception } from "../intercept/interception.ts";
import type { Hook } from "../intercept/interceptor.ts";
import type { Attempt, CallSeen, EffectCall, EffectOutcome } from "../performer.ts";
import type { IntentRecord } from "../records/call-records.ts";
import type { AttemptHost } from "./attempt-host.ts";

/** The members that the call is made with, what the log says of it, and why it is not made. */
export interface CallGate {
  readonly changed: Readonly<Record<string, unknown>>;
  readonly made: readonly Interception[];
  readonly failure?: Failure;
}

export const OPEN: CallGate = { changed: {}, made: [] };

/** The attempt as interceptors see it. */
export function attemptFacts({ runId, ir, node, label, attempt }: Attempt) {
  return { run: runId, graph: ir.name, node: node.name, kind: node.kind, label, attempt };
}

/** Asks before a call that the log does not have. */
export async function gateOf<T>(
  { interceptors = [] }: AttemptHost,
  given: Attempt,
  call: EffectCall<T>,
  cancellation: Cancellation,
): Promise<CallGate> {
  const { seen } = call;
  if (seen === undefined || interceptors.length === 0) return OPEN;
  const asked: InterceptorQuestion = {
    hook: hookOf("before", call),
    what: `before the call of \`${call.name}\``,
    facts: { ...attemptFacts(given), ...seen.facts },
    seen: seen.members,
  };
  return await askInterceptors(interceptors, asked, cancellation);
}

/** Restores what interceptors decided before a call that was cut off. */
export function recordedGate<T>(
  { intercepted = [] }: IntentRecord,
  { seen, name }: EffectCall<T>,
): CallGate {
  if (intercepted.length === 0) return OPEN;
  const veto = intercepted.find(({ reason }) => reason !== undefined);
  const failure = veto && vetoed(veto.by, veto.reason ?? "", `before the call of \`${name}\``);
  if (JSON.stringify(intercepted).includes("⟦secret:")) throw new FailureError(secretGone(name));
  const changed = changedBy(seen?.members ?? {}, intercepted);
  return { changed, made: intercepted, ...(failure === undefined ? {} : { failure }) };
}

function secretGone(name: string): Failure {
  return {
    class: "tool",
    code: "M8173",
    message: `the call of \`${name}\` was cut off, and an interceptor had put a secret into it, which the log does not keep`,
    hint: "`run.retry` of this node run asks the interceptors anew",
  };
}

/** An effect that has ended. */
export type EndedEffect<T> = Partial<EffectOutcome<T>> & {
  readonly failure?: Failure;
  readonly intercepted?: readonly Interception[];
};

/** Asks behind a call; what it used and made stays, whatever they say. */
export async function interceptedEnd<T>(
  { interceptors = [] }: AttemptHost,
  of: { readonly given: Attempt; readonly call: EffectCall<T>; readonly gate: CallGate },
  ended: EndedEffect<T>,
  cancellation: Cancellation,
): Promise<EndedEffect<T>> {
  const { given, call, gate } = of;
  const { seen } = call;
  if (seen === undefined || interceptors.length === 0) return ended;
  const { failure, usage } = ended;
  const asked: InterceptorQuestion = {
    hook: hookOf("after", call),
    what: `behind the call of \`${call.name}\``,
    facts: {
      ...attemptFacts(given),
      ...seen.facts,
      ...seen.members,
      ...gate.changed,
      ...(failure === undefined ? {} : { failure }),
      ...(usage === undefined ? {} : { usage }),
    },
    seen: failure === undefined ? membersOf(seen, ended.value) : {},
    isOver: failure !== undefined,
  };
  const after = await askInterceptors(interceptors, asked, cancellation);
  return endedBy(seen, ended, after);
}

function endedBy<T>(
  { value: form }: CallSeen,
  ended: EndedEffect<T>,
  { changed, made, failure }: Intercepted,
): EndedEffect<T> {
  const intercepted = made.length === 0 ? {} : { intercepted: made };
  if (failure !== undefined) {
    const { value: _, ...rest } = ended;
    return { ...rest, ...intercepted, failure };
  }
  if (made.length === 0) return ended;
  const value = form === "result" ? changed.result : { ...ended.value, ...changed };
  return { ...ended, ...intercepted, value: value as T };
}

function membersOf({ value: form }: CallSeen, value: unknown): Readonly<Record<string, unknown>> {
  return form === "result" ? { result: value } : { ...(value as object) };
}

function hookOf(when: "before" | "after", { effect }: Pick<EffectCall<unknown>, "effect">): Hook {
  return effect === "model" ? `${when}Model` : `${when}Tool`;
}
