/** Links a graph: Ir → Program, with everything numbered; and, on first use, the graphs that it calls. */
import {
  calledGraph,
  type EachIr,
  type EdgeIr,
  type FinishedSteps,
  graphsAmong,
  type Ir,
  isForOthers,
  isGraph,
  isPart,
  type NodeIr,
  once,
  PLAN_GRAPH,
  type PlanProblem,
  planArguments,
  planGraph,
  RETURN,
  type ReducerIr,
  targetsIn,
  walk,
} from "../../../dsl/index.ts";
import type { Failure } from "../../failure.ts";
import { callsOut } from "../expressions/calls.ts";
import { isKept, linkReducer } from "../frames.ts";
import { countsRepeats } from "../limits.ts";
import { impliedFields } from "../lookup.ts";
import { maySleep } from "../snapshot/draft.ts";
import { joinReachability } from "./join-reachability.ts";
import { loopsOf } from "./loops.ts";
import { inOrder, type NumberedIr, numberer, numbersOf } from "./numbering.ts";
import {
  collectFlow,
  edgesByNode,
  type Flow,
  failuresByJoin,
  joinName,
  joinsByNode,
  onlyTargets,
  outletMaker,
} from "./outlets.ts";
import {
  type Called,
  choicesOf,
  type FailureEdge,
  type JoinWays,
  type Outlet,
  type Program,
  type ProgramEach,
  type ProgramField,
  type ProgramJoin,
  type ProgramNode,
} from "./program.ts";
import { waitsOf } from "./wait-nodes.ts";

/** Links a graph; the graphs that it calls are linked on first use. */
export function link(ir: Ir): Program {
  const programs = new Map<string, Program>();
  const program = linkWith(ir, { link: linkWith, programs });
  programs.set(ir.hash, program);
  return program;
}

function linkWith(ir: NumberedIr, linking: Linking): Program {
  const flow = collectFlow(ir);
  const { numbers: given, gone } = ir;
  const isGone = new Set(gone);
  const waiting = waitsOf(ir);
  const at = {
    nodes: numbersOf(given?.nodes, ir.nodes.length + waiting.length),
    joins: numbersOf(given?.joins.map(joinNumberOf), flow.joins.length),
    eaches: numbersOf(given?.eaches, flow.eaches.length),
  };
  const numbered = (list: readonly number[], place: number) => list[place] ?? place;
  const fields = fieldsOf(ir);
  const kept = fields.filter(isKept).map((field) => field.ir.name);
  const numbers = {
    nodeNumbers: byName(ir.nodes, at.nodes),
    fieldNumbers: fieldNumbersOf(ir, fields),
    eachNumbers: new Map(flow.eaches.map(({ id }, place) => [id, numbered(at.eaches, place)])),
  };
  const declared = (name: string) => ({
    field: ir.fields.find((field) => field.name === name),
    types: ir.types,
  });
  const numberOf = (each: string | undefined) => numbers.eachNumbers.get(each ?? "") ?? -1;
  const outlets = outletMaker({
    only: onlyTargets(ir, at.nodes),
    number: numberer(given?.outlets),
    joins: joinsByNode(flow, { numbers: at.joins, nodesOf: (join) => nodesOfJoin(ir, flow, join) }),
    ghosts: (outlet) =>
      (given?.ghosts[outlet] ?? []).flatMap((name) => numbers.nodeNumbers.get(name) ?? []),
  });
  const start = outlets({ edges: flow.edges.filter(({ from }) => from.kind === "start") });
  const edgesFrom = edgesByNode(flow);
  const successes = ir.nodes.map((node, place): Omit<ProgramNode, "failing"> => {
    const edges = edgesFrom(node.name, "done");
    const called = calledBy(ir, node, linking);
    const asksModel = node.kind === "agent" || node.kind === "router";
    const tools = asksModel ? graphTools(ir, linking) : undefined;
    return {
      index: numbered(at.nodes, place),
      ir: node,
      each: numberOf(node.each),
      outlet: outlets({ edges, node: node.name }),
      choices: edges.flatMap(({ from, route }) =>
        choicesOf(route).flatMap((to) => (isForOthers(from, node.name, to.node) ? [] : [to.node])),
      ),
      overrides: new Map([
        ...(called === undefined ? [] : kept).map((field) => [field, REPLACE] as const),
        // What a person edits stands for what was there.
        ...node.edits.map((field) => [field, REPLACE] as const),
        ...node.writes.flatMap(({ field, via }) =>
          via ? [[field, linkReducer(via, declared(field))] as const] : [],
        ),
      ]),
      ...(called === undefined ? {} : { called }),
      ...(tools === undefined ? {} : { tools }),
      ...(isGone.has(node.name) ? { isGone: true as const } : {}),
    };
  });
  const successfulEaches = flow.eaches.map(
    (each, place): Omit<ProgramEach, "failing"> => ({
      index: numbered(at.eaches, place),
      ir: each,
      entry: outlets({ routes: [each.entry] }),
      then: outlets({ routes: each.then === undefined ? [] : [each.then] }),
    }),
  );
  const successfulJoins = flow.joins.map(({ edge, each }, place) => {
    const { need } = edge.from;
    const nodes = nodesOfJoin(ir, flow, place).map((name) => numbers.nodeNumbers.get(name) ?? -1);
    return {
      index: numbered(at.joins, place),
      name: joinName(edge.from.nodes),
      each: numberOf(each),
      nodes,
      sources: new Map(nodes.map((node, source) => [node, source])),
      ...(need === undefined ? {} : { need }),
      outlet: outlets({ edges: [edge] }),
    };
  });
  // Behind all others, whose numbers stand in logs.
  const written = successes.map((node) => ({
    ...node,
    failing: failureOutlets((word) => edgesFrom(node.ir.name, word), outlets),
  }));
  const failures = failuresByJoin(flow);
  const joins = successfulJoins.map((join) => ({
    ...join,
    failing: failureOutlets((word) => failures.get(join.name)?.get(word) ?? [], outlets),
  }));
  const waits = waiting.map(({ node, route, rest }, place) => ({
    route,
    node: {
      index: numbered(at.nodes, written.length + place),
      ir: node,
      each: numberOf(node.each),
      outlet: outlets({ routes: [rest] }),
      failing: {},
      choices: [],
      overrides: new Map(),
      isWait: true as const,
    },
  }));
  const eaches = inOrder<ProgramEach>(
    successfulEaches.map((each) => ({ ...each, failing: failingOf(each.ir, outlets) })),
    at.eaches,
    goneEach,
  );
  const nodes: readonly ProgramNode[] = inOrder<ProgramNode>(
    [...written, ...waits.map(({ node }) => node)],
    at.nodes,
    (number) => {
      throw new Error(`M9000: no node has the number ${number}`);
    },
  );
  const linked = {
    ...numbers,
    waits: new Map(waits.map(({ route, node }) => [route, node.index])),
    ir,
    hasReturns: targetsIn(ir).some(({ node }) => node === RETURN),
    countsRepeats: countsRepeats(ir),
    callsOut:
      ir.calls !== undefined ||
      ir.nodes.some(({ kind }) => kind === "graph") ||
      callsOut({ ...ir, source: null }),
    maySleep: ir.calls !== undefined || maySleep(ir),
    nodes,
    eaches,
    start,
    fields,
    keeps: kept.length > 0,
    routeNumbers: countedNumbers(flow, given?.counted),
  };
  const placed = inOrder<Omit<ProgramJoin, "ways">>(joins, at.joins, goneJoin);
  const ways = joinReachability({ ...linked, joins: placed });
  return {
    ...linked,
    loops: once(() => loopsOf({ ...linked, joins: placed })),
    joins: placed.map((join, index) => ({ ...join, ways: ways[index] ?? noWays })),
  };
}

