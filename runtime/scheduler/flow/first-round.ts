/** Computes when a node that runs at a time of day runs first. */
import { nextDaily } from "../expressions/wall-clock.ts";
import { lookupAt, type Standpoint } from "../lookup.ts";
import type { Program } from "../program/program.ts";
import type { Snapshot } from "../snapshot/snapshot.ts";

/** When a node that runs at a time of day runs first; nothing for other nodes. */
export function firstRound(
  program: Program,
  snapshot: Snapshot,
  of: { readonly standpoint: Standpoint; readonly node: number; readonly at: number },
): number | undefined {
  const interval = program.nodes[of.node]?.ir.every?.interval;
  if (interval === undefined) return undefined;
  return nextDaily(interval, lookupAt(program, snapshot, of.standpoint), of.at);
}
