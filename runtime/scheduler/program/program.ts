/** Defines the program: a linked graph with everything numbered, the choices of its nodes and the places of its tokens. */
import {
  type ArgIr,
  type CountIr,
  type EachIr,
  type EdgeIr,
  type FieldIr,
  type Ir,
  type JsonSchema,
  type NodeIr,
  RETURN,
  type RouteIr,
  routesBehind,
  type TargetIr,
} from "../../../dsl/index.ts";
import type { Failure } from "../../failure.ts";
import type { Reducer } from "../../state/fold-writes.ts";
import type { Functions } from "../expressions/calls.ts";
import { openParams, paramsSchema } from "./open-params.ts";

/** A linked graph: everything numbered densely, and what can be known before a run worked out once. */
export interface Program {
  readonly ir: Ir;
  /** The results of calls of functions in expressions and reducers, as far as they are known. */
  readonly functions?: Functions;
  /** Is told of each arrow along which a token goes: the outlet that it leaves, and where it leads. */
  readonly tookArrow?: (outlet: number, to: TargetIr | EachIr) => void;
  /** True if an arrow leads to `return`: else nobody need know who handed over. */
  readonly hasReturns: boolean;
  /** True if some limit counts repeats: else commits need not be noted for one. */
  readonly countsRepeats: boolean;
  /**
   * True if its expressions or reducers may call TypeScript or read the clock, or those of a graph
   * that it calls may.
   */
  readonly callsOut: boolean;
  /** True if something in it waits for a time. */
  readonly maySleep: boolean;
  readonly nodes: readonly ProgramNode[];
  /** Its own, then those that it has for graphs that it calls. */
  readonly fields: readonly ProgramField[];
  /** True if some of them outlive the run. */
  readonly keeps: boolean;
  readonly eaches: readonly ProgramEach[];
  readonly joins: readonly ProgramJoin[];
  /** The outlet of `start`. */
  readonly start: Outlet;
  readonly nodeNumbers: ReadonlyMap<string, number>;
  readonly fieldNumbers: ReadonlyMap<string, number>;
  readonly eachNumbers: ReadonlyMap<string, number>;
  /** Routes before whose decision a time has to pass, with the nodes that wait for it. */
  readonly waits: ReadonlyMap<RouteIr, number>;
  /** The loops of the graph, worked out when they are first asked for. */
  readonly loops: () => Loops;
  /** Routes with `max`, numbered for their counters. */
  readonly routeNumbers: ReadonlyMap<RouteIr, number>;
}

export interface ProgramField {
  readonly index: number;
  readonly ir: FieldIr;
  readonly reducer: Reducer;
  /** True if some write names another built-in reducer, so that what its writes come to depends on their order. */
  readonly isMixed?: true;
  /** None of the graph's own: under which name it is a thread's or a user's, and the called graph that declares it. */
  readonly implied?: { readonly name: string; readonly graph: Omit<Ir, "graphs"> };
}

export interface ProgramNode {
  readonly index: number;
  readonly ir: NodeIr;
  /** The `each` whose items it runs for, or -1. */
  readonly each: number;
  /** The outlet of its success. */
  readonly outlet: Outlet;
  /** The outlets of its failure for good, where arrows say `on error`, `on limit` or `on deny`. */
  readonly failing: Readonly<Partial<Record<FailureEdge, Outlet>>>;
  /** The names that it may choose behind its arrow. */
  readonly choices: readonly string[];
  /** Of a node that calls a graph: which. */
  readonly called?: Called;
  /** The graphs that the model of a node may call as tools, each by its name there. */
  readonly tools?: ReadonlyMap<string, Pick<Called, "program">>;
  /** It is none of the graph's own: it does nothing, and what follows is decided when its time has come. */
  readonly isWait?: true;
  /** The text has it no more: what it did stays, and what it has under way is dropped. */
  readonly isGone?: true;
  /** A reducer for each `via` override, by the write's field. */
  readonly overrides: ReadonlyMap<string, Reducer>;
}

/** The graph that a node calls. */
export interface Called {
  /** Its arguments, as expressions of the calling graph. */
  readonly args: readonly ArgIr[];
  /** The parameters that they are for. */
  readonly params: readonly string[];
  /** It is made of a plan, which can be replaced while it runs. */
  readonly isPlan?: true;
  /** Its program, linked when it is first needed: a graph may call itself. */
  program(input: Readonly<Record<string, unknown>>): Program | Failure;
}

export type FailureEdge = Exclude<EdgeIr["on"], "done">;

