/** A diagnostic as people read it: the sentence, the line it is about with a mark below, and what to do. */
import type { Diagnostic, Related } from "./diagnostic.ts";
import { lineText, type Source } from "./source.ts";

const tabWidth = 2;
const lineWidthMax = 110;

type Paint = (style: keyof typeof styles, text: string) => string;

const styles = { error: "31;1", warning: "33;1", info: "36;1", gutter: "34", title: "1" } as const;

/** A diagnostic, or what another checker says in the same form under a code of its own, as TypeScript does. */
export type Framed = Omit<Diagnostic, "code"> & { readonly code: string };

/** The code frame of one diagnostic, without a line break at its end. */
export function renderDiagnostic(
  diagnostic: Framed,
  source: Source,
  { color = false }: { readonly color?: boolean } = {},
): string {
  const paint: Paint = (style, text) => (color ? `\u001b[${styles[style]}m${text}\u001b[0m` : text);
  const { severity, code, message, hint, related = [] } = diagnostic;
  const shown = related.filter(({ file }) => file === source.file);
  const width = Math.max(...[diagnostic, ...shown].map(({ line }) => `${line}`.length));
  const margin = " ".repeat(width + 1);
  return [
    `${paint(severity, `${severity}[${code}]`)}${paint("title", `: ${message}`)}`,
    ...place(diagnostic, source, { width, paint, mark: severity, length: markLength(diagnostic) }),
    ...related.flatMap((other) => relatedLines(other, source, { width, paint })),
    ...(hint === undefined ? [] : [`${margin}hint: ${hint}`]),
  ].join("\n");
}

interface FrameLayout {
  /** Columns of the line numbers. */
  readonly width: number;
  readonly paint: Paint;
}

interface FrameMark extends FrameLayout {
  readonly mark: Diagnostic["severity"];
  /** In UTF-16 units of the source; infinite means to the end of the line. */
  readonly length: number;
}

function markLength({ line, endLine, column, endColumn }: Framed): number {
  return endLine > line ? Number.POSITIVE_INFINITY : endColumn - column;
}

function relatedLines(related: Related, source: Source, { width, paint }: FrameLayout): string[] {
  const { file, line, column, message } = related;
  const margin = " ".repeat(width + 1);
  if (file !== source.file) return [`${margin}note: ${file}:${line}:${column} ${message}`];
  const lines = place(related, source, { width, paint, mark: "info", length: 1 });
  return lines.map((text, index) => (index === lines.length - 1 ? `${text} ${message}` : text));
}

function place(
  at: { readonly file: string; readonly line: number; readonly column: number },
  source: Source,
  { width, paint, mark, length }: FrameMark,
): string[] {
  const margin = " ".repeat(width);
  const window = cut(lineText(source, at.line), { from: at.column - 1, length });
  const number = `${at.line}`.padStart(width);
  const underline = " ".repeat(window.before) + paint(mark, "^".repeat(window.marked));
  return [
    `${margin} ${paint("gutter", "┌─")} ${at.file}:${at.line}:${at.column}`,
    `${paint("gutter", `${number} │`)} ${window.text}`.trimEnd(),
    `${margin} ${paint("gutter", "│")} ${underline}`,
  ];
}

/** A line as it is shown: the columns before the mark, and the columns marked. */
interface Window {
  readonly text: string;
  readonly before: number;
  readonly marked: number;
}

/** A line is looked at letter by letter as far as this on both sides of a mark. */
const lookedAtMax = 10 * lineWidthMax;

function cut(whole: string, mark: { from: number; length: number }): Window {
  const start = Math.max(0, mark.from - lookedAtMax);
  const line = whole.slice(start, mark.from + lookedAtMax);
  const [from, length] = [mark.from - start, mark.length];
  const before = shownText(line.slice(0, from));
  const marked = shownText(line.slice(from, from + Math.min(length, line.length)));
  const text = shownText(line);
  const beforeColumns = columns(before);
  const markedColumns = Math.max(1, columns(marked));
  if (columns(text) <= lineWidthMax) return { text, before: beforeColumns, marked: markedColumns };
  return cutLong({ text, before: beforeColumns, marked: markedColumns });
}

// A line too long for a terminal is cut so that the mark stands a third of the way in.
function cutLong({ text, before, marked }: Window): Window {
  const start = Math.max(0, before - Math.floor(lineWidthMax / 3));
  const kept: string[] = [];
  let column = 0;
  let dropped = 0;
  for (const character of text) {
    if (column < start) dropped += columns(character);
    else if (column < start + lineWidthMax) kept.push(character);
    column += columns(character);
  }
  const prefix = dropped === 0 ? "" : "…";
  const suffix = column > start + lineWidthMax ? "…" : "";
  const shift = before - dropped + prefix.length;
  return {
    text: `${prefix}${kept.join("")}${suffix}`,
    before: shift,
    marked: Math.max(1, Math.min(marked, start + lineWidthMax - before)),
  };
}

function shownText(text: string): string {
  return text.replaceAll("\t", " ".repeat(tabWidth));
}

// East Asian letters and pictures take two columns, accents none.
const wide =
  /[\u1100-\u115F\u2E80-\u303E\u3041-\uA4CF\uAC00-\uD7A3\uF900-\uFAFF\uFE30-\uFE6F\uFF00-\uFF60\uFFE0-\uFFE6]|\p{Emoji_Presentation}/u;

function columns(text: string): number {
  let total = 0;
  for (const character of text) {
    if (/\p{Mark}|\u200D|\uFE0F/u.test(character)) continue;
    total += wide.test(character) ? 2 : 1;
  }
  return total;
}
