/** Writes types of a cell as TypeScript that stands in a declaration file. */
import type { LiteralType, Type, UnionType } from "typescript/unstable/sync";
import type ts from "typescript-6";
import type { ParsedFile } from "../compiler/compiler-internals.ts";
import { EARLIER, type ReadCell } from "./native-compiler.ts";

export interface WrittenTypes {
  /** Returns the type of a name; undefined if nobody can write it down. */
  of(name: ts.Node): string | undefined;
  /** Returns the text behind the name of a constant's declaration: `: 1 | 2`, or `= 1` where its type widens. */
  constant(name: ts.Node): string | undefined;
  /** Returns the call signature of a function, in parts. */
  signature(name: ts.Node): SignatureTexts | undefined;
  /** Returns the type as it is shown to people. */
  shown(name: ts.Node): string | undefined;
}

export interface SignatureTexts {
  /** Includes the angle brackets; empty without parameters. */
  readonly typeParameters: string;
  readonly parameters: readonly string[];
  readonly result: string;
}

/** A cell, and what writes its types. */
export interface CellToDeclare {
  readonly compiler: typeof ts;
  readonly file: ts.SourceFile;
  readonly types: WrittenTypes;
}

export function writtenTypes(
  compiler: typeof ts,
  cell: ts.SourceFile,
  { checker, name: path, file }: ReadCell,
): WrittenTypes {
  const types = new Map<number, Type | undefined>();
  const typeOf = (name: ts.Node): Type | undefined => {
    const offset = name.getStart(cell);
    if (!types.has(offset)) types.set(offset, checker.getTypeAtPosition(path, offset));
    return types.get(offset);
  };
  const write = (type: Type, flags: number): string | undefined => {
    if ((type.flags & UNIQUE_SYMBOL) !== 0) return "unique symbol";
    const text = checker.typeToString(type, file(), flags).replaceAll(OF_EARLIER, "");
    return typeNode(compiler, text) && text;
  };
  const texts: WrittenTypes = {
    of: (name) => {
      const type = typeOf(name);
      const text = type && write(type, WRITTEN);
      // A function is called as the constant that holds it.
      return type && text === `typeof ${name.getText(cell)}` ? write(type, WHOLE) : text;
    },
    constant: (name) => {
      const type = typeOf(name);
      const text = (type && widenedUnion(type, (one) => write(one, WRITTEN))) ?? texts.of(name);
      return text && (type !== undefined && isFresh(type) ? ` = ${text}` : `: ${text}`);
    },
    signature: (name) => {
      const type = typeOf(name);
      const text = type && write(type, WHOLE);
      const found = text === undefined ? undefined : typeNode(compiler, text);
      if (found === undefined || !compiler.isFunctionTypeNode(found.node)) return undefined;
      const { file: parsed, node } = found;
      const [first] = node.typeParameters ?? [];
      const behind = node.typeParameters?.end ?? 0;
      return {
        typeParameters: first === undefined ? "" : `<${parsed.text.slice(first.pos, behind)}>`,
        parameters: node.parameters.map((one) => one.getText(parsed)),
        result: node.type.getText(parsed),
      };
    },
    shown: (name) => {
      const type = typeOf(name);
      return type && checker.typeToString(type);
    },
  };
  return texts;
}

/** `number | string` of `const a = test ? 1 : "x"`; undefined where nothing widens. */
function widenedUnion(type: Type, write: (type: Type) => string | undefined): string | undefined {
  if ((type.flags & UNION) === 0 || (type.flags & BOOLEAN) !== 0) return undefined;
  const parts = (type as UnionType).getTypes() ?? [];
  if (!parts.some(isFresh)) return undefined;
  const texts = parts.map((one) => (isFresh(one) ? typeof (one as LiteralType).value : write(one)));
  return texts.includes(undefined) ? undefined : [...new Set(texts)].toSorted().join(" | ");
}

/** Reads a text as a type; undefined if it is none, as that of an anonymous class. */
function typeNode(compiler: typeof ts, text: string) {
  const file = compiler.createSourceFile(
    "type.d.ts",
    `type _ = ${text};`,
    compiler.ScriptTarget.Latest,
  );
  const [statement, ...others] = file.statements;
  if ((file as ParsedFile).parseDiagnostics.length > 0 || others.length > 0) return undefined;
  if (statement === undefined || !compiler.isTypeAliasDeclaration(statement)) return undefined;
  return { file, node: statement.type };
}

/** `1` of `const a = 1`, which is a `number` where it is given to a variable. */
function isFresh(type: Type): boolean {
  return (type.flags & LITERAL) !== 0 && (type as LiteralType).getFreshType()?.id === type.id;
}

/** Names of earlier cells stand beside it in the end. */
const OF_EARLIER = `import("${EARLIER}").`;

// `TypeFlags` and `NodeBuilderFlags` of the compiler, which are enums there.
const LITERAL = 15_360;
const UNIQUE_SYMBOL = 16_384;
const BOOLEAN = 256;
const UNION = 134_217_728;
/** As in the compiler's own declarations: nothing cut off, no name of a type twice, classes as literals. */
const WHOLE = 1 | (1 << 2) | (1 << 3) | (1 << 11) | (1 << 19);
/** And functions that have a name by it. */
const WRITTEN = WHOLE | (1 << 12);
