/** Makes the small pieces of the page about a run: values and tables, all of them escaped. */
import { escapeMarkup } from "../display/escape.ts";
import { cut, visible } from "../display/visible.ts";

/** More of a value is not read on a page: what asks for all of it is said. */
const VALUE_CHARACTERS = 2_000;

export function valueText(value: unknown): string {
  return typeof value === "string" ? value : (JSON.stringify(value, null, 2) ?? "");
}

/** A value as it is; `all` is how to see the rest of a long one. */
export function valueHtml(value: unknown, all: string): string {
  const text = valueText(value);
  if (text === "" || value === null) return `<span class="quiet">nothing</span>`;
  const pre = `<pre>${escapeMarkup(visible(cut(text, VALUE_CHARACTERS)))}</pre>`;
  if (text.length <= VALUE_CHARACTERS) return pre;
  return `${pre}<p class="quiet">all of it: <code>${escapeMarkup(all)}</code></p>`;
}

/** Returns a text for one cell of a table: on one line, cut at `limit`. */
export function cellHtml(text: string, limit = 240): string {
  return escapeMarkup(cut(text, limit));
}

export interface HtmlColumn<T> {
  readonly title: string;
  /** HTML. */
  readonly cell: (row: T) => string;
  readonly isNumber?: boolean;
}

/** More lines are read in SQL. */
const LINES_MAX = 500;

export function htmlTable<T>(columns: readonly HtmlColumn<T>[], rows: readonly T[]): string {
  const side = ({ isNumber }: HtmlColumn<T>) => (isNumber === true ? ` class="number"` : "");
  const head = columns.map((one) => `<th scope="col"${side(one)}>${escapeMarkup(one.title)}</th>`);
  const lines = rows
    .slice(0, LINES_MAX)
    .map(
      (row) => `<tr>${columns.map((one) => `<td${side(one)}>${one.cell(row)}</td>`).join("")}</tr>`,
    );
  const more =
    rows.length > LINES_MAX
      ? `<p class="quiet">the first ${LINES_MAX} of ${rows.length}; \`%%sql\` has all of them</p>`
      : "";
  return `<div class="wide"><table><thead><tr>${head.join("")}</tr></thead><tbody>${lines.join("")}</tbody></table></div>${more}`;
}

export function section(title: string, html: string): string {
  return html === "" ? "" : `<section><h2>${escapeMarkup(title)}</h2>\n${html}</section>`;
}
