/** Finds what each fork of a flow leads to before its sides are one line again. */
import { onlyCycles } from "../flow/cycles.ts";
import { type FlowPlace, type FlowPlaces, isJoin, type Outgoing, reach } from "../flow/places.ts";
import type { Fork, ForkSide } from "./forks.ts";

// A question about two nodes is answered by the forks that are open around both. A look at all forks and
// all of their sides for each question would make a check of a large graph take minutes.

/** Stands for a place that more than one side leads to. */
const SEVERAL = "several";

type Leading = ForkSide | typeof SEVERAL;

/** A fork with the places that its sides come to before a join that waits for all of them. */
export interface ForkRegion extends Fork {
  /** The side that leads to each place; to one behind a join that waits for all sides none does. */
  readonly open: ReadonlyMap<FlowPlace, Leading>;
  /** Some side leads to the place of the fork. */
  readonly isLedBack: boolean;
  /** Returns all that follows a side, behind joins too. */
  readonly reached: (side: ForkSide) => ReadonlySet<FlowPlace>;
}

/** All forks of a flow. */
export interface ForkRegions {
  readonly all: readonly ForkRegion[];
  /** The forks that are open around a place, in their order. */
  readonly byPlace: ReadonlyMap<FlowPlace, readonly ForkRegion[]>;
}

/** Looks along the flow from each fork, mostly no further than to the joins that wait for all of its sides. */
export function forkRegions(forks: readonly Fork[], { arcs, next }: FlowPlaces): ForkRegions {
  const inCycles = new Set(onlyCycles(arcs).map(({ from }) => from));
  const flow: ArcsBothWays = { next, before: arrivingAt(next) };
  const all = forks.map((fork) => regionOf(fork, flow, inCycles));
  const byPlace = new Map<FlowPlace, ForkRegion[]>();
  for (const region of all)
    for (const place of region.open.keys()) {
      const around = byPlace.get(place);
      if (around === undefined) byPlace.set(place, [region]);
      else around.push(region);
    }
  return { all, byPlace };
}

type Arriving = ReadonlyMap<FlowPlace, readonly FlowPlace[]>;

function arrivingAt(arcs: Outgoing): Arriving {
  const before = new Map<FlowPlace, FlowPlace[]>();
  for (const [from, leaving] of arcs)
    for (const { to } of leaving) {
      const known = before.get(to);
      if (known === undefined) before.set(to, [from]);
      else known.push(from);
    }
  return before;
}

interface ArcsBothWays {
  readonly next: Outgoing;
  readonly before: Arriving;
}

function regionOf(fork: Fork, flow: ArcsBothWays, inCycles: ReadonlySet<FlowPlace>): ForkRegion {
  const { place, sides } = fork;
  const known = new Map<ForkSide, ReadonlySet<FlowPlace>>();
  const reached = (side: ForkSide) => {
    const places = known.get(side) ?? reach(side, flow.next);
    known.set(side, places);
    return places;
  };
  const near = leadingSides(fork, flow, (join) => isJoinOfAll(join, fork, flow));
  if (!inCycles.has(place) && isApart(near, place, flow))
    return { ...fork, open: near.leading, isLedBack: false, reached };
  const { leading } = leadingSides(fork, flow, () => false);
  const waiting = joinsOfAll(fork, leading, flow);
  const open = new Map<FlowPlace, Leading>();
  for (const at of reach(sides.flat(), flow.next, (at) => waiting.has(at)))
    open.set(at, leading.get(at) ?? SEVERAL);
  return { ...fork, open, isLedBack: leading.has(place), reached };
}

interface LedPlaces {
  readonly leading: ReadonlyMap<FlowPlace, Leading>;
  /** The joins that were not looked behind. */
  readonly closed: ReadonlySet<FlowPlace>;
}

/** Returns whether nothing leads to the places of a fork but themselves: then what lies behind its joins says nothing of them. */
function isApart(
  { leading, closed }: LedPlaces,
  fork: FlowPlace,
  { before }: ArcsBothWays,
): boolean {
  const isInside = (from: FlowPlace) => from === fork || (leading.has(from) && !closed.has(from));
  return [...leading.keys()].every((place) => before.get(place)?.every(isInside) ?? true);
}

/** Returns the side that leads to each place behind a fork. */
function leadingSides(
  { sides }: Fork,
  { next }: ArcsBothWays,
  isClosed: (join: FlowPlace) => boolean,
): LedPlaces {
  const leading = new Map<FlowPlace, Leading>();
  const closed = new Set<FlowPlace>();
  const waiting: FlowPlace[] = [];
  // Joins come last, when all that leads to them has said so.
  const joins: FlowPlace[] = [];
  const come = (place: FlowPlace, by: Leading) => {
    const known = leading.get(place);
    if (known === by || known === SEVERAL) return;
    leading.set(place, known === undefined ? by : SEVERAL);
    (isJoin(place) ? joins : waiting).push(place);
  };
  for (const side of sides) for (const place of side) come(place, side);
  for (;;) {
    const place = waiting.pop() ?? joins.pop();
    if (place === undefined) return { leading, closed };
    const by = leading.get(place) ?? SEVERAL;
    if (by === SEVERAL && isJoin(place) && isClosed(place)) closed.add(place);
    else for (const { to } of next.get(place) ?? []) come(to, by);
  }
}

function isJoinOfAll(join: FlowPlace, { place, sides }: Fork, { before }: ArcsBothWays): boolean {
  if (sides.length === 2) return true;
  const back = placesBefore(join, before, place);
  return sides.every((side) => side.some((at) => back.has(at)));
}

/** Returns the joins that every side leads to. */
function joinsOfAll(
  fork: Fork,
  leading: ReadonlyMap<FlowPlace, Leading>,
  flow: ArcsBothWays,
): ReadonlySet<FlowPlace> {
  const ofAll = new Set<FlowPlace>();
  for (const [join, by] of leading) {
    if (by !== SEVERAL || !isJoin(join) || ofAll.has(join)) continue;
    if (!isJoinOfAll(join, fork, flow)) continue;
    for (const place of reach([join], flow.next)) if (isJoin(place)) ofAll.add(place);
  }
  return ofAll;
}

/** Returns the places that lead to one; what leads to `fork` is not looked at. */
function placesBefore(place: FlowPlace, before: Arriving, fork: FlowPlace): ReadonlySet<FlowPlace> {
  const found = new Set([place]);
  for (const at of found) {
    if (at === fork && at !== place) continue;
    for (const from of before.get(at) ?? []) found.add(from);
  }
  return found;
}

/** Puts places into groups so that all of one list are in one group; returns the group of each. */
export function groupsOf(
  lists: Iterable<Iterable<FlowPlace>>,
): (place: FlowPlace) => FlowPlace | undefined {
  const parents = new Map<FlowPlace, FlowPlace>();
  const rootOf = (place: FlowPlace): FlowPlace => {
    let at = place;
    for (let up = parents.get(at); up !== undefined && up !== at; up = parents.get(at)) {
      parents.set(at, parents.get(up) ?? up);
      at = up;
    }
    return at;
  };
  for (const list of lists) {
    let first: FlowPlace | undefined;
    for (const place of list) {
      if (!parents.has(place)) parents.set(place, place);
      first ??= rootOf(place);
      parents.set(rootOf(place), first);
    }
  }
  return (place) => (parents.has(place) ? rootOf(place) : undefined);
}
