/** Makes the variables and imports of a cell properties of `exports`. */
import type ts from "typescript-6";
import { onExports, propertyOf, type Visiting, visitExpression, visitName } from "./cell-names.ts";
import { boundIdentifiers, hoistedIdentifiers, importedIdentifiers } from "./cell-text.ts";

/** The variables and imports of the top level, of a cell as it was written. What `using` declares is gone when it has run. */
export function sharedSymbols(
  compiler: typeof ts,
  checker: ts.TypeChecker,
  cell: ts.SourceFile,
): ReadonlySet<ts.Symbol> {
  const names = cell.statements.flatMap((statement): readonly ts.Identifier[] => {
    if (compiler.isImportDeclaration(statement)) return importedIdentifiers(compiler, statement);
    if (!compiler.isVariableStatement(statement)) return hoistedIdentifiers(compiler, statement);
    const { declarations, flags } = statement.declarationList;
    if ((flags & compiler.NodeFlags.Using) === compiler.NodeFlags.Using) return [];
    return declarations.flatMap(({ name }) => boundIdentifiers(compiler, name));
  });
  return new Set(names.flatMap((name) => checker.getSymbolAtLocation(name) ?? []));
}

/** Returns whether the names of a list of variables are properties of `exports`. */
export function isSharedList(
  { declarations }: ts.VariableDeclarationList,
  { compiler, checker, own }: Visiting,
): boolean {
  const names = declarations.flatMap(({ name }) => boundIdentifiers(compiler, name));
  return names.some((name) => {
    const symbol = checker.getSymbolAtLocation(name);
    return symbol !== undefined && own.has(symbol);
  });
}

// ── variables ───────────────────────────────────────────────────────────────────────────────────

/** `let x = 1` as `exports.x = 1`; in the head of a loop, without being a statement. */
export function assignVariables(
  node: ts.VariableStatement | ts.VariableDeclarationList,
  visiting: Visiting,
): ts.VisitResult<ts.Node | undefined> {
  const { compiler, context } = visiting;
  const { factory } = context;
  if (compiler.isVariableStatement(node)) {
    const { declarations, flags } = node.declarationList;
    const isVar = (flags & compiler.NodeFlags.BlockScoped) === 0;
    return declarations.flatMap((declaration) =>
      declaration.initializer === undefined && isVar
        ? []
        : assignVariable(declaration, node, visiting),
    );
  }
  const isHeadOfEach =
    compiler.isForInStatement(node.parent) || compiler.isForOfStatement(node.parent);
  const [only] = node.declarations;
  if (isHeadOfEach && only !== undefined) return target(only.name, visiting);
  const values = node.declarations
    .filter(({ initializer }) => initializer !== undefined)
    .map((declaration) => assignment(declaration, visiting));
  return values.length === 0 ? undefined : factory.createCommaListExpression(values);
}

function assignVariable(
  declaration: ts.VariableDeclaration,
  statement: ts.VariableStatement,
  visiting: Visiting,
): readonly ts.Statement[] {
  const { compiler, context } = visiting;
  const { factory } = context;
  const made = (one: ts.Statement) =>
    compiler.setTextRange(compiler.setOriginalNode(one, statement), declaration);
  const { name, initializer } = declaration;
  if (
    !compiler.isIdentifier(name) ||
    initializer === undefined ||
    !isNamedByIt(compiler, initializer)
  )
    return [made(factory.createExpressionStatement(assignment(declaration, visiting)))];
  // A function takes its name from the variable.
  const named = factory.createVariableDeclaration(
    name,
    undefined,
    undefined,
    visitExpression(initializer, visiting),
  );
  const list = factory.createVariableDeclarationList([named], compiler.NodeFlags.Const);
  const shared = factory.createAssignment(
    onExports(name, visiting),
    factory.createIdentifier(name.text),
  );
  return [
    made(factory.createVariableStatement(undefined, list)),
    made(factory.createExpressionStatement(shared)),
  ];
}

function isNamedByIt(compiler: typeof ts, value: ts.Expression): boolean {
  if (compiler.isParenthesizedExpression(value)) return isNamedByIt(compiler, value.expression);
  if (compiler.isArrowFunction(value)) return true;
  const isDefinition = compiler.isFunctionExpression(value) || compiler.isClassExpression(value);
  return isDefinition && value.name === undefined;
}

