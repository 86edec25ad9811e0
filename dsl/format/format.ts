/** The formatter: one way to write a text. Of a text with errors of syntax the author's line breaks stay. */
import { type Diagnostic, toDiagnostic } from "../diagnostics/diagnostic.ts";
import type { Source, Span } from "../diagnostics/source.ts";
import { canonicalJson, withoutSpans } from "../ir/hash.ts";
import { parse } from "../syntax/parse.ts";
import { itemStarts } from "./item-starts.ts";
import { layOut } from "./layout.ts";
import { type FormattedLine, toLines } from "./lines.ts";
import { type Piece, type Pieces, toPieces } from "./pieces.ts";
import type { TokenRead } from "./read.ts";
import { readPieces } from "./reader.ts";
import { render } from "./render.ts";
import { withoutSeparators } from "./separators.ts";

/** The text as it should stand, or why it is left alone. */
export type Formatted = { readonly text: string } | { readonly refused: FormatRefusal };

export interface FormatRefusal {
  /** `unclosed`: where code ends and prompt begins can't be told. `deep`: too deep to parse. `changed`: a mistake of ours. */
  readonly reason: "unclosed" | "deep" | "changed";
  readonly diagnostic: Diagnostic;
}

/** Formats a text: lines, indentation, spaces, columns, and the signs that may be left out; nothing else changes, or it is refused. */
export function format(source: Source): Formatted {
  const { text } = source;
  const before = toPieces(text);
  if (before.unclosed !== undefined) return refuseUnclosed(source, before.unclosed);
  const lines = toLines(readSource(source, before.pieces));
  const deep = lines.find(({ depth }) => depth > depthMax);
  if (deep !== undefined) return refuseDeep(source, deep);
  const mark = text.startsWith("\uFEFF") ? "\uFEFF" : "";
  const formatted = `${mark}${render(lines, lineBreakOf(text))}`;
  const different = firstDifferent(source, before, { file: source.file, text: formatted });
  return different === undefined ? { text: formatted } : refuseChanged(source, different);
}

// Far deeper than anyone writes; each step of it is two columns before every line.
const depthMax = 100;

/** The first line break behind something says how the lines of a text end. */
function lineBreakOf(text: string): "\r\n" | "\n" {
  return /\r?\n/.exec(text.trimStart())?.[0] === "\r\n" ? "\r\n" : "\n";
}

/** A text without errors of syntax is laid out anew; of any other the author's lines stay. */
function readSource(source: Source, pieces: readonly Piece[]): readonly TokenRead[] {
  const { ast, findings } = parse(source);
  if (findings.length > 0) return readPieces(pieces, undefined);
  const starts = itemStarts(ast);
  return layOut(readPieces(withoutSeparators(pieces, starts), starts), starts);
}

/** Returns the span of the first piece that differs between the two; undefined if none does. */
function firstDifferent(source: Source, before: Pieces, formatted: Source): Span | undefined {
  const [old, now] = [lasting(before), lasting(toPieces(formatted.text))];
  const index = old.findIndex((piece, at) => {
    const other = now[at];
    return other?.kind !== piece.kind || imageOf(other) !== imageOf(piece);
  });
  const piece = old[index];
  if (piece !== undefined) return { start: piece.start, end: piece.start + piece.text.length };
  const isSame = now.length === old.length && hasSameTree(source, formatted);
  return isSame ? undefined : { start: 0, end: 0 };
}

/** All pieces but those that may be left out between items. */
function lasting({ pieces }: Pieces): readonly Piece[] {
  return pieces.filter(({ kind, text }) => kind !== "token" || !/^[,;|]$/.test(text));
}

function hasSameTree(source: Source, formatted: Source): boolean {
  const [before, after] = [parse(source), parse(formatted)];
  if (before.findings.length > 0) return true;
  return canonicalJson(withoutSpans(before.ast)) === canonicalJson(withoutSpans(after.ast));
}

/** The lines of a comment may have moved. */
function imageOf({ kind, text }: Pieces["pieces"][number]): string {
  return kind === "comment" ? text.replace(/\n[ \t]*\*/g, "\n*") : text;
}

function refuseUnclosed(
  source: Source,
  { what, span }: NonNullable<Pieces["unclosed"]>,
): Formatted {
  return refuse(source, "unclosed", {
    message: `the text is left as it is: a ${what} is never closed`,
    span,
    hint: `what is ${what} and what is code can't be told apart; \`madrigal check\` says more`,
  });
}

function refuseDeep(source: Source, { reads: [first] }: FormattedLine): Formatted {
  const start = first?.piece.start ?? 0;
  return refuse(source, "deep", {
    message: "the text is left as it is: it nests too deep",
    span: { start, end: start + (first?.piece.text.length ?? 0) },
    hint: "move a part of it into a TypeScript function",
  });
}

function refuseChanged(source: Source, span: Span): Formatted {
  return refuse(source, "changed", {
    message: "the text is left as it is: formatting would change more than white space",
    span,
    hint: "this is a mistake in Madrigal; please report it with the lines around it",
  });
}

function refuse(
  source: Source,
  reason: FormatRefusal["reason"],
  finding: { readonly message: string; readonly span: Span; readonly hint: string },
): Formatted {
  return { refused: { reason, diagnostic: toDiagnostic(source, { code: "M7901", ...finding }) } };
}
