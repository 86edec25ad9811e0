/**
 * Plan → graph: a node a step, an arrow for what a step depends on. A step's node is made from the agent that it names,
 * one of the calling graph: its model, tools and clauses; its prompt too, where it has a parameter for the step.
 */
import { canonicalJson } from "../ir/hash.ts";
import type { ArgIr, ExprIr, Ir } from "../ir/ir.ts";
import { readBy } from "./caller-names.ts";
import { compilePlan } from "./compile-plan.ts";
import {
  type FinishedSteps,
  isPlan,
  type KeptOfPlan,
  PLAN_GRAPH,
  type Plan,
  type PlanProblem,
  readPlan,
} from "./plan.ts";
import { stepsBefore } from "./step-conditions.ts";
import type { PlacedStep } from "./step-nodes.ts";
import { isPerformer, problemsOf } from "./step-problems.ts";

/**
 * The graph of a plan, for a graph that calls it; its problems where there is none. Steps that are done already have no
 * node: their results are there from the start.
 */
export function planGraph(
  ir: Ir,
  value: unknown,
  kept: KeptOfPlan = {},
): Ir | readonly PlanProblem[] {
  const { done = {}, rounds = {} } = kept;
  const plan = readPlan(value, done);
  if (!isPlan(plan)) return plan;
  const key = canonicalJson([ir.hash, ir.source?.file, plan, done, rounds]);
  let made = MADE.get(key);
  if (made === undefined) {
    const parts = placedSteps(plan, done);
    const problems = parts.flatMap(({ step, before }) => problemsOf(step, before, ir));
    if (problems.length > 0) return problems;
    made = compilePlan({ ir, plan, kept: { done, rounds }, parts });
  }
  MADE.delete(key);
  MADE.set(key, made);
  for (const oldest of MADE.keys()) if (MADE.size > MADE_MAX) MADE.delete(oldest);
  return made;
}

/** The engine, its events and its trace ask for the same few plans again and again. */
const MADE = new Map<string, ReturnType<typeof compilePlan>>();
const MADE_MAX = 32;

export function isGraph(made: Ir | readonly PlanProblem[]): made is Ir {
  return "irVersion" in made;
}

/**
 * Returns the problems of a plan that a node of a graph writes; if the graph runs plans, also those
 * with its agents.
 */
export function planProblems(ir: Ir, value: unknown): readonly PlanProblem[] {
  const plan = readPlan(value);
  if (!isPlan(plan)) return plan;
  const runsPlans = ir.nodes.some(({ call }) => call?.callee.join(".") === PLAN_GRAPH);
  if (!runsPlans) return [];
  return placedSteps(plan, {}).flatMap(({ step, before }) => problemsOf(step, before, ir));
}

/** The steps that are left; those that may read results in a condition or a repetition know whose. */
function placedSteps({ steps }: Plan, done: FinishedSteps): readonly PlacedStep[] {
  const ended = Object.keys(done);
  return steps
    .filter(({ id }) => !Object.hasOwn(done, id))
    .map((step) => {
      const reads = step.when != null || step.repeat != null;
      return { step, before: reads ? stepsBefore(step, { steps, done: ended }) : [] };
    });
}

/** Returns whether a field of a graph holds a plan: it is of the built-in type. */
export function holdsPlan({ fields, types }: Ir, field: string): boolean {
  const type = fields.find(({ name }) => name === field)?.type;
  if (type?.kind !== "named" || type.name !== "Plan") return false;
  return !types.some(({ name }) => name === "Plan");
}

/**
 * Returns the values of the calling graph that the steps of any plan may read, as arguments of the
 * call.
 */
export function planArguments(ir: Ir): readonly (ArgIr & { readonly label: string })[] {
  const read = new Map<string, ExprIr & { readonly kind: "name" }>();
  for (const node of ir.nodes.filter(isPerformer)) {
    for (const name of readBy(node)) if (name.name !== "plan") read.set(name.name, name);
  }
  return [...read.values()].map((value) => ({ label: value.name, value }));
}
