/** How the engine bears many runs at once, many one after the other, and one of a million steps. */
import type { Keep, Tell } from "../suite.ts";
import type { Wanted } from "../wanted.ts";
import { figuresOf } from "./figures.ts";
import type { ScaleFigures, ScaleProbe } from "./scale-probe.ts";

const ROUNDS = 7;

interface ScaleRow {
  readonly name: string;
  readonly probe: ScaleProbe;
  readonly unit: string;
  readonly goal: number;
  /** The series of the probe that is held against the goal. */
  readonly series: string;
  /** What the series `base` of the probe is: the goal is then on the ratio. */
  readonly base?: string;
}

const rows: readonly ScaleRow[] = [
  {
    ...{ name: "1000 runs at once", probe: "at once", unit: "ms", series: "ours" },
    ...{ goal: 1 / 1.2, base: "one at a time" },
  },
  {
    name: "memory left by 2000 runs behind 10000",
    probe: "finished",
    unit: "MB",
    series: "ours",
    goal: 1,
  },
  { name: "allocated by a plain step", probe: "allocated", unit: "kB", series: "ours", goal: 8 },
  { name: "1000000 steps, peak memory", probe: "long", unit: "MB", series: "peakMb", goal: 1500 },
  { name: "1000000 steps, opened", probe: "long", unit: "ms", series: "openMs", goal: 200 },
];

/** Each probe runs in a process of its own, once for all its rows. */
export function scaleRows({
  tell,
  keep,
  wanted,
}: {
  readonly tell: Tell;
  readonly keep: Keep;
  readonly wanted: Wanted;
}): void {
  const known = new Map<ScaleProbe, ScaleFigures>();
  for (const { name, probe, unit, goal, series, base } of rows) {
    if (!wanted.has(name)) continue;
    tell(`bench: ${name}`);
    const figures =
      known.get(probe) ?? figuresOf<ScaleFigures>("scale-probe.ts", [probe, `${ROUNDS}`]);
    known.set(probe, figures);
    const row = { name, unit, goal, ours: figures[series] ?? [] };
    if (base === undefined) keep({ ...row, goalOn: "ours" });
    else keep({ ...row, goalOn: "ratio", base: { name: base, values: figures.base ?? [] } });
  }
}
