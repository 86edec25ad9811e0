/** Joins the steps of a plan that are done with a plan for what is left. */
import type { Plan, PlanStep } from "../../dsl/index.ts";

/**
 * Returns the plan that goes on with `next`: the steps of `current` that are `done`, as they are, then those of `next`. A step of
 * `next` whose id a kept one has gets another, and what depends on it follows. The first steps of `next` wait for the last kept one,
 * unless they name what they wait for. A step of `next` that is a kept one again, with all that it says, is that step.
 */
export function mergePlans(current: Plan, next: Plan, done: Iterable<string>): Plan {
  const isDone = new Set(done);
  const kept = current.steps.filter(({ id }) => isDone.has(id));
  const keptById = new Map(kept.map((step) => [step.id, step]));
  const added = next.steps.filter((step) => !isSame(step, keptById.get(step.id)));
  const names = freshNames(added, keptById);
  const last = kept.at(-1)?.id;
  const steps = added.map((step): PlanStep => {
    const depends = (step.depends ?? []).map((id) => names.get(id) ?? id);
    const waits = depends.length === 0 && last !== undefined ? [last] : depends;
    const { depends: _, ...rest } = step;
    return {
      ...rest,
      id: names.get(step.id) ?? step.id,
      ...(waits.length === 0 ? {} : { depends: waits }),
    };
  });
  return { ...current, ...next, steps: [...kept, ...steps], version: (current.version ?? 1) + 1 };
}

function isSame(step: PlanStep, kept: PlanStep | undefined): boolean {
  if (kept === undefined) return false;
  return step.title === kept.title && step.details === kept.details && step.agent === kept.agent;
}

/** By the id that a step of the new plan has: another, where a kept step has it already. */
function freshNames(
  added: readonly PlanStep[],
  kept: ReadonlyMap<string, PlanStep>,
): ReadonlyMap<string, string> {
  const used = new Set([...kept.keys(), ...added.map(({ id }) => id)]);
  const names = new Map<string, string>();
  for (const { id } of added.filter((step) => kept.has(step.id))) {
    let number = 2;
    while (used.has(`${id}-${number}`)) number += 1;
    names.set(id, `${id}-${number}`);
    used.add(`${id}-${number}`);
  }
  return names;
}
