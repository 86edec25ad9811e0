/** Explains a name of a TypeScript cell by TypeScript 7, whose API has no ready text: it is put together as TypeScript 6 shows it. */
import {
  getTouchingPropertyName,
  isCallExpression,
  isExpressionWithTypeArguments,
  isIdentifier,
  isImportDeclaration,
  isNewExpression,
  isParameterDeclaration,
  isPropertyAccessExpression,
  isTypeReferenceNode,
  isVariableDeclarationList,
  type Node,
  NodeFlags,
  SyntaxKind,
} from "typescript/unstable/ast";
import {
  type LiteralType,
  type Symbol as NativeSymbol,
  NodeBuilderFlags,
  type NodeHandle,
  type Signature,
  SignatureKind,
  SymbolFlags,
  type Type,
} from "typescript/unstable/sync";
import type { NameInfo } from "../../cells/cell-program.ts";
import type { Compilers } from "../analyze-cell.ts";
import { EARLIER, type OpenCell } from "../native-compiler.ts";
import { kindOf, openCell } from "./complete-cell.ts";
import { signatureText } from "./value-texts.ts";

/** Undefined where no name and no value stands. */
export function explainName(
  { text, offset }: { readonly text: string; readonly offset: number },
  earlier: string,
  by: Compilers,
): NameInfo | undefined {
  const { cell, before } = openCell(text, earlier, by);
  const file = cell.file();
  const node = file && getTouchingPropertyName(file, before + offset);
  if (node === undefined || !ANSWERED.has(node.kind)) return undefined;
  const { checker } = cell;
  const symbol = checker.getSymbolAtLocation(node);
  if (symbol === undefined) {
    const type = checker.getTypeAtLocation(node);
    return type && { declaration: checker.typeToString(type), documentation: "", tags: [] };
  }
  const { meant, isImported } = aliasedBy(symbol, cell, isIdentifier(node));
  const declaration = new DeclarationText(cell, { node, symbol: meant })
    .text()
    .replaceAll(OURS, "");
  return {
    declaration: isImported ? `(alias) ${declaration}\nimport ${symbol.name}` : declaration,
    documentation: checker.getDocumentationCommentOfSymbol(meant),
    tags: checker.getJsDocTagsOfSymbol(meant).map(({ name, text = "" }) => ({ name, text })),
  };
}

/** Names of earlier cells are imported only because the compiler wants it so. */
const OURS = new RegExp(`import\\("${EARLIER}"\\)\\.`, "g");

/** The other words and signs of a text mean nothing by themselves. */
const ANSWERED: ReadonlySet<SyntaxKind> = new Set([
  SyntaxKind.Identifier,
  SyntaxKind.PrivateIdentifier,
  SyntaxKind.StringLiteral,
  SyntaxKind.NoSubstitutionTemplateLiteral,
  SyntaxKind.NumericLiteral,
  SyntaxKind.ThisKeyword,
]);

/** Returns the symbol that a name stands for, and whether a cell has imported it. */
function aliasedBy(symbol: NativeSymbol, { checker }: OpenCell, isName: boolean) {
  let isImported = false;
  for (let one: NativeSymbol | undefined = symbol; one !== undefined; ) {
    if ((one.flags & SymbolFlags.Alias) === 0) break;
    isImported ||= isName && one.declarations.some((declared) => isImportOfCell(declared));
    one = checker.getImmediateAliasedSymbol(one);
  }
  if ((symbol.flags & SymbolFlags.Alias) === 0) return { meant: symbol, isImported };
  const meant = checker.getAliasedSymbol(symbol);
  return { meant: checker.isUnknownSymbol(meant) ? symbol : meant, isImported };
}

function isImportOfCell(declared: NodeHandle): boolean {
  if (!IMPORTS.has(declared.kind)) return false;
  for (let one = declared.resolve(); one !== undefined; one = one.parent)
    if (isImportDeclaration(one)) return one.moduleSpecifier.getText() !== `"${EARLIER}"`;
  return false;
}

const IMPORTS: ReadonlySet<SyntaxKind> = new Set([
  SyntaxKind.ImportSpecifier,
  SyntaxKind.ImportClause,
  SyntaxKind.NamespaceImport,
]);

/** As wide as it is; lists of members in lines of their own. */
const SHOWN =
  NodeBuilderFlags.MultilineObjectLiterals | NodeBuilderFlags.UseAliasDefinedOutsideCurrentScope;

class DeclarationText {
  readonly #cell: OpenCell;
  readonly #node: Node;
  readonly #symbol: NativeSymbol;

  constructor(cell: OpenCell, { node, symbol }: { node: Node; symbol: NativeSymbol }) {
    this.#cell = cell;
    this.#node = node;
    this.#symbol = symbol;
  }

