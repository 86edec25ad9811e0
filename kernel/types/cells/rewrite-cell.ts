/** Rewrites names of other cells as properties of `exports`, and marks the last expression. */
import type ts from "typescript-6";
import { boundNames } from "./cell-text.ts";

/** The facts about a cell that its rewriting finds. */
export interface CellFacts {
  imports: readonly string[];
  lastExpression?: string;
}

export interface Rewriting {
  readonly compiler: typeof ts;
  readonly checker: ts.TypeChecker;
  /** Holds the declarations of earlier cells. */
  readonly earlier: ts.SourceFile;
  readonly facts: CellFacts;
}

/**
 * Makes the module that TypeScript emits one that can stand in a function: names of earlier cells become properties of
 * `exports`, imports come first, top-level variables are exported where they are declared (so that their own cell reads
 * them there too), and the last expression is kept.
 */
export function rewriteCell(rewriting: Rewriting): ts.TransformerFactory<ts.SourceFile> {
  const { compiler, facts } = rewriting;
  return (context) => (file) => {
    const visit = createVisitor(rewriting, context);
    const visited = file.statements.map((statement) => compiler.visitNode(statement, visit));
    const statements = visited.filter((node): node is ts.Statement => node !== undefined);
    const imports = statements.filter(compiler.isImportDeclaration);
    const others = statements.filter((statement) => !compiler.isImportDeclaration(statement));
    facts.imports = imports.flatMap(({ moduleSpecifier }) =>
      compiler.isStringLiteral(moduleSpecifier) ? [moduleSpecifier.text] : [],
    );
    const kept = keepLastExpression(others, rewriting);
    return compiler.factory.updateSourceFile(file, [
      ...imports,
      ...exportVariables(compiler, kept),
    ]);
  };
}

// ── names of earlier cells ──────────────────────────────────────────────────────────────────────

/** The context that the visits of a cell's nodes share. */
interface Visiting extends Rewriting {
  readonly context: ts.TransformationContext;
  readonly visit: (node: ts.Node) => ts.Node;
}

function createVisitor(
  rewriting: Rewriting,
  context: ts.TransformationContext,
): (node: ts.Node) => ts.Node {
  const visiting: Visiting = { ...rewriting, context, visit: (node) => visitNode(node, visiting) };
  return visiting.visit;
}

function visitNode(node: ts.Node, visiting: Visiting): ts.Node {
  const { compiler } = visiting;
  const { factory } = visiting.context;
  if (compiler.isIdentifier(node))
    return isEarlier(visiting, node) ? onExports(node, visiting) : node;
  if (compiler.isPropertyAccessExpression(node) && !compiler.isMetaProperty(node.expression)) {
    const object = visitExpression(node.expression, visiting);
    return factory.updatePropertyAccessExpression(node, object, node.name);
  }
  if (compiler.isPropertyAssignment(node)) {
    const value = visitExpression(node.initializer, visiting);
    return factory.updatePropertyAssignment(node, visitName(node.name, visiting), value);
  }
  if (compiler.isShorthandPropertyAssignment(node)) return spelledOut(node, visiting);
  if (compiler.isBindingElement(node)) return visitBinding(node, visiting);
  if (compiler.isCallExpression(node)) return visitCall(node, visiting);
  if (compiler.isTaggedTemplateExpression(node)) return visitTagged(node, visiting);
  if (compiler.isMetaProperty(node) && node.keywordToken === compiler.SyntaxKind.ImportKeyword)
    return replacing(node, factory.createIdentifier("importMeta"), visiting);
  return hasNoNames(compiler, node) ? node : visitInside(node, visiting);
}

function visitInside<N extends ts.Node>(node: N, { compiler, context, visit }: Visiting): N {
  return compiler.visitEachChild(node, visit, context);
}

function visitExpression(node: ts.Expression, { compiler, visit }: Visiting): ts.Expression {
  return compiler.visitNode(node, visit, compiler.isExpression) ?? node;
}

/** The name of a property is none of a cell, unless it is computed. */
function visitName<N extends ts.PropertyName>(name: N, visiting: Visiting): N {
  return visiting.compiler.isComputedPropertyName(name) ? visitInside(name, visiting) : name;
}

function replacing<N extends ts.Node>(old: ts.Node, made: N, { compiler }: Visiting): N {
  return compiler.setTextRange(compiler.setOriginalNode(made, old), old);
}

function onExports(name: ts.Identifier, visiting: Visiting): ts.Expression {
  const { factory } = visiting.context;
  const exports = factory.createIdentifier("exports");
  return replacing(name, factory.createPropertyAccessExpression(exports, name.text), visiting);
}

/** `{ x }` as `{ x: exports.x }`, in a pattern too: `{ x = 1 }` as `{ x: exports.x = 1 }`. */
function spelledOut(node: ts.ShorthandPropertyAssignment, visiting: Visiting): ts.Node {
  const { compiler, checker, earlier } = visiting;
  const symbol = checker.getShorthandAssignmentValueSymbol(original(compiler, node));
  if (!isDeclaredIn(symbol, earlier)) return visitInside(node, visiting);
  const { factory } = visiting.context;
  const target = onExports(node.name, visiting);
  const initial = node.objectAssignmentInitializer;
  const value =
    initial === undefined
      ? target
      : factory.createAssignment(target, visitExpression(initial, visiting));
  return replacing(node, factory.createPropertyAssignment(node.name.text, value), visiting);
}

