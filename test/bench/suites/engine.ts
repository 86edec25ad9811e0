/** `npm run bench -- engine`: our engine beside LangGraph JS, each row and side in a process of its own. */

import { isDeepStrictEqual } from "node:util";
import { alsoRows, LANGGRAPH, type Sides } from "../engine/also.ts";
import { doubtful } from "../engine/reference.ts";
import { runSide, type SideResult, type Store } from "../engine/side.ts";
import { median } from "../statistics.ts";
import type { Measured, Suite, Tell } from "../suite.ts";

interface Goal {
  readonly name: string;
  readonly runs: number;
  /** How many times faster than LangGraph, by store. */
  readonly times: Readonly<Record<Store, number>>;
}

const goals: readonly Goal[] = [
  { name: "chain 100", runs: 15, times: { none: 15, memory: 20, disk: 10 } },
  { name: "chain 1000", runs: 9, times: { none: 25, memory: 150, disk: 50 } },
  { name: "fan-out 1000", runs: 9, times: { none: 40, memory: 40, disk: 40 } },
  { name: "fan-out 5000", runs: 7, times: { none: 200, memory: 200, disk: 200 } },
  { name: "loop 1000", runs: 9, times: { none: 12, memory: 15, disk: 8 } },
  { name: "wide 25x300", runs: 9, times: { none: 5, memory: 8, disk: 5 } },
  { name: "react 100", runs: 9, times: { none: 12, memory: 50, disk: 30 } },
];

const stores = ["none", "memory", "disk"] as const;

export const engineSuite: Suite = {
  measure: async (tell, keep, wanted) => {
    const measured = new Map<string, ReturnType<typeof measureRow>>();
    const measure = (name: string, store: Store) => {
      const key = `${name} (${store})`;
      const known = measured.get(key);
      if (known !== undefined) return known;
      const goal = goals.find((one) => one.name === name);
      if (goal === undefined) throw new Error(`there is no row ${key}`);
      const now = measureRow(goal, { store, tell });
      measured.set(key, now);
      return now;
    };
    for (const { name } of goals) {
      for (const store of stores) if (wanted.has(name, store)) keep(measure(name, store).row);
    }
    alsoRows({ sides: (name, store) => measure(name, store).sides, tell, keep, wanted });
  },
};

function measureRow(
  { name, runs, times }: Goal,
  { store, tell }: { readonly store: Store; readonly tell: Tell },
): { readonly row: Measured; readonly sides: Sides } {
  tell(`bench: ${name} (${store})`);
  const ours = runSide({ side: "ours.ts", workload: name, store, runs });
  const base = runSide({ side: "langgraph.js", workload: name, store, runs });
  assertSame(name, ours, base);
  const doubt = doubtful(name, store, median(base.times));
  if (doubt !== undefined) tell(`bench: ${doubt}`);
  const row: Measured = {
    name,
    store,
    unit: "ms",
    goal: times[store],
    goalOn: "ratio",
    ours: ours.times,
    base: { name: LANGGRAPH, values: base.times },
  };
  return { row, sides: { ours, base } };
}

/** A side that comes to something else has not done the work. */
function assertSame(name: string, ours: SideResult, base: SideResult): void {
  if (isDeepStrictEqual(ours.result, base.result)) return;
  const [left, right] = [ours, base].map(({ result }) => JSON.stringify(result)?.slice(0, 200));
  throw new Error(`the two sides of ${name} come to different results: ${left} and ${right}`);
}
