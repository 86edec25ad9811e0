/** Finds the queries of the tag `sql` in a cell, and the columns that they will have, before the cell is checked. */
import type { TraceStore } from "../../../runtime/index.ts";
import { durationText } from "../../display/numbers.ts";
import { tablesNamedIn } from "../../display/table/value-table.ts";
import type { TypedQuery } from "../../types/service.ts";
import type { AtWork } from "../notebook.ts";
import { typeOfColumns } from "./declare-rows.ts";

/** A tag without a type of its own before a template in which no other template stands. */
const QUERY = /(?<![\p{L}\p{N}_$.])sql`((?:[^`\\]|\\.)*)`/gu;
const QUERIES_MAX = 20;

/** A file that is far away, or many of them, can take longer to describe than the cell takes; all queries of a cell share this time. */
const LIMIT_MS = 5_000;
/** The beginning of a line that puts rows into a variable, which may hold those of another query later. */
const MAY_CHANGE =
  /(?:^|[;\n])[ \t]*(?:(?:export[ \t]+)?(?:let|var)\b[^;\n]*|[\p{L}\p{N}_$.]+[ \t]*=[ \t]*(?:await[ \t]*)?)$/u;

/** A query that DuckDB can't describe now, as one of a table that the cell makes first, is left as it is. */
export async function typedQueries(code: string, at: AtWork): Promise<readonly TypedQuery[]> {
  if (!isOurTag(code, at.notebook.names)) return [];
  const found = [...code.matchAll(QUERY)]
    .filter(({ index }) => !MAY_CHANGE.test(code.slice(0, index)))
    .slice(0, QUERIES_MAX);
  if (found.length === 0) return [];
  const traces = await openedTraces(at);
  if (traces === undefined) return [];
  const limit = AbortSignal.timeout(LIMIT_MS);
  const typed: TypedQuery[] = [];
  for (const { index, 1: text = "" } of found) {
    const row = await rowType(text, { traces, limit, at });
    if (row !== undefined) typed.push({ offset: index, row });
  }
  if (limit.aborted && typed.length < found.length) tellLate(at);
  return typed;
}

/** The first question opens them, which is not a query's time; undefined where that fails. */
async function openedTraces({
  cell,
  notebook,
}: AtWork): Promise<DescribedQuery["traces"] | undefined> {
  try {
    const traces = await cell.orCancelled(notebook.parts.session().traces());
    await cell.orCancelled(traces.ask("SELECT 1", []));
    return traces;
  } catch (thrown) {
    if (cell.signal.aborted) throw thrown;
    return undefined;
  }
}

/** Notebooks that know already: the same query would be late in each cell. */
const lateNotebooks = new WeakSet<object>();

function tellLate({ cell, notebook }: AtWork): void {
  if (lateNotebooks.has(notebook)) return;
  lateNotebooks.add(notebook);
  cell.warn(
    `rows of \`sql\` have no types here: DuckDB did not say within ${durationText(LIMIT_MS)} which columns they have`,
  );
}

/** Other libraries have a tag of that name too. */
function isOurTag(code: string, { sql }: Readonly<Record<string, unknown>>): boolean {
  return OUR_IMPORT.test(code) || (typeof sql === "function" && Object.hasOwn(sql, "rowsMax"));
}

const OUR_IMPORT = /\bimport\b[^;"'`]*\bsql\b[^;"'`]*\bfrom\s*["']madrigal["']/;

interface DescribedQuery {
  readonly traces: Pick<TraceStore, "ask">;
  readonly limit: AbortSignal;
  readonly at: AtWork;
}

async function rowType(
  text: string,
  { traces, limit, at: { cell } }: DescribedQuery,
): Promise<string | undefined> {
  const holes: null[] = [];
  const sql = text.replaceAll(/\$\{[^{}]*\}/g, () => `$${holes.push(null)}`);
  const asked = `DESCRIBE SELECT * FROM (\n${sql.replace(/[\s;]+$/, "")}\n)`;
  if (limit.aborted) return undefined;
  const signal = AbortSignal.any([cell.signal, limit]);
  const late = new Promise<undefined>((resolve) =>
    limit.addEventListener("abort", () => resolve(undefined), { once: true }),
  );
  try {
    const asking = traces.ask(asked, holes, { tables: tablesNamedIn(sql), signal });
    // DuckDB may be where nothing can stop it, as in a pipe that nobody writes to.
    const answer = await cell.orCancelled(Promise.race([asking, late]));
    const columns = (answer?.rows ?? []).map(({ column_name, column_type }) => ({
      name: String(column_name),
      type: String(column_type),
    }));
    return columns.length === 0 ? undefined : typeOfColumns(columns);
  } catch (thrown) {
    if (cell.signal.aborted) throw thrown;
    return undefined;
  }
}
