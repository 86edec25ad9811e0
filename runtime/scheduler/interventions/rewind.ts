/** Rewinds a run to an earlier step; counters go on, so that no number is used twice. */

import type { RewindRecord } from "../../records/control-records.ts";
import type { RecordBody } from "../../records/records.ts";
import { IntMap } from "../../state/int-map.ts";
import type { Control } from "../completion.ts";
import { withoutInterrupts } from "../interrupts/interrupts.ts";
import { readdressed } from "../mail.ts";
import { saidSince } from "../messages/steering.ts";
import type { Expansion, Scope } from "../snapshot/parts.ts";
import {
  type Child,
  type Fold,
  type NodeRun,
  type Snapshot,
  stepAt,
  Trail,
} from "../snapshot/snapshot.ts";
import { restartNodeRun } from "./restart-node-run.ts";

/** The record of a rewind; none when the run has no such step on its path. */
export function rewindRecord(
  snapshot: Snapshot,
  { step, to, reason, anew: from }: Control & { readonly verb: "rewind" },
  fold: Fold,
): readonly RecordBody[] {
  const target = stepAt(snapshot, step, fold);
  if (target === undefined) return [];
  const renumbered = openIn(target).map((id, index) => ({
    from: id,
    id: snapshot.next.run + index,
  }));
  const why = reason === undefined ? {} : { reason };
  const what = from === undefined ? {} : { anew: from };
  return [{ kind: "control", verb: "rewind", ...why, step, to, ...what, renumbered }];
}

/** Takes up the snapshot of then. What was spent since is spent: usage and time go on. */
export function foldRewind(
  snapshot: Snapshot,
  record: Omit<RewindRecord, "to">,
  fold: Fold,
): Snapshot {
  const { step, renumbered, reason = "rewind" } = record;
  const found = stepAt(snapshot, step, fold);
  // What was open then is asked again: an answer may have come since, and been undone.
  const target = found && withoutInterrupts(found);
  if (target === undefined) throw new Error(`M9000: a rewind to step ${step}, which is not there`);
  const line = snapshot.line + 1;
  const ids = new Map(renumbered.map(({ from, id }) => [from, id]));
  return {
    ...target,
    isStep: false,
    runningSince: undefined,
    status: "paused",
    held: true,
    reason,
    usage: snapshot.usage,
    activeMs: snapshot.activeMs,
    line,
    grants: snapshot.grants,
    trail: Trail.endingAt(target),
    ...begunAnew(renamed(target, ids, line), ids.get(record.anew ?? -1)),
    mail: saidSince(snapshot, readdressed(target.mail, ids)),
    next: { ...snapshot.next, run: snapshot.next.run + renumbered.length },
  };
}

/** The open node runs of a run and of the graphs that it has called. */
function openIn({ open, children }: Snapshot): readonly number[] {
  const own = [...open.values()].map(({ id }) => id);
  return [...own, ...[...children.values()].flatMap(({ snapshot }) => openIn(snapshot))];
}

type RenamedNodeRun = Pick<
  Snapshot,
  "open" | "scopes" | "expansions" | "children" | "homes" | "mail"
>;

/** One of them starts as if it had never been tried, and calls its graph again. */
function begunAnew(renamed: RenamedNodeRun, id: number | undefined): RenamedNodeRun {
  const run = id === undefined ? undefined : renamed.open.get(id);
  if (run === undefined) return renamed;
  return {
    ...renamed,
    open: renamed.open.set(run.id, restartNodeRun(run)),
    children: renamed.children.delete(run.id),
    homes: withoutHomesOf(renamed.homes, run.id),
  };
}

/** What was open in the graph that it had called is nowhere any more. */
function withoutHomesOf(homes: IntMap<number>, caller: number): IntMap<number> {
  let left = homes;
  for (const [id, home] of homes.entries()) if (home === caller) left = left.delete(id);
  return left;
}

/** The node runs of then, under new numbers, and those of the graphs that they had called. */
function renamed(
  target: Snapshot,
  ids: ReadonlyMap<number, number>,
  line?: number,
): RenamedNodeRun {
  let children = IntMap.empty<Child>();
  let homes = IntMap.empty<number>();
  for (const [from, child] of target.children.entries()) {
    const id = ids.get(from) ?? from;
    const snapshot = stoppedThere(child.snapshot, ids);
    children = children.set(id, { ...child, snapshot });
    for (const inner of openIn(snapshot)) homes = homes.set(inner, id);
  }
  const open = reopened(target, ids, line);
  const mail = readdressed(target.mail, ids);
  const expansions = withReaders(target.expansions, ids);
  return { open, scopes: withTurns(target.scopes, ids), expansions, children, homes, mail };
}

/** A called graph as it was then; it goes on when its caller does. */
function stoppedThere(child: Snapshot, ids: ReadonlyMap<number, number>): Snapshot {
  const then = withoutInterrupts(child);
  const stopped = { ...then, ...renamed(then, ids), runningSince: undefined, held: false };
  const isUnderWay = then.status === "running" || then.status === "waiting" || then.held;
  return isUnderWay ? { ...stopped, status: "paused", reason: "rewind" } : stopped;
}

/** Whatever ran can start again. In called graphs the name of the caller says that they were rewound. */
function reopened(
  { open }: Snapshot,
  ids: ReadonlyMap<number, number>,
  line: number | undefined,
): IntMap<NodeRun> {
  let runs = IntMap.empty<NodeRun>();
  for (const run of open.values()) {
    const id = ids.get(run.id) ?? run.id;
    const status = run.status === "running" ? "ready" : run.status;
    const free = run.isHeld === true ? { isHeld: undefined } : NOTHING;
    runs = runs.set(id, {
      ...run,
      ...free,
      id,
      line: line ?? run.line,
      status,
      runningSince: undefined,
    });
  }
  return runs;
}

const NOTHING = {} as const;

function withReaders(
  expansions: IntMap<Expansion>,
  ids: ReadonlyMap<number, number>,
): IntMap<Expansion> {
  let changed = expansions;
  for (const expansion of expansions.values()) {
    const { stream } = expansion;
    const reader = stream && ids.get(stream.reader);
    if (stream === undefined || reader === undefined) continue;
    changed = changed.set(expansion.id, { ...expansion, stream: { ...stream, reader } });
  }
  return changed;
}

function withTurns(scopes: IntMap<Scope>, ids: ReadonlyMap<number, number>): IntMap<Scope> {
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
