/** Gives each target a range of the numbers that front ends see. */
import type { DebugTarget } from "./target.ts";

/** Below 2³¹ for the first two, which some front ends need. */
const RANGE = 1_000_000_000;

/** Returns the index of the target that a number belongs to. */
export function rangeOf(outside: number): number {
  return Math.floor(outside / RANGE);
}

/** Returns the first number of the target that a number belongs to. */
export function startOf(outside: number): number {
  return rangeOf(outside) * RANGE;
}

/** The number that front ends see; nothing stays nothing. */
export function outsideOf(inside: number, index: number): number {
  return inside === 0 ? 0 : inside + index * RANGE;
}

export function rangedTarget(target: DebugTarget, index: number): DebugTarget {
  const inside = (number: number) => number - index * RANGE;
  const framed = (frame: number | undefined) => (frame === undefined ? undefined : inside(frame));
  const referenced = <T extends { readonly variablesReference: number }>(one: T): T => ({
    ...one,
    variablesReference: outsideOf(one.variablesReference, index),
  });
  return {
    filters: target.filters,
    takes: (cell) => target.takes(cell),
    attach: () => target.attach(),
    detach: (leaving) => target.detach(leaving),
    setBreakpoints: (cell, lines) => target.setBreakpoints(cell, lines),
    setFilters: (filters) => target.setFilters(filters),
    move: (verb, thread) => target.move(verb, inside(thread)),
    pause: () => target.pause(),
    async frames(thread) {
      const frames = await target.frames(inside(thread));
      return frames.map((frame) => ({ ...frame, id: outsideOf(frame.id, index) }));
    },
    scopes: async (frame) => (await target.scopes(inside(frame))).map(referenced),
    variables: async (reference, paging) =>
      (await target.variables(inside(reference), paging)).map(referenced),
    evaluate: async (expression, frame) =>
      referenced(await target.evaluate(expression, framed(frame))),
    render: (name, frame) => target.render(name, framed(frame)),
    copy: (name, to) => target.copy(name, { ...to, frame: inside(to.frame) }),
  };
}
