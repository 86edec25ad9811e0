import type { Finding } from "../diagnostic.ts";
import type { ExprIr, Ir, NodeKind } from "../ir.ts";
import { ownClauses } from "../lower/clauses.ts";
import { BUILT_IN_REDUCERS } from "../reducers.ts";
import type { Span } from "../source.ts";
import { declaredFields, declaredNodes, type FileSymbols, type GraphSymbols } from "../symbols.ts";
import type {
  Clause,
  FileAst,
  FlowDecl,
  GraphItem,
  HopAst,
  LimitClause,
  ViaAst,
} from "../syntax/ast.ts";
import { unknownReducer } from "./fields.ts";

// What the language has and the engine does not run yet. Whoever builds one takes it out of its list here.

const NODES: readonly NodeKind[] = ["operator", "human", "router", "tool", "reduce", "graph"];
const CLAUSES: readonly Clause["kind"][] = [
  "ask",
  "skills",
  "controller",
  "session",
  "edits",
  "state",
  "effects",
  "tell",
  "cache",
  "every",
  "context",
  "recall",
  "store",
  "approve",
];
const STATEMENTS: readonly GraphItem["kind"][] = ["memory", "approve", "break", "end-when"];
const STATE_SCOPES: readonly string[] = ["thread", "user"];
const HISTORY_SOURCES: readonly string[] = ["inbox", "thread"];
const LIMIT_UNITS: readonly string[] = ["errors", "repeats"];
const HOP_CLAUSES: readonly string[] = ["after", "on", "detached"];

/** Everything in a graph that checks and does not run yet, each at its place. */
export function notYetInGraph(ir: Ir, symbols: GraphSymbols): readonly Finding[] {
  const { graph, file, defaults } = symbols;
  const nodes = declaredNodes(graph);
  const servers = ir.mcps.flatMap(({ name }) => file.mcps.get(name) ?? []);
  return [
    ...servers.map((server) => notYet("`mcp` servers", server.name.span)),
    ...graph.items.flatMap(inStatement),
    ...nodes.flatMap((node) =>
      NODES.includes(node.word) ? [notYet(`\`${node.word}\` nodes`, node.name.span)] : [],
    ),
    // The clauses of a node that does not run follow from it.
    ...[
      ...defaults,
      ...nodes.filter((node) => !NODES.includes(node.word)).flatMap(ownClauses),
    ].flatMap((clause) => inClause(clause, file)),
    ...declaredFields(graph).flatMap(({ decl }) => inVia(decl.via, file)),
    ...calls(ir).map((span) => notYet("calls of TypeScript functions inside an expression", span)),
  ];
}

/** `test` declarations and imports of other programs, as long as nothing runs them. */
export function notYetInFile(ast: FileAst): readonly Finding[] {
  return ast.items.flatMap((item) => {
    if (item.kind === "test") return [notYet("`test` declarations", item.title.span)];
    const isProgram = item.kind === "import" && item.from.value.endsWith(".madrigal");
    return isProgram ? [importOfProgram(item.from.span)] : [];
  });
}

function importOfProgram(span: Span): Finding {
  const hint = "write the graphs into one file";
  return { ...notYet("imports of other `.madrigal` files", span), hint };
}

function notYet(what: string, span: Span): Finding {
  return {
    code: "M4900",
    message: `${what} are not built yet`,
    span,
    hint: "this checks, but the engine can't run it so far",
  };
}

function inStatement(item: GraphItem): readonly Finding[] {
  if (item.kind === "flow") return inFlow(item);
  if (item.kind === "limit") return inLimit(item);
  if (item.kind === "state" && STATE_SCOPES.includes(item.scope))
    return [notYet(`fields that outlive a run (\`state ${item.scope}\`)`, item.span)];
  const name = item.kind === "end-when" ? "end when" : item.kind;
  return STATEMENTS.includes(item.kind) ? [notYet(`\`${name}\` statements`, item.span)] : [];
}

