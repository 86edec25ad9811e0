/** Finds the graphs of earlier cells that no longer fit after a cell has given a name another type. */
import type ts from "typescript-6";
import { type Diagnostic, type LinePosition, positionAt } from "../../../dsl/index.ts";
import type { CellText, GraphCell } from "../service.ts";
import { placesOf } from "./generator/places.ts";
import { namesOfScope, scopeUses } from "./generator/write-scope.ts";

/** A cell of graphs that was accepted, and the names of TypeScript cells that it uses. */
export interface KnownGraphs {
  readonly cell: GraphCell;
  readonly uses: ReadonlySet<string>;
}

/**
 * Returns the names of other cells that an accepted cell of graphs uses, without those that it
 * imports itself.
 */
export function knownGraphs(cell: GraphCell): KnownGraphs {
  const { graphs, names: written, types = [] } = cell;
  const places = placesOf(written);
  const imported = new Set(graphs.flatMap(({ imports }) => imports.map(({ as }) => as)));
  const names = graphs.flatMap((graph) => [
    ...scopeUses(graph, places).map(({ name }) => name),
    ...namesOfScope(graph),
  ]);
  const ofCells = types.filter(({ name, text }) => name === text).map(({ name }) => name);
  const uses = [...names, ...ofCells].filter((name) => !imported.has(name));
  return { cell, uses: new Set(uses) };
}

/** The graphs that are left when these names mean something else. */
export function withoutGraphs(
  known: readonly KnownGraphs[],
  names: ReadonlySet<string>,
): readonly KnownGraphs[] {
  return known.flatMap((one) => {
    const graphs = one.cell.graphs.filter(({ name }) => !names.has(name));
    if (graphs.length === one.cell.graphs.length) return [one];
    return graphs.length === 0 ? [] : [knownGraphs({ ...one.cell, graphs })];
  });
}

/** The names that a TypeScript cell has declared again. */
export interface Redeclared {
  readonly cell: CellText;
  readonly names: ReadonlySet<string>;
  readonly compiler: typeof ts;
}

/** Warnings for the cell, one for each error in a graph that uses a name of it. */
export function staleGraphs(
  known: readonly KnownGraphs[],
  redeclared: Redeclared,
  check: (cell: GraphCell) => readonly Diagnostic[],
): readonly Diagnostic[] {
  return known.flatMap(({ cell, uses }) => {
    const names = [...uses].filter((name) => redeclared.names.has(name));
    if (names.length === 0) return [];
    return check(cell).map((error) => warningOf(error, { cell, names, redeclared }));
  });
}

interface Stale {
  readonly cell: GraphCell;
  /** The redeclared names that it uses. */
  readonly names: readonly string[];
  readonly redeclared: Redeclared;
}

function warningOf(error: Diagnostic, { cell, names, redeclared }: Stale): Diagnostic {
  const { file, line, column, message } = error;
  const lineText = cell.source.text.split("\n")[line - 1] ?? "";
  const words = new Set(lineText.match(/[\p{L}_$][\p{L}\p{N}_$]*/gu));
  const name = names.find((one) => words.has(one)) ?? names[0] ?? "";
  return {
    code: "M3520",
    severity: "warning",
    message: `\`${name}\` no longer fits ${graphAt(cell, error)}: ${message}`,
    ...placeOfName(name, redeclared),
    file: redeclared.cell.name,
    hint: "correct it, then run the graph's cell again",
    related: [{ file, line, column, message: `${error.code} ${message}` }],
  };
}

function graphAt({ graphs, source }: GraphCell, at: LinePosition): string {
  const found = graphs.find(({ span: [, end] = [0, source.text.length] }) => {
    const last = positionAt(source, end);
    return at.line < last.line || (at.line === last.line && at.column <= last.column);
  });
  return `the graph \`${(found ?? graphs[0])?.name ?? ""}\``;
}

/** Returns the place at which the cell declares the name for other cells. */
function placeOfName(name: string, { cell, compiler }: Redeclared) {
  const source = { file: cell.name, text: cell.code };
  const file = compiler.createSourceFile("cell.ts", cell.code, compiler.ScriptTarget.Latest, true);
  const declared = file.statements.flatMap((one) => namesOfStatement(one, compiler));
  const found = declared.find(({ text }) => text === name);
  const start = positionAt(source, found?.getStart(file) ?? 0);
  const end = positionAt(source, found?.end ?? 0);
  return { ...start, endLine: end.line, endColumn: end.column };
}

/** The names that a statement at the top level declares: none of what is inside of them. */
function namesOfStatement(node: ts.Node, compiler: typeof ts): readonly ts.Identifier[] {
  const namesOf = (inner: ts.Node) => namesOfStatement(inner, compiler);
  if (compiler.isVariableStatement(node)) return node.declarationList.declarations.flatMap(namesOf);
  if (compiler.isObjectBindingPattern(node) || compiler.isArrayBindingPattern(node))
    return node.elements.flatMap(namesOf);
  if (compiler.isImportDeclaration(node))
    return node.importClause === undefined ? [] : namesOf(node.importClause);
  const { name, namedBindings } = node as Declaring;
  const own = name === undefined ? [] : compiler.isIdentifier(name) ? [name] : namesOf(name);
  if (namedBindings === undefined) return own;
  const isNames = compiler.isNamedImports(namedBindings);
  return [...own, ...(isNames ? namedBindings.elements.flatMap(namesOf) : namesOf(namedBindings))];
}

/** A node that may have a name or import bindings. */
interface Declaring extends ts.Node {
  readonly name?: ts.Node;
  readonly namedBindings?: ts.NamedImportBindings;
}
