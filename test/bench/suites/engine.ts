/** `npm run bench -- engine`: our engine, LangGraph JS and the floor in turn, each in a process of its own. */

import { isDeepStrictEqual } from "node:util";
import { alsoRows, LANGGRAPH, type Sides } from "../engine/also.ts";
import { inTurn, type Store } from "../engine/side.ts";
import { steady } from "../steady.ts";
import type { Measured, Suite, Tell } from "../suite.ts";

interface Goal {
  readonly name: string;
  /** How often the sides are measured, each once a round. */
  readonly rounds: number;
  /** How many times faster than LangGraph, by store. */
  readonly times: Readonly<Record<Store, number>>;
}

const goals: readonly Goal[] = [
  { name: "chain 100", rounds: 15, times: { none: 20, memory: 25, disk: 10 } },
  { name: "chain 1000", rounds: 9, times: { none: 30, memory: 120, disk: 50 } },
  { name: "fan-out 1000", rounds: 9, times: { none: 30, memory: 30, disk: 20 } },
  { name: "fan-out 5000", rounds: 5, times: { none: 150, memory: 150, disk: 100 } },
  { name: "loop 1000", rounds: 9, times: { none: 15, memory: 15, disk: 10 } },
  { name: "wide 25x300", rounds: 9, times: { none: 4, memory: 60, disk: 20 } },
  { name: "react 100", rounds: 9, times: { none: 15, memory: 100, disk: 30 } },
];

const stores = ["none", "memory", "disk"] as const;

export const engineSuite: Suite = {
  measure: async (tell, keep, wanted) => {
    const measured = new Map<string, Promise<Sides>>();
    const sides = (name: string, store: Store) => {
      const key = `${name} (${store})`;
      const known = measured.get(key);
      if (known !== undefined) return known;
      const goal = goals.find((one) => one.name === name);
      if (goal === undefined) throw new Error(`there is no row ${key}`);
      const now = measureSides(goal, { store, tell });
      measured.set(key, now);
      return now;
    };
    for (const goal of goals) {
      for (const store of stores) {
        if (wanted.has(goal.name, store)) keep(rowOf(goal, store, await sides(goal.name, store)));
      }
    }
    await alsoRows({ sides, tell, keep, wanted });
  },
};

function measureSides(
  { name, rounds }: Goal,
  { store, tell }: { readonly store: Store; readonly tell: Tell },
): Promise<Sides> {
  const row = `${name} (${store})`;
  const measure = async (): Promise<Sides> => {
    tell(`bench: ${row}`);
    const of = { workload: name, store };
    const [ours, base, floor] = await inTurn(
      [
        { side: "ours.ts", ...of },
        { side: "langgraph.js", ...of },
        { side: "floor.ts", ...of },
      ],
      { rounds },
    );
    if (ours === undefined || base === undefined || floor === undefined)
      throw new Error(`a side of ${row} is missing`);
    assertSame(name, ours.result, base.result);
    assertSame(name, ours.result, floor.result);
    return { ours, base, floor };
  };
  return steady(measure, { series: ({ ours, base }) => [ours.times, base.times], name: row, tell });
}

function rowOf({ name, times }: Goal, store: Store, { ours, base, floor }: Sides): Measured {
  return {
    name,
    store,
    unit: "ms",
    goal: times[store],
    goalOn: "ratio",
    ours: ours.times,
    base: { name: LANGGRAPH, values: base.times },
    floor: floor.times,
  };
}

/** A side that comes to something else has not done the work. */
function assertSame(name: string, ours: unknown, other: unknown): void {
  if (isDeepStrictEqual(ours, other)) return;
  const [left, right] = [ours, other].map((result) => JSON.stringify(result)?.slice(0, 200));
  throw new Error(`the sides of ${name} come to different results: ${left} and ${right}`);
}
