/** Turns the completions of TypeScript 6 into the form of front ends. */
import type ts from "typescript-6";
import type { Completions } from "../service.ts";
import { nameAround, toItems } from "./offered.ts";

export interface Offered {
  readonly info: ts.CompletionInfo;
  readonly program: ts.Program;
  readonly file: ts.SourceFile;
}

export interface AskedPlace {
  readonly code: string;
  readonly offset: number;
  /** The length of the text before the cell in the compiler's file. */
  readonly before: number;
  /** Nothing but these is wanted. */
  readonly only?: ReadonlySet<string>;
}

export function toCompletions(
  compiler: typeof ts,
  { info, program, file }: Offered,
  at: AskedPlace,
): Completions {
  const { start, end } = replaced(info, at);
  const written = at.code.slice(start, at.offset);
  const look = { compiler, checker: program.getTypeChecker(), file };
  const items = toItems(info.entries, { written, only: at.only }, (entries) =>
    entries.map((entry) => signatureOf(entry, look)),
  );
  return { items, start, end };
}

/** The text of a string, the last part of a path, or the name at the cursor. */
function replaced(info: ts.CompletionInfo, { code, offset, before }: AskedPlace) {
  const isPath = info.entries.some(({ kind }) => PATHS.has(kind));
  const [first] = info.entries;
  const span = isPath ? first?.replacementSpan : info.optionalReplacementSpan;
  if (span === undefined) return nameAround(code, offset);
  const start = span.start - before;
  return { start, end: Math.max(offset, start + span.length) };
}

const PATHS: ReadonlySet<string> = new Set(["script", "directory", "external module name"]);

interface OfferedLook {
  readonly compiler: typeof ts;
  readonly checker: ts.TypeChecker;
  readonly file: ts.SourceFile;
}

/** `(name: string): void` of what is called, `: string` of what is read; undefined of a type or a word. */
function signatureOf(entry: ts.CompletionEntry, { compiler, checker, file }: OfferedLook) {
  const { symbol: found } = entry as ts.CompletionEntry & { readonly symbol?: ts.Symbol };
  if (found === undefined) return undefined;
  const isAlias = (found.flags & compiler.SymbolFlags.Alias) !== 0;
  const symbol = isAlias ? checker.getAliasedSymbol(found) : found;
  if ((symbol.flags & compiler.SymbolFlags.Value) === 0) return undefined;
  const type = checker.getTypeOfSymbolAtLocation(symbol, file);
  const calls = type.getCallSignatures();
  const [call] = calls;
  const others = calls.length > 1 ? ` (+${calls.length - 1})` : "";
  const text =
    call === undefined ? `: ${checker.typeToString(type)}` : checker.signatureToString(call);
  return `${text}${others}`;
}
