/** What else is asked of the engine: how its costs grow, what it keeps, what it takes to look back. */
import { median } from "../statistics.ts";
import type { Keep, Measured, Tell } from "../suite.ts";
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

/** The rows that are no workload; `sides` gives what the workloads have measured. */
export function alsoRows({ sides, tell, keep }: Also): void {
  keep(kept("bytes on disk, react 100", 40, sides("react 100", "disk"), "storedMb"));
  keep(kept("bytes on disk, wide 25x300", 10, sides("wide 25x300", "disk"), "storedMb"));
  keep(kept("peak memory, react 100", 5, sides("react 100", "memory"), "peakMb"));
  tell("bench: import and looking back");
  importRows().forEach(keep);
  keep(probed("state at a step of 1000", "state", 1));
  keep(probed("history of 1000 steps", "history", 30));
  keep(probed("debugger step, 1 MB", "debug step", 0.3));
  storeRows(tell, keep);
  tell("bench: growth");
  growthRows(
    { small: sides("fan-out 1000", "memory"), large: sides("fan-out 5000", "memory") },
    keep,
  );
}

interface Also {
  readonly sides: (name: string, store: Store) => Sides;
  readonly tell: Tell;
  readonly keep: Keep;
}

const RUNS = 7;

/** A cost that does not grow has a ratio of 1: the time that a smaller size makes one expect, by the time it took. */
function growthRows(
  { small, large }: { readonly small: Sides; readonly large: Sides },
  keep: Keep,
): void {
  const chain = (length: number) => perStep(`chain ${length}`, length);
  const loop = (times: number) => perStep(`loop ${times}`, times);
  const short = { name: "chain 10", values: chain(10) };
  keep(grown("step cost, chain 1000", 1 / 1.3, chain(1000), short));
  const few = { name: "fan-out 1000", values: small.ours.times.map(by(1000)) };
  keep(grown("item cost, fan-out 5000", 5 / 6, large.ours.times.map(by(5000)), few));
  const brief = { name: "loop 10000", values: loop(10_000) };
  keep(grown("step cost, loop 100000", 1 / 1.3, loop(100_000), brief));
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

function importRows(): readonly Measured[] {
  const figures = Array.from({ length: RUNS }, () =>
    figuresOf<readonly number[]>("import-cost.ts", []),
  );
  const of = (index: number) => figures.map((one) => median(one.slice(index, index + 1)));
  return [
    { name: "import of the engine", unit: "ms", goal: 60, goalOn: "ours", ours: of(0) },
    { name: "import of the engine, memory", unit: "MB", goal: 80, goalOn: "ours", ours: of(1) },
  ];
}

function probed(name: string, probe: ProbeName, goal: number): Measured {
  const ours = figuresOf<readonly number[]>("probe.ts", [probe, String(RUNS)]);
  return { name, unit: "ms", goal, goalOn: "ours", ours };
}
