/** Sums a row's measurements up, as the file of a benchmark has them. */
import { median, rounded, spread } from "./statistics.ts";
import type { Measured } from "./suite.ts";

export interface Row {
  readonly name: string;
  readonly store?: "none" | "memory" | "disk";
  readonly unit: string;
  readonly ours: number;
  readonly base?: number;
  readonly base_name?: string;
  /** base/ours: bigger is better. */
  readonly ratio?: number;
  /** The same work by the libraries beneath us alone: what is above it is the price of what we add. */
  readonly floor?: number;
  readonly goal: number;
  readonly goal_on: "ratio" | "ours";
  readonly ok: boolean;
  readonly runs: number;
  /** Slowest less fastest run as a part of the median, of the side that varied more. */
  readonly spread: number;
}

export function toRow(measured: Measured): Row {
  const { name, store, unit, goal, goalOn } = measured;
  const ours = median(measured.ours);
  const base = baseOf(measured, ours);
  return {
    name,
    ...(store === undefined ? {} : { store }),
    unit,
    ours: rounded(ours),
    ...base.figures,
    ...(measured.floor === undefined ? {} : { floor: rounded(median(measured.floor)) }),
    goal,
    goal_on: goalOn,
    ok: goalOn === "ours" ? ours <= goal : base.ratio >= goal,
    runs: measured.ours.length,
    spread: rounded(Math.max(spread(measured.ours), base.spread)),
  };
}

interface BaseFigures {
  readonly figures: Pick<Row, "base" | "base_name" | "ratio">;
  /** Held against the goal before it is rounded. */
  readonly ratio: number;
  readonly spread: number;
}

function baseOf({ name, base, goalOn }: Measured, ours: number): BaseFigures {
  if (base === undefined) {
    if (goalOn === "ratio") throw new Error(`\`${name}\` has a goal on the ratio and no base`);
    return { figures: {}, ratio: 0, spread: 0 };
  }
  const value = median(base.values);
  const ratio = value / ours;
  return {
    // Nothing can be divided by a count of 0.
    figures: {
      ...{ base: rounded(value), base_name: base.name },
      ...(ours === 0 ? {} : { ratio: rounded(ratio) }),
    },
    ratio,
    spread: spread(base.values),
  };
}
