/** Evaluates who is asked next where nobody answers a question in time: the same person again, then others. */
import type { CountIr, EscalationIr, ExprIr, WaitIr } from "../../../dsl/index.ts";
import type { Escalation, Question } from "../../interrupt.ts";
import { plain } from "../../state/persistent.ts";
import { evaluate, type Lookup, shownInText } from "../expressions/evaluate.ts";
import { EvaluationError } from "../expressions/evaluation-errors.ts";
import { countIn } from "../lookup.ts";

/**
 * The addressee of a question: one person, or several who must all say yes, or as many as are needed. Throws
 * `EvaluationError` for an empty list and for a number that it does not have.
 */
export function whomOf(from: ExprIr, count: CountIr | undefined, lookup: Lookup): Whom {
  const value = plain(evaluate(from, lookup));
  const need = count === undefined ? undefined : countIn(count, lookup);
  if (!Array.isArray(value)) {
    if (need !== undefined) throw new EvaluationError("`need` is of a list of persons");
    return { to: shownInText(value) };
  }
  const among = [...new Set(value.map(shownInText))];
  if (among.length === 0)
    throw new EvaluationError("nobody is asked: the list of persons is empty");
  if (need !== undefined && !(Number.isInteger(need) && need >= 1 && need <= among.length))
    throw new EvaluationError(`${need} of ${among.length} persons can't say yes`);
  return { to: among.join(", "), among, ...(need === undefined ? {} : { need }) };
}

export type Whom = Pick<Question, "to" | "among" | "need">;

/** The persons by their names as texts, each with the time to answer in milliseconds; who is reminded is among them as often. */
export function escalationsOf(
  then: readonly EscalationIr[],
  lookup: Lookup,
): readonly Escalation[] {
  return then.flatMap(({ to, need, ...wait }) => remindersOf(wait, whomOf(to, need, lookup)));
}

/** The first time to answer, and who is asked after it: first the same person as often as they are reminded. */
export function waitOf(
  wait: WaitIr,
  whom: Whom,
  then: readonly Escalation[] = [],
): Pick<Question, "withinMs" | "then"> {
  const [first, ...again] = remindersOf(wait, whom);
  const next = [...again, ...then];
  return {
    ...(first?.withinMs === undefined ? {} : { withinMs: first.withinMs }),
    ...(next.length === 0 ? {} : { then: next }),
  };
}

function remindersOf({ withinMs, remindMs }: WaitIr, whom: Whom): readonly Escalation[] {
  if (withinMs === undefined) return [whom];
  if (remindMs === undefined) return [{ ...whom, withinMs }];
  const count = Math.ceil(withinMs / remindMs);
  return Array.from({ length: count }, (_, index) => ({
    ...whom,
    withinMs: Math.min(remindMs, withinMs - index * remindMs),
  }));
}
