/** Declares what the visits of a cell's nodes share: which names are properties of `exports`, and what stands for them. */
import type ts from "typescript-6";

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

/** The context that the visits of a cell's nodes share. */
export interface Visiting extends Rewriting {
  readonly context: ts.TransformationContext;
  /** Its own names that are properties of `exports`. */
  readonly own: ReadonlySet<ts.Symbol>;
  readonly visit: (node: ts.Node) => ts.VisitResult<ts.Node | undefined>;
}

export function visitInside<N extends ts.Node>(node: N, { compiler, context, visit }: Visiting): N {
  return compiler.visitEachChild(node, visit, context);
}

export function visitExpression(node: ts.Expression, { compiler, visit }: Visiting): ts.Expression {
  return compiler.visitNode(node, visit, compiler.isExpression) ?? node;
}

/** The name of a property is none of a cell, unless it is computed. */
export function visitName<N extends ts.PropertyName>(name: N, visiting: Visiting): N {
  return visiting.compiler.isComputedPropertyName(name) ? visitInside(name, visiting) : name;
}

export function replacing<N extends ts.Node>(old: ts.Node, made: N, { compiler }: Visiting): N {
  return compiler.setTextRange(compiler.setOriginalNode(made, old), old);
}

export function onExports(name: ts.Identifier, visiting: Visiting): ts.Expression {
  const { factory } = visiting.context;
  const exports = factory.createIdentifier("exports");
  return replacing(name, factory.createPropertyAccessExpression(exports, name.text), visiting);
}

export function isShared(visiting: Visiting, name: ts.Identifier): boolean {
  return isSharedSymbol(visiting.checker.getSymbolAtLocation(name), visiting);
}

export function isSharedSymbol(symbol: ts.Symbol | undefined, { earlier, own }: Visiting): boolean {
  if (symbol === undefined) return false;
  return own.has(symbol) || isDeclaredIn(symbol, earlier);
}

function isDeclaredIn({ declarations = [] }: ts.Symbol, file: ts.SourceFile): boolean {
  return declarations.some((one) => one.getSourceFile() === file);
}

export function original<N extends ts.Node>(compiler: typeof ts, node: N): N {
  return compiler.getOriginalNode(node) as N;
}

export function propertyOf(factory: ts.NodeFactory, name: string): ts.PropertyAccessExpression {
  return factory.createPropertyAccessExpression(factory.createIdentifier("exports"), name);
}
