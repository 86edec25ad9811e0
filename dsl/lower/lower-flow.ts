/** Lowers arrows: a chain becomes one edge for each arrow. */
import { defined } from "../ir/defined.ts";
import type {
  CountIr,
  EachIr,
  EdgeIr,
  FailingIr,
  RouteClauses,
  RouteIr,
  RouteTo,
  SourceIr,
  TargetIr,
} from "../ir/ir.ts";
import { isNodeTarget } from "../ir/targets-in.ts";
import { flowScope, hopScope, itemScope, type Scope } from "../names/scope.ts";
import type { GraphSymbols } from "../names/symbol-tables.ts";
import type {
  CountAst,
  EachAst,
  FlowDecl,
  HopAst,
  HopClause,
  LiteralAst,
  RefAst,
  SourceAst,
} from "../syntax/tree/ast.ts";
import { lowerArgs, lowerAssigns, lowerExpression, spanOf } from "./lower-expression.ts";

/** The end of a chain after a hop: nodes, or an `each` whose following route is still open. */
type Exit =
  | { readonly kind: "source"; readonly source: SourceIr }
  | { readonly kind: "each"; readonly each: OpenEach };

/** An `EachIr` whose `then` comes with the next hop, and whose `failing` with hops before that. */
interface OpenEach extends Omit<EachIr, "then" | "failing"> {
  then?: RouteIr;
  failing?: readonly FailingIr[];
}

/** A hop as a route, the edges that its branches add, and where the chain goes on. */
interface LoweredHop {
  readonly route: RouteIr;
  readonly edges: readonly EdgeIr[];
  readonly exits: readonly Exit[];
}

interface LoweredChain {
  readonly entry: RouteIr;
  readonly edges: readonly EdgeIr[];
  readonly exits: readonly Exit[];
}

/** The arrows of a graph as edges: a chain becomes one edge an arrow, in the order of the text. */
export function lowerFlows(flows: readonly FlowDecl[], symbols: GraphSymbols): readonly EdgeIr[] {
  return flows.flatMap((flow) => lowerFlow(flow, flowScope(symbols)));
}

function lowerFlow(flow: FlowDecl, scope: Scope): readonly EdgeIr[] {
  const exits = lowerSource(flow.source).map((source): Exit => ({ kind: "source", source }));
  return continueChain(exits, flow.hops, { scope, at: 0 }).edges;
}

/** A choice of sources that names `start` is two: the start, and whoever else arrives. */
function lowerSource(source: SourceAst): readonly SourceIr[] {
  const names = source.nodes.map((node) => node.text);
  const nodes = names.filter((name) => name !== "start");
  const start: readonly SourceIr[] = nodes.length < names.length ? [{ kind: "start" }] : [];
  if (nodes.length === 0) return start;
  if (source.kind === "any") return [...start, { kind: "any", nodes }];
  const need = source.need && lowerCount(source.need);
  return [...start, joinOf(nodes, need)];
}

/** A join of one node without a quorum is a plain arrow. */
function joinOf(nodes: readonly string[], need?: CountIr): SourceIr {
  if (nodes.length === 1 && need === undefined) return { kind: "any", nodes };
  return defined({ kind: "join" as const, nodes, need });
}

/** Hangs the hops behind the exits, one after the other. Several exits give an edge each. */
function continueChain(
  from: readonly Exit[],
  hops: readonly HopAst[],
  /** The scope of the chain, and how many of its hops are before these. */
  { scope, at }: { readonly scope: Scope; readonly at: number },
): { readonly edges: readonly EdgeIr[]; readonly exits: readonly Exit[] } {
  const edges: EdgeIr[] = [];
  let exits = from;
  for (const [index, hop] of hops.entries()) {
    const lowered = lowerHop(hop, hopScope(scope, hop, at + index));
    for (const exit of exits) {
      if (exit.kind === "each") hangBehind(exit.each, wordOn(hop), lowered.route);
      else
        edges.push({
          from: exit.source,
          on: wordOn(hop),
          route: lowered.route,
          span: spanOf(hop.span),
        });
    }
    edges.push(...lowered.edges);
    // An arrow for its failure is no end of an `each`: what is written behind follows both.
    const eachExits = wordOn(hop) === "done" ? [] : exits.filter(({ kind }) => kind === "each");
    exits = [...eachExits, ...lowered.exits];
  }
  return { edges, exits };
}

function hangBehind(each: OpenEach, on: EdgeIr["on"], route: RouteIr): void {
  if (on === "done") each.then = route;
  else each.failing = [...(each.failing ?? []), { on, route }];
}

function lowerHop(hop: HopAst, scope: Scope): LoweredHop {
  const { to, edges, exits } = lowerTarget(hop, scope);
  const route = { ...to, ...lowerClauses(hop.clauses, scope), span: spanOf(hop.span) };
  return { route, edges, exits };
}

type LoweredTarget = Omit<LoweredHop, "route"> & { readonly to: RouteTo };

