/** A plan: steps that depend on each other, as plain JSON. Reading one says everything that is wrong with it. */

import type { Code } from "../codes.ts";
import { isRecord } from "../is-record.ts";

/** The name by which graphs call the one that is made of a plan. */
export const PLAN_GRAPH = "planGraph";

export interface Plan {
  readonly steps: readonly PlanStep[];
  readonly name?: string;
  /** The task that it is for. */
  readonly task?: string;
  readonly summary?: string;
  /** The planner's reasons. */
  readonly thought?: string;
  /** Counts the plans that replaced each other. */
  readonly version?: number;
}

/** The built-in type `Step`. */
export interface PlanStep {
  readonly id: string;
  readonly title: string;
  readonly details: string;
  readonly agent?: string;
  readonly tool?: string;
  /** The steps that it waits for. */
  readonly depends?: readonly string[];
  /** An expression in which ids are the results of steps before: `price < 10`. A step of which it does not hold is skipped. */
  readonly when?: string;
  /** `3 times`, `every 5m until the price is below 10 max 20`, `each of apples, pears`, `each of ID` for what that step came to. */
  readonly repeat?: string;
  /** Its parts, where the planner said them one by one; `details` has them as text. */
  readonly notes?: readonly PlanNote[];
}

/** A part of a step: something to do, to do for each item of a list, or to do when something happens. */
export type PlanNote =
  | { readonly text: string; readonly input?: string; readonly output?: string }
  | { readonly each: string; readonly notes: readonly PlanNote[] }
  | {
      /** The kind of the event: `dom`, `gui`, `file`. */
      readonly watch: string;
      readonly loop?: boolean;
      readonly description: string;
      readonly notes: readonly PlanNote[];
    };

/** A fault of a plan, in words for its author. */
export interface PlanProblem {
  readonly code: Code;
  readonly message: string;
  readonly hint: string;
  /** The step's id, where it has one. */
  readonly step?: string;
}

/**
 * The results of finished steps of a plan, by id; a plan that replaces it need not list these
 * steps.
 */
export type FinishedSteps = Readonly<Record<string, unknown>>;

/** The results of a plan that the new plan replaces. */
export interface KeptOfPlan {
  readonly done?: FinishedSteps | undefined;
  /** The latest results of repeated steps under way, by their ids. */
  readonly rounds?: FinishedSteps | undefined;
}

/** Reads a plan; with its problems where it is none. */
export function readPlan(value: unknown, done: FinishedSteps = {}): Plan | readonly PlanProblem[] {
  const misfits = misfitsOf(value);
  if (misfits.length > 0) return misfits;
  const plan = value as Plan;
  const problems = [...doubleIds(plan), ...missingSteps(plan, done), ...circle(plan)];
  return problems.length === 0 ? plan : problems;
}

export function isPlan(read: Plan | readonly PlanProblem[]): read is Plan {
  return "steps" in read;
}

/** The ids of the steps by when they can begin: those of one level wait for steps of the levels before alone. */
export function planLevels({ steps }: Plan): readonly (readonly string[])[] {
  const places = new Map<string, number>();
  const waiting = new Map<string, number>();
  const behind = new Map<string, string[]>();
  for (const [place, { id, depends }] of steps.entries()) {
    places.set(id, place);
    const needed = new Set(depends ?? []);
    waiting.set(id, needed.size);
    for (const one of needed) {
      const others = behind.get(one);
      if (others === undefined) behind.set(one, [id]);
      else others.push(id);
    }
  }
  const levels: string[][] = [];
  let level = steps.flatMap(({ id }) => (waiting.get(id) === 0 ? [id] : []));
  while (level.length > 0) {
    levels.push(level);
    const next = level
      .flatMap((id) => behind.get(id) ?? [])
      .filter((id) => {
        const left = (waiting.get(id) ?? 0) - 1;
        waiting.set(id, left);
        return left === 0;
      });
    level = next.sort((one, other) => (places.get(one) ?? 0) - (places.get(other) ?? 0));
  }
  return levels;
}

