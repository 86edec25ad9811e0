/**
 * Makes a table in the three forms that front ends know; nothing in a cell is read as markup. Nothing in a cell is taken
 * for markup in any of them.
 */
import type { Bundle } from "../../cell-output.ts";
import { bundleOf, HTML, MARKDOWN, PLAIN } from "../bundle.ts";
import { escapeMarkdown, escapeMarkup } from "../escape.ts";
import { textTable } from "../text-table.ts";
import { counted, cut, visibleLine } from "../visible.ts";
import { cellText, isNumeric, type TableCellText } from "./cell-text.ts";
import type { Column } from "./column.ts";
import { PAGE_ROWS, type Rows, type RowsPage } from "./rows.ts";

/** The content of a table, whatever its form. */
export interface RowsTable {
  readonly columns: readonly Column[];
  readonly rows: readonly (readonly TableCellText[])[];
  /** Types of columns are worth telling where somebody declared them. */
  readonly isTyped?: boolean;
  /** The line below it. */
  readonly caption?: string;
}

export function tableBundle(table: RowsTable): Bundle {
  return bundleOf({
    [HTML]: tableHtml(table),
    [MARKDOWN]: tableMarkdown(table),
    [PLAIN]: tablePlain(table),
  });
}

/** A page of rows as a table, and which part of them it is. */
export function tableOfPage({ rows, number }: RowsPage): RowsTable {
  const { columns } = rows;
  const from = (number - 1) * PAGE_ROWS;
  const to = Math.min(rows.length, from + PAGE_ROWS);
  const cells = Array.from({ length: to - from }, (_, index) =>
    columns.map((column) => cellText(rows[from + index]?.[column.name], column)),
  );
  const caption = captionOf({ from, to, rows, number });
  return { columns, rows: cells, isTyped: rows.question !== undefined, caption };
}

/** Any plain objects as a table. */
export function tableOf(
  columns: readonly Column[],
  rows: readonly Readonly<Record<string, unknown>>[],
): RowsTable {
  return {
    columns,
    rows: rows.map((row) => columns.map((column) => cellText(row[column.name], column))),
  };
}

type NextPage = (page: number) => string;

const nextPages = new WeakMap<Rows, NextPage>();

/** Says how the next page of rows is read, where they are not the value of an expression that can be called. */
export function tellNextPage(rows: Rows, says: NextPage): void {
  nextPages.set(rows, says);
}

function nextPageOf(rows: Rows): NextPage {
  return nextPages.get(rows) ?? ((page) => `.page(${page}) has the next`);
}

function captionOf(of: { from: number; to: number; rows: Rows; number: number }): string {
  const { from, to, rows, number } = of;
  const all = rows.length;
  if (rows.columns.length === 0 && rows.question !== undefined) return "done";
  if (all === 0) return "no rows";
  if (all <= PAGE_ROWS && !rows.isCut) return counted(all, "row");
  const next = to < all ? `; ${nextPageOf(rows)(number + 1)}` : "";
  const shown = `rows ${counted(from + 1)}–${counted(to)} of`;
  if (!rows.isCut) return `${shown} ${counted(all)}${next}`;
  if (rows.total !== undefined) {
    return `${shown} ${counted(rows.total)}${next}; the first ${counted(all)} were read: let SQL add up, or say LIMIT and OFFSET`;
  }
  return `${shown} the first ${counted(all)}${next}; there are more, which were not read: let SQL add up, or say LIMIT and OFFSET`;
}

// ── HTML ────────────────────────────────────────────────────────────────────────────────────────

const CELL_CHARACTERS = { html: 500, markdown: 200, plain: 60 } as const;

// Half-transparent greys stand out on light and dark pages alike; text has the page's own colour.
const LINE = "1px solid rgba(128,128,128,.35)";

// Formulas in the text of others would be typeset, and may hold links: MathJax leaves this class alone.
const OPEN_TABLE = `<table class="madrigal-table mathjax_ignore" cellpadding="5" style="border-collapse:collapse;color:inherit;font-variant-numeric:tabular-nums">`;

