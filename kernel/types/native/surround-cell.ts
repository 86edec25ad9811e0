/** Puts the names of earlier cells around a cell, as imports behind its text. */
import type ts from "typescript-6";
import { topNames } from "../cells/cell-text.ts";
import type { CellDeclaration } from "../cells/declarations.ts";
import type { TextDiagnostic } from "../compiler/errors-of.ts";
import { EARLIER } from "./native-compiler.ts";

export interface SurroundedCell {
  /** The text that makes the names of earlier cells known. */
  readonly around: string;
  /** Begins with the text of the cell, so places in it stay what they are. */
  readonly text: string;
  /** Returns the errors in the cell's own text, as they would be told if the names stood around it. */
  readonly ownErrors: (errors: readonly TextDiagnostic[]) => readonly TextDiagnostic[];
}

/**
 * A name that the cell declares itself is not imported. One that it assigns to is declared once more, since an import
 * can't be assigned to.
 */
export function surroundCell(
  compiler: typeof ts,
  file: ts.SourceFile,
  earlier: readonly CellDeclaration[],
): SurroundedCell {
  const own = file.statements.flatMap((statement) => meanings(compiler, statement));
  const isHidden = (one: CellDeclaration) =>
    own.some(
      ({ name, isValue, isType }) =>
        name === one.name && ((isValue && one.isValue) || (isType && one.isType)),
    );
  const around = earlier.filter((one) => !isHidden(one));
  const assigned = assignedNames(compiler, file);
  const isVariable = ({ name, kind }: CellDeclaration) =>
    assigned.has(name) && (kind === "const" || kind === "let");
  const again = around
    .filter(isVariable)
    .map(({ name, kind }) => `declare ${kind} ${name}: typeof import("${EARLIER}").${name};`);
  const imported = new Set(around.filter((one) => !isVariable(one)).map(({ name }) => name));
  // Also for no name: where a file imports others than before, the compiler looks for all files of the program again.
  const imports = `import { ${[...imported].join(", ")} } from "${EARLIER}";`;
  const kinds = new Map(around.map(({ name, kind }) => [name, kind]));
  // A cell is a module, which may await, also where it imports and declares nothing.
  const names = `export {};${imports}${again.join("")}`;
  return {
    around: names,
    text: `${file.text}\n${names}`,
    ownErrors: (errors) =>
      errors.filter(({ start }) => start < file.text.length).map((one) => asAround(one, kinds)),
  };
}

type DeclaredMeaning = Pick<CellDeclaration, "name" | "isValue" | "isType">;

function meanings(compiler: typeof ts, statement: ts.Statement): readonly DeclaredMeaning[] {
  const isType =
    compiler.isInterfaceDeclaration(statement) || compiler.isTypeAliasDeclaration(statement);
  const isBoth =
    compiler.isClassDeclaration(statement) ||
    compiler.isEnumDeclaration(statement) ||
    compiler.isModuleDeclaration(statement) ||
    compiler.isImportDeclaration(statement) ||
    compiler.isImportEqualsDeclaration(statement) ||
    compiler.isExportDeclaration(statement);
  return topNames(compiler, statement).map((name) => ({
    name,
    isValue: !isType,
    isType: isType || isBoth,
  }));
}

// ── what it assigns to ──────────────────────────────────────────────────────────────────────────

function assignedNames(compiler: typeof ts, file: ts.SourceFile): ReadonlySet<string> {
  const names = new Set<string>();
  const take = (target: ts.Node): void => {
    if (compiler.isIdentifier(target)) names.add(target.text);
    else if (compiler.isShorthandPropertyAssignment(target)) names.add(target.name.text);
    else if (compiler.isPropertyAssignment(target)) take(target.initializer);
    else if (compiler.isBinaryExpression(target)) take(target.left);
    else if (
      !compiler.isPropertyAccessExpression(target) &&
      !compiler.isElementAccessExpression(target)
    )
      compiler.forEachChild(target, take);
  };
  const look = (node: ts.Node): void => {
    if (compiler.isBinaryExpression(node) && isAssignment(compiler, node)) take(node.left);
    else if (compiler.isPrefixUnaryExpression(node) || compiler.isPostfixUnaryExpression(node)) {
      if (isStep(compiler, node)) take(node.operand);
    } else if (compiler.isForInStatement(node) || compiler.isForOfStatement(node)) {
      if (!compiler.isVariableDeclarationList(node.initializer)) take(node.initializer);
    }
    compiler.forEachChild(node, look);
  };
  look(file);
  return names;
}

function isAssignment(
  compiler: typeof ts,
  { operatorToken: { kind } }: ts.BinaryExpression,
): boolean {
  const { FirstAssignment, LastAssignment } = compiler.SyntaxKind;
  return kind >= FirstAssignment && kind <= LastAssignment;
}

function isStep(
  compiler: typeof ts,
  { operator }: ts.PrefixUnaryExpression | ts.PostfixUnaryExpression,
): boolean {
  const { PlusPlusToken, MinusMinusToken } = compiler.SyntaxKind;
  return operator === PlusPlusToken || operator === MinusMinusToken;
}

const ASSIGNED_IMPORT = 2632;

/** The errors of an assignment to each kind of declaration. */
const ASSIGNED: Partial<Record<CellDeclaration["kind"], { code: number; what: string }>> = {
  enum: { code: 2628, what: "an enum" },
  class: { code: 2629, what: "a class" },
  function: { code: 2630, what: "a function" },
  namespace: { code: 2631, what: "a namespace" },
};

function asAround(
  error: TextDiagnostic,
  kinds: ReadonlyMap<string, CellDeclaration["kind"]>,
): TextDiagnostic {
  if (error.code !== ASSIGNED_IMPORT) return error;
  const name = /'([^']+)'/.exec(error.message)?.[1] ?? "";
  const wording = ASSIGNED[kinds.get(name) ?? "import"];
  if (wording === undefined) return error;
  return {
    ...error,
    code: wording.code,
    message: `Cannot assign to '${name}' because it is ${wording.what}.`,
  };
}
