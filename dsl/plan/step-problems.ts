/** Finds the problems of a plan's step: its agent, its tool, its repetition. */
import type { Ir, NodeIr, TypeIr } from "../ir/ir.ts";
import { nearest } from "../names/nearest.ts";
import type { PlanProblem, PlanStep } from "./plan.ts";
import { readRepeat } from "./repeat.ts";
import { isProblem, readWhen } from "./step-conditions.ts";

/** `before` are the ids of the steps that it waits for, directly or not. */
export function problemsOf(
  step: PlanStep,
  before: readonly string[],
  ir: Ir,
): readonly PlanProblem[] {
  const condition = readWhen(step, before, ir);
  return [
    ...problemsOfPerformer(step, ir),
    ...problemsOfRepeat(step),
    ...(isProblem(condition) ? [condition] : []),
  ];
}

function problemsOfPerformer(step: PlanStep, ir: Ir): readonly PlanProblem[] {
  const { id, agent, tool } = step;
  if (agent == null && tool != null) return problemsOfTool(id, tool, ir);
  if (templateOf(step, ir) !== undefined) return [];
  const { agents } = planPerformers(ir);
  const has = `its agents: ${agents.join(", ") || "none"}`;
  if (agent == null) {
    const message = `step \`${id}\` names no agent, which is only allowed if \`${ir.name}\` has exactly one agent`;
    return [{ code: "M5036", message, hint: has, step: id }];
  }
  const meant = nearest(agent, agents);
  const hint = meant === undefined ? has : `did you mean \`${meant}\`? ${has}`;
  const message = `step \`${id}\` is for \`${agent}\`, and \`${ir.name}\` has no such agent`;
  return [{ code: "M5036", message, hint, step: id }];
}

function problemsOfTool(step: string, tool: string, ir: Ir): readonly PlanProblem[] {
  const { tools: known } = planPerformers(ir);
  const isKnown = known.some(
    (name) => name === tool || (name.endsWith(".*") && tool.startsWith(name.slice(0, -1))),
  );
  if (isKnown) return [];
  const meant = nearest(tool, known);
  const has = `its tools: ${known.join(", ") || "none"}`;
  const hint = meant === undefined ? has : `did you mean \`${meant}\`? ${has}`;
  const message = `step \`${step}\` uses \`${tool}\`, and \`${ir.name}\` has no such tool`;
  return [{ code: "M5037", message, hint, step }];
}

function problemsOfRepeat({ id, repeat }: PlanStep): readonly PlanProblem[] {
  if (repeat == null || readRepeat(repeat, {}) !== undefined) return [];
  const message = `\`repeat\` of step \`${id}\` has no end: \`${repeat}\``;
  const hint =
    "write `3 times`, `every 5m until it is done max 10`, `until the tests pass max 5`, `each of apples, pears`";
  return [{ code: "M5038", message, hint, step: id }];
}

/** The agents and the tools that steps may name; a tool like `files.*` stands for all of its group. */
export function planPerformers({ nodes, imports }: Ir): {
  readonly agents: readonly string[];
  readonly tools: readonly string[];
} {
  const own = nodes.flatMap(({ tools }) => tools.map((name) => name.join(".")));
  return {
    agents: nodes.filter(isPerformer).map(({ name }) => name),
    tools: [...new Set([...own, ...imports.map(({ as }) => as)])],
  };
}

/** Agents do steps, and so does a person whose node takes one. */
export function isPerformer({ kind, params: [first] }: NodeIr): boolean {
  return kind === "agent" || kind === "operator" || (kind === "human" && isStepType(first?.type));
}

/** The agent that a step names; without a name the only one that takes a step. */
export function templateOf({ agent }: PlanStep, { nodes }: Ir): NodeIr | undefined {
  const performers = nodes.filter(isPerformer);
  if (agent != null) return performers.find(({ name }) => name === agent);
  const taking = performers.filter(
    ({ kind, params: [first] }) => kind !== "human" && isStepType(first?.type),
  );
  return taking.length === 1 ? taking[0] : undefined;
}

function isStepType(type: TypeIr | undefined): boolean {
  return type?.kind === "named" && type.name === "Step";
}
