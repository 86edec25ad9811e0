/** Random edits of a program that leave alone what has run. */
import type { CalledIr, EdgeIr, Ir, NodeIr, RouteIr } from "../../../dsl/index.ts";
import { innermost, type LogRecord } from "../../../runtime/records/records.ts";
import { graphOf } from "../../support/run-graph.ts";

/** From 0 up to 1. */
export type Random = () => number;

export interface Edited {
  readonly ir: Ir;
  /** What was done to it, for who reads a failure. */
  readonly what: string;
}

type Change = (
  graph: CalledIr,
  random: Random,
  hasRun: (node: string) => boolean,
) => CalledIr | undefined;

const CHANGES: Readonly<Record<string, Change>> = {
  "nodes in another order": ({ nodes, ...graph }) => ({ ...graph, nodes: nodes.toReversed() }),
  "a field more": ({ fields, ...graph }) => ({ ...graph, fields: [...extraFields, ...fields] }),
  "a node on an arrow": (graph, random, hasRun) =>
    atSource(graph, random, hasRun, ({ from, on, route, ...edge }, node) => {
      const name = `extra_${node.name}`;
      const target = { node: name, args: [] };
      const inner = { kind: "any", nodes: [name] } as const;
      return {
        edges: [
          { from, on, route: { kind: "to", targets: [target] } },
          { from: inner, on: "done", route, ...edge },
        ],
        node: extraNode(name, node),
      };
    }),
  "a branch more": (graph, random, hasRun) =>
    atSource(graph, random, hasRun, (edge, node) => {
      const name = `side_${node.name}`;
      const route = { kind: "to", targets: [{ node: name, args: [] }] } as const;
      return {
        edges: [edge, { from: edge.from, on: "done", route }],
        node: extraNode(name, node),
      };
    }),
  "an arrow less": (graph, random, hasRun) =>
    atSource(graph, random, hasRun, () => ({ edges: [] })),
};

/** What may meet what is under way, or is done. */
const TOUCHING: Readonly<Record<string, Change>> = {
  "a node less": (graph, random) => {
    const gone = graph.nodes[Math.floor(random() * graph.nodes.length)]?.name;
    if (gone === undefined || graph.nodes.length === 1) return undefined;
    const nodes = graph.nodes.filter(({ name }) => name !== gone);
    const names = (list: readonly string[]) => list.filter((name) => name !== gone);
    const edges = inAll(graph.edges, (edge) => {
      if (edge.from.kind === "start") return [edge];
      const from = { ...edge.from, nodes: names(edge.from.nodes) };
      return from.nodes.length === 0 ? [] : [{ ...edge, from }];
    });
    const leads = (route: RouteIr): RouteIr =>
      route.kind === "to" || route.kind === "pick"
        ? { ...route, targets: route.targets.filter(({ node }) => node !== gone) }
        : route;
    const without = {
      ...graph,
      nodes,
      edges: inAll(edges, (edge) => [{ ...edge, route: leads(edge.route) }]),
    };
    return JSON.stringify(without.edges).includes(`"node":"${gone}"`) ? undefined : without;
  },
  "a join by one less": (graph) => {
    const join = allEdges(graph.edges).find(
      ({ from }) => from.kind === "join" && from.nodes.length > 2,
    );
    if (join?.from.kind !== "join") return undefined;
    const from = { ...join.from, nodes: join.from.nodes.slice(1) };
    return {
      ...graph,
      edges: inAll(graph.edges, (edge) => (edge === join ? [{ ...edge, from }] : [edge])),
    };
  },
};

const EXTRA = graphOf(`graph Extra() {
  state { extra_field: int = 7 }
  run extra = nothing()
  start -> extra -> end
}`);

const extraFields = EXTRA.fields;

/** Beside what there is: nobody has to know a function for it. */
function extraNode(name: string, { each }: NodeIr): NodeIr {
  const [{ call: _, ...node } = undefined as never] = EXTRA.nodes;
  return { ...node, name, ...(each === undefined ? {} : { each }) };
}

/** One to three changes of the graph or of one that it calls; nothing where none of them could be made. */
export function edited(ir: Ir, records: readonly LogRecord[], random: Random): Edited | undefined {
  const ran = new Set(records.flatMap((record) => nodesIn(record)));
  return changed(ir, random, { changes: CHANGES, hasRun: (node) => ran.has(node) });
}

