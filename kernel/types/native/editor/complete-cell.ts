/** Completes in a TypeScript cell by TypeScript 7. */
import { existsSync } from "node:fs";
import { resolve } from "node:path";
import {
  type CompletionEntry,
  CompletionItemKind,
  type Symbol as NativeSymbol,
  SymbolFlags,
} from "typescript/unstable/sync";
import type ts from "typescript-6";
import type { AskedText } from "../../cells/cell-program.ts";
import { statementsIn } from "../../cells/declarations.ts";
import { nameAround, type OfferedEntry, toItems } from "../../compiler/offered.ts";
import type { Completions } from "../../service.ts";
import { type Compilers, exporting } from "../analyze-cell.ts";
import type { OpenCell } from "../native-compiler.ts";
import { surroundCell } from "../surround-cell.ts";
import type { NamesInScope } from "./names-in-scope.ts";
import { callText } from "./value-texts.ts";

/** An entry whose symbol TypeScript 7 knows, or has to look for by its name. */
interface NativeEntry extends OfferedEntry {
  readonly symbol?: NativeSymbol | undefined;
  readonly isName?: true;
}

/**
 * TypeScript 7 lists members, texts and paths. It lists names of a scope only together with all that could be imported,
 * which its API can't do: those are TypeScript 6's, which finds them without knowing a type.
 */
export function completeCell(
  { text: code, offset, only }: AskedText,
  earlier: string,
  by: Compilers & { readonly namesInScope: NamesInScope },
): Completions {
  const opened = openCell(code, earlier, by);
  const place = opened.before + offset;
  const found = listed(opened.cell, place);
  if (found === "needs a scope") {
    const entries = by.namesInScope(opened.cell, { code, offset, earlier });
    return completions(entries, nameAround(code, offset));
  }
  const literal = literalAround(by.compiler, opened.file, offset);
  const folder =
    literal === undefined ? "" : code.slice(literal.start, offset).replace(/[^/]*$/, "");
  const entries = found.flatMap((entry) => toEntry(entry, folder));
  return completions(entries, literal ?? nameAround(code, offset));

  function completions(
    entries: readonly NativeEntry[],
    { start, end }: { start: number; end: number },
  ): Completions {
    const isPath = entries.some(({ kind }) => PATHS.has(kind));
    const from = isPath ? start + lastSlash(code.slice(start, offset)) : start;
    const items = toItems(entries, { written: code.slice(from, offset), only }, (ranked) =>
      signaturesOf(ranked, opened.cell, place),
    );
    return { items, start: from, end };
  }
}

/** A cell with the names of earlier cells before it: behind an unfinished text they would be part of it. */
export function openCell(code: string, earlier: string, { compiler, native }: Compilers) {
  const file = compiler.createSourceFile("cell.ts", code, compiler.ScriptTarget.Latest);
  const known = statementsIn(compiler, earlier).flatMap(({ declares }) => declares);
  const before = `${surroundCell(compiler, file, known).around}\n`;
  const cell = native.open(`${before}${code}`, exporting(earlier, known));
  return { cell, file, before: before.length };
}

function listed({ checker, name }: OpenCell, place: number): NativeList {
  try {
    return checker.getCompletionsAtPosition(name, place, { includeSymbol: true })?.entries ?? [];
  } catch (error) {
    if (`${error}`.includes("needs auto imports")) return "needs a scope";
    throw error;
  }
}

type NativeList = readonly CompletionEntry[] | "needs a scope";

/** `first-born` can't be written behind a point, so the compiler would write something else there. */
function toEntry(entry: CompletionEntry, folder: string): readonly NativeEntry[] {
  const { kind: item = CompletionItemKind.Text, sortText = "", insertText, symbol } = entry;
  if (symbol === undefined) {
    const name = item === CompletionItemKind.File ? fileName(entry, folder) : entry.name;
    return OURS.test(name) ? [] : [{ name, sortText, kind: ITEMS[item] ?? "" }];
  }
  const isMarked = (symbol.flags & SymbolFlags.Optional) !== 0;
  const name = isMarked ? entry.name.replace(/\?$/, "") : entry.name;
  const isAsItReads = insertText === undefined || [name, `?.${name}`].includes(insertText);
  return isAsItReads ? [{ name, sortText, symbol, kind: kindOf(symbol.flags) }] : [];
}

