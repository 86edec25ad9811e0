/** Finds the loops of a graph: which places each one goes round through, and which of them an arrow leads into from outside. */
import {
  eachPlace,
  joinPlace,
  type Loops,
  leavesOf,
  nodePlace,
  type Outlet,
  type Program,
  type ProgramJoin,
  reachable,
  successors,
} from "./program.ts";

interface GraphLoop {
  readonly places: ReadonlySet<number>;
  /** The nodes whose innermost loop it is. */
  nodes: readonly number[];
}

type LinkedLoops = Pick<
  Program,
  "nodes" | "eaches" | "nodeNumbers" | "eachNumbers" | "start" | "waits"
> & { readonly joins: readonly Omit<ProgramJoin, "ways">[] };

const NONE: readonly never[] = [];

export function loopsOf(program: LinkedLoops): Loops {
  const next = successors(program);
  const loops: GraphLoop[] = [];
  const all = new Set(next.keys());
  findLoops(next, { within: all, entered: entriesOf(program) }, loops);
  for (const { index, ir } of program.nodes)
    if (ir.every !== undefined) loops.push({ places: new Set([nodePlace(index)]), nodes: NONE });
  if (loops.length === 0) return { nodes: new Set(), entered: () => NONE };
  const innermost = new Map<number, GraphLoop>();
  // Inner ones stand behind those around them.
  for (const loop of loops) for (const place of loop.places) innermost.set(place, loop);
  for (const { index, isWait } of program.nodes) {
    const loop = innermost.get(nodePlace(index));
    if (loop !== undefined && isWait !== true) loop.nodes = [...loop.nodes, index];
  }
  const left = outletPlaces(program);
  return {
    nodes: new Set(loops.flatMap(({ nodes }) => nodes)),
    entered: (outlet, place) => {
      if (!innermost.has(place)) return NONE;
      const from = left.get(outlet) ?? -1;
      const into = loops.filter(({ places }) => places.has(place) && !places.has(from));
      return into.flatMap(({ nodes }) => nodes);
    },
  };
}

type NextPlaces = readonly (readonly number[])[];

interface SearchedPlaces {
  readonly within: ReadonlySet<number>;
  /** Places that something outside leads to. */
  readonly entered: ReadonlySet<number>;
}

/** Adds the loops of a part of the graph, each before those inside it: these are left when the ways back to its beginning are cut. */
function findLoops(
  next: NextPlaces,
  { within, entered }: SearchedPlaces,
  found: GraphLoop[],
): void {
  for (const places of componentsIn(next, within)) {
    found.push({ places, nodes: NONE });
    const heads = new Set([...places].filter((place) => entered.has(place)));
    for (const from of within)
      if (!places.has(from)) for (const to of next[from] ?? []) if (places.has(to)) heads.add(to);
    if (heads.size === 0) continue;
    const cut: NextPlaces = next.map((to, from) =>
      places.has(from) ? to.filter((place) => places.has(place) && !heads.has(place)) : NONE,
    );
    const behind = new Set([...heads].flatMap((head): readonly number[] => cut[head] ?? NONE));
    findLoops(cut, { within: places, entered: behind }, found);
  }
}

/** The largest sets of places that all lead to each other, of those in which something goes round. */
function componentsIn(
  next: NextPlaces,
  within: ReadonlySet<number>,
): readonly ReadonlySet<number>[] {
  const previous: number[][] = next.map(() => []);
  for (const from of within)
    for (const to of next[from] ?? []) if (within.has(to)) previous[to]?.push(from);
  const isIn = (place: number) => within.has(place);
  const seen = new Set<number>();
  const components: ReadonlySet<number>[] = [];
  for (const place of peeled(next, previous, within)) {
    if (seen.has(place)) continue;
    const ahead = reachable(next, next[place] ?? NONE, -1, isIn);
    if (!ahead.has(place)) continue;
    const back = reachable(previous, [place], -1, isIn);
    const places = new Set([...back].filter((one) => ahead.has(one)));
    for (const one of places) seen.add(one);
    components.push(places);
  }
  return components;
}

/** Without the places that nothing comes to but from such places: most graphs have no others. */
function peeled(
  next: NextPlaces,
  previous: NextPlaces,
  within: ReadonlySet<number>,
): ReadonlySet<number> {
  const left = new Set<number>(within);
  const arriving = new Map([...within].map((place) => [place, previous[place]?.length ?? 0]));
  const free = [...within].filter((place) => arriving.get(place) === 0);
  for (let place = free.pop(); place !== undefined; place = free.pop()) {
    left.delete(place);
    for (const to of next[place] ?? []) {
      if (!left.has(to)) continue;
      arriving.set(to, (arriving.get(to) ?? 0) - 1);
      if (arriving.get(to) === 0) free.push(to);
    }
  }
  return left;
}

/** The places at which runs and items begin. */
function entriesOf(program: LinkedLoops): ReadonlySet<number> {
  const begin = program.eaches.flatMap(({ entry, index }) => leavesOf(program, entry, index));
  return new Set([...leavesOf(program, program.start, -1), ...begin]);
}

/** The place that each outlet is of. */
function outletPlaces(program: LinkedLoops): ReadonlyMap<number, number> {
  const { nodes, joins, eaches } = program;
  const of = (place: number, outlets: readonly Outlet[]) =>
    outlets.map(({ id }) => [id, place] as const);
  return new Map([
    ...nodes.flatMap(({ index, outlet, failing }) =>
      of(nodePlace(index), [outlet, ...Object.values(failing)]),
    ),
    ...joins.flatMap(({ index, outlet, failing }) =>
      of(joinPlace(program, index), [outlet, ...Object.values(failing)]),
    ),
    ...eaches.flatMap(({ index, then, failing }) =>
      of(eachPlace(program, index), [then, ...Object.values(failing)]),
    ),
  ]);
}
