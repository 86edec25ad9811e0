import { isBuiltIn } from "../built-in-functions.ts";
import type { Finding } from "../diagnostic.ts";
import type { ExprIr, Ir, NodeKind } from "../ir.ts";
import { ownClauses } from "../lower/clauses.ts";
import type { Span } from "../source.ts";
import { declaredNodes, type GraphSymbols, type NodeSymbol } from "../symbols.ts";
import type { Clause, FlowDecl, GraphItem, HopAst, HopClause, LimitClause } from "../syntax/ast.ts";
import { walk } from "../walk.ts";
import { controllersNotYet } from "./not-yet-controllers.ts";

/** What the language has and the engine does not run yet. Whoever builds one takes it out of its list. */
interface Unbuilt {
  readonly nodes: readonly NodeKind[];
  readonly clauses: readonly Clause["kind"][];
  readonly statements: readonly GraphItem["kind"][];
  readonly stateScopes: readonly string[];
  readonly limitUnits: readonly string[];
  readonly hopClauses: readonly HopClause["kind"][];
  /** `mcp` servers. */
  readonly others: boolean;
}

const IN_RUNS: Unbuilt = {
  nodes: [],
  clauses: ["skills", "cache", "recall", "store"],
  statements: ["memory"],
  stateScopes: [],
  limitUnits: [],
  hopClauses: ["detached"],
  others: true,
};

/** What does not run even where nodes are scripted: in a test nobody is asked, and nothing outlives the run. */
const IN_TESTS: Unbuilt = {
  nodes: [],
  clauses: [],
  statements: [],
  stateScopes: [],
  limitUnits: [],
  hopClauses: ["detached"],
  others: false,
};

const UNBUILT = { runs: IN_RUNS, tests: IN_TESTS } as const;

/** Everything in a graph that checks and does not run yet, each at its place. */
export function notYetInGraph(
  ir: Ir,
  symbols: GraphSymbols,
  where: keyof typeof UNBUILT,
): readonly Finding[] {
  const unbuilt = UNBUILT[where];
  const { graph, file, defaults } = symbols;
  const nodes = declaredNodes(graph);
  const servers = unbuilt.others ? ir.mcps.flatMap(({ name }) => file.mcps.get(name) ?? []) : [];
  const isUnbuilt = (node: NodeSymbol) => unbuilt.nodes.includes(node.word);
  return [
    ...servers.map((server) => notYet("`mcp` servers", server.name.span)),
    ...graph.items.flatMap((item) => inStatement(item, unbuilt)),
    ...nodes.flatMap((node) =>
      isUnbuilt(node) ? [notYet(`\`${node.word}\` nodes`, node.name.span)] : [],
    ),
    // The clauses of a node that does not run follow from it.
    ...[...defaults, ...nodes.filter((node) => !isUnbuilt(node)).flatMap(ownClauses)].flatMap(
      (clause) => inClause(clause, unbuilt),
    ),
    ...(unbuilt.others ? nodes.flatMap((node) => controllersNotYet(node, file)) : []),
    ...calls(ir, unbuilt).map((span) =>
      notYet("calls of TypeScript functions inside an expression", span),
    ),
    ...(unbuilt.others ? unknownToRuns(ir, unbuilt) : []),
  ];
}

function notYet(what: string, span: Span): Finding {
  return {
    code: "M4900",
    message: `${what} are not built yet`,
    span,
    hint: "this checks, but the engine can't run it so far",
  };
}

function inStatement(item: GraphItem, unbuilt: Unbuilt): readonly Finding[] {
  if (item.kind === "flow") return inFlow(item, unbuilt);
  if (item.kind === "limit") return inLimit(item, unbuilt);
  if (item.kind === "state" && unbuilt.stateScopes.includes(item.scope))
    return [notYet(`fields that outlive a run (\`state ${item.scope}\`)`, item.span)];
  const name = item.kind === "end-when" ? "end when" : item.kind;
  return unbuilt.statements.includes(item.kind)
    ? [notYet(`\`${name}\` statements`, item.span)]
    : [];
}

function inClause(clause: Clause, unbuilt: Unbuilt): readonly Finding[] {
  if (unbuilt.clauses.includes(clause.kind))
    return [notYet(`\`${clause.kind}\` clauses`, clause.span)];
  switch (clause.kind) {
    case "limit":
      return inLimit(clause, unbuilt);
    case "context":
      return clause.value.kind !== "object" && unbuilt.others
        ? [notYet("`context` clauses with a function", clause.span)]
        : [];
    case "ensure":
      if (!unbuilt.others) return [];
      return [];
    default:
      return [];
  }
}

