/** Tells whether a cell is TypeScript, the language of graphs, SQL, commands of a shell or magics. Pure, and shared by the threads. */
import { lineMagics } from "../magics/magic-table.ts";

export type CellKind = "typescript" | "graph" | "sql" | "shell" | "python" | "magic";

export interface ClassifiedCell {
  readonly kind: CellKind;
  /** The words behind `%%graph`, `%%sql`, `%%bash` or `%%python` on the first line. */
  readonly options: string;
  /** The offset in the cell of the text behind the magic line; 0 without one. */
  readonly start: number;
}

/**
 * Returns the kind of a cell, by its magic line, else by its first statement, past comments,
 * imports and types.
 */
export function classify(timed: string): ClassifiedCell {
  const code = withoutTime(timed);
  const magic = MAGIC.exec(code);
  if (magic !== null) {
    const [line, name = "", options = ""] = magic;
    return { kind: KINDS.get(name) ?? "graph", options: options.trim(), start: line.length };
  }
  if (isCommand(code)) return { kind: "shell", options: "", start: 0 };
  if (LINE_MAGIC.test(code)) return { kind: "magic", options: "", start: 0 };
  return { kind: isProgram(code) ? "graph" : "typescript", options: "", start: 0 };
}

/** The text of a cell without the line `%%time` at its head: spaces in its place, so that every place is where it is in the cell. */
export function withoutTime(code: string): string {
  return code.replace(/^\s*%%time[ \t]*(?=\r?\n|$)/, (line) => line.replace(/\S/g, " "));
}

/** The text of a cell of graphs: spaces in place of its magic, so that every place is where it is in the cell. */
export function graphText(code: string): string {
  const { start } = classify(code);
  return code.slice(0, start).replace(/[^\r\n]/g, " ") + code.slice(start);
}

const KINDS: ReadonlyMap<string, CellKind> = new Map([
  ["sql", "sql"],
  ["bash", "shell"],
  ["python", "python"],
]);

const MAGIC = /^\s*%%(graph|sql|bash|python)\b[ \t]*([^\r\n]*)(?:\r?\n|$)/;

/** Lines that begin with `!` and a word, which no operator of TypeScript follows: `!ls -la`, and not `!isOpen && count > 0`. */
function isCommand(code: string): boolean {
  const lines = code.split(/\r?\n/).filter((line) => line.trim() !== "");
  return lines.length > 0 && lines.every((line) => COMMAND.test(line));
}

/** A command alone, or one with a path in its name; one that is piped into another; or a command and an argument. */
const COMMAND =
  /^[ \t]*![ \t]*(?:(?:[\w-]+|[\w.~-]*\/[\w./~-]*)[ \t]*$|[\w./~-]+[ \t]+\|[ \t]*[a-z]|[\w./~-]+[ \t]+(?:[^\s=&|?<>!+*%.,:;()[\]{}].*$|[.*][/\w].*$|\.\.?$))/;

const LINE_MAGIC = new RegExp(`^\\s*(?://[^\\n]*\\n\\s*)*(?:${lineMagics.join("|")})(?![\\w-])`);

/** Returns whether a text is one of graphs; imports of other programs alone make none, since TypeScript may import graphs, too. */
function isProgram(code: string): boolean {
  const { length } = prologue(code).join("");
  return STATEMENT.test(code.slice(length).replace(SPACE_AND_COMMENTS, ""));
}

/** The imports of programs among the imports that a cell of TypeScript begins with. */
export interface SplitImports {
  /** The text of the cell without those imports. */
  readonly typescript: string;
  /** Those imports alone, as a program; undefined where there are none. */
  readonly program: string | undefined;
}

/** Takes the imports of programs out of a cell of TypeScript. Spaces stand in the place of what is left out, so that each place stays. */
export function splitImports(code: string): SplitImports {
  const pieces = prologue(code);
  const isTaken = pieces.map((piece) => PROGRAM_IMPORT.test(piece));
  if (!isTaken.includes(true)) return { typescript: code, program: undefined };
  const rest = code.slice(pieces.join("").length);
  const keep = (taken: boolean) =>
    pieces.map((piece, at) => (isTaken[at] === taken ? piece : blank(piece))).join("");
  return { typescript: `${keep(false)}${rest}`, program: keep(true).replaceAll(";", " ") };
}

function blank(text: string): string {
  return text.replace(/[^\r\n]/g, " ");
}

/** Cuts the imports and types that a text begins with, and what stands between them, into pieces. */
function prologue(code: string): readonly string[] {
  const pieces: string[] = [];
  let rest = code;
  for (;;) {
    const space = SPACE_AND_COMMENTS.exec(rest)?.[0] ?? "";
    const behind = rest.slice(space.length);
    const length = STATEMENT.test(behind) ? 0 : statementLength(behind);
    if (length === 0) return pieces;
    pieces.push(space, behind.slice(0, length));
    rest = behind.slice(length);
  }
}

function statementLength(code: string): number {
  const found = PROGRAM_IMPORT.exec(code) ?? IMPORT.exec(code);
  return found?.[0].length ?? aliasLength(code);
}

const SPACE_AND_COMMENTS = /^(?:\s+|\/\/[^\n]*|\/\*[\s\S]*?\*\/)*/;

// On one line, each of these is a syntax error in TypeScript: a word of ours and a name.
const STATEMENT =
  /^(?:graph[ \t]+[\p{L}_$][\p{L}\p{N}_$]*[ \t]*\(|(?:model|mcp|openapi|memory)[ \t]+[\p{L}_$]|config[ \t]*\{|test[ \t]+["'`])/u;
const PROGRAM_IMPORT = /^import\b[^;"'`]*\bfrom[ \t]*(["'])[^"'\n]*\.madrigal\1[ \t]*;?/;
const IMPORT = /^import\b[^;"'`]*["'][^"'\n]*["'][ \t]*;?/;
const ALIAS = /^(?:export[ \t]+)?type[ \t]+[\p{L}_$][\p{L}\p{N}_$]*[ \t]*(?:<[^=]*>)?[ \t]*=/u;

/** The length of the type alias that `text` begins with, up to the line on which its brackets are closed; 0 without one. */
function aliasLength(text: string): number {
  const begin = ALIAS.exec(text)?.[0].length;
  if (begin === undefined) return 0;
  let depth = 0;
  for (let index = begin; index < text.length; index += 1) {
    const character = text.charAt(index);
    if ("{([".includes(character)) depth += 1;
    else if ("})]".includes(character)) depth -= 1;
    else if (depth === 0 && character === ";") return index + 1;
    else if (depth === 0 && character === "\n" && !CONTINUED.test(text.slice(index))) return index;
  }
  return text.length;
}

const CONTINUED = /^\s*[|&]/;