/** Everything that a token leaving one place does at once. */
export interface Outlet {
  /** Its number among all outlets: what a fork is known by. */
  readonly id: number;
  readonly edges: readonly ProgramEdge[];
  /** Joins that wait for this place, and as which of their sources. */
  readonly joins: readonly {
    readonly join: number;
    readonly source: number;
    readonly branch: number;
  }[];
  /**
   * The number of branches that can leave side by side, not counting detached ones; more than one
   * makes it a fork.
   */
  readonly width: number;
  /** The node that all there is leads to, whatever the state is: without conditions, arguments or times. */
  readonly only?: number | undefined;
  /** Nodes that are gone, and may still be under way behind it. */
  readonly ghosts?: readonly number[];
}

export interface ProgramEdge {
  readonly edge: EdgeIr | undefined;
  readonly route: RouteIr;
  /** The first of its branches among those of the outlet. */
  readonly branch: number;
}

export interface ProgramEach {
  readonly index: number;
  readonly ir: EachIr;
  readonly entry: Outlet;
  readonly then: Outlet;
  /** The outlets of a failure of one of its items. */
  readonly failing: ProgramNode["failing"];
}

export interface ProgramJoin {
  readonly index: number;
  /** `[a, b]` */
  readonly name: string;
  /** The `each` it stands in, or -1. */
  readonly each: number;
  readonly nodes: readonly number[];
  /** The index of each node among its sources. */
  readonly sources: ReadonlyMap<number, number>;
  /** It goes on at so many arrivals; absent where it waits for all that can come. */
  readonly need?: CountIr;
  readonly outlet: Outlet;
  /** The outlets of a failure of one of its nodes, and of too few arrivals. */
  readonly failing: ProgramNode["failing"];
  readonly ways: JoinWays;
}

export interface Loops {
  /** The nodes that go round in one. */
  readonly nodes: ReadonlySet<number>;
  /** The nodes whose innermost loop a token comes into from outside, by the outlet that it leaves and where it lands. */
  entered(outlet: number, place: number): readonly number[];
}

/** Tells which places lead to a join; see `nodePlace`. */
export interface JoinWays {
  /** Tells whether a token at a place can still come to a source, without passing the join. */
  canCome(place: number, source: number): boolean;
  /** Tells whether every live token of a fork (by outlet) can still come here: the joined token then goes on in its line. */
  closes(fork: number): boolean;
  /** Tells whether all ways of success from a place lead here. */
  isCaptive(place: number): boolean;
}

/** Every target a route can lead to, in the order of the text, detached ones too. */
export function targetsOf(route: RouteIr): readonly TargetIr[] {
  switch (route.kind) {
    case "to":
    case "pick":
      return route.targets;
    case "choice":
      return route.branches.flatMap((branch) => targetsOf(branch.route));
    case "match":
      return route.cases.flatMap((choice) => targetsOf(choice.route));
    case "each":
      return [];
  }
}

/** Every `each` a route can lead to directly. */
export function eachesOf(route: RouteIr): readonly EachIr[] {
  switch (route.kind) {
    case "each":
      return [route.each];
    case "choice":
      return route.branches.flatMap((branch) => eachesOf(branch.route));
    case "match":
      return route.cases.flatMap((choice) => eachesOf(choice.route));
    case "to":
    case "pick":
      return [];
  }
}

// Lists the `each`es around an `each`.

/** An `each` and those it stands in. */
export function eachesAround(eaches: Program["eaches"], each: number): readonly number[] {
  const { ir } = eaches[each] ?? {};
  if (ir === undefined) return [];
  const parent = eaches.find((outer) => outer.index !== each && standsIn(ir, outer.ir));
  return parent === undefined ? [each] : [each, ...eachesAround(eaches, parent.index)];
}

/** Tells whether an `each` is a direct part of another one's body. */
function standsIn(inner: EachIr, outer: EachIr): boolean {
  const direct = [outer.entry, ...outer.edges.map(({ route }) => route)].flatMap(chained);
  return direct.some(({ id }) => id === inner.id);
}

function chained(route: EachIr["entry"]): readonly EachIr[] {
  return eachesOf(route).flatMap((each) => [each, ...routesBehind(each).flatMap(chained)]);
}

// Numbers all places of a token: nodes, then joins, then `each`es.

export type Places = {
  readonly nodes: { readonly length: number };
  readonly joins: { readonly length: number };
};

export const nodePlace = (node: number): number => node;
export const joinPlace = (of: Places, join: number): number => of.nodes.length + join;
export const eachPlace = (of: Places, each: number): number =>
  of.nodes.length + of.joins.length + each;

type LinkedTokens = Pick<Program, "nodes" | "eaches" | "nodeNumbers" | "eachNumbers" | "waits"> &
  Places & {
    readonly joins: readonly Pick<ProgramJoin, "outlet" | "failing" | "each">[];
  };

/** The places that a token leaving `outlet` comes to next, in the same scope (the `each`, or -1). */
export function leavesOf(
  program: LinkedTokens,
  outlet: Outlet,
  scope: number | undefined = undefined,
): readonly number[] {
  const leaves = outlet.edges.flatMap(({ route }) => placesBehind(program, route, scope));
  const joins = outlet.joins.map(({ join }) => joinPlace(program, join));
  return [...leaves, ...joins, ...(outlet.ghosts ?? []).map(nodePlace)];
}

