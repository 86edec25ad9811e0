/** Says who may do the steps of a plan that a question shows, and checks the plan that a person makes of it. */
import {
  type Code,
  type Ir,
  isPlan,
  type PlanProblem,
  planPerformers,
  planProblems,
  readPlan,
} from "../../../dsl/index.ts";
import { DRAWN_MAX, planIn, planSvg } from "../../display/values/plan.ts";
import { visible } from "../../display/visible.ts";

/** The names that the table of a plan offers for its steps. */
interface PlanPerformers {
  readonly agents: readonly string[];
  readonly tools: readonly string[];
}

/** A plan as it stands in the table. */
interface CheckedPlan {
  readonly problems: readonly ShownProblem[];
  /** SVG; empty where the steps have no order, or are too many. */
  readonly drawing: string;
}

interface ShownProblem {
  readonly text: string;
  /** The id of the step, where it has one. */
  readonly step?: string;
  /** The column of the table in which it is put right. */
  readonly column?: string;
}

/** Null for a value that is no plan, or one of more steps than anybody edits in a table. `graph` is the one whose node asks. */
export function performersIn(shown: unknown, graph: Ir | undefined): PlanPerformers | null {
  const plan = planIn(shown);
  if (plan === undefined || plan.steps.length > DRAWN_MAX) return null;
  return graph === undefined ? { agents: [], tools: [] } : planPerformers(graph);
}

/** `given` is the plan as JSON. */
export function checkPlan(given: string, graph: Ir | undefined): CheckedPlan {
  const value: unknown = JSON.parse(given);
  const plan = readPlan(value);
  return {
    problems: problemsOf(value, graph).map(shownProblem),
    drawing: isPlan(plan) && plan.steps.length > 0 ? planSvg(plan) : "",
  };
}

/** Returns what is wrong with a plan, a text each; `graph` is the one whose node asks. */
export function planFaults(value: unknown, graph: Ir | undefined): readonly string[] {
  return problemsOf(value, graph).map((problem) => shownProblem(problem).text);
}

function problemsOf(value: unknown, graph: Ir | undefined): readonly PlanProblem[] {
  if (graph !== undefined) return planProblems(graph, value);
  const plan = readPlan(value);
  return isPlan(plan) ? [] : plan;
}

function shownProblem({ code, message, hint, step }: PlanProblem): ShownProblem {
  const column = COLUMNS[code];
  return {
    text: visible(`${code}: ${message}; ${hint}`),
    ...(step === undefined ? {} : { step }),
    ...(column === undefined ? {} : { column }),
  };
}

const COLUMNS: Readonly<Partial<Record<Code, string>>> = {
  M5033: "id",
  M5034: "after",
  M5035: "after",
  M5036: "who",
  M5037: "who",
  M5038: "repeat",
  M5060: "when",
};
