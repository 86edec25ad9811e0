/** Finds the names of a cell that hold rows of `sql` whose columns nobody has typed. */
import type ts from "typescript-6";
import { boundIdentifiers } from "./cell-text.ts";

/** Only constants: what a `let` holds may be replaced by rows with other columns. */
export function untypedRows(
  compiler: typeof ts,
  cell: ts.SourceFile,
  isUntyped: (name: ts.Identifier) => boolean,
): readonly string[] {
  return cell.statements
    .filter(compiler.isVariableStatement)
    .filter(({ declarationList }) => (declarationList.flags & compiler.NodeFlags.Const) !== 0)
    .flatMap(({ declarationList }) => [...declarationList.declarations])
    .filter((declaration) => !hasWrittenType(compiler, declaration))
    .flatMap(({ name }) => boundIdentifiers(compiler, name))
    .filter(isUntyped)
    .map(({ text }) => text);
}

/** Returns whether rows have a written type: an annotation, ``sql<Row>`…` `` or `… as Rows`. */
function hasWrittenType(compiler: typeof ts, node: ts.Node): boolean {
  const isType = (child: ts.Node): boolean =>
    compiler.isTypeNode(child) || hasWrittenType(compiler, child);
  return compiler.forEachChild(node, isType) ?? false;
}

/** `Rows<Row>`, the type that `sql` gives where nobody says more. */
export function isRowsOfRow(type: ts.Type, checker: ts.TypeChecker): boolean {
  if (type.symbol?.name !== "Rows") return false;
  const [row] = checker.getTypeArguments(type as ts.TypeReference);
  return row?.aliasSymbol?.name === "Row";
}
