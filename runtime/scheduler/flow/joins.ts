/** Finds the join that fires next, or can no longer reach its quorum, and fires it: what it waited for goes on as one line. */

import type { Failure } from "../../failure.ts";
import { compareKeys, type OrderKey } from "../../state/order-key.ts";
import { countOf } from "../limits.ts";
import type { ShownFailure } from "../lookup.ts";
import {
  eachPlace,
  type FailureEdge,
  joinPlace,
  nodePlace,
  type Program,
  type ProgramJoin,
} from "../program/program.ts";
import type { Frame, Scope, Token } from "../snapshot/parts.ts";
import { must, type Snapshot } from "../snapshot/snapshot.ts";
import { emit, type FlowDraft } from "./flow-draft.ts";
import type { FlowOp, WaitingToken } from "./flow-op.ts";
import { depart } from "./follow-routes.ts";

// Finds the join that fires next, what it leaves behind, and joins that can no longer reach their quorum.

export interface NextJoin {
  readonly join: ProgramJoin;
  /** True if the join can still fire; else it never will. */
  readonly isReachable: boolean;
}

/**
 * The first declared join that can fire, or never will though tokens wait for it; with nothing running, the first that
 * waits at all.
 */
export function nextJoin(program: Program, snapshot: Snapshot, scope: Scope): NextJoin | undefined {
  let found: NextJoin | undefined;
  scope.armed.findKey((index) => {
    const join = program.joins[index];
    const isReachable = join && stateOf(program, snapshot, scope, join);
    if (join !== undefined && isReachable !== undefined) found = { join, isReachable };
    return found !== undefined;
  });
  if (found !== undefined || scope.active > 0) return found;
  const armed = scope.armed.entries().flatMap(([index]) => program.joins[index] ?? []);
  const [first] = armed;
  if (first === undefined) return undefined;
  // They wait for each other.
  const plain = armed.find(({ need }) => need === undefined);
  return plain === undefined
    ? { join: first, isReachable: false }
    : { join: plain, isReachable: true };
}

/** Tells whether an armed join fires (true), never will (false), or waits (nothing). */
function stateOf(
  program: Program,
  snapshot: Snapshot,
  scope: Scope,
  join: ProgramJoin,
): boolean | undefined {
  if (join.need === undefined) return isWaiting(program, scope, join) ? undefined : true;
  const need = countOf(program, snapshot, join.need);
  let reachable = must(scope.joins, join.index, "join").tokens.size;
  if (reachable >= need) return true;
  for (const source of missingOf(scope, join)) {
    if (canCome(program, scope, join, source)) reachable += 1;
    if (reachable >= need) return undefined;
  }
  return false;
}

/** Tells whether a token can still come to any source that has none. */
function isWaiting(program: Program, scope: Scope, join: ProgramJoin): boolean {
  const { tokens } = must(scope.joins, join.index, "join");
  if (tokens.size === join.nodes.length) return false;
  // Mostly a source itself is still at work: then nobody need look at the ways.
  if (scope.places.size < join.nodes.length) {
    const isAtWork = (place: number) => {
      const source = join.sources.get(place);
      return source !== undefined && tokens.get(source) === undefined;
    };
    if (scope.places.findKey(isAtWork) !== undefined) return true;
  } else {
    const isOpen = (node: number, source: number) =>
      scope.places.get(nodePlace(node)) !== undefined && tokens.get(source) === undefined;
    if (join.nodes.some(isOpen)) return true;
  }
  return missingOf(scope, join).some((source) => canCome(program, scope, join, source));
}

/** The sources at which no token waits. */
function missingOf(scope: Scope, join: ProgramJoin): readonly number[] {
  const tokens = scope.joins.get(join.index)?.tokens;
  return join.nodes.flatMap((_, source) => (tokens?.get(source) === undefined ? [source] : []));
}