function visitBinding(node: ts.BindingElement, visiting: Visiting): ts.Node {
  const { compiler, context } = visiting;
  return context.factory.updateBindingElement(
    node,
    node.dotDotDotToken,
    node.propertyName && visitName(node.propertyName, visiting),
    compiler.isIdentifier(node.name) ? node.name : visitInside(node.name, visiting),
    node.initializer && visitExpression(node.initializer, visiting),
  );
}

function visitCall(node: ts.CallExpression, visiting: Visiting): ts.Node {
  const { compiler, context } = visiting;
  const isImport = node.expression.kind === compiler.SyntaxKind.ImportKeyword;
  const callee = isImport
    ? context.factory.createIdentifier("importModule")
    : unbound(node.expression, visiting);
  const args = node.arguments.map((argument) => visitExpression(argument, visiting));
  return context.factory.updateCallExpression(node, callee, node.typeArguments, args);
}

function visitTagged(node: ts.TaggedTemplateExpression, visiting: Visiting): ts.Node {
  const template = visitInside(node.template, visiting);
  const tag = unbound(node.tag, visiting);
  const { factory } = visiting.context;
  return factory.updateTaggedTemplateExpression(node, tag, node.typeArguments, template);
}

/** `(0, exports.f)()`: a function of another cell is called without a `this`, as it would be by its name. */
function unbound(callee: ts.Expression, visiting: Visiting): ts.Expression {
  const visited = visitExpression(callee, visiting);
  if (!visiting.compiler.isIdentifier(callee) || visited === callee) return visited;
  const { factory } = visiting.context;
  const comma = factory.createComma(factory.createNumericLiteral(0), visited);
  return factory.createParenthesizedExpression(comma);
}

function isEarlier({ checker, earlier }: Rewriting, name: ts.Identifier): boolean {
  return isDeclaredIn(checker.getSymbolAtLocation(name), earlier);
}

function isDeclaredIn(symbol: ts.Symbol | undefined, file: ts.SourceFile): boolean {
  return symbol?.declarations?.some((one) => one.getSourceFile() === file) ?? false;
}

function original<N extends ts.Node>(compiler: typeof ts, node: N): N {
  return compiler.getOriginalNode(node) as N;
}

/** Statements whose identifiers are labels, or belong to the module itself. */
function hasNoNames(compiler: typeof ts, node: ts.Node): boolean {
  return (
    compiler.isImportDeclaration(node) ||
    compiler.isExportDeclaration(node) ||
    compiler.isBreakStatement(node) ||
    compiler.isContinueStatement(node)
  );
}

// ── what the module gives out ───────────────────────────────────────────────────────────────────

function keepLastExpression(
  statements: readonly ts.Statement[],
  { compiler, facts }: Rewriting,
): readonly ts.Statement[] {
  const index = statements.findLastIndex(
    (one) => !compiler.isExportDeclaration(one) && !compiler.isEmptyStatement(one),
  );
  const last = statements[index];
  if (last === undefined || !compiler.isExpressionStatement(last)) return statements;
  // An `enum` or a `namespace` is emitted as an expression, but isn't one.
  if (!compiler.isExpressionStatement(original(compiler, last))) return statements;
  const { factory } = compiler;
  const name = freeName(compiler, statements);
  const kept = factory.createVariableStatement(
    undefined,
    factory.createVariableDeclarationList(
      [factory.createVariableDeclaration(name, undefined, undefined, last.expression)],
      compiler.NodeFlags.Const,
    ),
  );
  facts.lastExpression = name;
  return statements.with(index, compiler.setTextRange(kept, last));
}

function freeName(compiler: typeof ts, statements: readonly ts.Statement[]): string {
  const taken = new Set(exportedNames(compiler, statements));
  let name = "tsLastExpr";
  while (taken.has(name)) name = `${name}_`;
  return name;
}

function exportedNames(compiler: typeof ts, statements: readonly ts.Statement[]): string[] {
  return statements.flatMap((statement) => {
    if (!compiler.isExportDeclaration(statement)) return [];
    const clause = statement.exportClause;
    if (clause === undefined || !compiler.isNamedExports(clause)) return [];
    return clause.elements.map((element) => element.name.text);
  });
}

/** `let x = 1; export { x }` as `export let x = 1`: CommonJS then reads and writes it on `exports` everywhere. */
function exportVariables(
  compiler: typeof ts,
  statements: readonly ts.Statement[],
): readonly ts.Statement[] {
  const { factory } = compiler;
  const exported = new Set<string>();
  const declared = statements.map((statement) => {
    if (!compiler.isVariableStatement(statement) || isUsing(compiler, statement)) return statement;
    for (const { name } of statement.declarationList.declarations)
      for (const bound of boundNames(compiler, name)) exported.add(bound);
    const modifier = factory.createModifier(compiler.SyntaxKind.ExportKeyword);
    return factory.updateVariableStatement(statement, [modifier], statement.declarationList);
  });
  return declared.flatMap((statement) =>
    compiler.isExportDeclaration(statement)
      ? withoutNames(compiler, statement, exported)
      : [statement],
  );
}

function isUsing(compiler: typeof ts, statement: ts.VariableStatement): boolean {
  return (statement.declarationList.flags & compiler.NodeFlags.Using) === compiler.NodeFlags.Using;
}

function withoutNames(
  compiler: typeof ts,
  statement: ts.ExportDeclaration,
  names: ReadonlySet<string>,
): readonly ts.Statement[] {
  const clause = statement.exportClause;
  if (clause === undefined || !compiler.isNamedExports(clause)) return [statement];
  const { factory } = compiler;
  const elements = clause.elements.filter((element) => !names.has(element.name.text));
  const left = factory.updateNamedExports(clause, elements);
  return [factory.updateExportDeclaration(statement, undefined, false, left, undefined, undefined)];
}
