/** Rewrites a cell into the body of a function: names that other cells may see are properties of `exports`. */
import type ts from "typescript-6";
import {
  isShared,
  isSharedSymbol,
  onExports,
  original,
  propertyOf,
  type Rewriting,
  replacing,
  type Visiting,
  visitExpression,
  visitInside,
  visitName,
} from "./cell-names.ts";
import { assignVariables, isSharedList, requireModule, sharedSymbols } from "./shared-names.ts";

/**
 * Makes the module that TypeScript emits one that can stand in a function: names of earlier cells, and the variables and
 * imports of its own top level, become properties of `exports` (so that all cells read and write the same); imports come
 * first, and the last expression is kept.
 */
export function rewriteCell(rewriting: Rewriting): ts.TransformerFactory<ts.SourceFile> {
  const { compiler, checker, facts } = rewriting;
  return (context) => (file) => {
    const own = sharedSymbols(compiler, checker, compiler.getParseTreeNode(file) as ts.SourceFile);
    const visiting = createVisiting(rewriting, own, context);
    const imports = file.statements.filter(compiler.isImportDeclaration);
    facts.imports = imports.flatMap(({ moduleSpecifier }) =>
      compiler.isStringLiteral(moduleSpecifier) ? [moduleSpecifier.text] : [],
    );
    const others = file.statements.filter(
      (one) => !compiler.isImportDeclaration(one) && !compiler.isExportDeclaration(one),
    );
    const declared = new Set(exportedNames(compiler, file.statements));
    const visited = others.flatMap((statement, index) => [
      ...visitStatement(statement, visiting),
      ...shareDeclared(statement, others[index + 1], { ...visiting, declared }),
    ]);
    const body = [
      ...declareFirst(others, { ...visiting, declared }),
      ...imports.flatMap((one) => requireModule(one, visiting)),
      ...keepLastExpression(visited, declared, rewriting),
    ];
    const updated = context.factory.updateSourceFile(file, body);
    compiler.addEmitHelpers(updated, context.readEmitHelpers());
    return updated;
  };
}

// ── names of cells ──────────────────────────────────────────────────────────────────────────────

function createVisiting(
  rewriting: Rewriting,
  own: ReadonlySet<ts.Symbol>,
  context: ts.TransformationContext,
): Visiting {
  const visiting: Visiting = {
    ...rewriting,
    own,
    context,
    visit: (node) => visitNode(node, visiting),
  };
  return visiting;
}

function visitStatement(statement: ts.Statement, { visit }: Visiting): readonly ts.Statement[] {
  const made = visit(statement);
  return (Array.isArray(made) ? made : made === undefined ? [] : [made]) as ts.Statement[];
}

function visitNode(node: ts.Node, visiting: Visiting): ts.VisitResult<ts.Node | undefined> {
  const { compiler } = visiting;
  const { factory } = visiting.context;
  if (compiler.isIdentifier(node))
    return isShared(visiting, node) ? onExports(node, visiting) : node;
  if (compiler.isVariableStatement(node) && isSharedList(node.declarationList, visiting))
    return assignVariables(node, visiting);
  if (compiler.isVariableDeclarationList(node) && isSharedList(node, visiting))
    return assignVariables(node, visiting);
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

/** `{ x }` as `{ x: exports.x }`, in a pattern too: `{ x = 1 }` as `{ x: exports.x = 1 }`. */
function spelledOut(node: ts.ShorthandPropertyAssignment, visiting: Visiting): ts.Node {
  const { compiler, checker } = visiting;
  const symbol = checker.getShorthandAssignmentValueSymbol(original(compiler, node));
  if (!isSharedSymbol(symbol, visiting)) return visitInside(node, visiting);
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

/** Statements whose identifiers are labels, or belong to the module itself. */
function hasNoNames(compiler: typeof ts, node: ts.Node): boolean {
  return (
    compiler.isImportDeclaration(node) ||
    compiler.isExportDeclaration(node) ||
    compiler.isBreakStatement(node) ||
    compiler.isContinueStatement(node)
  );
}

// ── what the cell gives out ─────────────────────────────────────────────────────────────────────

interface Sharing extends Visiting {
  /** The names that the module exports. */
  readonly declared: ReadonlySet<string>;
}

/** Shares all names at the very beginning: the functions, and `undefined` for all else. */
function declareFirst(statements: readonly ts.Statement[], sharing: Sharing): ts.Statement[] {
  const { compiler, context, declared } = sharing;
  const { factory } = context;
  const functions = statements
    .filter(compiler.isFunctionDeclaration)
    .flatMap(({ name }) => (name !== undefined && declared.has(name.text) ? [name.text] : []));
  const others = [...declared].filter((name) => !functions.includes(name));
  const nothing = others.reduce<ts.Expression>(
    (value, name) => factory.createAssignment(propertyOf(factory, name), value),
    factory.createVoidZero(),
  );
  return [
    ...functions.map((name) => share(factory, name)),
    ...(others.length === 0 ? [] : [factory.createExpressionStatement(nothing)]),
  ];
}

/** Classes, enums and namespaces are there once their last statement has run. */
function shareDeclared(
  statement: ts.Statement,
  next: ts.Statement | undefined,
  { compiler, context, declared }: Sharing,
): readonly ts.Statement[] {
  const declaration = original(compiler, statement);
  const isNamed =
    compiler.isClassDeclaration(declaration) ||
    compiler.isEnumDeclaration(declaration) ||
    compiler.isModuleDeclaration(declaration);
  const name = isNamed ? declaration.name?.text : undefined;
  if (name === undefined || !declared.has(name)) return [];
  const isLast = next === undefined || original(compiler, next) !== declaration;
  return isLast ? [share(context.factory, name)] : [];
}

function share(factory: ts.NodeFactory, name: string): ts.Statement {
  const value = factory.createIdentifier(name);
  return factory.createExpressionStatement(
    factory.createAssignment(propertyOf(factory, name), value),
  );
}

function keepLastExpression(
  statements: readonly ts.Statement[],
  taken: ReadonlySet<string>,
  { compiler, facts }: Rewriting,
): readonly ts.Statement[] {
  const index = statements.findLastIndex((one) => !compiler.isEmptyStatement(one));
  const last = statements[index];
  if (last === undefined || !compiler.isExpressionStatement(last)) return statements;
  // An `enum`, a `namespace` or a variable is emitted as an expression, but isn't one.
  const { pos } = original(compiler, last);
  if (pos < 0 || !compiler.isExpressionStatement(original(compiler, last))) return statements;
  const { factory } = compiler;
  let name = "tsLastExpr";
  while (taken.has(name)) name = `${name}_`;
  const kept = factory.createExpressionStatement(
    factory.createAssignment(propertyOf(factory, name), last.expression),
  );
  facts.lastExpression = name;
  return statements.with(index, compiler.setTextRange(kept, last));
}

function exportedNames(compiler: typeof ts, statements: readonly ts.Statement[]): string[] {
  return statements.flatMap((statement) => {
    if (!compiler.isExportDeclaration(statement)) return [];
    const clause = statement.exportClause;
    if (clause === undefined || !compiler.isNamedExports(clause)) return [];
    return clause.elements.map((element) => element.name.text);
  });
}