/** Tells whether a token can still come to a source: from an open node run or `each`, or behind another waiting join. */
function canCome(program: Program, scope: Scope, join: ProgramJoin, source: number): boolean {
  const fromPlace = (place: number) => join.ways.canCome(place, source);
  if (scope.places.findKey(fromPlace) !== undefined) return true;
  const fromJoin = (index: number) =>
    index !== join.index && join.ways.canCome(joinPlace(program, index), source);
  return scope.armed.findKey(fromJoin) !== undefined;
}

interface JoinRound {
  readonly scope: number;
  readonly join: ProgramJoin;
  /** The beginning of every place in the order of the graph of this round. */
  readonly round: OrderKey;
}

/** Ends what could only lead to a join that goes on without it. */
function cancelOthers(draft: FlowDraft, { scope, join, round }: JoinRound): void {
  const { program, snapshot } = draft;
  const isOfRound = (key: OrderKey) => compareKeys(key.slice(0, round.length), round) === 0;
  const pathOf = (frame: number) => must(snapshot.frames, frame, "frame").path;
  const runs = [...snapshot.open.values()]
    .filter((run) => run.scope === scope && isOfRound(run.key) && join.ways.isCaptive(run.node))
    .map(({ id }) => id);
  const expansions = [...snapshot.expansions.values()]
    .filter(
      (expansion) =>
        expansion.scope === scope &&
        isOfRound([...pathOf(expansion.frame), expansion.seq]) &&
        join.ways.isCaptive(eachPlace(program, expansion.each)),
    )
    .map(({ id }) => id);
  const waiting = waitingElsewhere(program, must(snapshot.scopes, scope, "scope"), join).filter(
    ({ frame, seq }) => isOfRound([...pathOf(frame), seq]),
  );
  if (runs.length + expansions.length + waiting.length === 0) return;
  const tokens = waiting.map(({ join, source, frame }) => ({ join, source, frame }));
  emit(draft, { op: "cancel", scope, runs, expansions, waiting: tokens });
}

function waitingElsewhere(
  program: Program,
  { armed, joins }: Scope,
  join: ProgramJoin,
): readonly (WaitingToken & { readonly seq: number })[] {
  return [...armed.entries()].flatMap(([index]) => {
    const isCaptive = index !== join.index && join.ways.isCaptive(joinPlace(program, index));
    const sources = isCaptive ? [...must(joins, index, "join").tokens.entries()] : [];
    return sources.flatMap(([source, waiting]) =>
      waiting.map(({ frame, seq }) => ({ join: index, source, frame, seq })),
    );
  });
}

export function quorumFailure(
  name: string,
  { need, arrived }: { readonly need: number; readonly arrived: number },
): Failure {
  return {
    class: "invalid",
    code: "M5201",
    hopeless: true,
    message: `\`${name} need ${need}\` can't be reached: ${arrived} arrived, and not enough others still can`,
    hint: "lower `need`, or write an arrow `on error` behind it",
  };
}

/**
 * Sends the waiting tokens of a join on as one, along its arrow, or along the one for its failure. Says whether there
 * was one that it could take.
 */
export function fireJoin(
  draft: FlowDraft,
  scope: Scope,
  join: ProgramJoin,
  failed?: FailedGroup,
): boolean {
  const tokens = [...must(scope.joins, join.index, "join").tokens.values()].flatMap((waiting) =>
    waiting.slice(0, 1),
  );
  const line = lineOf(draft.snapshot, join, tokens);
  const isEarly = failed !== undefined || join.need !== undefined;
  if (isEarly) cancelOthers(draft, { scope: scope.id, join, round: line.round ?? [] });
  emit(draft, fireOf(draft, join, { scope: scope.id, line, failed: failed?.edge }));
  const frames = tokens.map(({ frame }) => frame);
  const outlet = (failed && join.failing[failed.edge]) ?? join.outlet;
  const error = failed?.error;
  const { frame: parent, seq } = line;
  if (line.closed) {
    emit(draft, { op: "fold", frames, line: parent, into: parent });
    return depart(draft, { frame: parent, seq, scope: scope.id, outlet, error });
  }
  const into = draft.snapshot.next.frame;
  const fired = scope.joins.get(join.index)?.fired ?? 0;
  // Behind every branch of the fork, each join and each of its rounds in a place of its own.
  const branch = BEHIND_BRANCHES + fired * draft.program.joins.length + join.index;
  emit(draft, { op: "fork", frame: into, parent, seq, branch, fork: line.fork ?? -1 });
  emit(draft, { op: "fold", frames, line: parent, into });
  return depart(draft, { frame: into, seq: 0, scope: scope.id, outlet, error });
}

