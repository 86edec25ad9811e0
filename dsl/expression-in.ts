/** Expressions that people ask about a graph which is checked already: conditions of breakpoints, what a debugger evaluates. */

import { eachesIn } from "./check/flow/routes.ts";
import type { Diagnostic, Finding } from "./diagnostics/diagnostic.ts";
import { sortDiagnostics, toDiagnostic } from "./diagnostics/diagnostic.ts";
import type { EdgeIr, ExprIr, Ir, NameMeaning } from "./ir/ir.ts";
import { lowerExpression } from "./lower/lower-expression.ts";
import { nearest } from "./names/nearest.ts";
import { fileSymbols, graphSymbols } from "./names/symbols.ts";
import { parse } from "./syntax/parse.ts";
import type { ExprAst, FileAst } from "./syntax/tree/ast.ts";
import { nodeCounts } from "./vocabulary/node-counts.ts";

/**
 * The expression that a text means in a graph, or the diagnostics about it, whose lines and columns
 * are those of the text.
 */
export type ReadExpression =
  | { readonly expression: ExprIr; readonly diagnostics: readonly [] }
  | { readonly expression: undefined; readonly diagnostics: readonly Diagnostic[] };

/**
 * Reads an expression as if it stood in a clause of `node`, or between the nodes where none is given. Its types are not
 * checked: what does not fit is said when it is evaluated. `variables` are those of the `each`es around it.
 */
export function expressionIn(
  ir: Ir,
  text: string,
  { node, variables = [] }: { readonly node?: string; readonly variables?: readonly string[] } = {},
): ReadExpression {
  const source = { file: "expression", text };
  const wrong = (findings: readonly Finding[]): ReadExpression => ({
    expression: undefined,
    diagnostics: sortDiagnostics(findings.map((finding) => toDiagnostic(source, finding))),
  });
  const { ast, findings } = parsedAlone(text);
  if (ast === undefined) return wrong(findings);
  const names = new Set(variables);
  const meaning = (name: string) => meaningIn(ir, name, node, names);
  const expression = withMeanings(lowerExpression(ast, nothingDeclared()), meaning);
  const unknown = unknownNames(expression, ir).map(({ name, span: [start, end] = [0, 0] }) => {
    const known = nearest(name, [...namesIn(ir, node, names), ...ir.nodes.map((one) => one.name)]);
    return {
      code: "M2102",
      message: `\`${ir.name}\` has nothing named \`${name}\``,
      span: { start, end },
      hint:
        known === undefined
          ? `it has ${namesIn(ir, node, names).join(", ")}`
          : `did you mean \`${known}\`?`,
    } as const;
  });
  return unknown.length > 0 ? wrong(unknown) : { expression, diagnostics: [] };
}

const BEFORE = "graph Asked() { break before asked when ";
const AFTER = "\n}";

/** The tree of a text that is one expression, with its own offsets. */
function parsedAlone(text: string): {
  readonly ast: ExprAst | undefined;
  readonly findings: readonly Finding[];
} {
  const { ast, findings } = parse({ file: "expression", text: `${BEFORE}${text}${AFTER}` });
  const at = (offset: number) => Math.min(text.length, Math.max(0, offset - BEFORE.length));
  const moved = findings.map(({ related: _, related: __, ...finding }) => ({
    ...finding,
    span: { start: at(finding.span.start), end: at(finding.span.end) },
  }));
  const found = onlyCondition(ast);
  if (moved.length > 0) return { ast: undefined, findings: moved };
  if (found === undefined) {
    const span = { start: 0, end: text.length };
    const message = "this is no single expression";
    const hint = "write one expression, such as `tasks.length > 0`";
    return { ast: undefined, findings: [{ code: "M1101", message, span, hint }] };
  }
  return { ast: shifted(found, -BEFORE.length), findings: [] };
}

function onlyCondition({ items }: FileAst): ExprAst | undefined {
  const [graph, ...others] = items;
  if (graph?.kind !== "graph" || others.length > 0) return undefined;
  const [only, ...more] = graph.items;
  return only?.kind === "break" && more.length === 0 ? only.condition : undefined;
}

