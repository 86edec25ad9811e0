/** Says whether a cell awaits at its top level. */

import type ts from "typescript-6";
import type { Compiler } from "../compiler/compiler-internals.ts";

/** Returns whether the function around the cell has to be asynchronous. */
export function hasTopLevelAwait(compiler: Compiler, file: ts.SourceFile): boolean {
  const search = (node: ts.Node): boolean => {
    if (compiler.isFunctionLike(node)) return false;
    if (compiler.isAwaitExpression(node)) return true;
    if (compiler.isForOfStatement(node) && node.awaitModifier !== undefined) return true;
    if (compiler.isVariableDeclarationList(node) && isAwaitUsing(compiler, node)) return true;
    return compiler.forEachChild(node, search) ?? false;
  };
  return search(file);
}

function isAwaitUsing(compiler: Compiler, list: ts.VariableDeclarationList): boolean {
  return (list.flags & compiler.NodeFlags.AwaitUsing) === compiler.NodeFlags.AwaitUsing;
}