export function tableHtml({ columns, rows, caption, isTyped = false }: RowsTable): string {
  const head = columns.map((column) => headHtml(column, isTyped)).join("");
  const body = rows
    .map(
      (row) =>
        `<tr style="border-bottom:${LINE}">${row.map((cell, index) => cellHtml(cell, columns[index])).join("")}</tr>`,
    )
    .join("\n");
  const below =
    caption === undefined
      ? ""
      : `\n<div class="madrigal-caption" style="opacity:.7;font-size:smaller">${escapeMarkup(caption)}</div>`;
  return `${OPEN_TABLE}\n<thead><tr style="border-bottom:2px solid rgba(128,128,128,.6)">${head}</tr></thead>\n<tbody>${body}</tbody>\n</table>${below}`;
}

function headHtml(column: Column, isTyped: boolean): string {
  const align = isNumeric(column) ? "right" : "left";
  const type = `<div style="font-weight:normal;opacity:.65;font-size:smaller">${escapeMarkup(typeText(column))}</div>`;
  return `<th style="text-align:${align};vertical-align:bottom">${escapeMarkup(visibleLine(column.name))}${isTyped ? type : ""}</th>`;
}

// A narrow table would break `findings[0]` before its bracket.
const UNBROKEN_CHARACTERS = { cell: 24, name: 80 } as const;

function cellHtml({ text, kind, exact }: TableCellText, column: Column | undefined): string {
  const limit = UNBROKEN_CHARACTERS[column?.isUnbroken === true ? "name" : "cell"];
  // A long address must not make the table wider than the cell.
  const space = text.length <= limit ? "pre" : "pre-wrap;overflow-wrap:anywhere";
  const align = kind === "number" ? "right" : "left";
  const title = exact === undefined ? "" : ` title="${escapeMarkup(exact)}"`;
  const shown = escapeMarkup(cut(text, CELL_CHARACTERS.html));
  const inner = kind === "null" ? `<span style="opacity:.55;font-style:italic">NULL</span>` : shown;
  const mono = kind === "json" ? ";font-family:monospace" : "";
  return `<td style="text-align:${align};vertical-align:top;white-space:${space}${mono}"${title}>${inner}</td>`;
}

/** Types of many members are cut: they would be wider than what they hold. */
function typeText({ type }: Column): string {
  return cut(visibleLine(type).toLowerCase(), 30).replace(/ \(\d+ characters\)$/, "");
}

// ── Markdown and text ───────────────────────────────────────────────────────────────────────────

export function tableMarkdown({ columns, rows, caption }: RowsTable): string {
  const head = markdownLine(columns.map(({ name }) => escapeMarkdown(name)));
  const rule = markdownLine(columns.map((column) => (isNumeric(column) ? "---:" : "---")));
  const body = rows.map((row) =>
    markdownLine(
      row.map(({ text, kind }) =>
        kind === "null" ? "*NULL*" : escapeMarkdown(cut(text, CELL_CHARACTERS.markdown)),
      ),
    ),
  );
  const below = caption === undefined ? [] : ["", escapeMarkdown(caption)];
  return columns.length === 0 ? (below[1] ?? "") : [head, rule, ...body, ...below].join("\n");
}

function markdownLine(cells: readonly string[]): string {
  return `| ${cells.join(" | ")} |`;
}

export function tablePlain({ columns, rows, caption }: RowsTable): string {
  const shown = columns.map((column, index) => ({
    title: visibleLine(column.name),
    isNumber: isNumeric(column),
    cell: (row: readonly TableCellText[]) =>
      visibleLine(cut(row[index]?.text ?? "", CELL_CHARACTERS.plain)),
  }));
  const table = columns.length === 0 ? [] : [textTable(shown, rows)];
  return [...table, ...(caption === undefined ? [] : [caption])].join("\n");
}
