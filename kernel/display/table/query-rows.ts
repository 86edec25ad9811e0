/** Runs a query on the traces and returns its rows. */
import { type Row, RunError, type TraceStore } from "../../../runtime/index.ts";
import { counted } from "../visible.ts";
import type { ColumnQuestion } from "./column.ts";
import { showProgress } from "./query-progress.ts";
import { Rows } from "./rows.ts";
import { inner } from "./rows-files.ts";

/** More are not read into the memory of the process unless somebody says so. */
const ROWS_MAX = 100_000;

export interface RowsOptions {
  readonly signal?: AbortSignal;
  readonly rowsMax?: number;
  /** The treatment of rows beyond `rowsMax`: they are left out, or the query is refused. */
  readonly more?: "cut" | "refuse";
}

/** Asks the traces, and keeps the names and types of the columns. */
export async function queryRows<T extends object = Row>(
  traces: Pick<TraceStore, "ask">,
  question: ColumnQuestion,
  { signal, rowsMax = ROWS_MAX, more = "refuse" }: RowsOptions = {},
): Promise<Rows<T>> {
  if (!Number.isInteger(rowsMax) || rowsMax < 1) throw noCount(rowsMax);
  const { sql, params, tables = [] } = question;
  const shown = showProgress();
  const limits = { rowsMax, tables, ...(signal === undefined ? {} : { signal }) };
  try {
    const answer = await traces.ask(sql, params, { ...limits, ...shown });
    const { rows, columns, isCut } = answer;
    if (isCut && more === "refuse") throw tooManyRows(rowsMax);
    const total = isCut ? await totalOf(traces, question, signal) : rows.length;
    return new Rows<T>(rows as unknown as readonly T[], columns, { question, isCut, total });
  } finally {
    shown?.end(signal?.aborted === true);
  }
}

const COUNT_MS = 2_000;

/**
 * Returns the number of rows of a query; undefined if counting takes too long, or the query can't
 * be repeated.
 */
async function totalOf(
  traces: Pick<TraceStore, "ask">,
  { sql, params, tables = [] }: ColumnQuestion,
  signal: AbortSignal | undefined,
): Promise<number | undefined> {
  const late = AbortSignal.timeout(COUNT_MS);
  try {
    const { rows } = await traces.ask(`SELECT count(*) AS total FROM (\n${inner(sql)}\n)`, params, {
      tables,
      signal: signal === undefined ? late : AbortSignal.any([signal, late]),
    });
    return Number(rows[0]?.total);
  } catch {
    return undefined;
  }
}

function noCount(rowsMax: number): RunError {
  return new RunError("M7104", `\`${rowsMax}\` is no number of rows`, {
    hint: "sql.rowsMax takes a whole number from 1",
  });
}

function tooManyRows(rowsMax: number): RunError {
  return new RunError("M6104", `the query gives more than ${counted(rowsMax)} rows`, {
    hint: `let SQL add up (\`count(*)\`, \`GROUP BY\`), or say \`LIMIT\`; sql.rowsMax(${rowsMax * 10})\`SELECT …\` reads more`,
  });
}
