/** Back to an earlier step: the position is the one of then, the counters go on, so that nothing is numbered twice. */
import type { RecordBody, Renumbered, RewindRecord } from "../records.ts";
import { IntMap } from "../state/int-map.ts";
import type { Control } from "./completion.ts";
import { must, type NodeRun, type Scope, type Snapshot, Trail } from "./snapshot.ts";

/** The record of a rewind; none when the run has no such step on its path. */
export function rewindRecord(
  snapshot: Snapshot,
  { step, to, reason }: Control & { readonly verb: "rewind" },
): readonly RecordBody[] {
  const target = snapshot.trail.at(step);
  if (target === undefined) return [];
  const renumbered = [...target.open.values()].map(({ id }, index) => ({
    from: id,
    id: snapshot.next.run + index,
  }));
  const why = reason === undefined ? {} : { reason };
  return [{ kind: "control", verb: "rewind", ...why, step, to, renumbered }];
}

/** Takes up the snapshot of then. What was spent since is spent: usage and time go on. */
export function rewound(snapshot: Snapshot, record: Omit<RewindRecord, "to">): Snapshot {
  const { step, renumbered, reason = "rewind" } = record;
  const target = snapshot.trail.at(step);
  if (target === undefined) throw new Error(`M9000: a rewind to step ${step}, which is not there`);
  const line = snapshot.line + 1;
  const { runningSince: _, ...then } = target;
  return {
    ...then,
    status: "paused",
    held: true,
    reason,
    usage: snapshot.usage,
    activeMs: snapshot.activeMs,
    line,
    trail: Trail.endingAt(target),
    open: reopened(target, renumbered, line),
    scopes: withTurns(target.scopes, renumbered),
    next: { ...snapshot.next, run: snapshot.next.run + renumbered.length },
  };
}

/** The node runs of then, under new numbers; whatever ran can start again. */
function reopened(
  { open }: Snapshot,
  renumbered: readonly Renumbered[],
  line: number,
): IntMap<NodeRun> {
  return renumbered.reduce((runs, { from, id }) => {
    const { runningSince: _, ...run } = must(open, from, "node run");
    const status = run.status === "running" ? "ready" : run.status;
    return runs.set(id, { ...run, id, line, status });
  }, IntMap.empty<NodeRun>());
}

function withTurns(scopes: IntMap<Scope>, renumbered: readonly Renumbered[]): IntMap<Scope> {
  const ids = new Map(renumbered.map(({ from, id }) => [from, id]));
  let changed = scopes;
  for (const scope of scopes.values()) {
    let turns = scope.turns;
    for (const [node, waiting] of scope.turns.entries()) {
      turns = turns.set(
        node,
        waiting.map((id) => ids.get(id) ?? id),
      );
    }
    changed = changed.set(scope.id, { ...scope, turns });
  }
  return changed;
}
