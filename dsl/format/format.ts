/** The formatter: one way to write a text, with the author's line breaks. It needs no tree, so it works while typing. */
import { type Diagnostic, toDiagnostic } from "../diagnostics/diagnostic.ts";
import type { Source, Span } from "../diagnostics/source.ts";
import { type FormattedLine, toLines } from "./lines.ts";
import { type Pieces, toPieces } from "./pieces.ts";
import { readPieces } from "./reader.ts";
import { render } from "./render.ts";

/** The text as it should stand, or why it is left alone. */
export type Formatted = { readonly text: string } | { readonly refused: FormatRefusal };

export interface FormatRefusal {
  /** `unclosed`: where code ends and prompt begins can't be told. `deep`: too deep to parse. `changed`: a mistake of ours. */
  readonly reason: "unclosed" | "deep" | "changed";
  readonly diagnostic: Diagnostic;
}

/** Formats a text: indentation, spaces, columns and blank lines; nothing else changes, or it is refused. */
export function format(source: Source): Formatted {
  const { text } = source;
  const before = toPieces(text);
  if (before.unclosed !== undefined) return refuseUnclosed(source, before.unclosed);
  const lines = toLines(readPieces(before.pieces));
  const deep = lines.find(({ depth }) => depth > depthMax);
  if (deep !== undefined) return refuseDeep(source, deep);
  const mark = text.startsWith("\uFEFF") ? "\uFEFF" : "";
  const formatted = `${mark}${render(lines, lineBreakOf(text))}`;
  const different = firstDifferent(before, toPieces(formatted));
  return different === undefined ? { text: formatted } : refuseChanged(source, different);
}

// Far deeper than anyone writes; each step of it is two columns before every line.
const depthMax = 100;

/** The first line break behind something says how the lines of a text end. */
function lineBreakOf(text: string): "\r\n" | "\n" {
  return /\r?\n/.exec(text.trimStart())?.[0] === "\r\n" ? "\r\n" : "\n";
}

/** Returns the span of the first piece that differs between the two; undefined if none does. */
function firstDifferent(before: Pieces, after: Pieces): Span | undefined {
  const count = Math.max(before.pieces.length, after.pieces.length);
  for (let index = 0; index < count; index++) {
    const [old, now] = [before.pieces[index], after.pieces[index]];
    if (old === undefined) return { start: 0, end: 0 };
    const isSame = now !== undefined && old.kind === now.kind && imageOf(old) === imageOf(now);
    if (!isSame) return { start: old.start, end: old.start + old.text.length };
  }
  return undefined;
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
