/** Splits a cell into statements with the names that each declares and uses. */
import type ts from "typescript-6";
import type { CellPart } from "../service.ts";
import { topNames } from "./cell-text.ts";

/**
 * Returns the names that each statement of a cell declares and contains, from which dependencies
 * follow.
 */
export function cellParts(compiler: typeof ts, code: string): readonly CellPart[] {
  const file = compiler.createSourceFile("cell.ts", code, compiler.ScriptTarget.Latest);
  return file.statements.map((statement) => ({
    declares: topNames(compiler, statement),
    uses: compiler.isImportDeclaration(statement) ? [] : [...namesStanding(compiler, statement)],
  }));
}

/** Returns the names that stand in a statement or file, without those of members. */
export function namesStanding(
  compiler: typeof ts,
  whole: ts.Statement | ts.SourceFile,
): ReadonlySet<string> {
  const names = new Set<string>();
  const look = (node: ts.Node): void => {
    if (compiler.isIdentifier(node)) names.add(node.text);
    // The member of something is none of a cell's names.
    else if (compiler.isPropertyAccessExpression(node)) look(node.expression);
    else compiler.forEachChild(node, look);
  };
  look(whole);
  return names;
}
