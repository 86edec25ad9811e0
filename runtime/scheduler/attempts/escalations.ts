/** Evaluates who is asked next where nobody answers a question in time: the same person again, then others. */
import type { EscalationIr, WaitIr } from "../../../dsl/index.ts";
import type { Escalation, Question } from "../../interrupt.ts";
import { evaluate, type Lookup, shownInText } from "../expressions/evaluate.ts";

/** The persons by their names as texts, each with the time to answer in milliseconds; who is reminded is among them as often. */
export function escalationsOf(
  then: readonly EscalationIr[],
  lookup: Lookup,
): readonly Escalation[] {
  return then.flatMap(({ to, ...wait }) => remindersOf(wait, shownInText(evaluate(to, lookup))));
}

/** The first time to answer, and who is asked after it: first the same person as often as they are reminded. */
export function waitOf(
  wait: WaitIr,
  to: string | undefined,
  then: readonly Escalation[] = [],
): Pick<Question, "withinMs" | "then"> {
  const [first, ...again] = remindersOf(wait, to);
  const next = [...again, ...then];
  return {
    ...(first?.withinMs === undefined ? {} : { withinMs: first.withinMs }),
    ...(next.length === 0 ? {} : { then: next }),
  };
}

function remindersOf(
  { withinMs, remindMs }: WaitIr,
  to: string | undefined,
): readonly Escalation[] {
  const whom = to === undefined ? {} : { to };
  if (withinMs === undefined) return [whom];
  if (remindMs === undefined) return [{ ...whom, withinMs }];
  const count = Math.ceil(withinMs / remindMs);
  return Array.from({ length: count }, (_, index) => ({
    ...whom,
    withinMs: Math.min(remindMs, withinMs - index * remindMs),
  }));
}