/** The failure that a join stands for, and the word of the arrow that it takes. */
interface FailedGroup {
  readonly edge: FailureEdge;
  readonly error: ShownFailure;
}

function fireOf(
  { program, snapshot }: FlowDraft,
  join: ProgramJoin,
  {
    scope: id,
    line,
    failed,
  }: {
    readonly scope: number;
    readonly line: TokenLine;
    readonly failed: FailureEdge | undefined;
  },
): FlowOp {
  const scope = must(snapshot.scopes, id, "scope");
  const absent = missingOf(scope, join);
  const missing = absent.map((source) => program.nodes[join.nodes[source] ?? -1]?.ir.name ?? "");
  const fire = {
    op: "fire",
    join: join.index,
    scope: id,
    ...(missing.length === 0 ? {} : { missing }),
  } as const;
  if (failed === undefined && join.need === undefined) return fire;
  const by = failed === undefined ? "need" : "failure";
  const owed = absent.filter((source) => canCome(program, scope, join, source));
  if (owed.length === 0) return { ...fire, by };
  if (line.round === undefined) return { ...fire, by, owed };
  const { path } = must(snapshot.frames, line.frame, "frame");
  return { ...fire, by, owed, at: [...path, line.seq] };
}

const BEHIND_BRANCHES = 1_000_000;

interface TokenLine {
  readonly frame: number;
  /** The join's own position where the line goes on, else that of the fork. */
  readonly seq: number;
  readonly closed: boolean;
  /** The fork of which it stays a branch, where no fork is closed. */
  readonly fork?: number;
  /** The common beginning of the places of all branches of a closed fork. */
  readonly round?: OrderKey;
}

/** The line in which joined tokens go on: the one whose fork this join closes, or the nearest that has them all. */
function lineOf(snapshot: Snapshot, join: ProgramJoin, tokens: readonly Token[]): TokenLine {
  const lines = tokens.map(({ frame }) => lineage(snapshot, frame));
  const common = lines[0]?.filter((frame) =>
    lines.every((line) => line.some(({ id }) => id === frame.id)),
  );
  const [nearest] = common ?? [];
  if (nearest === undefined) throw new Error("M9000: a join without tokens");
  const here = tokens.filter(({ frame }) => frame === nearest.id);
  const branches = lines.flatMap((line) => line.find(({ parent }) => parent === nearest.id) ?? []);
  const closing = [...branches, ...(common ?? [])].find(({ fork }) => join.ways.closes(fork));
  if (closing !== undefined) {
    const round = closing.path.slice(0, -1);
    return { frame: closing.parent, seq: closing.seq + 1, closed: true, round };
  }
  if (here.length > 0) {
    return { frame: nearest.id, seq: Math.max(...here.map(({ seq }) => seq)) + 1, closed: true };
  }
  const [branch] = branches;
  return { frame: nearest.id, seq: branch?.seq ?? 0, closed: false, fork: branch?.fork ?? -1 };
}

/** A frame and the lines it forked from, innermost first. */
function lineage(snapshot: Snapshot, id: number): readonly Frame[] {
  const line: Frame[] = [];
  for (let at = snapshot.frames.get(id); at !== undefined; at = snapshot.frames.get(at.parent)) {
    line.push(at);
  }
  return line;
}
