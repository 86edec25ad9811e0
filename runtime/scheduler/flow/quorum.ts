/** Finds the join that fires next, what it leaves behind, and joins that can no longer reach their quorum. */
import type { Failure } from "../../failure.ts";
import { compareKeys, type OrderKey } from "../../state/order-key.ts";
import {
  eachPlace,
  joinPlace,
  nodePlace,
  type Program,
  type ProgramJoin,
} from "../program/program.ts";
import type { Scope } from "../snapshot/parts.ts";
import { must, type Snapshot } from "../snapshot/snapshot.ts";
import type { WaitingToken } from "../tokens/flow-op.ts";
import { countOf, emit, type FlowDraft } from "./flow-draft.ts";

export interface NextJoin {
  readonly join: ProgramJoin;
  /** Whether it fires; else it never will. */
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
export function missingOf(scope: Scope, join: ProgramJoin): readonly number[] {
  const tokens = scope.joins.get(join.index)?.tokens;
  return join.nodes.flatMap((_, source) => (tokens?.get(source) === undefined ? [source] : []));
}

/** Tells whether a token can still come to a source: from an open node run or `each`, or behind another waiting join. */
export function canCome(
  program: Program,
  scope: Scope,
  join: ProgramJoin,
  source: number,
): boolean {
  const fromPlace = (place: number) => join.ways.canCome(place, source);
  if (scope.places.findKey(fromPlace) !== undefined) return true;
  const fromJoin = (index: number) =>
    index !== join.index && join.ways.canCome(joinPlace(program, index), source);
  return scope.armed.findKey(fromJoin) !== undefined;
}

interface JoinRound {
  readonly scope: number;
  readonly join: ProgramJoin;
  /** What every place in the order of the graph of this round begins with. */
  readonly round: OrderKey;
}

/** Ends what could only lead to a join that goes on without it. */
export function cancelOthers(draft: FlowDraft, { scope, join, round }: JoinRound): void {
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