function inClause(clause: Clause, file: FileSymbols): readonly Finding[] {
  if (CLAUSES.includes(clause.kind)) return [notYet(`\`${clause.kind}\` clauses`, clause.span)];
  switch (clause.kind) {
    case "limit":
      return inLimit(clause);
    case "history":
      return inHistory(clause);
    case "ensure":
      if (clause.by !== undefined) return [notYet("conditions judged by a model", clause.span)];
      return clause.elseAsk
        ? [notYet("questions after a failed condition (`else ask`)", clause.span)]
        : [];
    case "writes":
      return clause.writes.flatMap((write) => inVia(write.via, file));
    default:
      return [];
  }
}

function inHistory(clause: Clause & { readonly kind: "history" }): readonly Finding[] {
  if (HISTORY_SOURCES.includes(clause.source))
    return [notYet(`histories of another source (\`${clause.source}\`)`, clause.span)];
  const isShortened = clause.size !== undefined || clause.summarize;
  return isShortened ? [notYet("shortened histories", clause.span)] : [];
}

function inLimit(limit: LimitClause): readonly Finding[] {
  if (limit.elseAsk) return [notYet("questions at a limit (`else ask`)", limit.span)];
  return limit.quantities.flatMap((quantity) =>
    quantity.kind === "amount" && LIMIT_UNITS.includes(quantity.unit.text)
      ? [notYet(`limits in \`${quantity.unit.text}\``, quantity.span)]
      : [],
  );
}

function inVia(via: ViaAst | undefined, file: FileSymbols): readonly Finding[] {
  if (via === undefined || BUILT_IN_REDUCERS.some((name) => name === via.name.text)) return [];
  // What is reported as unknown (M3303) is no reducer in TypeScript.
  if (unknownReducer(via.name, file) !== undefined) return [];
  return [notYet("reducers in TypeScript", via.span)];
}

function inFlow({ source, hops }: FlowDecl): readonly Finding[] {
  const quorum = source.kind === "join" && source.need !== undefined;
  return [...(quorum ? [notYet("quorums (`need`)", source.span)] : []), ...hops.flatMap(inHop)];
}

function inHop(hop: HopAst): readonly Finding[] {
  const clauses = hop.clauses
    .filter((clause) => HOP_CLAUSES.includes(clause.kind))
    .map((clause) => notYet(`arrows with \`${clause.kind}\``, clause.span));
  return [...clauses, ...inTarget(hop)];
}

function inTarget(hop: HopAst): readonly Finding[] {
  switch (hop.kind) {
    case "one-of":
      return hop.refs.length > 1
        ? [notYet("decisions of a node (`a | b` behind an arrow)", hop.span)]
        : [];
    case "all-of":
      return [];
    case "choice":
      return hop.branches.flatMap((branch) => branch.hops.flatMap(inHop));
    case "match":
      return hop.cases.flatMap((one) => one.hops.flatMap(inHop));
    case "each": {
      const need = hop.need === undefined ? [] : [notYet("quorums (`need`)", hop.need.span)];
      return [...need, ...hop.body.flatMap(inHop)];
    }
  }
}

/** Where an expression calls a function that is no method of the closed list. */
function calls(part: unknown): readonly Span[] {
  if (Array.isArray(part)) return part.flatMap(calls);
  if (typeof part !== "object" || part === null) return [];
  const own = isFunctionCall(part)
    ? [{ start: part.span?.[0] ?? 0, end: part.span?.[1] ?? 0 }]
    : [];
  return [...own, ...Object.values(part).flatMap(calls)];
}

function isFunctionCall(part: object): part is ExprIr & { readonly kind: "call" } {
  if (!("kind" in part) || part.kind !== "call" || !("callee" in part)) return false;
  const callee = part.callee as ExprIr;
  if (callee.kind !== "member") return true;
  return callee.object.kind === "name" && callee.object.of === "scope";
}