function joinNumberOf(one: { readonly join: number } | null): number | null {
  return one === null ? null : one.join;
}

function byName(nodes: Ir["nodes"], numbers: readonly number[]): ReadonlyMap<string, number> {
  return new Map(nodes.map(({ name }, place) => [name, numbers[place] ?? place]));
}

/** By all names that they have had. */
function fieldNumbersOf(
  { fieldNames = {} }: NumberedIr,
  fields: readonly ProgramField[],
): ReadonlyMap<string, number> {
  return new Map(
    fields.flatMap(({ index, ir: { name } }) =>
      [...(fieldNames[name] ?? []), name].map((known) => [known, index] as const),
    ),
  );
}

/** In the order of the log, if that is another than the text's. */
function nodesOfJoin({ numbers }: NumberedIr, flow: Flow, place: number): readonly string[] {
  const known = numbers?.joins.find((one) => one?.join === place);
  return known?.nodes ?? flow.joins[place]?.edge.from.nodes ?? [];
}

function countedNumbers(flow: Flow, given: readonly (number | null)[] | undefined) {
  const counted = flow.routes.filter(({ max }) => max !== undefined);
  const numbers = numbersOf(given, counted.length);
  return new Map(counted.map((route, place) => [route, numbers[place] ?? place]));
}

/**
 * Returns the placeholder of an `each` that a changed program no longer has: it keeps its number,
 * and nothing leads to it.
 */
function goneEach(index: number): ProgramEach {
  const route = { kind: "to", targets: [] } as const;
  const id = `(gone ${index})`;
  const items = { kind: "literal", value: null } as const;
  const ir = { id, variable: id, items, onErrorSkip: false, entry: route, edges: [] };
  return { index, ir, entry: nowhere, then: nowhere, failing: {} };
}

function goneJoin(index: number): Omit<ProgramJoin, "ways"> {
  const none = { nodes: [], sources: new Map(), outlet: nowhere, failing: {} };
  return { index, name: "(gone)", each: -1, ...none };
}

const nowhere: Outlet = { id: -1, edges: [], joins: [], width: 0 };

const REPLACE = { name: "replace" } as const;

