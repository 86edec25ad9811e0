/** Pairs the joins, `each`es, waits, outlets and counted arrows of two programs by the nodes that they belong to. */
import { canonicalJson, type RouteIr, withoutSpans } from "../../dsl/index.ts";
import { FAILURE_EDGES } from "../scheduler/program/link.ts";
import type { Numbering } from "../scheduler/program/numbering.ts";
import type { Outlet, Program, ProgramEach, ProgramJoin } from "../scheduler/program/program.ts";

export interface FlowPair {
  /** The one with the log, numbered as that is. */
  readonly before: Program;
  /** The one to come, with all nodes of the log, numbered as its text is. */
  readonly after: Program;
  /** Returns the new name of a node of the log. */
  nowCalled(name: string): string;
}

export function sameFlow(pair: FlowPair, wasActive: (node: number) => boolean): Numbering {
  const eaches = sameEaches(pair);
  const joins = sameJoins(pair, eaches);
  const outlets = sameOutlets(pair, { eaches, joins });
  return {
    nodes: sameNodes(pair),
    eaches,
    joins,
    outlets: outlets.map((one) => one ?? null),
    counted: sameCounted(pair, outlets),
    ghosts: ghostsOf(pair, wasActive),
  };
}

/** By its number in the log. */
type FlowPartPlaces = readonly (number | null)[];

function sameNodes({ before, after, nowCalled }: FlowPair): FlowPartPlaces {
  const waits = matcher(
    after.nodes.filter(({ isWait }) => isWait),
    (one) => waitKey(after, one, (name) => name),
  );
  return before.nodes.map((one) => {
    if (one.isWait === undefined) return after.nodeNumbers.get(nowCalled(one.ir.name)) ?? null;
    const name = goneWait(one.ir.name, one.index);
    return waits(waitKey(before, one, nowCalled))?.index ?? after.nodeNumbers.get(name) ?? null;
  });
}

/** Returns the name of a wait whose arrow is gone; no program can contain it. */
export function goneWait(name: string, index: number): string {
  return `${name} (gone ${index})`;
}

/** The waits of `before` that no arrow of `after` has any more. */
export function goneWaits({ before, after, nowCalled }: FlowPair): Program["nodes"] {
  const waits = matcher(
    after.nodes.filter(({ isWait }) => isWait),
    (one) => waitKey(after, one, (name) => name),
  );
  return before.nodes.filter(
    (one) => one.isWait === true && waits(waitKey(before, one, nowCalled)) === undefined,
  );
}

/** Returns the key of a wait: its successors and its origin, without the duration, which may change. */
function waitKey(program: Program, wait: Program["nodes"][number], nowCalled: Naming): string {
  const route = [...program.waits].find(([, node]) => node === wait.index)?.[0];
  return route === undefined ? "" : routeKey({ ...route, afterMs: 0 }, nowCalled);
}

type Naming = (name: string) => string;

function routeKey(route: RouteIr, nowCalled: Naming): string {
  const { max: _, ...rest } = route;
  return canonicalJson(withoutSpans(renamedIn(rest, nowCalled)));
}

/** `each`es by what they lead to: their ids go by their place in the text. */
function renamedIn(route: unknown, nowCalled: Naming): unknown {
  return JSON.parse(JSON.stringify(route), (key, value: unknown) =>
    key === "id"
      ? undefined
      : key === "node" && typeof value === "string"
        ? nowCalled(value)
        : value,
  );
}

/** The `each` around the same nodes. */
function sameEaches({ before, after, nowCalled }: FlowPair): FlowPartPlaces {
  return before.eaches.map(({ index }) => {
    const inside = before.nodes.filter(({ each, isGone }) => each === index && isGone !== true);
    const now = inside.flatMap(({ ir }) => {
      const node = after.nodes[after.nodeNumbers.get(nowCalled(ir.name)) ?? -1];
      return node === undefined || node.isGone === true ? [] : [node.each];
    });
    const [first, ...more] = new Set(now);
    if (first !== undefined && first !== -1 && more.length === 0) return first;
    return first === undefined ? sameVariable(before.eaches[index], after) : null;
  });
}

/** One that has no node of its own goes by its variable, where only one has that. */
function sameVariable(each: ProgramEach | undefined, { eaches, nodes }: Program): number | null {
  const empty = eaches.filter(({ index, ir }) => {
    return ir.variable === each?.ir.variable && !nodes.some((node) => node.each === index);
  });
  return empty.length === 1 ? (empty[0]?.index ?? null) : null;
}

function sameJoins(
  { before, after, nowCalled }: FlowPair,
  eaches: FlowPartPlaces,
): Numbering["joins"] {
  const isGone = (name: string) => {
    const node = after.nodes[after.nodeNumbers.get(nowCalled(name)) ?? -1];
    return node === undefined || node.isGone === true;
  };
  const namesOf = (join: ProgramJoin) =>
    join.nodes.map((node) => before.nodes[node]?.ir.name ?? "");
  const left = new Set(after.joins.map(({ index }) => index));
  const take = (
    join: ProgramJoin,
    fits: (sources: readonly string[], now: ProgramJoin) => boolean,
  ) => {
    const sources = namesOf(join)
      .filter((name) => !isGone(name))
      .map(nowCalled);
    const each = join.each === -1 ? -1 : eaches[join.each];
    const found = after.joins.find(
      (one) => left.has(one.index) && one.each === each && fits(sources, one),
    );
    if (found !== undefined) left.delete(found.index);
    return found;
  };
  const nowOf = ({ nodes }: ProgramJoin) => nodes.map((node) => after.nodes[node]?.ir.name ?? "");
  const isExact = (sources: readonly string[], one: ProgramJoin) =>
    sources.length > 0 && isSameSet(sources, nowOf(one));
  const isMore = (sources: readonly string[], one: ProgramJoin) =>
    sources.length > 0 && sources.every((name) => nowOf(one).includes(name));
  const exact = before.joins.map((join) => take(join, isExact));
  return before.joins.map((join, index) => {
    const now = exact[index] ?? take(join, isMore);
    if (now === undefined) return null;
    const known = namesOf(join).map(nowCalled);
    const more = nowOf(now).filter((name) => !known.includes(name));
    return { join: now.index, nodes: [...known, ...more] };
  });
}

