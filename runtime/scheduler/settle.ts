/** Joins fire when every source has come or can no longer come, items start while there is room, scopes end when nothing is left in them. */
import { type Draft, type Due, depart, emit } from "./flow.ts";
import { joinPlace } from "./places.ts";
import type { Program, ProgramJoin } from "./program.ts";
import {
  type Expansion,
  type Frame,
  must,
  ROOT,
  type Scope,
  type Snapshot,
  type Token,
} from "./snapshot.ts";

/**
 * Settles a draft after a token has moved: one thing after the other, never one inside the other, so that an `each` of
 * thousands of items that end at once needs no deep stack.
 */
export function settle(draft: Draft, first: Due): void {
  draft.due.push(first);
  for (let next = draft.due.shift(); next !== undefined; next = draft.due.shift()) {
    if ("scope" in next) settleScope(draft, next.scope);
    else settleExpansion(draft, next.expansion);
  }
}

/** Fires the joins that can fire; an item without anything left ends and makes room. */
function settleScope(draft: Draft, id: number): void {
  for (;;) {
    const scope = draft.snapshot.scopes.get(id);
    if (scope === undefined) return;
    const ready = readyJoin(draft.program, scope);
    if (ready === undefined) {
      if (scope.active === 0 && id !== ROOT) endItem(draft, scope);
      return;
    }
    fireJoin(draft, scope, ready);
  }
}

function endItem(draft: Draft, { id, expansion }: Scope): void {
  emit(draft, { op: "item-end", scope: id });
  draft.due.push({ expansion });
}

/** Starts items while there is room, and closes the `each` behind the last one. */
function settleExpansion(draft: Draft, id: number): void {
  for (;;) {
    const expansion = draft.snapshot.expansions.get(id);
    if (expansion === undefined) return;
    const { items, started, ended, parallel } = expansion;
    if (ended === items.length) {
      closeExpansion(draft, expansion);
      return;
    }
    if (started === items.length || started - ended >= parallel) return;
    startItem(draft, expansion);
  }
}

function startItem(draft: Draft, { id, each, frame: parent, seq, started }: Expansion): void {
  const { scope, frame } = draft.snapshot.next;
  emit(draft, { op: "fork", frame, parent, seq, branch: started, fork: -1 });
  emit(draft, { op: "item", scope, expansion: id, index: started, frame });
  const outlet = draft.program.eaches[each]?.entry;
  if (outlet !== undefined) depart(draft, { frame, seq: -1, scope, outlet });
  draft.due.push({ scope });
}

function closeExpansion(draft: Draft, { id, each, frame, seq, scope }: Expansion): void {
  emit(draft, { op: "expanded", expansion: id });
  const outlet = draft.program.eaches[each]?.then;
  // One place further, so that branches that fork here don't stand where the items stood.
  if (outlet !== undefined) depart(draft, { frame, seq: seq + 1, scope, outlet });
  draft.due.push({ scope });
}

/** Whether the root has nothing left to do. */
export function isFinished(program: Program, snapshot: Snapshot): boolean {
  const root = must(snapshot.scopes, ROOT, "scope");
  return root.active === 0 && readyJoin(program, root) === undefined;
}

/** The first declared join that can fire; with nothing running, the first that waits at all. */
function readyJoin(program: Program, scope: Scope): ProgramJoin | undefined {
  const armed = program.joins.filter(({ index }) =>
    scope.joins.get(index)?.tokens.some((waiting) => waiting.length > 0),
  );
  const ready = armed.find((join) =>
    missingOf(scope, join).every((source) => !canCome(program, scope, join, source, armed)),
  );
  return ready ?? (scope.active === 0 ? armed[0] : undefined);
}

function missingOf(scope: Scope, join: ProgramJoin): readonly number[] {
  const tokens = scope.joins.get(join.index)?.tokens ?? [];
  return join.nodes.flatMap((_, source) => ((tokens[source]?.length ?? 0) === 0 ? [source] : []));
}

/** Whether a token can still come to a source: from an open node run or `each`, or behind another waiting join. */
function canCome(
  program: Program,
  scope: Scope,
  join: ProgramJoin,
  source: number,
  armed: readonly ProgramJoin[],
): boolean {
  const reach = join.reach[source];
  if (reach === undefined) return false;
  for (const [place, open] of scope.places.entries()) if (open > 0 && reach.has(place)) return true;
  return armed.some((other) => other !== join && reach.has(joinPlace(program, other.index)));
}

function fireJoin(draft: Draft, scope: Scope, join: ProgramJoin): void {
  const state = must(scope.joins, join.index, "join");
  const tokens = state.tokens.flatMap((waiting) => waiting.slice(0, 1));
  const missing = missingOf(scope, join).map(
    (source) => draft.program.nodes[join.nodes[source] ?? -1]?.ir.name ?? "",
  );
  emit(draft, {
    op: "fire",
    join: join.index,
    scope: scope.id,
    ...(missing.length === 0 ? {} : { missing }),
  });
  const line = lineOf(draft.snapshot, join, tokens);
  const frames = tokens.map(({ frame }) => frame);
  if (line.closed) {
    emit(draft, { op: "fold", frames, line: line.frame, into: line.frame });
    depart(draft, { frame: line.frame, seq: line.seq, scope: scope.id, outlet: join.outlet });
    return;
  }
  const into = draft.snapshot.next.frame;
  // Behind every branch of the fork, each join and each of its rounds in a place of its own.
  const branch = BEHIND_BRANCHES + state.fired * draft.program.joins.length + join.index;
  const { frame: parent, seq } = line;
  emit(draft, { op: "fork", frame: into, parent, seq, branch, fork: -1 });
  emit(draft, { op: "fold", frames, line: parent, into });
  depart(draft, { frame: into, seq: 0, scope: scope.id, outlet: join.outlet });
}

const BEHIND_BRANCHES = 1_000_000;

interface Line {
  readonly frame: number;
  /** The join's own position where the line goes on, else that of the fork. */
  readonly seq: number;
  readonly closed: boolean;
}

/** The line in which joined tokens go on: the one whose fork this join closes, or the nearest that has them all. */
function lineOf(snapshot: Snapshot, join: ProgramJoin, tokens: readonly Token[]): Line {
  const lines = tokens.map(({ frame }) => lineage(snapshot, frame));
  const common = lines[0]?.filter((frame) =>
    lines.every((line) => line.some(({ id }) => id === frame.id)),
  );
  const [nearest] = common ?? [];
  if (nearest === undefined) throw new Error("M9000: a join without tokens");
  const here = tokens.filter(({ frame }) => frame === nearest.id);
  const child = lines[0]?.find(({ parent }) => parent === nearest.id);
  const closing = [child, ...(common ?? [])].find(
    (frame) => frame !== undefined && join.closes.has(frame.fork),
  );
  if (closing !== undefined) return { frame: closing.parent, seq: closing.seq + 1, closed: true };
  if (here.length > 0) {
    return { frame: nearest.id, seq: Math.max(...here.map(({ seq }) => seq)) + 1, closed: true };
  }
  return { frame: nearest.id, seq: child?.seq ?? 0, closed: false };
}

/** A frame and the lines it forked from, innermost first. */
function lineage(snapshot: Snapshot, id: number): readonly Frame[] {
  const line: Frame[] = [];
  for (let at = snapshot.frames.get(id); at !== undefined; at = snapshot.frames.get(at.parent)) {
    line.push(at);
  }
  return line;
}