/** Detached work never comes back to this scope. */
function placesBehind(
  program: LinkedTokens,
  route: RouteIr,
  scope: number | undefined,
): readonly number[] {
  if (route.detached === true) return [];
  const wait = program.waits.get(route);
  const waiting = wait === undefined ? [] : [nodePlace(wait)];
  switch (route.kind) {
    case "to":
    case "pick": {
      const numbers = route.targets.flatMap(({ node }) =>
        node === RETURN ? pickersIn(program, scope) : (program.nodeNumbers.get(node) ?? []),
      );
      return [...numbers.map(nodePlace), ...waiting];
    }
    case "choice":
      if (wait !== undefined) return waiting;
      return route.branches.flatMap((branch) => placesBehind(program, branch.route, scope));
    case "match":
      if (wait !== undefined) return waiting;
      return route.cases.flatMap((one) => placesBehind(program, one.route, scope));
    case "each":
      if (wait !== undefined) return waiting;
      return [eachPlace(program, program.eachNumbers.get(route.each.id) ?? -1)];
  }
}

/** The nodes of a scope that may hand over, to one of which a `return` leads back. */
function pickersIn({ nodes }: LinkedTokens, scope: number | undefined): readonly number[] {
  return nodes
    .filter(({ choices, each }) => choices.length > 0 && (scope ?? each) === each)
    .map(({ index }) => index);
}

/** The scope in which an `each` stands: another one, or -1. */
export function scopeAround({ eaches }: Pick<Program, "eaches">, each: number): number {
  return eachesAround(eaches, each)[1] ?? -1;
}

/** Returns the places that follow each place. */
export function successors(program: LinkedTokens): readonly (readonly number[])[] {
  return [
    ...program.nodes.map(({ outlet, failing, each }) =>
      [outlet, ...Object.values(failing)].flatMap((one) => leavesOf(program, one, each)),
    ),
    ...program.joins.map(({ outlet, failing, each }) =>
      [outlet, ...Object.values(failing)].flatMap((one) => leavesOf(program, one, each)),
    ),
    ...program.eaches.map(({ then, failing, index }) =>
      [then, ...Object.values(failing)].flatMap((one) =>
        leavesOf(program, one, scopeAround(program, index)),
      ),
    ),
  ];
}

/** All places reachable from `from` (these included) without entering `barrier` or leaving `within`. */
export function reachable(
  next: readonly (readonly number[])[],
  from: readonly number[],
  barrier: number,
  within: (place: number) => boolean = () => true,
): ReadonlySet<number> {
  const seen = new Set<number>();
  const queue = [...from];
  for (let place = queue.pop(); place !== undefined; place = queue.pop()) {
    if (place === barrier || seen.has(place) || !within(place)) continue;
    seen.add(place);
    queue.push(...(next[place] ?? []));
  }
  return seen;
}

// What a node may choose from: `a -> b | c`.

/** Every target that the routes of a place let its node choose, in the order of the text. */
export function choicesOf(route: RouteIr): readonly TargetIr[] {
  switch (route.kind) {
    case "pick":
      return route.targets;
    case "choice":
      return route.branches.flatMap((branch) => choicesOf(branch.route));
    case "match":
      return route.cases.flatMap((choice) => choicesOf(choice.route));
    case "to":
    case "each":
      return [];
  }
}

/** Lists the targets that a node may choose, each once, with the description of its arrow and its node. */
export function offered(program: Program, { outlet, choices }: ProgramNode): readonly Choice[] {
  const targets = outlet.edges.flatMap(({ route }) => choicesOf(route));
  const names = [...new Set(choices)];
  return names.map((name) => {
    const node = program.nodes[program.nodeNumbers.get(name) ?? -1];
    const labels = targets.filter((target) => target.node === name).map(({ label }) => label);
    const descriptions = [node?.ir.description, ...labels].filter((text) => text !== undefined);
    const open = openParams(
      node?.ir.params ?? [],
      targets.find((to) => to.node === name) ?? NOTHING,
    );
    return {
      name,
      ...(descriptions.length === 0 ? {} : { description: descriptions.join("; ") }),
      ...(open.length === 0 ? {} : { parameters: paramsSchema(open, program.ir) }),
    };
  });
}

const NOTHING: Pick<TargetIr, "args"> = { args: [] };

/** One of the names behind a node's arrow. */
export interface Choice {
  /** A node, `end` or `return`. */
  readonly name: string;
  /** The purpose of the node, and the words of the arrow. */
  readonly description?: string;
  /** The parameters of the node that the arrow leaves open, as the schema of an object. */
  readonly parameters?: JsonSchema;
}
