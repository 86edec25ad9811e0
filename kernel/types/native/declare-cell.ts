/** Writes the declarations of a cell: its own text without what runs, and the types that nobody has written. */
import type ts from "typescript-6";
import { boundIdentifiers, hoistedIdentifiers } from "../cells/cell-text.ts";
import { declareClass } from "./declare-class.ts";
import type { CellToDeclare } from "./type-texts.ts";

/** Returns the text of a declaration file; undefined where a declaration needs more than the types of its names. */
export function declareCell(cell: CellToDeclare): string | undefined {
  const { compiler, file } = cell;
  const overloaded = new Set<string>();
  const all: string[] = [];
  for (const statement of file.statements) {
    if (compiler.isFunctionDeclaration(statement)) {
      const name = statement.name?.text ?? "";
      if (statement.body === undefined) overloaded.add(name);
      else if (overloaded.has(name)) continue;
    }
    const declared = declareStatement(statement, cell);
    if (declared === undefined) return undefined;
    if (declared !== "") all.push(`${commentsBefore(statement, file)}${declared}`);
  }
  return all.join("\n");
}

function declareStatement(statement: ts.Statement, cell: CellToDeclare): string | undefined {
  const { compiler, file } = cell;
  const text = statement.getText(file);
  if (compiler.isImportDeclaration(statement)) return text;
  if (compiler.isInterfaceDeclaration(statement) || compiler.isTypeAliasDeclaration(statement))
    return text;
  if (compiler.isVariableStatement(statement)) return declareVariables(statement, cell);
  if (compiler.isFunctionDeclaration(statement)) return declareFunction(statement, cell);
  if (compiler.isClassDeclaration(statement)) return declareClass(statement, cell);
  if (compiler.isEnumDeclaration(statement)) return declareEnum(statement, cell);
  if (compiler.isModuleDeclaration(statement))
    return isDeclared(compiler, statement) ? text : undefined;
  if (compiler.isImportEqualsDeclaration(statement)) return undefined;
  if (setsProperty(compiler, statement)) return undefined;
  const hoisted = hoistedIdentifiers(compiler, statement);
  return written(hoisted.map((name) => declareName("let", name, cell)));
}

function isDeclared(compiler: typeof ts, node: ts.HasModifiers): boolean {
  const { DeclareKeyword } = compiler.SyntaxKind;
  return compiler.getModifiers(node)?.some(({ kind }) => kind === DeclareKeyword) ?? false;
}

/** The doc comments before a statement, which say what its names are. */
function commentsBefore(statement: ts.Statement, file: ts.SourceFile): string {
  const before = file.text.slice(statement.pos, statement.getStart(file));
  return [...before.matchAll(/\/\*\*[\s\S]*?\*\//g)].map(([comment]) => `${comment}\n`).join("");
}

function written(parts: readonly (string | undefined)[]): string | undefined {
  return parts.includes(undefined) ? undefined : parts.join(" ");
}

// ── variables ───────────────────────────────────────────────────────────────────────────────────

function declareVariables(
  { declarationList }: ts.VariableStatement,
  cell: CellToDeclare,
): string | undefined {
  const { compiler, file } = cell;
  const isConstant = (declarationList.flags & compiler.NodeFlags.Const) !== 0;
  const word = isConstant ? "const" : "let";
  return written(
    declarationList.declarations.flatMap(({ name, type, initializer }) => {
      if (compiler.isIdentifier(name) && type !== undefined)
        return `declare ${word} ${name.text}: ${type.getText(file)};`;
      if (hasComments(initializer, file)) return undefined;
      return boundIdentifiers(compiler, name).map((bound) => declareName(word, bound, cell));
    }),
  );
}

function declareName(
  word: "const" | "let",
  name: ts.Identifier,
  { types }: CellToDeclare,
): string | undefined {
  if (word === "const") {
    const type = types.constant(name);
    return type && `declare const ${name.text}${type};`;
  }
  const type = types.of(name);
  return type && `declare let ${name.text}: ${type};`;
}

/** Doc comments of members belong to the type, and TypeScript 7 does not write them. */
function hasComments(node: ts.Node | undefined, file: ts.SourceFile): boolean {
  return node?.getText(file).includes("/**") ?? false;
}

// ── functions and enums ─────────────────────────────────────────────────────────────────────────

/** Its own head, where all of its types are written. */
function declareFunction(node: ts.FunctionDeclaration, cell: CellToDeclare): string | undefined {
  const { file, types } = cell;
  const { name, body, type, parameters } = node;
  if (name === undefined) return undefined;
  const isTyped =
    type !== undefined && parameters.every(({ initializer }) => initializer === undefined);
  if (isTyped)
    return `declare function ${file.text.slice(name.getStart(file), body?.pos ?? node.end).replace(/;$/, "")};`;
  if (hasComments(body, file)) return undefined;
  const signature = types.signature(name);
  if (signature === undefined) return undefined;
  const { typeParameters, parameters: written, result } = signature;
  return `declare function ${name.text}${typeParameters}(${written.join(", ")}): ${result};`;
}

/** `f.x = 1` adds to the type of a function. */
function setsProperty(compiler: typeof ts, statement: ts.Statement): boolean {
  if (!compiler.isExpressionStatement(statement)) return false;
  const { expression } = statement;
  return (
    compiler.isBinaryExpression(expression) &&
    expression.operatorToken.kind === compiler.SyntaxKind.EqualsToken &&
    compiler.isPropertyAccessExpression(expression.left) &&
    compiler.isIdentifier(expression.left.expression)
  );
}

/** Writes every value of an enum: a declared enum has no value for a member that says none. */
function declareEnum(
  node: ts.EnumDeclaration,
  { compiler, file }: CellToDeclare,
): string | undefined {
  const members: string[] = [];
  let next = 0;
  for (const { initializer, ...member } of node.members.map(nameWithComments)) {
    const value = initializer === undefined ? next : literalValue(compiler, initializer);
    if (value === undefined) return undefined;
    if (typeof value === "number") next = value + 1;
    members.push(`${member.text} = ${JSON.stringify(value)}`);
  }
  const { ConstKeyword } = compiler.SyntaxKind;
  const isConstant = node.modifiers?.some(({ kind }) => kind === ConstKeyword) ?? false;
  const word = isConstant ? "const enum" : "enum";
  return `declare ${word} ${node.name.text} {${members.join(",")} }`;

  function nameWithComments({ initializer, name, pos }: ts.EnumMember) {
    return { initializer, text: file.text.slice(pos, name.end) };
  }
}

function literalValue(compiler: typeof ts, node: ts.Expression): number | string | undefined {
  if (compiler.isNumericLiteral(node)) return Number(node.text);
  if (compiler.isStringLiteralLike(node)) return node.text;
  if (!compiler.isPrefixUnaryExpression(node)) return undefined;
  const value = literalValue(compiler, node.operand);
  const isMinus = node.operator === compiler.SyntaxKind.MinusToken;
  return isMinus && typeof value === "number" ? -value : undefined;
}
