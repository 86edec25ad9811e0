/** Finds the queries of the tag `sql` in a cell, and the columns that they will have, before the cell is checked. */
import { tablesNamedIn } from "../../display/table/value-table.ts";
import type { TypedQuery } from "../../types/service.ts";
import type { AtWork } from "../notebook.ts";
import { typeOfColumns } from "./declare-rows.ts";

/** A tag without a type of its own before a template in which no other template stands. */
const QUERY = /(?<![\p{L}\p{N}_$.])sql`((?:[^`\\]|\\.)*)`/gu;
const QUERIES_MAX = 20;
/** The beginning of a line that puts rows into a variable, which may hold those of another query later. */
const MAY_CHANGE =
  /(?:^|[;\n])[ \t]*(?:(?:export[ \t]+)?(?:let|var)\b[^;\n]*|[\p{L}\p{N}_$.]+[ \t]*=[ \t]*(?:await[ \t]*)?)$/u;

/** A query that DuckDB can't describe now, as one of a table that the cell makes first, is left as it is. */
export async function typedQueries(code: string, at: AtWork): Promise<readonly TypedQuery[]> {
  if (!isOurTag(code, at.notebook.names)) return [];
  const found = [...code.matchAll(QUERY)]
    .filter(({ index }) => !MAY_CHANGE.test(code.slice(0, index)))
    .slice(0, QUERIES_MAX);
  const typed: TypedQuery[] = [];
  for (const { index, 1: text = "" } of found) {
    const row = await rowType(text, at);
    if (row !== undefined) typed.push({ offset: index, row });
  }
  return typed;
}

/** Other libraries have a tag of that name too. */
function isOurTag(code: string, { sql }: Readonly<Record<string, unknown>>): boolean {
  return OUR_IMPORT.test(code) || (typeof sql === "function" && Object.hasOwn(sql, "rowsMax"));
}

const OUR_IMPORT = /\bimport\b[^;"'`]*\bsql\b[^;"'`]*\bfrom\s*["']madrigal["']/;

async function rowType(text: string, { cell, notebook }: AtWork): Promise<string | undefined> {
  const holes: null[] = [];
  const sql = text.replaceAll(/\$\{[^{}]*\}/g, () => `$${holes.push(null)}`);
  const asked = `DESCRIBE SELECT * FROM (\n${sql.replace(/[\s;]+$/, "")}\n)`;
  try {
    const traces = await cell.orCancelled(notebook.parts.session().traces());
    const options = { tables: tablesNamedIn(sql), signal: cell.signal };
    const { rows } = await cell.orCancelled(traces.ask(asked, holes, options));
    const columns = rows.map(({ column_name, column_type }) => ({
      name: String(column_name),
      type: String(column_type),
    }));
    return columns.length === 0 ? undefined : typeOfColumns(columns);
  } catch (thrown) {
    if (cell.signal.aborted) throw thrown;
    return undefined;
  }
}
