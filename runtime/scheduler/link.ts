/** Ir → Program: numbers everything and works out what depends on the graph alone. */
import type { EachIr, EdgeIr, Ir, RouteIr } from "../../dsl/index.ts";
import { calledBy, type Linking } from "./called.ts";
import { linkReducer } from "./called-reducer.ts";
import { choicesOf } from "./choice.ts";
import { joinPlace, leavesOf, nodePlace, reachable, successors } from "./places.ts";
import type {
  FailureEdge,
  Outlet,
  Program,
  ProgramEach,
  ProgramJoin,
  ProgramNode,
} from "./program.ts";

/** What is linked together: a graph, and those that it calls when they are first needed. */
export function link(ir: Ir): Program {
  const programs = new Map<string, Program>();
  const program = linkWith(ir, { link: linkWith, programs });
  programs.set(ir.hash, program);
  return program;
}

function linkWith(ir: Ir, linking: Linking): Program {
  const flow = collectFlow(ir);
  const outlets = outletMaker(flow);
  const start = outlets({ edges: flow.edges.filter(({ from }) => from.kind === "start") });
  const successes = ir.nodes.map((node, index): Omit<ProgramNode, "failing"> => {
    const edges = edgesFrom(flow, node.name, "done");
    const called = calledBy(ir, node, linking);
    return {
      index,
      ir: node,
      each: flow.eaches.findIndex(({ id }) => id === node.each),
      outlet: outlets({ edges, node: node.name }),
      choices: edges.flatMap(({ route }) => choicesOf(route).map((target) => target.node)),
      overrides: new Map(
        node.writes.flatMap(({ field, via }) => (via ? [[field, linkReducer(via)] as const] : [])),
      ),
      ...(called === undefined ? {} : { called }),
    };
  });
  const eaches = flow.eaches.map(
    (each, index): ProgramEach => ({
      index,
      ir: each,
      entry: outlets({ routes: [each.entry] }),
      then: outlets({ routes: each.then === undefined ? [] : [each.then] }),
    }),
  );
  const joins = flow.joins.map(
    ({ edge, each }, index): ProgramJoin => ({
      index,
      name: joinName(edge),
      each: flow.eaches.findIndex(({ id }) => id === each),
      nodes: sourceNames(edge).map((name) => ir.nodes.findIndex((node) => node.name === name)),
      outlet: outlets({ edges: [edge] }),
      reach: [],
      closes: new Set(),
    }),
  );
  // Behind all others, whose numbers stand in logs.
  const nodes = successes.map((node) => ({
    ...node,
    failing: failureOutlets(flow, node, outlets),
  }));
  const numbered = {
    ir,
    nodes,
    eaches,
    start,
    fields: ir.fields.map((field, index) => ({
      index,
      ir: field,
      reducer: linkReducer(field.reducer),
    })),
    nodeNumbers: new Map(ir.nodes.map(({ name }, index) => [name, index])),
    fieldNumbers: new Map(ir.fields.map(({ name }, index) => [name, index])),
    routeNumbers: new Map(
      flow.routes.filter(({ max }) => max !== undefined).map((route, index) => [route, index]),
    ),
  };
  return { ...numbered, joins: withReach({ ...numbered, joins }) };
}

function edgesFrom(flow: Flow, node: string, word: EdgeIr["on"]): readonly EdgeIr[] {
  return flow.edges.filter(
    ({ from, on }) => on === word && from.kind === "any" && from.nodes.includes(node),
  );
}

const FAILURE_EDGES: readonly FailureEdge[] = ["error", "limit", "deny"];

function failureOutlets(
  flow: Flow,
  { ir }: Pick<ProgramNode, "ir">,
  outlets: ReturnType<typeof outletMaker>,
): ProgramNode["failing"] {
  return Object.fromEntries(
    FAILURE_EDGES.flatMap((word) => {
      const edges = edgesFrom(flow, ir.name, word);
      return edges.length === 0 ? [] : [[word, outlets({ edges })]];
    }),
  );
}

interface Flow {
  readonly edges: readonly EdgeIr[];
  readonly eaches: readonly EachIr[];
  readonly joins: readonly { readonly edge: EdgeIr; readonly each: string | undefined }[];
  readonly routes: readonly RouteIr[];
}

