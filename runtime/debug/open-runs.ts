/** The node runs of a run that have not committed, wherever they are. */
import {
  type Caller,
  callPlace,
  type Located,
  nodeRunPlace,
} from "../scheduler/called-snapshots.ts";
import type { Program } from "../scheduler/program/program.ts";
import { placeText, type Snapshot } from "../scheduler/snapshot/snapshot.ts";

/** A graph under way: the run's own, or one that a node run has called. */
export interface GraphUnderWay {
  readonly program: Program;
  readonly snapshot: Snapshot;
  readonly callers: readonly Caller[];
}

/** The graphs under way, callers before what they call. */
export function* graphsUnderWay(
  program: Program,
  snapshot: Snapshot,
  callers: readonly Caller[] = [],
): Generator<GraphUnderWay, undefined> {
  yield { program, snapshot, callers };
  for (const [id, child] of snapshot.children.entries()) {
    const run = snapshot.open.get(id);
    if (run === undefined) continue;
    const node = program.nodes[run.node]?.ir.name ?? "";
    const place = callPlace(placeText(run), child.begun);
    const caller = { run, place, label: `${node}#${run.ordinal}`, node };
    yield* graphsUnderWay(child.program, child.snapshot, [...callers, caller]);
  }
}

/** The open node run of a lasting name, `1/0`. */
export function openRunAt(
  program: Program,
  snapshot: Snapshot,
  place: string,
): Located | undefined {
  for (const graph of graphsUnderWay(program, snapshot)) {
    for (const run of graph.snapshot.open.values()) {
      const located = { ...graph, run };
      if (run.source === undefined && nodeRunPlace(located) === place) return located;
    }
  }
  return undefined;
}