function isSameSet(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((name) => other.includes(name));
}

function sameOutlets(
  { before, after, nowCalled }: FlowPair,
  { eaches, joins }: Pick<Numbering, "eaches" | "joins">,
): readonly (number | undefined)[] {
  const places: (number | undefined)[] = [];
  const pair = (one: Outlet | undefined, other: Outlet | undefined) => {
    if (one !== undefined && one.id >= 0) places[one.id] = other?.id;
  };
  const pairAll = (one: Leaving, other: Partial<Leaving> | undefined) => {
    pair(one.outlet, other?.outlet);
    for (const word of FAILURE_EDGES) {
      pair(one.failing[word], other?.failing?.[word]);
    }
  };
  pair(before.start, after.start);
  const nodes = sameNodes({ before, after, nowCalled });
  for (const node of before.nodes) pairAll(node, after.nodes[nodes[node.index] ?? -1]);
  for (const join of before.joins) pairAll(join, after.joins[joins[join.index]?.join ?? -1]);
  for (const each of before.eaches) {
    const now = after.eaches[eaches[each.index] ?? -1];
    pair(each.entry, now?.entry);
    pairAll(
      { outlet: each.then, failing: each.failing },
      now && { outlet: now.then, failing: now.failing },
    );
  }
  return Array.from(places);
}

type Leaving = Pick<Program["nodes"][number], "outlet" | "failing">;

/** Arrows with `max`, by where they leave and where they lead. */
function sameCounted(pair: FlowPair, outlets: readonly (number | undefined)[]): FlowPartPlaces {
  const { before, after, nowCalled } = pair;
  const now = countedOf(after);
  const find = matcher(now, ({ outlet, route }) => `${outlet} ${routeKey(route, (name) => name)}`);
  return countedOf(before).reduce<(number | null)[]>(
    (numbers, { outlet, route, number }) => {
      const found = find(`${outlets[outlet]} ${routeKey(route, nowCalled)}`);
      numbers[number] = found?.number ?? null;
      return numbers;
    },
    Array.from({ length: numbersIn(before) }, () => null),
  );
}

function numbersIn({ routeNumbers }: Program): number {
  return Math.max(-1, ...routeNumbers.values()) + 1;
}

function countedOf(program: Program) {
  return outletsOf(program).flatMap((outlet) =>
    outlet.edges
      .flatMap(({ route }) => routesIn(route))
      .flatMap((route) => {
        const number = program.routeNumbers.get(route);
        return number === undefined ? [] : [{ outlet: outlet.id, route, number }];
      }),
  );
}

function outletsOf({ start, nodes, joins, eaches }: Program): readonly Outlet[] {
  const leaving = [...nodes, ...joins].flatMap(({ outlet, failing }) => [
    outlet,
    ...Object.values(failing),
  ]);
  const ofEaches = eaches.flatMap(({ entry, then, failing }) => [
    entry,
    then,
    ...Object.values(failing),
  ]);
  return [start, ...leaving, ...ofEaches];
}

function routesIn(route: RouteIr): readonly RouteIr[] {
  switch (route.kind) {
    case "choice":
      return [route, ...route.branches.flatMap((branch) => routesIn(branch.route))];
    case "match":
      return [route, ...route.cases.flatMap((one) => routesIn(one.route))];
    default:
      return [route];
  }
}

/** Behind which outlets nodes that are gone may still be under way. */
function ghostsOf(
  { before, after, nowCalled }: FlowPair,
  wasActive: (node: number) => boolean,
): Numbering["ghosts"] {
  const isGone = ({ index, ir }: Program["nodes"][number]) =>
    wasActive(index) &&
    after.nodes[after.nodeNumbers.get(nowCalled(ir.name)) ?? -1]?.isGone === true;
  const gone = new Map(before.nodes.filter(isGone).map((one) => [one.ir.name, one]));
  if (gone.size === 0) return {};
  const found = outletsOf(before).flatMap((outlet) => {
    const known = (outlet.ghosts ?? []).map((node) => before.nodes[node]?.ir.name ?? "");
    const led = outlet.edges.flatMap(({ route }) => routesIn(route)).flatMap(targetNames);
    const names = [...new Set([...known, ...led])].filter((name) => gone.has(name));
    return names.length === 0 || outlet.id < 0 ? [] : [[outlet.id, names.map(nowCalled)] as const];
  });
  return Object.fromEntries(found);
}

function targetNames(route: RouteIr): readonly string[] {
  return route.kind === "to" || route.kind === "pick" ? route.targets.map(({ node }) => node) : [];
}

/** Finds what has a key, each once, in the order in which they stand. */
function matcher<T>(
  items: readonly T[],
  keyOf: (item: T) => string,
): (key: string) => T | undefined {
  const left = new Map<string, T[]>();
  for (const item of items) {
    const key = keyOf(item);
    left.set(key, [...(left.get(key) ?? []), item]);
  }
  return (key) => left.get(key)?.shift();
}
