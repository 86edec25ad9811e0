/** The group `planning` that every program has: plans out of what models say, for expressions. */
import type { FinishedSteps, Plan, PlanStep } from "../../dsl/index.ts";
import { FailureError, RunError } from "../failure.ts";
import { readPlan } from "./convert-plan.ts";
import { mergePlans } from "./merge-plans.ts";

export const planning = {
  /**
   * Reads the plan that a model wrote, in any format. Behind results of an earlier plan, `current`, it is what is left to do: the
   * steps with a result stay as they were. A text without a plan goes back to the model that wrote it (M5040).
   */
  read: (text: string, current?: Plan, results: FinishedSteps = {}): Plan => {
    const plan = planIn(text);
    const done = Object.keys(results);
    return current === undefined || done.length === 0 ? plan : mergePlans(current, plan, done);
  },
  /** The part of a plan that can begin now: steps without a result that wait for none without one. */
  next: (plan: Plan, results: FinishedSteps): Plan => {
    const left = plan.steps.filter(({ id }) => !Object.hasOwn(results, id));
    const isLeft = new Set(left.map(({ id }) => id));
    const waits = ({ depends }: PlanStep) => (depends ?? []).some((id) => isLeft.has(id));
    return { ...plan, steps: left.filter((step) => !waits(step)) };
  },
  /** The items of `repeat: "each of ID"`: what that step came to as a list; of a text, a list of JSON in it or its lines. */
  items: (result: unknown): readonly unknown[] => {
    if (Array.isArray(result)) return result;
    if (typeof result !== "string") return result == null ? [] : [result];
    const list = /\[.*\]/s.exec(result)?.[0];
    try {
      const value: unknown = list === undefined ? undefined : JSON.parse(list);
      if (Array.isArray(value)) return value;
    } catch {
      // The brackets stand for something else.
    }
    const lines = result
      .split("\n")
      .map((line) => line.replace(/^\s*(?:[-*•]|\d+[.)])\s+/, "").trim());
    return lines.filter((line) => line !== "");
  },
};

function planIn(text: string): Plan {
  try {
    const { plan, problems } = readPlan(text);
    if (plan !== undefined) return plan;
    const [first] = problems;
    throw first === undefined
      ? new RunError("M5040", "the text answers and plans nothing", { hint: "write the plan" })
      : new RunError(first.code, first.message, { hint: first.hint });
  } catch (thrown) {
    throw thrown instanceof RunError ? unreadable(thrown) : thrown;
  }
}

/** The failure of which the model that wrote the text is told. */
function unreadable({ code, message, hint }: RunError): FailureError {
  const feedback = hint === undefined ? message : `${message}; ${hint}`;
  return new FailureError({
    class: "invalid",
    ...{ code, message, feedback },
    ...(hint === undefined ? {} : { hint }),
  });
}
