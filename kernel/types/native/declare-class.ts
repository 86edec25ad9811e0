/** Writes the declaration of a class: its text with the types that nobody has written, without what runs. */
import type ts from "typescript-6";
import type { CellToDeclare } from "./type-texts.ts";

interface InsertedType {
  readonly at: number;
  readonly text: string;
}

/** Returns undefined where a type can't be written, or the class depends on more than its text. */
export function declareClass(node: ts.ClassDeclaration, cell: CellToDeclare): string | undefined {
  const { compiler, file } = cell;
  const insertions = node.members.flatMap((member) => typesOf(member, cell) ?? [NONE]);
  if (insertions.includes(NONE)) return undefined;
  const begin = node.getStart(file);
  const text = insertions
    .toSorted((one, other) => other.at - one.at)
    .reduce(
      (whole, { at, text }) => `${whole.slice(0, at - begin)}${text}${whole.slice(at - begin)}`,
      file.text.slice(begin, node.end),
    );
  const { outputText, diagnostics = [] } = compiler.transpileDeclaration(text, {
    fileName: "class.ts",
    reportDiagnostics: true,
    compilerOptions: { isolatedDeclarations: true, strict: true },
  });
  return diagnostics.length === 0 ? outputText.trim() : undefined;
}

const NONE: InsertedType = { at: -1, text: "" };

/** The types to insert into a member; undefined if they can't be told. */
function typesOf(
  member: ts.ClassElement,
  { compiler, file, types }: CellToDeclare,
): readonly InsertedType[] | undefined {
  const { name } = member;
  if (compiler.isConstructorDeclaration(member)) return isPlain(member) ? [] : undefined;
  if (name === undefined || compiler.isPrivateIdentifier(name) || isPrivate(compiler, member))
    return [];
  if (compiler.isPropertyDeclaration(member)) {
    if (member.type !== undefined || isReadonlyLiteral(compiler, member)) return [];
    return insertion(
      member.exclamationToken?.end ?? member.questionToken?.end ?? name.end,
      types.of(name),
    );
  }
  if (compiler.isGetAccessorDeclaration(member)) {
    if (member.type !== undefined) return [];
    return insertion(behindParameters(member, file), types.of(name));
  }
  if (compiler.isMethodDeclaration(member)) {
    if (!isPlain(member)) return undefined;
    if (member.type !== undefined) return [];
    const signature = types.signature(name);
    return insertion(behindParameters(member, file), signature?.result);
  }
  return [];
}

function insertion(at: number, type: string | undefined): readonly InsertedType[] | undefined {
  return type === undefined ? undefined : [{ at, text: `: ${type}` }];
}

/** Without defaults, whose types would have to be written too. */
function isPlain({ parameters }: ts.ConstructorDeclaration | ts.MethodDeclaration): boolean {
  return parameters.every(
    ({ initializer, type }) => initializer === undefined || type !== undefined,
  );
}

function isPrivate(compiler: typeof ts, member: ts.ClassElement): boolean {
  return (compiler.getCombinedModifierFlags(member) & compiler.ModifierFlags.Private) !== 0;
}

function isReadonlyLiteral(compiler: typeof ts, member: ts.PropertyDeclaration): boolean {
  const isReadonly =
    (compiler.getCombinedModifierFlags(member) & compiler.ModifierFlags.Readonly) !== 0;
  const { initializer } = member;
  return isReadonly && initializer !== undefined && compiler.isLiteralExpression(initializer);
}

/** The place behind the parenthesis that closes the parameters. */
function behindParameters(
  member: ts.GetAccessorDeclaration | ts.MethodDeclaration,
  file: ts.SourceFile,
): number {
  const end = member.body?.pos ?? member.end;
  return file.text.lastIndexOf(")", end - 1) + 1;
}