/** All edges, `each`es, joins and routes, however deep, in the order of the text. */
function collectFlow(ir: Ir): Flow {
  const edges: EdgeIr[] = [];
  const eaches: EachIr[] = [];
  const joins: { edge: EdgeIr; each: string | undefined }[] = [];
  const routes: RouteIr[] = [];
  const visitRoute = (route: RouteIr): void => {
    routes.push(route);
    if (route.kind === "choice") for (const branch of route.branches) visitRoute(branch.route);
    if (route.kind === "match") for (const choice of route.cases) visitRoute(choice.route);
    if (route.kind === "each") visitEach(route.each);
  };
  const visitEach = (each: EachIr): void => {
    eaches.push(each);
    visitRoute(each.entry);
    visitEdges(each.edges, each.id);
    if (each.then !== undefined) visitRoute(each.then);
  };
  const visitEdges = (list: readonly EdgeIr[], each: string | undefined): void => {
    for (const edge of list) {
      edges.push(edge);
      if (edge.from.kind === "join") joins.push({ edge, each });
      visitRoute(edge.route);
    }
  };
  visitEdges(ir.edges, undefined);
  return { edges, eaches, joins, routes };
}

/** Makes outlets, numbering them; edges and joins of one outlet share its branch numbers. */
function outletMaker(flow: Flow) {
  let id = 0;
  return (of: {
    readonly edges?: readonly EdgeIr[];
    readonly routes?: readonly RouteIr[];
    readonly node?: string;
  }): Outlet => {
    let width = 0;
    const taking = (branches: number): number => {
      width += branches;
      return width - branches;
    };
    const edges = [
      ...(of.edges ?? []).map((edge) => ({ edge, route: edge.route })),
      ...(of.routes ?? []).map((route) => ({ edge: undefined, route })),
    ].map((edge) => ({ ...edge, branch: taking(widthOf(edge.route)) }));
    const joins = flow.joins.flatMap(({ edge }, join) => {
      const source = of.node === undefined ? -1 : sourceNames(edge).indexOf(of.node);
      return source === -1 ? [] : [{ join, source, branch: taking(1) }];
    });
    id += 1;
    return { id: id - 1, edges, joins, width };
  };
}

/** How many branches a route can start side by side. */
export function widthOf(route: RouteIr): number {
  switch (route.kind) {
    case "to":
      return route.targets.length;
    case "pick":
    case "each":
      return 1;
    case "choice":
      return Math.max(1, ...route.branches.map((branch) => widthOf(branch.route)));
    case "match":
      return Math.max(1, ...route.cases.map((choice) => widthOf(choice.route)));
  }
}

function sourceNames({ from }: EdgeIr): readonly string[] {
  return from.kind === "start" ? [] : from.nodes;
}

function joinName(edge: EdgeIr): string {
  return `[${sourceNames(edge).join(", ")}]`;
}

type Numbered = Omit<Program, "joins"> & { readonly joins: readonly ProgramJoin[] };

function withReach(program: Numbered): readonly ProgramJoin[] {
  const next = successors(program);
  const previous = reversed(next);
  const forks = [
    program.start,
    ...program.nodes.flatMap(({ outlet, failing }) => [outlet, ...Object.values(failing)]),
    ...program.joins.map(({ outlet }) => outlet),
    ...program.eaches.flatMap(({ entry, then }) => [entry, then]),
  ].filter(({ width }) => width > 1);
  return program.joins.map((join) => {
    const barrier = joinPlace(program, join.index);
    const reach = join.nodes.map((node) => reachable(previous, [nodePlace(node)], barrier));
    const closes = forks.filter((fork) => {
      const region = reachable(next, leavesOf(program, fork), barrier);
      return (
        join.nodes.every((node) => region.has(nodePlace(node))) &&
        [...region].every((place) => reach.some((places) => places.has(place)))
      );
    });
    return { ...join, reach, closes: new Set(closes.map(({ id }) => id)) };
  });
}

function reversed(next: readonly (readonly number[])[]): readonly (readonly number[])[] {
  const previous: number[][] = next.map(() => []);
  for (const [place, successors] of next.entries()) {
    for (const successor of successors) previous[successor]?.push(place);
  }
  return previous;
}
