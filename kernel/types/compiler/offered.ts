/** Turns the compiler's completions in a TypeScript cell into the form of front ends. */
import type ts from "typescript-6";
import type { CompletionItem, Completions } from "../service.ts";

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

/** Best first: what begins as written, then what holds it; with their types as far as anybody looks. */
export function toCompletions(
  compiler: typeof ts,
  { info, program, file }: Offered,
  at: AskedPlace,
): Completions {
  const { start, end } = replaced(info, at);
  const written = at.code.slice(start, at.offset);
  const { only } = at;
  const ranked = info.entries
    .filter(({ name }) => only === undefined || only.has(name))
    .map((entry) => ({ entry, rank: rankOf(entry.name, written) }))
    .filter(({ rank }) => rank < NO_MATCH)
    .sort((a, b) => a.rank - b.rank || byOrder(a.entry, b.entry));
  const look = { compiler, checker: program.getTypeChecker(), file };
  const items = ranked.map(({ entry }, index): CompletionItem => {
    const { name, kind } = entry;
    const signature = index < SIGNATURES_MAX ? signatureOf(entry, look) : undefined;
    return { text: name, type: kind || "text", ...(signature === undefined ? {} : { signature }) };
  });
  return { items, start, end };
}

/** Working out a type costs; nobody reads further down a list. */
const SIGNATURES_MAX = 50;
const NO_MATCH = 3;

function rankOf(name: string, written: string): number {
  if (name.startsWith(written)) return 0;
  const [lower, looked] = [name.toLowerCase(), written.toLowerCase()];
  if (lower.startsWith(looked)) return 1;
  return lower.includes(looked) ? 2 : NO_MATCH;
}

function byOrder(one: ts.CompletionEntry, other: ts.CompletionEntry): number {
  return one.sortText.localeCompare(other.sortText) || one.name.localeCompare(other.name);
}

/** The text of a string, the last part of a path, or the name at the cursor. */
function replaced(info: ts.CompletionInfo, { code, offset, before }: AskedPlace) {
  const isPath = info.entries.some(({ kind }) => PATHS.has(kind));
  const [first] = info.entries;
  const span = isPath ? first?.replacementSpan : info.optionalReplacementSpan;
  if (span !== undefined) {
    const start = span.start - before;
    return { start, end: Math.max(offset, start + span.length) };
  }
  const name = /[\p{L}\p{N}_$]*$/u.exec(code.slice(0, offset))?.[0] ?? "";
  const rest = /^[\p{L}\p{N}_$]*/u.exec(code.slice(offset))?.[0] ?? "";
  return { start: offset - name.length, end: offset + rest.length };
}

const PATHS: ReadonlySet<string> = new Set(["script", "directory", "external module name"]);

interface OfferedLook {
  readonly compiler: typeof ts;
  readonly checker: ts.TypeChecker;
  readonly file: ts.SourceFile;
}

const SIGNATURE_CHARACTERS = 200;

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
  const shown = `${text}${others}`;
  return shown.length <= SIGNATURE_CHARACTERS ? shown : `${shown.slice(0, SIGNATURE_CHARACTERS)}…`;
}
