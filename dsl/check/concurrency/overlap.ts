/** Computes which nodes of a graph can run at the same time. */
import { once } from "../../once.ts";
import type { Overlap, Ways } from "../facts.ts";
import { type FlowPlace, type FlowPlaces, isJoin, type Outgoing, reach } from "../flow/places.ts";
import { detachedWork } from "./detached.ts";
import { type ForkRegion, type ForkRegions, forkRegions, groupsOf } from "./fork-regions.ts";
import { allForks, type ForkSide } from "./forks.ts";

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
  const forks = once(() => allForks(places));
  const regions = once(() => forkRegions(forks(), places));
  const split = (a: string, b: string) =>
    a === b ? undefined : firstSplit(regions(), [a, b], arcs);
  const works = detachedWork(places);
  const goOnBeside = (a: string, b: string) =>
    works.find(({ inside, beside }) => inside.has(a) && beside.has(b));
  const areBeside = (a: string, b: string) => (goOnBeside(a, b) ?? goOnBeside(b, a)) !== undefined;
  const isForked = (a: string, b: string) => areBeside(a, b) || split(a, b) !== undefined;
  const areItems = (a: string, b: string) => items.some((nodes) => nodes.has(a) && nodes.has(b));
  const groups = once(() =>
    groupsOf([
      ...regions().all.map(({ open }) => open.keys()),
      ...items,
      ...works.map(({ inside, beside }) => [...inside, ...beside]),
    ]),
  );
  return {
    hasFork: () => works.length > 0 || forks().length > 0,
    has: (a, b) => areItems(a, b) || isForked(a, b),
    isForked,
    isBeside: (a, b) => goOnBeside(a, b) !== undefined,
    groupOf: (node) => groups()(node),
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

type NodePair = readonly [string, string];

/** Two sides of a fork, of which the first leads to one node and the second to the other. */
interface ForkSplit {
  readonly place: FlowPlace;
  readonly first: ForkSide;
  readonly second: ForkSide;
  /** The second side leads back to the fork, and the first is started again before it has ended. */
  readonly comesBack: boolean;
}

function firstSplit(
  { byPlace }: ForkRegions,
  pair: NodePair,
  arcs: Outgoing,
): ForkSplit | undefined {
  const [a, b] = pair;
  const around = new Set(byPlace.get(b));
  for (const region of byPlace.get(a) ?? []) {
    const found = around.has(region) ? splitOf(region, pair, arcs) : undefined;
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Two sides of a fork that lead to `a` and to `b`, or one side that comes back and starts the other one again. */
function splitOf(region: ForkRegion, [a, b]: NodePair, arcs: Outgoing): ForkSplit | undefined {
  const { place, sides, open, isLedBack } = region;
  const [sideOfA, sideOfB] = [open.get(a), open.get(b)];
  // No join that waits for both sides can lie on the way to what one of them alone leads to.
  const areAlone = sideOfA instanceof Object && sideOfB instanceof Object;
  if (areAlone && sideOfA !== sideOfB)
    return { place, first: sideOfA, second: sideOfB, comesBack: false };
  if (areAlone && !isLedBack) return undefined;
  const [toA, toB] = [a, b].map((node) => sides.filter((side) => region.reached(side).has(node)));
  for (const first of toA ?? [])
    for (const second of toB ?? [])
      if (first !== second && overlapBehind(region, { first, second, a, b }, arcs))
        return { place, first, second, comesBack: false };
  if (!isLedBack) return undefined;
  for (const first of toA ?? [])
    for (const second of sides)
      if (first !== second && region.reached(first).has(b))
        if (returns(region, { first, second, a, b }, arcs))
          return { place, first, second, comesBack: true };
  return undefined;
}

function waysOf(
  { place, first, second, comesBack }: ForkSplit,
  [a, b]: NodePair,
  arcs: Outgoing,
): Ways {
  const toB = comesBack
    ? [...shortestWay(second, place, arcs), ...shortestWay(first, b, arcs)]
    : shortestWay(second, b, arcs);
  return [
    [place, ...shortestWay(first, a, arcs)],
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

/** Two sides of a fork, and two nodes of which it is asked whether these lead there. */
interface SidePair {
  readonly first: ForkSide;
  readonly second: ForkSide;
  readonly a: string;
  readonly b: string;
}

function overlapBehind(
  region: ForkRegion,
  { first, second, a, b }: SidePair,
  arcs: Outgoing,
): boolean {
  const isShared = sharedJoins(region, first, second);
  return reach(first, arcs, isShared).has(a) && reach(second, arcs, isShared).has(b);
}

/** Behind a join that waits for both sides there is one line again. */
function sharedJoins(
  { reached }: ForkRegion,
  first: ForkSide,
  second: ForkSide,
): (place: FlowPlace) => boolean {
  const [one, other] = [reached(first), reached(second)];
  return (place) => isJoin(place) && one.has(place) && other.has(place);
}

function returns(region: ForkRegion, { first, second, a, b }: SidePair, arcs: Outgoing): boolean {
  if (!region.reached(second).has(region.place)) return false;
  const isShared = sharedJoins(region, second, first);
  const own = reach(first, arcs, isShared);
  return reach(second, arcs, isShared).has(region.place) && own.has(a) && own.has(b);
}
