/** What else is asked of the engine: how its costs grow, what it keeps, what it takes to look back. */
import { median } from "../statistics.ts";
import type { Keep, Measured, Tell } from "../suite.ts";
import type { Wanted } from "../wanted.ts";
import { figuresOf } from "./figures.ts";
import type { ProbeName } from "./probe.ts";
import { runSide, type SideResult, type Store } from "./side.ts";
import { storeRows } from "./store-rows.ts";

export const LANGGRAPH = "LangGraph 1.7.3";

/** Both sides of one workload. */
export interface Sides {
  readonly ours: SideResult;
  readonly base: SideResult;
}

/** The rows that are no workload; `sides` gives what the workloads measure. */
export function alsoRows(also: Also): void {
  keptRows(also);
  importRows(also);
  probedRow(also, { name: "state at a step of 1000", probe: "state", goal: 1 });
  probedRow(also, { name: "history of 1000 steps", probe: "history", goal: 30 });
  probedRow(also, { name: "debugger step, 1 MB", probe: "debug step", goal: 0.3 });
  storeRows(also);
  growthRows(also);
}

/** What is kept of a run, on the disk and in memory. */
function keptRows({ sides, keep, wanted }: Also): void {
  for (const { name, goal, workload, store, of } of keptGoals) {
    if (wanted.has(name)) keep(kept(name, goal, sides(workload, store), of));
  }
}

const react = { workload: "react 100", goal: 40, store: "disk", of: "storedMb" } as const;
const keptGoals = [
  { ...react, name: "bytes on disk, react 100" },
  { ...react, name: "bytes on disk, wide 25x300", workload: "wide 25x300", goal: 10 },
  { ...react, name: "peak memory, react 100", goal: 5, store: "memory", of: "peakMb" },
] as const;

interface Also {
  readonly sides: (name: string, store: Store) => Sides;
  readonly tell: Tell;
  readonly keep: Keep;
  readonly wanted: Wanted;
}

const RUNS = 7;

/** A cost that does not grow has a ratio of 1: the time that a smaller size makes one expect, by the time it took. */
function growthRows({ sides, tell, keep, wanted }: Also): void {
  const chain = (length: number) => perStep(`chain ${length}`, length);
  const loop = (times: number) => perStep(`loop ${times}`, times);
  const items = (count: number) => sides(`fan-out ${count}`, "memory").ours.times.map(by(count));
  const rows: readonly Growth[] = [
    { name: "step cost, chain 1000", goal: 1 / 1.3, base: "chain 10", of: [chain, 1000, 10] },
    { name: "item cost, fan-out 5000", goal: 5 / 6, base: "fan-out 1000", of: [items, 5000, 1000] },
    {
      name: "step cost, loop 100000",
      goal: 1 / 1.3,
      base: "loop 10000",
      of: [loop, 100_000, 10_000],
    },
  ];
  for (const { name, goal, base, of } of rows) {
    if (!wanted.has(name)) continue;
    tell(`bench: ${name}`);
    const [cost, large, small] = of;
    keep(grown(name, goal, cost(large), { name: base, values: cost(small) }));
  }
}

interface Growth {
  readonly name: string;
  readonly goal: number;
  /** What it is held against. */
  readonly base: string;
  /** The cost at a size, and the two sizes. */
  readonly of: readonly [cost: (size: number) => readonly number[], large: number, small: number];
}

function perStep(workload: string, steps: number): readonly number[] {
  const runs = steps > 10_000 ? 3 : steps < 100 ? 200 : RUNS;
  return runSide({ side: "ours.ts", workload, store: "memory", runs }).times.map(by(steps));
}

const by = (steps: number) => (ms: number) => (ms * 1000) / steps;

function grown(
  name: string,
  goal: number,
  ours: readonly number[],
  base: NonNullable<Measured["base"]>,
): Measured {
  return { name, unit: "µs", goal, goalOn: "ratio", ours, base };
}

function kept(
  name: string,
  goal: number,
  { ours, base }: Sides,
  of: "storedMb" | "peakMb",
): Measured {
  const values = [base[of]];
  return {
    ...{ name, goal, unit: "MB", goalOn: "ratio", ours: [ours[of]] },
    base: { name: LANGGRAPH, values },
  };
}

function importRows({ tell, keep, wanted }: Also): void {
  const rows = [
    { name: "import of the engine", unit: "ms", goal: 60 },
    { name: "import of the engine, memory", unit: "MB", goal: 80 },
  ];
  if (rows.filter(({ name }) => wanted.has(name)).length === 0) return;
  tell("bench: import");
  const figures = Array.from({ length: RUNS }, () =>
    figuresOf<readonly number[]>("import-cost.ts", []),
  );
  const of = (index: number) => figures.map((one) => median(one.slice(index, index + 1)));
  for (const [index, row] of rows.entries()) keep({ ...row, goalOn: "ours", ours: of(index) });
}

function probedRow(
  { tell, keep, wanted }: Also,
  {
    name,
    probe,
    goal,
  }: { readonly name: string; readonly probe: ProbeName; readonly goal: number },
): void {
  if (!wanted.has(name)) return;
  tell(`bench: ${name}`);
  const ours = figuresOf<readonly number[]>("probe.ts", [probe, String(RUNS)]);
  keep({ name, unit: "ms", goal, goalOn: "ours", ours });
}
