/** What else is asked of the engine: how its costs grow, what it keeps, what it takes to look back. */
import { median } from "../statistics.ts";
import { steady } from "../steady.ts";
import type { Keep, Measured, Tell } from "../suite.ts";
import type { Wanted } from "../wanted.ts";
import { figuresOf } from "./figures.ts";
import type { ProbeName } from "./probe.ts";
import { scaleRows } from "./scale-rows.ts";
import { inTurn, type SideResult, type Store } from "./side.ts";
import { storeRows } from "./store-rows.ts";

export const LANGGRAPH = "LangGraph 1.7.3";

/** What one workload took: us, LangGraph, and RxJS with Immer alone. */
export interface Sides {
  readonly ours: SideResult;
  readonly base: SideResult;
  readonly floor: SideResult;
}

/** The rows that are no workload; `sides` gives what the workloads measure. */
export async function alsoRows(also: Also): Promise<void> {
  await keptRows(also);
  importRows(also);
  probedRow(also, { name: "state at a step of 1000", probe: "state", goal: 1 });
  probedRow(also, { name: "history of 1000 steps", probe: "history", goal: 30 });
  probedRow(also, { name: "debugger step, 1 MB", probe: "debug step", goal: 0.3 });
  storeRows(also);
  scaleRows(also);
  await growthRows(also);
}

/** What is kept of a run, on the disk and in memory. */
async function keptRows({ sides, keep, wanted }: Also): Promise<void> {
  for (const { name, goal, workload, store, of } of keptGoals) {
    if (wanted.has(name)) keep(kept(name, goal, await sides(workload, store), of));
  }
}

const react = { workload: "react 100", goal: 40, store: "disk", of: "storedMb" } as const;
const keptGoals = [
  { ...react, name: "bytes on disk, react 100" },
  { ...react, name: "bytes on disk, wide 25x300", workload: "wide 25x300", goal: 10 },
  { ...react, name: "peak memory, react 100", goal: 5, store: "memory", of: "peakMb" },
] as const;

interface Also {
  readonly sides: (name: string, store: Store) => Promise<Sides>;
  readonly tell: Tell;
  readonly keep: Keep;
  readonly wanted: Wanted;
}

const RUNS = 7;

/** A cost that does not grow has a ratio of 1: the time that a smaller size makes one expect, by the time it took. */
async function growthRows({ tell, keep, wanted }: Also): Promise<void> {
  for (const { name, goal, kind, large, small, rounds } of growthGoals) {
    if (!wanted.has(name)) continue;
    tell(`bench: ${name}`);
    const [ours = [], base = []] = await steady(
      async () => {
        const sizes = [large, small];
        const calls = sizes.map((size) => sideCall(`${kind} ${size}`));
        const results = await inTurn(calls, { rounds });
        return results.map(({ times }, at) => times.map(by(sizes[at] ?? 1)));
      },
      { series: (both) => both, name, tell },
    );
    const than = { name: `${kind} ${small}`, values: base };
    keep({ name, unit: "µs", goal, goalOn: "ratio", ours, base: than });
  }
}

interface Growth {
  readonly name: string;
  readonly goal: number;
  readonly kind: string;
  readonly large: number;
  readonly small: number;
  readonly rounds: number;
}

const growthGoals: readonly Growth[] = [
  {
    ...{ name: "step cost, chain 1000", goal: 1 / 1.3 },
    ...{ kind: "chain", large: 1000, small: 10, rounds: RUNS },
  },
  {
    ...{ name: "item cost, fan-out 5000", goal: 5 / 6 },
    ...{ kind: "fan-out", large: 5000, small: 1000, rounds: RUNS },
  },
  {
    ...{ name: "step cost, loop 100000", goal: 1 / 1.3 },
    ...{ kind: "loop", large: 100_000, small: 10_000, rounds: 3 },
  },
];

function sideCall(workload: string) {
  return { side: "ours.ts", workload, store: "memory" } as const;
}

const by = (steps: number) => (ms: number) => (ms * 1000) / steps;

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