function lowerTarget(hop: HopAst, scope: Scope): LoweredTarget {
  switch (hop.kind) {
    case "one-of":
    case "all-of": {
      const kind = hop.kind === "one-of" && hop.refs.length > 1 ? "pick" : "to";
      const targets = hop.refs.map((ref) => lowerRef(ref, scope));
      return { to: { kind, targets }, edges: [], exits: exitsOf(hop.kind, targets) };
    }
    case "choice": {
      const chains = hop.branches.map((branch) => lowerChain(branch.hops, scope));
      const branches = hop.branches.map(({ condition }, index) =>
        defined({
          when: condition && lowerExpression(condition, scope),
          route: entryOf(chains[index]),
        }),
      );
      return { to: { kind: "choice", branches }, ...together(chains) };
    }
    case "match": {
      const chains = hop.cases.map((each) => lowerChain(each.hops, scope));
      const cases = hop.cases.map(({ values }, index) =>
        defined({ values: values?.map(literalValue), route: entryOf(chains[index]) }),
      );
      const subject = lowerExpression(hop.subject, scope);
      return { to: { kind: "match", subject, cases }, ...together(chains) };
    }
    case "each": {
      const each = lowerEach(hop, scope);
      return { to: { kind: "each", each }, edges: [], exits: [{ kind: "each", each }] };
    }
  }
}

/** A chain that begins with a route instead of an edge: the inside of a branch, a case, an `each`. */
function lowerChain(hops: readonly HopAst[], scope: Scope): LoweredChain {
  const [first, ...rest] = hops;
  if (first === undefined) return { entry: { kind: "to", targets: [] }, edges: [], exits: [] };
  const { route, edges, exits } = lowerHop(first, hopScope(scope, first, 0));
  const continued = continueChain(exits, rest, { scope, at: 1 });
  return { entry: route, edges: [...edges, ...continued.edges], exits: continued.exits };
}

function entryOf(chain: LoweredChain | undefined): RouteIr {
  return chain?.entry ?? { kind: "to", targets: [] };
}

/** Joins the edges of several branches, and their plain exits into one source, `any` of them. */
function together(chains: readonly LoweredChain[]): Omit<LoweredHop, "route"> {
  const exits = chains.flatMap((chain) => chain.exits);
  const plain = exits.flatMap((exit) =>
    exit.kind === "source" && exit.source.kind === "any" ? exit.source.nodes : [],
  );
  const others = exits.filter((exit) => exit.kind === "each" || exit.source.kind !== "any");
  return {
    edges: chains.flatMap((chain) => chain.edges),
    exits: [...anyOf(plain), ...others],
  };
}

function exitsOf(kind: "one-of" | "all-of", targets: readonly TargetIr[]): readonly Exit[] {
  const nodes = targets.map((target) => target.node);
  if (kind === "one-of") return anyOf(nodes);
  const arriving = [...new Set(nodes)].filter(isNodeTarget);
  return arriving.length === 0 ? [] : [{ kind: "source", source: joinOf(arriving) }];
}

function anyOf(nodes: readonly string[]): readonly Exit[] {
  const arriving = [...new Set(nodes)].filter(isNodeTarget);
  if (arriving.length === 0) return [];
  return [{ kind: "source", source: { kind: "any", nodes: arriving } }];
}

function lowerEach(each: EachAst, scope: Scope): OpenEach {
  const id = scope.symbols.eachPaths.get(each)?.at(-1) ?? each.variable.text;
  const inner = itemScope(scope, each, undefined);
  const { entry, edges } = lowerChain(each.body, inner);
  const further = each.flows.flatMap((flow) => lowerFlow(flow, inner));
  return defined({
    id,
    variable: each.variable.text,
    items: lowerExpression(each.items, scope),
    parallel: each.parallel && lowerCount(each.parallel),
    need: each.need && lowerCount(each.need),
    when: each.when && lowerExpression(each.when, inner),
    onErrorSkip: each.onErrorSkip,
    entry,
    edges: [...edges, ...further],
  });
}

function lowerRef(ref: RefAst, scope: Scope): TargetIr {
  return defined({
    node: ref.node.text,
    args: lowerArgs(ref.args, scope),
    label: ref.label?.value,
    span: spanOf(ref.span),
  });
}

function lowerClauses(clauses: readonly HopClause[], scope: Scope): RouteClauses {
  const when = clauses.find((clause) => clause.kind === "when");
  const max = clauses.find((clause) => clause.kind === "max");
  const after = clauses.find((clause) => clause.kind === "after");
  const assigns = clauses.flatMap((clause) => (clause.kind === "set" ? clause.assigns : []));
  return defined({
    when: when && lowerExpression(when.condition, scope),
    max: max && lowerCount(max.count),
    afterMs: after?.ms,
    sets: assigns.length === 0 ? undefined : lowerAssigns(assigns, scope),
    detached: clauses.some((clause) => clause.kind === "detached") || undefined,
  });
}

/** The words that may stand behind `on`. */
export const EDGE_WORDS = ["error", "limit", "deny", "filter", "refusal"] as const;

function wordOn(hop: HopAst): EdgeIr["on"] {
  const clause = hop.clauses.find((candidate) => candidate.kind === "on");
  return EDGE_WORDS.find((word) => word === clause?.what.text) ?? "done";
}

/** A count as a number, or as the name of what holds it. */
export function lowerCount(count: CountAst): CountIr {
  return count.kind === "number" ? count.value : { name: count.name.text };
}

/** The value of a literal. */
export function literalValue(literal: LiteralAst): string | number | boolean | null {
  return literal.kind === "null" ? null : literal.value;
}
