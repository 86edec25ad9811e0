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
    const { depends: _, when, repeat, ...rest } = step;
    return {
      ...rest,
      ...(when == null ? {} : { when: whenWith(names, when) }),
      ...(repeat == null ? {} : { repeat: repeatWith(names, repeat) }),
      id: names.get(step.id) ?? step.id,
      ...(waits.length === 0 ? {} : { depends: waits }),
    };
  });
  return { ...current, ...next, steps: [...kept, ...steps], version: (current.version ?? 1) + 1 };
}

function isSame(step: PlanStep, kept: PlanStep | undefined): boolean {
  if (kept === undefined) return false;
  return SAID.every((name) => (step[name] ?? undefined) === (kept[name] ?? undefined));
}

/** The members that say what a step does, and when; planners write null where there is none. */
const SAID = ["title", "details", "agent", "tool", "when", "repeat"] as const;

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

/** A condition that names the results of steps by their new ids, which may be no names of the language. */
function whenWith(names: ReadonlyMap<string, string>, when: string): string {
  return when.replace(TEXT_OR_NAME, (found) => {
    const name = names.get(found);
    return name === undefined ? found : `results[${JSON.stringify(name)}]`;
  });
}

/** A text in quotes, or a name that is no member of something. */
const TEXT_OR_NAME = /"(?:\\.|[^"\\])*"|(?<![\w.])[A-Za-z_]\w*/g;

/** `each of ID` with the new id of the step. */
function repeatWith(names: ReadonlyMap<string, string>, repeat: string): string {
  return repeat.replace(/^(\s*each\s+of\s+)(.*?)\s*$/is, (whole, words: string, id: string) => {
    const name = names.get(id);
    return name === undefined ? whole : `${words}${name}`;
  });
}
