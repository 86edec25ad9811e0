/** Computes which nodes of a graph can run at the same time. */
import type { Overlap, Ways } from "../facts.ts";
import {
  type FlowBranch,
  type FlowPlace,
  type FlowPlaces,
  isJoin,
  type Outgoing,
  reach,
} from "../flow/places.ts";
import { detachedWork } from "./detached.ts";
import { areExclusive } from "./exclusive-conditions.ts";

/**
 * Two nodes overlap if they stand behind two sides of one fork that no join brought together, or run for items of one
 * `each` at once. A node never overlaps itself outside an `each`: further arrivals wait for it.
 */
export function overlapOf(places: FlowPlaces): Overlap {
  const arcs = places.next;
  const items = places.eaches
    .filter(({ each }) => each.parallel !== 1)
    .map(({ nodes }) => new Set(nodes));
  // Worked out when it is first asked for: a graph whose writes all merge never asks.
  let known: readonly Fork[] | undefined;
  const forks = () => {
    known ??= allForks(places, arcs);
    return known;
  };
  const split = (a: string, b: string) => (a === b ? undefined : firstSplit(forks(), [a, b], arcs));
  const works = detachedWork(places);
  const goOnBeside = (a: string, b: string) =>
    works.find(({ inside, beside }) => inside.has(a) && beside.has(b));
  const areBeside = (a: string, b: string) => (goOnBeside(a, b) ?? goOnBeside(b, a)) !== undefined;
  const isForked = (a: string, b: string) => areBeside(a, b) || split(a, b) !== undefined;
  const areItems = (a: string, b: string) => items.some((nodes) => nodes.has(a) && nodes.has(b));
  return {
    hasFork: () => works.length > 0 || forks().length > 0,
    has: (a, b) => areItems(a, b) || isForked(a, b),
    isForked,
    isBeside: (a, b) => goOnBeside(a, b) !== undefined,
    ways: (a, b) => {
      const found = split(a, b);
      if (found !== undefined) return waysOf(found, [a, b], arcs);
      const [first, second] = [goOnBeside(a, b), goOnBeside(b, a)];
      const from = (first ?? second)?.from;
      if (from === undefined) return undefined;
      return [shortestWay([from], a, arcs), shortestWay([from], b, arcs)];
    },
  };
}

function allForks({ branches }: FlowPlaces, arcs: Outgoing): readonly Fork[] {
  return [...branches].flatMap(([place, leaving]) =>
    forksOf(leaving).map((sides) => ({ place, sides: sides.map((side) => withReach(side, arcs)) })),
  );
}

/** One of several parts of a flow that start together: the places that it begins at. */
type ForkSide = readonly FlowPlace[];

interface ReachedSide {
  readonly from: ForkSide;
  /** All that follows, behind joins too. */
  readonly places: ReadonlySet<FlowPlace>;
}

interface Fork {
  readonly place: FlowPlace;
  readonly sides: readonly ReachedSide[];
}

function withReach(from: ForkSide, arcs: Outgoing): ReachedSide {
  return { from, places: reach(from, arcs) };
}

/** The sides that leave a place together: targets of one `[ ]`, and arrows that can both be taken. */
function forksOf(branches: readonly FlowBranch[]): readonly (readonly ForkSide[])[] {
  const inside = branches.flatMap((branch) =>
    branch.alternatives.map((targets) => targets.map((target) => [target])),
  );
  const between = branches.flatMap((branch, index) => {
    const beside = branches.slice(index + 1).filter((other) => canBothBeTaken(branch, other));
    return beside.map((other) => [branch, other].map((each) => each.alternatives.flat()));
  });
  return [...inside, ...between].filter((sides) => sides.length > 1);
}

function canBothBeTaken(a: FlowBranch, b: FlowBranch): boolean {
  if (a.on !== b.on) return false;
  return a.when === undefined || b.when === undefined || !areExclusive(a.when, b.when);
}

type NodePair = readonly [string, string];

/** Two sides of a fork, of which the first leads to one node and the second to the other. */
interface ForkSplit {
  readonly place: FlowPlace;
  readonly first: ReachedSide;
  readonly second: ReachedSide;
  /** The second side leads back to the fork, and the first is started again before it has ended. */
  readonly comesBack: boolean;
}

function firstSplit(forks: readonly Fork[], pair: NodePair, arcs: Outgoing): ForkSplit | undefined {
  for (const fork of forks) {
    const found = splitOf(fork, pair, arcs);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Two sides of a fork that lead to `a` and to `b`, or one side that comes back and starts the other one again. */
function splitOf({ place, sides }: Fork, [a, b]: NodePair, arcs: Outgoing): ForkSplit | undefined {
  const [toA, toB] = [a, b].map((node) => sides.filter((side) => side.places.has(node)));
  for (const first of toA ?? [])
    for (const second of toB ?? [])
      if (first !== second && overlapBehind(first, second, [a, b], arcs))
        return { place, first, second, comesBack: false };
  for (const first of sides)
    for (const second of sides)
      if (first !== second && first.places.has(a) && first.places.has(b))
        if (returns(second, first, { place, a, b }, arcs))
          return { place, first, second, comesBack: true };
  return undefined;
}

function waysOf(
  { place, first, second, comesBack }: ForkSplit,
  [a, b]: NodePair,
  arcs: Outgoing,
): Ways {
  const to = (side: ReachedSide, node: string) => shortestWay(side.from, node, arcs);
  const toB = comesBack ? [...to(second, place), ...to(first, b)] : to(second, b);
  return [
    [place, ...to(first, a)],
    [place, ...toB],
  ];
}

/** The places on the shortest way from one of some places to another one, both included. */
function shortestWay(from: ForkSide, to: FlowPlace, arcs: Outgoing): readonly FlowPlace[] {
  const before = new Map<FlowPlace, FlowPlace | undefined>(from.map((place) => [place, undefined]));
  for (const place of before.keys())
    for (const arc of arcs.get(place) ?? []) if (!before.has(arc.to)) before.set(arc.to, place);
  const way: FlowPlace[] = [];
  for (let place: FlowPlace | undefined = to; place !== undefined; place = before.get(place))
    way.unshift(place);
  return way;
}

function overlapBehind(
  first: ReachedSide,
  second: ReachedSide,
  [a, b]: NodePair,
  arcs: Outgoing,
): boolean {
  const isShared = sharedJoins(first, second);
  return reach(first.from, arcs, isShared).has(a) && reach(second.from, arcs, isShared).has(b);
}

/** Behind a join that waits for both sides there is one line again. */
function sharedJoins(first: ReachedSide, second: ReachedSide): (place: FlowPlace) => boolean {
  return (place) => isJoin(place) && first.places.has(place) && second.places.has(place);
}

function returns(
  other: ReachedSide,
  side: ReachedSide,
  { place, a, b }: { readonly place: FlowPlace; readonly a: string; readonly b: string },
  arcs: Outgoing,
): boolean {
  if (!other.places.has(place)) return false;
  const isShared = sharedJoins(other, side);
  const own = reach(side.from, arcs, isShared);
  return reach(other.from, arcs, isShared).has(place) && own.has(a) && own.has(b);
}