function assignment(
  { name, initializer }: ts.VariableDeclaration,
  visiting: Visiting,
): ts.Expression {
  const { factory } = visiting.context;
  const value =
    initializer === undefined ? factory.createVoidZero() : visitExpression(initializer, visiting);
  return factory.createAssignment(target(name, visiting), value);
}

/** Makes what is assigned to: of `{ a, ...b }` it is `{ a: exports.a, ...exports.b }`. */
function target(name: ts.BindingName, visiting: Visiting): ts.Expression {
  const { compiler, context } = visiting;
  const { factory } = context;
  if (compiler.isIdentifier(name)) return onExports(name, visiting);
  if (compiler.isArrayBindingPattern(name))
    return factory.createArrayLiteralExpression(
      name.elements.map((element) => {
        if (!compiler.isBindingElement(element)) return factory.createOmittedExpression();
        if (element.dotDotDotToken === undefined) return withDefault(element, visiting);
        return factory.createSpreadElement(target(element.name, visiting));
      }),
    );
  return factory.createObjectLiteralExpression(
    name.elements.map((element) => {
      if (element.dotDotDotToken !== undefined)
        return factory.createSpreadAssignment(target(element.name, visiting));
      const key = element.propertyName ?? (element.name as ts.Identifier);
      const property = compiler.isIdentifier(key) ? key.text : visitName(key, visiting);
      return factory.createPropertyAssignment(property, withDefault(element, visiting));
    }),
  );
}

function withDefault({ name, initializer }: ts.BindingElement, visiting: Visiting): ts.Expression {
  const bound = target(name, visiting);
  if (initializer === undefined) return bound;
  return visiting.context.factory.createAssignment(bound, visitExpression(initializer, visiting));
}

// ── imports ─────────────────────────────────────────────────────────────────────────────────────

/** `import { z } from "zod"` as `const zod_1 = require("zod"); exports.z = zod_1.z`. */
export function requireModule(
  statement: ts.ImportDeclaration,
  { compiler, context }: Visiting,
): readonly ts.Statement[] {
  const { factory } = context;
  const required = factory.createCallExpression(factory.createIdentifier("require"), undefined, [
    statement.moduleSpecifier,
  ]);
  const { importClause: clause } = statement;
  if (clause === undefined)
    return [compiler.setTextRange(factory.createExpressionStatement(required), statement)];
  const module = factory.getGeneratedNameForNode(statement);
  const declared = factory.createVariableDeclaration(module, undefined, undefined, required);
  const list = factory.createVariableDeclarationList([declared], compiler.NodeFlags.Const);
  const share = (name: ts.Identifier, value: ts.Expression) =>
    factory.createExpressionStatement(
      factory.createAssignment(propertyOf(factory, name.text), value),
    );
  const byDefault = () => defaultOf(factory, module);
  const bindings = clause.namedBindings;
  const isAll = bindings !== undefined && compiler.isNamespaceImport(bindings);
  const elements = bindings === undefined || isAll ? [] : bindings.elements;
  return [
    compiler.setTextRange(factory.createVariableStatement(undefined, list), statement),
    ...(clause.name === undefined ? [] : [share(clause.name, byDefault())]),
    ...(isAll ? [share(bindings.name, namespaceOf(context, module))] : []),
    ...elements.map(({ name, propertyName = name }) => {
      if (propertyName.text === "default") return share(name, byDefault());
      const value = compiler.isStringLiteral(propertyName)
        ? factory.createElementAccessExpression(module, propertyName)
        : factory.createPropertyAccessExpression(module, propertyName.text);
      return share(name, value);
    }),
  ];
}

/** A module of CommonJS is its own default. */
function defaultOf(factory: ts.NodeFactory, module: ts.Identifier): ts.Expression {
  const isModule = factory.createPropertyAccessExpression(module, "__esModule");
  return factory.createConditionalExpression(
    factory.createLogicalAnd(module, isModule),
    undefined,
    factory.createPropertyAccessExpression(module, "default"),
    undefined,
    module,
  );
}

function namespaceOf(context: ts.TransformationContext, module: ts.Identifier): ts.Expression {
  const helpers = (context as HelpingContext).getEmitHelperFactory();
  return helpers.createImportStarHelper(module);
}

/** The context as the compiler's own transformers use it. */
interface HelpingContext extends ts.TransformationContext {
  getEmitHelperFactory(): { createImportStarHelper(module: ts.Expression): ts.Expression };
}