  text(): string {
    const { name, flags } = this.#symbol;
    if (this.#cell.checker.isUndefinedSymbol(this.#symbol)) return name;
    if (this.#isOfType()) return this.#typeText();
    if (flags & SymbolFlags.EnumMember) return `(enum member) ${this.#qualified()}${this.#value()}`;
    if (flags & SymbolFlags.Class) return this.#constructed() ?? this.#typeText();
    if (flags & (SymbolFlags.Function | SymbolFlags.Method)) return this.#functionText();
    if (flags & (SymbolFlags.Property | SymbolFlags.Accessor)) {
      const mark = flags & SymbolFlags.Optional ? "?" : "";
      return `(${kindOf(flags)}) ${this.#qualified()}${mark}: ${this.#valueType()}`;
    }
    if (flags & SymbolFlags.Variable) {
      const type = this.#valueType();
      return this.#constructed() ?? `${this.#variableKind()} ${name}: ${type}`;
    }
    if (flags & SymbolFlags.Type) return this.#typeText();
    return `${name.startsWith('"') ? "module" : "namespace"} ${name}`;
  }

  /** Returns whether the name stands for a type in an annotation. */
  #isOfType(): boolean {
    const { parent } = this.#node;
    const isThere = isTypeReferenceNode(parent) || isExpressionWithTypeArguments(parent);
    return isThere && (this.#symbol.flags & SymbolFlags.Type) !== 0;
  }

  #typeText(): string {
    const { checker } = this.#cell;
    const { name, flags } = this.#symbol;
    const type = checker.getDeclaredTypeOfSymbol(this.#symbol);
    const whole = checker.typeToString(type, undefined, SHOWN);
    if (flags & SymbolFlags.TypeAlias) {
      const meaning = checker.typeToString(type, undefined, SHOWN | NodeBuilderFlags.InTypeAlias);
      return `type ${whole} = ${meaning}`;
    }
    if (flags & SymbolFlags.TypeParameter) return `(type parameter) ${name}`;
    return `${kindOf(flags & SymbolFlags.Type)} ${whole}`;
  }

  #functionText(): string {
    const { name, flags } = this.#symbol;
    const [head, own] =
      flags & SymbolFlags.Method ? ["(method)", this.#qualified()] : ["function", name];
    const type = this.#type();
    const all =
      type === undefined ? [] : this.#cell.checker.getSignaturesOfType(type, SignatureKind.Call);
    const [first] = all;
    const called = this.#calledSignature() ?? first;
    const text = called && signatureText(called, this.#cell);
    return `${head} ${own}${text ?? ""}${overloads(all.length - 1)}`;
  }

  /** `constructor Box<string>(): Box<string>` behind `new`. */
  #constructed(): string | undefined {
    if (!isNewExpression(this.#node.parent)) return undefined;
    const { checker } = this.#cell;
    const called = this.#calledSignature();
    const result = called && checker.getReturnTypeOfSignature(called);
    const text = called && signatureText(called, this.#cell);
    if (result === undefined || text === undefined) return undefined;
    const parameters = text.slice(text.indexOf("("));
    return `constructor ${checker.typeToString(result, undefined, SHOWN)}${parameters}`;
  }

  #calledSignature(): Signature | undefined {
    const { parent } = this.#node;
    const isMember = isPropertyAccessExpression(parent) && parent.name === this.#node;
    const callee = isMember ? parent : this.#node;
    const call = callee.parent;
    const isCall = (isCallExpression(call) || isNewExpression(call)) && call.expression === callee;
    return isCall ? this.#cell.checker.getResolvedSignature(call) : undefined;
  }

  #type(): Type | undefined {
    const { checker } = this.#cell;
    const ofNode = isIdentifier(this.#node) ? checker.getTypeAtLocation(this.#node) : undefined;
    return ofNode ?? checker.getTypeOfSymbol(this.#symbol);
  }

  #valueType(): string {
    const type = this.#type();
    return type === undefined ? "any" : this.#cell.checker.typeToString(type, undefined, SHOWN);
  }

  /** `Box<string>.value`; a literal object has no name. */
  #qualified(): string {
    const { name } = this.#symbol;
    const holder = this.#symbol.getParent();
    if (holder === undefined || holder.name.startsWith("__")) return name;
    const { checker } = this.#cell;
    const { parent } = this.#node;
    const isMember = isPropertyAccessExpression(parent) && parent.name === this.#node;
    const given = isMember ? checker.getTypeAtLocation(parent.expression) : undefined;
    const flags = SHOWN | NodeBuilderFlags.WriteArrayAsGenericType;
    const isObject = given?.getSymbol()?.name === holder.name && !(holder.flags & SymbolFlags.Enum);
    return `${given && isObject ? checker.typeToString(given, undefined, flags) : holder.name}.${name}`;
  }

  #value(): string {
    const { value } = this.#cell.checker.getTypeOfSymbol(this.#symbol) as LiteralType;
    return value === undefined ? "" : ` = ${JSON.stringify(value)}`;
  }

  /** Files of packages are not read for it: what they declare is taken for constant. */
  #variableKind(): string {
    const { valueDeclaration, flags } = this.#symbol;
    const byFlags = flags & SymbolFlags.BlockScopedVariable ? "const" : "var";
    if (valueDeclaration === undefined || !isOfCells(valueDeclaration.path, this.#cell))
      return byFlags;
    const declared = valueDeclaration.resolve();
    if (declared !== undefined && isParameterDeclaration(declared)) return "(parameter)";
    for (let one = declared; one !== undefined; one = one.parent) {
      if (!isVariableDeclarationList(one)) continue;
      if (one.flags & NodeFlags.Const) return "const";
      return one.flags & NodeFlags.Let ? "let" : "var";
    }
    return byFlags;
  }
}

function overloads(others: number): string {
  if (others < 1) return "";
  return ` (+${others} overload${others === 1 ? "" : "s"})`;
}

/** Returns whether a file is the cell, or has the declarations of earlier ones. */
function isOfCells(path: string, { name }: OpenCell): boolean {
  const folder = name.slice(0, name.lastIndexOf("/") + 1);
  return path.toLowerCase().startsWith(folder.toLowerCase());
}
