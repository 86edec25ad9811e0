/** Finds a node run wherever it is open: in the run itself, or in a graph that a node run has called. */

import type { Program } from "../program/program.ts";
import { type NodeRun, placeText, type Snapshot } from "../snapshot/snapshot.ts";
import { calledWith } from "./fold-called-graphs.ts";

export interface Located {
  /** The graph that it is a node of, and how that stands. */
  readonly program: Program;
  readonly snapshot: Snapshot;
  readonly run: NodeRun;
  /** The node runs that called the graphs around it, outermost first. */
  readonly callers: readonly Caller[];
}

export interface Caller {
  readonly run: NodeRun;
  /** Its place in the order of the graph, and which of its attempts made the call. */
  readonly place: string;
  /** `go#1` */
  readonly label: string;
  readonly node: string;
}

export function locate(program: Program, snapshot: Snapshot, id: number): Located | undefined {
  const callers: Caller[] = [];
  let at = { program, snapshot };
  for (;;) {
    const run = at.snapshot.open.get(id);
    if (run !== undefined) return { ...at, run, callers };
    const home = at.snapshot.homes.get(id);
    const caller = home === undefined ? undefined : at.snapshot.open.get(home);
    const child = home === undefined ? undefined : at.snapshot.children.get(home);
    if (caller === undefined || child === undefined) return undefined;
    const node = at.program.nodes[caller.node]?.ir.name ?? "";
    const place = callPlace(placeText(caller), child.begun);
    callers.push({ run: caller, place, label: `${node}#${caller.ordinal}`, node });
    at = { program: calledWith(at.program, child.program), snapshot: child.snapshot };
  }
}

/** Names the place of a call. A later attempt calls again, so its node runs have other names. */
export function callPlace(place: string, attempt: number): string {
  return attempt === 1 ? place : `${place}:${attempt}`;
}

/** Returns the lasting name of a node run within the whole run. */
export function nodeRunPlace({ callers, run }: Pick<Located, "callers" | "run">): string {
  return [...callers.map(({ place }) => place), placeText(run)].join("/");
}

/** `go#1 › search#2`: for people. */
export function labelOf({ program, run, callers }: Located): string {
  const own = `${program.nodes[run.node]?.ir.name ?? ""}#${run.ordinal}`;
  return [...callers.map(({ label }) => label), own].join(" › ");
}
