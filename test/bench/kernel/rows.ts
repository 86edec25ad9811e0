/** The rows of the kernel's benchmark, each with its goal. */
import { rounded } from "../statistics.ts";
import type { Measured } from "../suite.ts";
import type { FigureName, Figures } from "./figures.ts";

interface Goal {
  readonly name: FigureName;
  readonly unit: "ms" | "MB";
  /** At most that much; without it the figure is only held against those of others. */
  readonly most?: number;
  /** How many times tslab's figure must be ours. */
  readonly ofTslab?: number;
  /** How many times ipykernel's figure must be ours. */
  readonly ofIpykernel?: number;
}

const goals: readonly Goal[] = [
  { name: "start to kernel_info", unit: "ms", most: 350, ofTslab: 1 / 0.4 },
  { name: "first cell", unit: "ms", most: 600 },
  { name: "start to first cell", unit: "ms", ofIpykernel: 1 / 1.2 },
  { name: "distinct cells", unit: "ms", ofTslab: 1 / 0.5, ofIpykernel: 1 / 1.2 },
  { name: "1+1 again and again", unit: "ms", ofIpykernel: 1 / 0.4 },
  { name: "complete", unit: "ms", ofTslab: 1 / 0.7 },
  { name: "10,000 lines", unit: "ms", most: 1000 },
  { name: "memory after 200 cells", unit: "MB", most: 220 },
  { name: "control while a cell blocks", unit: "ms", most: 20 },
  { name: "heartbeat while a cell blocks", unit: "ms", most: 20 },
  { name: "interrupt of a sync loop", unit: "ms", most: 200 },
  { name: "interrupt of a loop after await", unit: "ms", most: 200 },
  { name: "interrupt of awaiting", unit: "ms", most: 200 },
  { name: "interrupt of other blocks", unit: "ms", most: 200 },
];

export const goalNames: readonly FigureName[] = goals.map(({ name }) => name);

export interface Peer {
  readonly name: string;
  readonly figures: Figures;
}

/** A row for each goal, and one for each peer that has the figure; nothing where we have none. */
export function rowsOf(
  own: Figures,
  { peers, tslab }: { readonly peers: readonly Peer[]; readonly tslab: string },
): readonly Measured[] {
  return goals.flatMap(({ name, unit, most, ofTslab, ofIpykernel }) => {
    const ours = own.values(name);
    if (ours === undefined) return [];
    const alone: Measured[] =
      most === undefined ? [] : [{ name, unit, goal: most, goalOn: "ours", ours }];
    const beside = peers.flatMap((peer): readonly Measured[] => {
      const values = peer.figures.values(name);
      if (values === undefined) return [];
      const row = { name: `${name}, ${peer.name}`, unit, ours, base: { name: peer.name, values } };
      const times = ratioTo(peer.name, { [tslab]: ofTslab, ipykernel: ofIpykernel });
      if (times !== undefined) return [{ ...row, goal: rounded(times), goalOn: "ratio" }];
      // What no goal speaks of is only shown.
      return most === undefined
        ? [{ ...row, goal: 0, goalOn: "ratio" }]
        : [{ ...row, goal: most, goalOn: "ours" }];
    });
    return [...alone, ...beside];
  });
}

function ratioTo(peer: string, goals: Readonly<Record<string, number | undefined>>) {
  return Object.hasOwn(goals, peer) ? goals[peer] : undefined;
}