const TEXTS = ["id", "title", "details"] as const;
const OPTIONAL_TEXTS = ["agent", "tool", "when", "repeat"] as const;

function misfitsOf(value: unknown): readonly PlanProblem[] {
  if (!isRecord(value) || !Array.isArray(value.steps)) {
    return [misfit("a plan is an object with a list of `steps`")];
  }
  return value.steps.flatMap((step: unknown, index) => misfitsOfStep(step, index));
}

function misfitsOfStep(step: unknown, index: number): readonly PlanProblem[] {
  const place = `steps[${index}]`;
  if (!isRecord(step)) return [misfit(`${place} is not an object`)];
  const id = typeof step.id === "string" ? step.id : undefined;
  const missing = TEXTS.filter((name) => typeof step[name] !== "string");
  const others = OPTIONAL_TEXTS.filter(
    (name) => step[name] !== undefined && step[name] !== null && typeof step[name] !== "string",
  );
  const { depends } = step;
  const isList = Array.isArray(depends) && depends.every((one) => typeof one === "string");
  const wrong = depends === undefined || depends === null || isList ? [] : ["depends"];
  return [...missing, ...others, ...wrong].map((name) =>
    misfit(`\`${name}\` of ${place} is not ${name === "depends" ? "a list of ids" : "a text"}`, id),
  );
}

function misfit(message: string, step?: string): PlanProblem {
  return {
    code: "M5032",
    message,
    hint: "a step has `id`, `title`, `details`, and may have `agent` or `tool`, `depends`, `when`, `repeat`",
    ...(step === undefined ? {} : { step }),
  };
}

function doubleIds({ steps }: Plan): readonly PlanProblem[] {
  const ids = steps.map(({ id }) => id);
  const double = [...new Set(ids.filter((id, index) => ids.indexOf(id) !== index))];
  return double.map((step) => ({
    code: "M5033",
    message: `two steps have the id \`${step}\``,
    hint: "give each step an id of its own",
    step,
  }));
}

function missingSteps({ steps }: Plan, done: FinishedSteps): readonly PlanProblem[] {
  const ids = new Set([...steps.map(({ id }) => id), ...Object.keys(done)]);
  return steps.flatMap(({ id, depends }) =>
    (depends ?? [])
      .filter((needed) => !ids.has(needed))
      .map((needed): PlanProblem => {
        const message = `step \`${id}\` depends on \`${needed}\`, and there is no such step`;
        return { code: "M5034", message, hint: `its steps: ${[...ids].join(", ")}`, step: id };
      }),
  );
}

/** The first circle, said as the way round. */
function circle({ steps }: Plan): readonly PlanProblem[] {
  const ids = new Set(steps.map(({ id }) => id));
  // An unknown step was reported before, or is done.
  const known = steps.map(({ depends, ...step }) => ({
    ...step,
    depends: (depends ?? []).filter((id) => ids.has(id)),
  }));
  const plan = { steps: known };
  const inTime = new Set(planLevels(plan).flat());
  const stuck = plan.steps.filter(({ id }) => !inTime.has(id));
  const way: string[] = [];
  let at = stuck.find(({ depends }) => depends?.some((id) => stuck.some((one) => one.id === id)));
  while (at !== undefined && !way.includes(at.id)) {
    way.push(at.id);
    const next = at.depends?.find((id) => stuck.some((one) => one.id === id));
    at = stuck.find(({ id }) => id === next);
  }
  if (at === undefined) return [];
  const round = [...way.slice(way.indexOf(at.id)), at.id];
  return [
    {
      code: "M5035",
      message: `steps wait for each other: ${round.join(" -> ")}`,
      hint: "take one of these out of `depends`",
      step: at.id,
    },
  ];
}
