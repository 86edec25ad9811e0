/** Finds the names of a cell that hold rows of `sql` whose columns nobody has typed. */
import type ts from "typescript-6";
import type { Compiler } from "../compiler/compiler-internals.ts";

/** Only constants: what a `let` holds may be replaced by rows with other columns. */
export function untypedRows(
  compiler: Compiler,
  checker: ts.TypeChecker,
  cell: ts.SourceFile,
): readonly string[] {
  return cell.statements
    .filter(compiler.isVariableStatement)
    .filter(({ declarationList }) => (declarationList.flags & compiler.NodeFlags.Const) !== 0)
    .flatMap(({ declarationList }) => [...declarationList.declarations])
    .filter((declaration) => !hasWrittenType(compiler, declaration))
    .flatMap(({ name }) => boundIdentifiers(compiler, name))
    .filter((name) => isRowsOfRow(checker.getTypeAtLocation(name), checker))
    .map(({ text }) => text);
}

/** Returns whether rows have a written type: an annotation, ``sql<Row>`…` `` or `… as Rows`. */
function hasWrittenType(compiler: Compiler, node: ts.Node): boolean {
  const isType = (child: ts.Node): boolean =>
    compiler.isTypeNode(child) || hasWrittenType(compiler, child);
  return compiler.forEachChild(node, isType) ?? false;
}

function boundIdentifiers(compiler: Compiler, name: ts.BindingName): readonly ts.Identifier[] {
  if (compiler.isIdentifier(name)) return [name];
  return name.elements.flatMap((element) =>
    compiler.isBindingElement(element) ? boundIdentifiers(compiler, element.name) : [],
  );
}

/** `Rows<Row>`, the type that `sql` gives where nobody says more. */
function isRowsOfRow(type: ts.Type, checker: ts.TypeChecker): boolean {
  if (type.symbol?.name !== "Rows") return false;
  const [row] = checker.getTypeArguments(type as ts.TypeReference);
  return row?.aliasSymbol?.name === "Row";
}