function inLimit(limit: LimitClause, unbuilt: Unbuilt): readonly Finding[] {
  // In a test the answer is to go on.
  if (limit.elseAsk && !unbuilt.others) return [];
  return limit.quantities.flatMap((quantity) =>
    quantity.kind === "amount" && unbuilt.limitUnits.includes(quantity.unit.text)
      ? [notYet(`limits in \`${quantity.unit.text}\``, quantity.span)]
      : [],
  );
}

function inFlow({ hops }: FlowDecl, unbuilt: Unbuilt): readonly Finding[] {
  return hops.flatMap((hop) => inHop(hop, unbuilt));
}

function inHop(hop: HopAst, unbuilt: Unbuilt): readonly Finding[] {
  const clauses = hop.clauses
    .filter(
      (clause) =>
        unbuilt.hopClauses.includes(clause.kind) || (clause.kind === "after" && !isOnlyNodes(hop)),
    )
    .map((clause) =>
      notYet(`arrows with \`${clause.kind}\` ${WHERE[clause.kind] ?? ""}`.trim(), clause.span),
    );
  return [...clauses, ...inTarget(hop, unbuilt)];
}

const WHERE: Readonly<Partial<Record<HopClause["kind"], string>>> = {
  after: "that lead to something else than a node",
};

/** Whether a wait before it is one of a node run. */
function isOnlyNodes(hop: HopAst): boolean {
  if (hop.kind !== "all-of" && (hop.kind !== "one-of" || hop.refs.length > 1)) return false;
  return hop.refs.every(({ node }) => node.text !== "end");
}

function inTarget(hop: HopAst, unbuilt: Unbuilt): readonly Finding[] {
  const inside = (hops: readonly HopAst[]) => hops.flatMap((inner) => inHop(inner, unbuilt));
  switch (hop.kind) {
    case "one-of":
    case "all-of":
      return [];
    case "choice":
      return hop.branches.flatMap((branch) => inside(branch.hops));
    case "match":
      return hop.cases.flatMap((one) => inside(one.hops));
    case "each":
      return inside(hop.body);
  }
}

/** Where a test's expression calls a function that no script can name. */
function calls(ir: Ir, unbuilt: Unbuilt): readonly Span[] {
  if (unbuilt.others) return [];
  const found: Span[] = [];
  walk(ir, (part) => {
    if (!isFunctionCall(part)) return;
    const [start, end] = part.span ?? [0, 0];
    if (part.callee.kind !== "name") found.push({ start, end });
  });
  return found;
}

/** What a run knows of itself; a test says what comes of the rest. */
const KNOWN_TO_RUNS: readonly string[] = ["state", "result", "run", "inbox", "team", "artifacts"];

/** Reads of what no run has so far: they would be empty, and nobody would be told. */
function unknownToRuns(
  { nodes, edges, endWhen, fields }: Ir,
  unbuilt: Unbuilt,
): readonly Finding[] {
  const found: Finding[] = [];
  // Of a node that does not run, and a clause that does not, it follows.
  const read = nodes
    .filter(({ kind }) => !unbuilt.nodes.includes(kind))
    .map(({ prompt, system, call, writes, sets, ensures }) => [
      ...[prompt, system, call, writes, sets, ensures],
    ]);
  walk([read, edges, endWhen, fields], (part) => {
    const name = unknownName(part as Partial<ExprIr>);
    if (name === undefined) return;
    const [start, end] = (part as Partial<ExprIr>).span ?? [0, 0];
    found.push(notYet(`reads of \`${name}\``, { start, end }));
  });
  return found;
}

function unknownName(part: Partial<ExprIr>): string | undefined {
  if (part.kind !== "name" || part.of !== "special") return undefined;
  return part.name === undefined || KNOWN_TO_RUNS.includes(part.name) ? undefined : part.name;
}

function isFunctionCall(part: object): part is ExprIr & { readonly kind: "call" } {
  if (!("callee" in part) || !("kind" in part) || part.kind !== "call") return false;
  const callee = part.callee as ExprIr;
  if (isBuiltIn(callee)) return false;
  if (callee.kind !== "member") return true;
  return callee.object.kind === "name" && callee.object.of === "scope";
}
