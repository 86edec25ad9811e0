/** Evaluates who is asked next where nobody answers a question in time. */
import type { EscalationIr } from "../../../dsl/index.ts";
import type { Escalation } from "../../interrupt.ts";
import { evaluate, type Lookup, shownInText } from "../expressions/evaluate.ts";

/** The persons by their names as texts, each with the time to answer in milliseconds. */
export function escalationsOf(
  then: readonly EscalationIr[],
  lookup: Lookup,
): readonly Escalation[] {
  return then.map(({ to, withinMs }) => ({
    to: shownInText(evaluate(to, lookup)),
    ...(withinMs === undefined ? {} : { withinMs }),
  }));
}