/** The same wherever it may be. */
export function editedAnywhere(ir: Ir, random: Random): Edited | undefined {
  return changed(ir, random, { changes: { ...CHANGES, ...TOUCHING }, hasRun: () => false });
}

function changed(
  ir: Ir,
  random: Random,
  {
    changes,
    hasRun,
  }: {
    readonly changes: Readonly<Record<string, Change>>;
    readonly hasRun: (node: string) => boolean;
  },
): Edited | undefined {
  const names = Object.keys(changes);
  let now: Ir = ir;
  const made: string[] = [];
  for (let left = 1 + Math.floor(random() * 3); left > 0; left -= 1) {
    const name = names[Math.floor(random() * names.length)] ?? "";
    const found = changedSomewhere(now, random, (graph) => changes[name]?.(graph, random, hasRun));
    if (found === undefined || made.includes(name)) continue;
    now = found;
    made.push(name);
  }
  return made.length === 0
    ? undefined
    : { ir: { ...now, hash: `${ir.hash}+` }, what: made.join(", ") };
}

/** All nodes that have been started, in any graph. */
function nodesIn(record: LogRecord): readonly string[] {
  const made = innermost(record);
  return made.kind === "start" || made.kind === "interrupt" ? [made.node] : [];
}

function changedSomewhere(
  { graphs = [], ...own }: Ir,
  random: Random,
  change: (graph: CalledIr) => CalledIr | undefined,
): Ir | undefined {
  const place = random() < 0.7 ? -1 : Math.floor(random() * graphs.length);
  const chosen = graphs[place];
  if (chosen === undefined) {
    const changed = change(own);
    return changed && { ...changed, ...(graphs.length === 0 ? {} : { graphs }) };
  }
  const changed = change(chosen);
  return changed && { ...own, graphs: graphs.with(place, changed) };
}

/** Puts others in the place of one plain arrow behind a node that has not run. */
function atSource(
  graph: CalledIr,
  random: Random,
  hasRun: (node: string) => boolean,
  replaced: (
    edge: EdgeIr,
    node: NodeIr,
  ) => { readonly edges: readonly EdgeIr[]; readonly node?: NodeIr },
): CalledIr | undefined {
  const free = allEdges(graph.edges).filter(({ from, on, route }) => {
    const [name = "", ...more] = from.kind === "any" ? from.nodes : [];
    return (
      on === "done" && from.kind === "any" && more.length === 0 && !hasRun(name) && isPlain(route)
    );
  });
  const edge = free[Math.floor(random() * free.length)];
  const node = graph.nodes.find(
    ({ name }) => edge?.from.kind === "any" && name === edge.from.nodes[0],
  );
  if (edge === undefined || node === undefined) return undefined;
  const { edges, node: added } = replaced(edge, node);
  if (added !== undefined && graph.nodes.some(({ name }) => name === added.name)) return undefined;
  return {
    ...graph,
    nodes: added === undefined ? graph.nodes : [...graph.nodes, added],
    edges: inEdges(graph.edges, (one) => (one === edge ? edges : [one])),
  };
}

function isPlain(route: RouteIr): boolean {
  return (
    route.kind === "to" &&
    route.detached !== true &&
    route.targets.every(({ args }) => args.length === 0)
  );
}

type Replace = (edge: EdgeIr) => readonly EdgeIr[];

function inEdges(edges: readonly EdgeIr[], replace: Replace): readonly EdgeIr[] {
  return edges.flatMap((edge) => {
    const [first, ...more] = replace(edge);
    if (first !== edge) return first === undefined ? [] : [first, ...more];
    return [{ ...edge, route: inRoute(edge.route, replace) }, ...more];
  });
}

function inRoute(route: RouteIr, replace: Replace): RouteIr {
  if (route.kind === "each") {
    const { each } = route;
    return { ...route, each: { ...each, edges: inEdges(each.edges, replace) } };
  }
  return route;
}

/** All edges, also those that stand in others. */
function inAll(edges: readonly EdgeIr[], replace: Replace): readonly EdgeIr[] {
  return edges.flatMap((edge) =>
    replace(edge).map((one) =>
      one.route.kind !== "each"
        ? one
        : {
            ...one,
            route: {
              ...one.route,
              each: { ...one.route.each, edges: inAll(one.route.each.edges, replace) },
            },
          },
    ),
  );
}

function allEdges(edges: readonly EdgeIr[]): readonly EdgeIr[] {
  return edges.flatMap((edge) => [
    edge,
    ...(edge.route.kind === "each" ? allEdges(edge.route.each.edges) : []),
  ]);
}
