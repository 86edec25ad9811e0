import type { Finding } from "../diagnostic.ts";
import type { ExprIr, Ir } from "../ir.ts";
import { ownClauses } from "../lower/clauses.ts";
import type { Span } from "../source.ts";
import { declaredNodes, type GraphSymbols } from "../symbols.ts";
import type { Clause, GraphItem } from "../syntax/ast.ts";
import { walk } from "../walk.ts";
import { controllersNotYet } from "./not-yet-controllers.ts";

/** Clauses that check and do nothing in a run yet. Whoever builds one takes it out. */
const UNBUILT_CLAUSES: readonly Clause["kind"][] = ["skills", "recall", "store"];

/** Everything in a graph that checks and does not run yet, each at its place. In a test, where nodes are scripted, most of it does. */
export function notYetInGraph(ir: Ir, symbols: GraphSymbols): readonly Finding[] {
  const { graph, file, defaults } = symbols;
  const nodes = declaredNodes(graph);
  const servers = ir.mcps.flatMap(({ name }) => file.mcps.get(name) ?? []);
  return [
    ...servers.map((server) => notYet("`mcp` servers", server.name.span)),
    ...graph.items.flatMap(inStatement),
    ...[...defaults, ...nodes.flatMap(ownClauses)].flatMap(inClause),
    ...nodes.flatMap((node) => controllersNotYet(node, file)),
    ...unknownToRuns(ir),
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

function inStatement(item: GraphItem): readonly Finding[] {
  return item.kind === "memory" ? [notYet("`memory` statements", item.span)] : [];
}

function inClause(clause: Clause): readonly Finding[] {
  if (!UNBUILT_CLAUSES.includes(clause.kind)) return [];
  return [notYet(`\`${clause.kind}\` clauses`, clause.span)];
}

/** What a run knows of itself; a test says what comes of the rest. */
const KNOWN_TO_RUNS: readonly string[] = ["state", "result", "run", "inbox", "team", "artifacts"];

/** Reads of what no run has so far: they would be empty, and nobody would be told. */
function unknownToRuns({ nodes, edges, endWhen, fields }: Ir): readonly Finding[] {
  const found: Finding[] = [];
  // Of a clause that does not run, it follows.
  const read = nodes.map(({ prompt, system, call, writes, sets, ensures }) => [
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