function fieldsOf(ir: Ir): readonly ProgramField[] {
  const reducers = reducersOfWrites(ir);
  const own = ir.fields.map((field, index): ProgramField => {
    const reducer = linkReducer(field.reducer, { field, types: ir.types });
    const others = reducers.get(field.name) ?? [];
    const isMixed = [field.reducer, ...others].every(isBuiltIn) && others.length > 0;
    return { index, ir: field, reducer, ...(isMixed ? { isMixed } : {}) };
  });
  return [...own, ...impliedFields(ir)];
}

/** Returns the reducers that writes and sets of nodes and arrows name, by field. */
function reducersOfWrites({ nodes, edges }: Ir): ReadonlyMap<string, readonly ReducerIr[]> {
  const found: { readonly field: string; readonly via: ReducerIr }[] = [];
  walk([nodes, edges], ({ field, via }) => {
    if (typeof field === "string" && isPart(via))
      found.push({ field, via: via as unknown as ReducerIr });
  });
  const groups = Map.groupBy(found, ({ field }) => field);
  return new Map([...groups].map(([field, list]) => [field, list.map(({ via }) => via)]));
}

/** Returns whether a reducer can be applied again without a call of TypeScript. */
function isBuiltIn({ custom, args }: ReducerIr): boolean {
  return !custom && args.length === 0;
}

const noWays: JoinWays = { canCome: () => false, closes: () => false, isCaptive: () => false };

export const FAILURE_EDGES: readonly FailureEdge[] = [
  "error",
  "limit",
  "deny",
  "filter",
  "refusal",
];

function failureOutlets(
  edgesOn: (word: FailureEdge) => readonly EdgeIr[],
  outlets: ReturnType<typeof outletMaker>,
): ProgramNode["failing"] {
  return Object.fromEntries(
    FAILURE_EDGES.flatMap((word) => {
      const edges = edgesOn(word);
      return edges.length === 0 ? [] : [[word, outlets({ edges })]];
    }),
  );
}

function failingOf(
  { failing = [] }: EachIr,
  outlets: ReturnType<typeof outletMaker>,
): ProgramNode["failing"] {
  const routes = Map.groupBy(failing, ({ on }) => on);
  return Object.fromEntries(
    [...routes].map(([on, list]) => [on, outlets({ routes: list.map(({ route }) => route) })]),
  );
}

// Finds and links the graphs that nodes call, on first use.

/** Links graphs once each: a graph that calls itself comes back to its own program. */
interface Linking {
  readonly link: (ir: Ir, linking: Linking) => Program;
  /** The linked programs, by the hash of their IR. */
  readonly programs: Map<string, Program>;
}

function calledBy(ir: Ir, node: NodeIr, linking: Linking): Called | undefined {
  if (node.kind !== "graph" || node.call === undefined) return undefined;
  const name = node.call.callee.join(".");
  const graph = calledGraph(ir, name);
  if (graph === undefined && name === PLAN_GRAPH) return plannedBy(ir, node, linking);
  return {
    args: node.call.args,
    params: graph?.params.map((param) => param.name) ?? [],
    program: () => (graph === undefined ? unknownGraph(node, name) : linked(graph, linking)),
  };
}

/** The graphs that a node whose model may call tools can be given as such; `run.use` may name others than its text does. */
function graphTools(ir: Ir, linking: Linking): ProgramNode["tools"] {
  if (ir.calls === undefined) return undefined;
  const names = ir.calls.map(({ name }) => [name]);
  return new Map(
    graphsAmong(ir, names).map((graph) => [graph.as, { program: () => linked(graph.ir, linking) }]),
  );
}

/** The graph is made when the plan is there; what its agents read of the calling graph is given to it. */
function plannedBy(ir: Ir, node: NodeIr, linking: Linking): Called {
  const read = planArguments(ir);
  return {
    args: [...(node.call?.args ?? []), ...read],
    params: ["plan", "done", ...read.map(({ label }) => label)],
    isPlan: true,
    program: ({ plan, done, rounds }) => {
      const made = planGraph(ir, plan, {
        done: done as FinishedSteps,
        rounds: rounds as FinishedSteps,
      });
      return isGraph(made) ? linked(made, linking) : planFailure(`\`${node.name}\``, made);
    },
  };
}

/** Makes the failure that tells the author of a plan its problems. */
export function planFailure(whose: string, problems: readonly PlanProblem[]): Failure {
  const [first, ...more] = problems;
  const others = more.length === 0 ? "" : ` (and ${more.length} more)`;
  return {
    class: "invalid",
    code: first?.code ?? "M5032",
    message: `the plan of ${whose} can't run: ${first?.message ?? "it is none"}${others}`,
    feedback: problems.map(({ message, hint }) => `${message}; ${hint}`).join("\n"),
    ...(first === undefined ? {} : { hint: first.hint }),
  };
}

function linked(ir: Ir, linking: Linking): Program {
  const { programs, link } = linking;
  const program = programs.get(ir.hash) ?? link(ir, linking);
  programs.set(ir.hash, program);
  return program;
}

function unknownGraph({ name }: NodeIr, graph: string): Failure {
  return {
    class: "invalid",
    code: "M5031",
    message: `\`${name}\` calls \`${graph}\`, and there is no graph of this name in the program`,
    hint: "declare it in the file, import it, or run its cell before this one",
  };
}