/**
 * A file is imported by the name that it has, since our Node strips its types; the compiler names what it would be
 * compiled to. Modules that it knows by a name of ours are none.
 */
function fileName({ name, detail = name }: CompletionEntry, folder: string): string {
  if (!folder.startsWith(".")) return name;
  return detail.replace(/\.([cm])js$/, (ending, kind) =>
    existsSync(resolve(folder, detail)) ? ending : `.${kind}ts`,
  );
}

/** The files of the mirror. */
const OURS = /^__(?:tslab|prev)__\./;

const ITEMS: Partial<Record<CompletionItemKind, string>> = {
  [CompletionItemKind.Constant]: "string",
  [CompletionItemKind.Keyword]: "keyword",
  [CompletionItemKind.File]: "script",
  [CompletionItemKind.Folder]: "directory",
  [CompletionItemKind.Module]: "external module name",
};

const PATHS: ReadonlySet<string> = new Set(["script", "directory", "external module name"]);

function lastSlash(path: string): number {
  return path.lastIndexOf("/") + 1;
}

// ── kinds ───────────────────────────────────────────────────────────────────────────────────────

/** As TypeScript 6 calls them; the first that a symbol has. */
const KINDS: readonly (readonly [flags: SymbolFlags, kind: string])[] = [
  [SymbolFlags.Function, "function"],
  [SymbolFlags.Class, "class"],
  [SymbolFlags.Enum, "enum"],
  [SymbolFlags.Method, "method"],
  [SymbolFlags.GetAccessor, "getter"],
  [SymbolFlags.SetAccessor, "setter"],
  [SymbolFlags.Property, "property"],
  [SymbolFlags.EnumMember, "enum member"],
  [SymbolFlags.BlockScopedVariable, "const"],
  [SymbolFlags.FunctionScopedVariable, "var"],
  [SymbolFlags.Alias, "alias"],
  [SymbolFlags.TypeAlias, "type"],
  [SymbolFlags.Interface, "interface"],
  [SymbolFlags.TypeParameter, "type parameter"],
  [SymbolFlags.Module, "module"],
];

export function kindOf(flags: SymbolFlags): string {
  return KINDS.find(([some]) => (flags & some) !== 0)?.[1] ?? "";
}

// ── types ───────────────────────────────────────────────────────────────────────────────────────

/** `(name: string): void` of what is called, `: string` of what is read; undefined of a type or a word. */
function signaturesOf(
  entries: readonly NativeEntry[],
  cell: OpenCell,
  position: number,
): readonly (string | undefined)[] {
  const { checker } = cell;
  const location = { document: cell.name, position };
  const symbols = entries.map(({ name, symbol, isName }) => {
    const found = isName ? checker.resolveName(name, SymbolFlags.Value, location) : symbol;
    const isAlias = found !== undefined && (found.flags & SymbolFlags.Alias) !== 0;
    const meant = isAlias ? checker.getAliasedSymbol(found) : found;
    return meant !== undefined && (meant.flags & SymbolFlags.Value) !== 0 ? meant : undefined;
  });
  const values = symbols.filter((one) => one !== undefined);
  const types = values.length === 0 ? [] : checker.getTypeOfSymbol(values);
  const byValue = new Map(values.map((one, index) => [one, types[index]]));
  return symbols.map((symbol) => {
    const type = symbol && byValue.get(symbol);
    if (type === undefined) return undefined;
    const call = callText(type, cell);
    if (call === undefined) return `: ${checker.typeToString(type)}`;
    return call.others === 0 ? call.text : `${call.text} (+${call.others})`;
  });
}

// ── what is replaced ────────────────────────────────────────────────────────────────────────────

/** The inside of the text literal at a place. */
function literalAround(compiler: typeof ts, file: ts.SourceFile, offset: number) {
  let found: { start: number; end: number } | undefined;
  const look = (node: ts.Node): void => {
    if (offset < node.pos || offset > node.end) return;
    if (!compiler.isStringLiteralLike(node)) {
      compiler.forEachChild(node, look);
      return;
    }
    const start = node.getStart(file) + 1;
    const isClosed = node.end > start && node.isUnterminated !== true;
    const end = isClosed ? node.end - 1 : node.end;
    if (start <= offset && offset <= end) found = { start, end };
  };
  look(file);
  return found;
}
