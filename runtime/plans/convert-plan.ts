/** Reads and writes plans in the formats of the systems that make them. */
import { isPlan, type Plan, type PlanProblem, readPlan as readOwnPlan } from "../../dsl/index.ts";
import { readAworldPlan, writeAworldPlan } from "./aworld-plan.ts";
import { readEkoPlan } from "./eko-plan.ts";
import { jsonIn } from "./json-in.ts";
import { readMagenticPlan, writeMagenticPlan } from "./magentic-plan.ts";
import { noPlanIn, type PlanFormat, type PlannerAnswer } from "./plan-format.ts";
import { writeEkoPlan } from "./write-eko-plan.ts";

export interface PlanReadOptions {
  /** Guessed from the text if absent. */
  readonly format?: PlanFormat;
}

/** A plan that was read, and what the text says besides it. */
export interface PlanReading {
  readonly format: PlanFormat;
  /** Absent where the planner answered instead of planning, and where the text is no list of steps (M5032 in `problems`). */
  readonly plan?: Plan;
  /** The answer of a planner that needs no plan. */
  readonly answer?: string;
  /** Everything that is wrong with the plan; it can't run before that is mended. */
  readonly problems: readonly PlanProblem[];
}

/**
 * Reads a plan from the text of a planner, or from an object that JSON could hold. Throws M5040 where the text holds no plan of the
 * format; faults of a plan that was read are in `problems`.
 */
export function readPlan(given: unknown, options: PlanReadOptions = {}): PlanReading {
  const format = options.format ?? formatOf(given);
  const { plan, answer } = READERS[format](given);
  if (plan === undefined)
    return { format, ...(answer === undefined ? {} : { answer }), problems: [] };
  const read = readOwnPlan(plan);
  const problems = isPlan(read) ? [] : read;
  const hasSteps = problems.every(({ code }) => code !== "M5032");
  return {
    format,
    ...(hasSteps ? { plan } : {}),
    ...(answer === undefined ? {} : { answer }),
    problems,
  };
}

/** Writes a plan as the text of a format. What a format has no place for is left out. */
export function writePlan(plan: Plan, format: PlanFormat): string {
  return WRITERS[format](plan);
}

const READERS: Readonly<Record<PlanFormat, (given: unknown) => PlannerAnswer>> = {
  aworld: readAworldPlan,
  eko: (given) => ({ plan: readEkoPlan(given) }),
  json: (given) => ({ plan: ownPlan(given) }),
  magentic: readMagenticPlan,
};

const WRITERS: Readonly<Record<PlanFormat, (plan: Plan) => string>> = {
  aworld: writeAworldPlan,
  eko: writeEkoPlan,
  json: (plan) => JSON.stringify(plan, undefined, 2),
  magentic: writeMagenticPlan,
};

function formatOf(given: unknown): PlanFormat {
  if (typeof given === "string") {
    if (/<(?:root|agents)\b/.test(given)) return "eko";
    if (/<(?:PLANNING_TAG|FINAL_ANSWER_TAG)>/.test(given)) return "aworld";
  }
  const value = jsonIn(given);
  if (value === undefined) return "json";
  if ("dag" in value) return "aworld";
  const [first] = Array.isArray(value.steps) ? value.steps : [];
  const isMagentic =
    "needs_plan" in value || (first !== undefined && Object.hasOwn(Object(first), "agent_name"));
  return isMagentic ? "magentic" : "json";
}

function ownPlan(given: unknown): Plan {
  const value = jsonIn(given);
  if (value === undefined) throw noPlanIn("json", "it holds no object of JSON");
  // `readPlan` says what is wrong with it.
  return value as unknown as Plan;
}
