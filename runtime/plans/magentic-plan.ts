/** Reads and writes plans of Magentic-UI's orchestrator: a list of steps, one behind the other. */
import { isRecord, type Plan, type PlanStep } from "../../dsl/index.ts";
import { jsonIn } from "./json-in.ts";
import { noPlanIn, type PlannerAnswer } from "./plan-format.ts";

export function readMagenticPlan(given: unknown): PlannerAnswer {
  const value = jsonIn(given);
  if (value === undefined) throw noPlanIn("magentic", "it holds no object of JSON");
  const answer = readText(value.response);
  if (value.needs_plan === false) return { answer: answer ?? "" };
  if (!Array.isArray(value.steps)) throw noPlanIn("magentic", "it has no list `steps`");
  const steps = value.steps.map((step: unknown, at) => readStep(step, at));
  const task = readText(value.task);
  const summary = readText(value.plan_summary);
  const plan = {
    ...(task === undefined ? {} : { task }),
    ...(summary === undefined ? {} : { summary }),
    steps,
  };
  return { plan, ...(answer === undefined ? {} : { answer }) };
}

/** Steps are called by their numbers, from 1, and each waits for the one before. */
function readStep(step: unknown, at: number): PlanStep {
  if (!isRecord(step)) throw noPlanIn("magentic", `steps[${at}] is not an object`);
  const agent = readText(step.agent_name);
  // Magentic-UI tells sentinels by these two members, whatever `step_type` says.
  const isSentinel = step.condition != null && step.sleep_duration != null;
  return {
    id: `${at + 1}`,
    title: readText(step.title) ?? "",
    details: readText(step.details) ?? "",
    ...(agent === undefined ? {} : { agent }),
    ...(at === 0 ? {} : { depends: [`${at}`] }),
    ...(isSentinel ? { repeat: repetition(step, `steps[${at}]`) } : {}),
  };
}

/** A sentinel is done so many times, or until a text holds. */
function repetition(
  { condition, sleep_duration: seconds }: Readonly<Record<string, unknown>>,
  place: string,
): string {
  if (typeof seconds !== "number" || seconds < 0) {
    throw noPlanIn("magentic", `\`sleep_duration\` of ${place} is not a number of seconds`);
  }
  const every = seconds > 0 ? `every ${seconds}s ` : "";
  if (typeof condition === "number") return `${every}${condition} times`;
  if (typeof condition !== "string" || /^\s*\d*\s*$/.test(condition)) {
    throw noPlanIn(
      "magentic",
      `\`condition\` of ${place} is ${JSON.stringify(condition)}: write a number for so many times, or words that come true`,
    );
  }
  return `${every}until ${condition}`;
}

const SENTINEL = "SentinelPlanStep";
const REPEAT = /^(?:every (\d+(?:\.\d+)?)(ms|s|m|h|d) )?(?:(\d+) times|until (.+?)(?: max \d+)?)$/;
const SECONDS: Readonly<Record<string, number>> = { ms: 0.001, s: 1, m: 60, h: 3600, d: 86_400 };

/**
 * Steps stand in an order in which each comes after those that it depends on; Magentic-UI does one after the other.
 */
export function writeMagenticPlan({ task = "", summary = "", steps }: Plan): string {
  const plan = {
    response: "",
    task,
    plan_summary: summary,
    needs_plan: true,
    steps: inOrder(steps).map(writeStep),
  };
  return JSON.stringify(plan, undefined, 2);
}

function writeStep({ title, details, agent, tool, repeat }: PlanStep) {
  const step = { title, details, agent_name: agent ?? tool ?? "" };
  const found = repeat == null ? null : REPEAT.exec(repeat);
  if (found === null) return step;
  const [, count = "0", unit = "s", times, condition] = found;
  return {
    ...step,
    step_type: SENTINEL,
    condition: times === undefined ? condition : Number(times),
    sleep_duration: Number(count) * (SECONDS[unit] ?? 1),
  };
}

/** The steps, each behind those that it waits for, otherwise as they stand. */
export function inOrder(steps: readonly PlanStep[]): readonly PlanStep[] {
  const ordered: PlanStep[] = [];
  let left = steps;
  while (left.length > 0) {
    const ids = new Set(left.map(({ id }) => id));
    const next = left.find(({ depends }) => !(depends ?? []).some((id) => ids.has(id))) ?? left[0];
    if (next === undefined) break;
    ordered.push(next);
    left = left.filter((step) => step !== next);
  }
  return ordered;
}

function readText(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}