/** The same tree at other offsets. */
function shifted<T>(part: T, by: number): T {
  if (Array.isArray(part)) return part.map((item) => shifted(item, by)) as T;
  if (typeof part !== "object" || part === null) return part;
  const members = Object.entries(part).map(([key, member]) => [
    key,
    typeof member === "number" && (key === "start" || key === "end")
      ? member + by
      : shifted(member, by),
  ]);
  return Object.fromEntries(members) as T;
}

/**
 * Returns the scope of a graph that declares nothing: in it each name is one of TypeScript, except
 * for words of the language and a lambda's own. Throws M9000 if the parser reads no graph, which is
 * a fault of ours.
 */
function nothingDeclared() {
  const { ast } = parse({ file: "nothing", text: "graph Nothing() { }" });
  const [graph] = ast.items;
  if (graph?.kind !== "graph") throw new Error("M9000: an empty graph is none");
  const symbols = graphSymbols(fileSymbols(ast, undefined), graph);
  return { symbols, variables: new Map<string, undefined>() };
}

type NameInExpression = ExprIr & { readonly kind: "name" };

/** The tree with what the names of TypeScript mean in a graph, where they mean something there. */
function withMeanings<T>(part: T, meaning: (name: string) => NameMeaning | undefined): T {
  if (Array.isArray(part)) return part.map((item) => withMeanings(item, meaning)) as T;
  if (typeof part !== "object" || part === null) return part;
  if (isName(part, "scope")) {
    const of = meaning(part.name);
    return of === undefined ? part : { ...part, of };
  }
  const members = Object.entries(part).map(([key, member]) => [key, withMeanings(member, meaning)]);
  return Object.fromEntries(members) as T;
}

function isName(part: object, of: NameMeaning): part is NameInExpression {
  return "kind" in part && part.kind === "name" && "of" in part && part.of === of;
}

function meaningIn(
  ir: Ir,
  name: string,
  node: string | undefined,
  variables: ReadonlySet<string>,
): NameMeaning | undefined {
  if (variables.has(name)) return "variable";
  const own = ir.nodes.find((one) => one.name === node);
  if (own?.params.some((param) => param.name === name) === true) return "argument";
  if (ir.params.some((param) => param.name === name)) return "param";
  if (visibleFields(ir, node).includes(name)) return "field";
  return ir.config.some(({ key }) => key === name) ? "config" : undefined;
}

/**
 * Returns the names in a part that are left for TypeScript. They are unknown where a run is looked
 * at, since that calls no function. So are nodes that the graph does not have.
 */
function unknownNames(part: unknown, ir: Ir): readonly NameInExpression[] {
  if (Array.isArray(part)) return part.flatMap((item) => unknownNames(item, ir));
  if (typeof part !== "object" || part === null) return [];
  if (isName(part, "node")) return ir.nodes.some(({ name }) => name === part.name) ? [] : [part];
  if (isName(part, "scope")) return [part];
  return Object.values(part).flatMap((inner) => unknownNames(inner, ir));
}

function namesIn(ir: Ir, node: string | undefined, variables: ReadonlySet<string>): string[] {
  const own = ir.nodes.find((one) => one.name === node)?.params ?? [];
  return [
    ...variables,
    ...own.map(({ name }) => name),
    ...ir.params.map(({ name }) => name),
    ...visibleFields(ir, node),
    ...ir.config.map(({ key }) => key),
    ...["state", "result", "inbox", "run", "artifacts"],
    ...nodeCounts,
  ];
}

function visibleFields({ fields, nodes, edges }: Ir, node: string | undefined): readonly string[] {
  const each = nodes.find(({ name }) => name === node)?.each;
  const around = each === undefined ? [] : eachesAround(edges, each);
  return fields.flatMap(({ name, owner }) =>
    owner === undefined || owner === node || around.includes(owner) ? [name] : [],
  );
}

/** The ids of an `each` and of those that it stands in; none where it is not among these edges. */
function eachesAround(edges: readonly Pick<EdgeIr, "route">[], id: string): readonly string[] {
  for (const each of edges.flatMap(({ route }) => eachesIn(route))) {
    if (each.id === id) return [id];
    const inside = eachesAround([{ route: each.entry }, ...each.edges], id);
    if (inside.length > 0) return [each.id, ...inside];
  }
  return [];
}
