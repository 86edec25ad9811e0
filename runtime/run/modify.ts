/** Reads a new plan for a run: which `planGraph` node it replaces, and whether it can run there. */
import { isGraph, isRecord, type Plan, type PlanProblem, planGraph } from "../../dsl/index.ts";
import { RunError } from "../failure.ts";
import { readPlan } from "../plans/convert-plan.ts";
import { noPlanIn } from "../plans/plan-format.ts";
import { doneIn } from "../scheduler/called-snapshots.ts";
import type { Program } from "../scheduler/program/program.ts";
import type { Child, Snapshot } from "../scheduler/snapshot/snapshot.ts";

export interface ModifyOptions {
  /** The label of the node run that runs the plan (`go#1`), where there are several. */
  readonly of?: string;
}

/** The new plan as the scheduler takes it. Throws M5039 without a plan that runs, M5032 to M5038 for a plan that can't, M5040 for a text without one. */
export function readModify(
  program: Program,
  snapshot: Snapshot,
  { plan, of }: ModifyOptions & { readonly plan: Plan | string },
): { readonly id: number; readonly plan: unknown } {
  const running = plansOf(program, snapshot);
  const meant = of === undefined ? running : running.filter(({ label }) => label === of);
  const [only, ...more] = meant;
  if (only === undefined || more.length > 0) throw noPlan(running, of);
  const value: unknown = typeof plan === "string" ? parsed(plan) : JSON.parse(JSON.stringify(plan));
  if (isRecord(value) && Array.isArray(value.steps) && value.steps.length === 0) throw emptyPlan();
  const made = planGraph(only.program.ir, value, { done: doneIn(only.child) });
  if (isGraph(made)) return { id: only.id, plan: value };
  throw faultOf(made);
}

function emptyPlan(): RunError {
  return new RunError("M5032", "the plan has no steps", {
    hint: "list the steps that are left, and those that are done if you like; `run.abort()` ends the run",
  });
}

function faultOf([first]: readonly PlanProblem[]): RunError {
  return new RunError(first?.code ?? "M5032", first?.message ?? "this is no plan", {
    hint: first?.hint,
  });
}

interface RunningPlan {
  readonly id: number;
  readonly label: string;
  /** The graph that runs it. */
  readonly program: Program;
  readonly child: Child;
}

/** The plans that have not ended, in called graphs too. */
function plansOf(program: Program, snapshot: Snapshot, path: string[] = []): RunningPlan[] {
  return [...snapshot.children.entries()].flatMap(([id, child]): RunningPlan[] => {
    const run = snapshot.open.get(id);
    const node = program.nodes[run?.node ?? -1];
    const labels = [...path, `${node?.ir.name}#${run?.ordinal}`];
    if (node?.called?.isPlan !== true) return plansOf(child.program, child.snapshot, labels);
    if (child.snapshot.status === "succeeded") return [];
    return [{ id, label: labels.join(" › "), program, child }];
  });
}

function parsed(text: string): unknown {
  const { plan, format, problems } = readPlan(text);
  if (plan === undefined && problems.length > 0) throw faultOf(problems);
  if (plan === undefined) throw noPlanIn(format, "it answers and has no steps");
  return plan;
}

function noPlan(running: readonly RunningPlan[], of: string | undefined): RunError {
  const labels = running.map(({ label }) => `\`${label}\``).join(", ");
  if (labels === "") {
    return new RunError("M5039", "no plan is running", {
      hint: "`planGraph(plan)` runs one; before that, change the field that it is in with `edit`",
    });
  }
  const message = of === undefined ? "several plans are running" : `\`${of}\` runs no plan`;
  return new RunError("M5039", message, { hint: `say of which, as in { of: … }: ${labels}` });
}
