/** `npm run bench -- kernel`: our kernel beside tslab's own, over the same sockets in the same minutes. */
import { alternate } from "../alternate.ts";
import { CELLS } from "../kernel/cells.ts";
import { withContenders } from "../kernel/contenders.ts";
import { type BlockedTimes, measureBlocked } from "../kernel/measure-blocked.ts";
import { type LifeTimes, measureLife } from "../kernel/measure-life.ts";
import type { Measured, Suite } from "../suite.ts";

const RUNS = 7;

/** What a row holds and its goal, from reference/kernel.md §6.3. */
interface Goal {
  readonly name: string;
  readonly goalMs: number;
  readonly valueMs: (life: LifeTimes) => number;
}

const goals: readonly Goal[] = [
  { name: "start to kernel_info", goalMs: 350, valueMs: ({ startMs }) => startMs },
  { name: "first cell", goalMs: 600, valueMs: ({ firstCellMs }) => firstCellMs },
  // A kernel that loads its compiler before it answers has a quick first cell: only the sum can be compared.
  {
    name: "start to first cell",
    goalMs: 950,
    valueMs: ({ startMs, firstCellMs }) => startMs + firstCellMs,
  },
  { name: `${CELLS} distinct cells`, goalMs: 10, valueMs: ({ cellMs }) => cellMs },
  { name: "complete", goalMs: 10, valueMs: ({ completeMs }) => completeMs },
];

export const kernelSuite: Suite = {
  measure: async (tell, keep) =>
    await withContenders(async ({ ours, base }) => {
      const sides = { ours: () => measureLife(ours), base: () => measureLife(base) };
      const lives = await alternate(sides, { runs: RUNS, tell });
      const rows = goals.map(({ name, goalMs, valueMs }): Measured => {
        return {
          name,
          unit: "ms",
          goal: goalMs,
          goalOn: "ours",
          ours: lives.ours.map(valueMs),
          base: { name: base.name, values: lives.base.map(valueMs) },
        };
      });
      rows.forEach(keep);
      tell("a cell that blocks");
      blockedRows(await measureBlocked(ours)).forEach(keep);
    }),
};

/** Of ours alone: other kernels of the language answer nothing while a cell blocks. */
function blockedRows({ controlMs, heartbeatMs, interruptMs }: BlockedTimes): readonly Measured[] {
  const row = (name: string, goal: number, ours: readonly number[]): Measured => {
    return { name, unit: "ms", goal, goalOn: "ours", ours };
  };
  return [
    row("control while a cell blocks", 20, controlMs),
    row("heartbeat while a cell blocks", 20, heartbeatMs),
    row("interrupt", 200, interruptMs),
  ];
}
