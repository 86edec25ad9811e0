/** Makes the bundles of rows and of plain values: tables, trees that unfold, long texts folded, or text alone. */
import { conversations, type Row } from "../../../runtime/index.ts";
import type { Bundle } from "../../cell-output.ts";
import { bundleOf, HTML, PLAIN } from "../bundle.ts";
import { plainText } from "../plain.ts";
import { inert, inertRows } from "../table/inert.ts";
import { isPlainData, plainRows } from "../table/plain-rows.ts";
import { columnsOf, Rows } from "../table/rows.ts";
import { tableBundle, tableHtml, tableOfPage } from "../table/table.ts";
import { conversationHtml } from "./conversation.ts";
import { planHtml, planIn } from "./plan.ts";
import { openViewer, VIEWER_ROWS } from "./table-viewer.ts";
import { foldedText, treeHtml } from "./tree.ts";

/** Rows of a query: the first hundred as a table, and in its place a widget with all that were read, where the page has widgets. */
export function rowsBundle(rows: Rows): Bundle {
  const table = tableOfPage({ rows, number: 1 });
  const { data, metadata } = tableBundle(table);
  return { data: { ...data, [HTML]: withViewer(String(data[HTML]), rows) }, metadata };
}

/** A value of TypeScript: as the text that `console.log` shows, and beside it as what can be looked at. */
export function plainBundle(value: unknown): Bundle {
  const text = plainText(value);
  const html = htmlOf(value, text);
  return bundleOf({ ...(html === undefined ? {} : { [HTML]: html }), [PLAIN]: text });
}

function htmlOf(value: unknown, text: string): string | undefined {
  try {
    if (typeof value === "string") return foldedText(value);
    const plan = hasPlainSteps(value) ? planIn(value) : undefined;
    if (plan !== undefined) return planHtml(plan);
    const given = plainRows(value);
    const rows = given === undefined ? undefined : inertRows(given);
    if (conversations.isConversation(rows)) {
      const messages = inert(rows);
      return conversations.isConversation(messages) ? conversationHtml(messages) : undefined;
    }
    const table = rows === undefined ? undefined : tableOfObjects(rows);
    if (table !== undefined) return table;
    // A value of one line is read as it is.
    return rows !== undefined || text.includes("\n") ? treeHtml(value) : undefined;
  } catch {
    // Whatever a value does when it is read, its text can be shown.
    return undefined;
  }
}

function hasPlainSteps(value: unknown): boolean {
  return isPlainData(value) && plainRows(value.steps)?.every(isPlainData) === true;
}

/** More keys make no table that anybody reads. */
const COLUMNS_MAX = 200;

/** Undefined for objects without keys, with too many, or with one that throws when it is read. */
function tableOfObjects(rows: readonly Row[]): string | undefined {
  try {
    const columns = columnsOf(rows);
    if (columns.length === 0 || columns.length > COLUMNS_MAX) return undefined;
    const table = new Rows(rows, columns);
    const page = tableOfPage({ rows: table, number: 1 });
    return withViewer(tableHtml({ ...page, isTyped: true }), table);
  } catch {
    return undefined;
  }
}

function withViewer(html: string, rows: Rows): string {
  if (rows.length < VIEWER_ROWS || rows.columns.length === 0) return html;
  const note = rows.isCut
    ? "the query has more rows, which were not read: let SQL add up, or say LIMIT and OFFSET"
    : "";
  const viewer = openViewer({ rows, columns: rows.columns }, { note });
  return viewer === undefined ? html : viewer.placed(html);
}
