/** The rows of a question, with the names and types of its columns. */
import type { Row, TraceStore } from "../../../runtime/index.ts";
import { RunError } from "../../../runtime/index.ts";
import { counted } from "../visible.ts";

export interface Column {
  readonly name: string;
  /** As DuckDB writes it, or what the values are when nobody said. */
  readonly type: string;
  /** Its cells are names, which nobody reads in pieces: lines don't break in them. */
  readonly isUnbroken?: boolean;
}

/** What was asked, so that a chart can have DuckDB add it up instead. */
export interface Question {
  readonly sql: string;
  readonly params: readonly Parameter[];
}

export type Parameter = string | number | bigint | boolean | null;

/** How many rows are shown at once. */
export const PAGE_ROWS = 100;

/** More are not read into the memory of the process unless somebody says so. */
export const ROWS_MAX = 100_000;

/** An array like any other; only its display knows about pages, names and types. */
export class Rows extends Array<Row> {
  // What `map` and `filter` make are plain arrays.
  static override get [Symbol.species](): ArrayConstructor {
    return Array;
  }

  readonly columns: readonly Column[];
  readonly question: Question | undefined;
  /** Whether the question has more rows than these. */
  readonly isCut: boolean;

  constructor(
    rows: readonly Row[] = [],
    columns: readonly Column[] = columnsOf(rows),
    { question, isCut = false }: { readonly question?: Question; readonly isCut?: boolean } = {},
  ) {
    super(rows.length);
    for (const [index, row] of rows.entries()) this[index] = row;
    this.columns = columns;
    this.question = question;
    this.isCut = isCut;
    // They are no elements: `console.log` and `toEqual` show and compare rows.
    for (const key of ["columns", "question", "isCut"])
      Object.defineProperty(this, key, { enumerable: false });
  }

  get pageCount(): number {
    return Math.max(1, Math.ceil(this.length / PAGE_ROWS));
  }

  /** The n-th hundred, from 1, as a value that shows itself. */
  page(number: number): RowsPage {
    if (!Number.isInteger(number) || number < 1 || number > this.pageCount) {
      throw new RunError("M7604", `there is no page ${number} of ${counted(this.length)} rows`, {
        hint: this.pageCount === 1 ? "there is page 1 alone" : `pages are 1 to ${this.pageCount}`,
      });
    }
    return new RowsPage(this, number);
  }
}

/** A part of rows that is shown on its own. */
export class RowsPage {
  readonly rows: Rows;
  readonly number: number;

  constructor(rows: Rows, number: number) {
    this.rows = rows;
    this.number = number;
  }
}

export interface RowsOptions {
  readonly signal?: AbortSignal;
  readonly rowsMax?: number;
  /** What becomes of rows behind `rowsMax`: they are left out, or the question is refused. */
  readonly more?: "cut" | "refuse";
}

/** Asks the traces, and keeps the names and types of the columns. */
export async function queryRows(
  traces: Pick<TraceStore, "query">,
  question: Question,
  { signal, rowsMax = ROWS_MAX, more = "refuse" }: RowsOptions = {},
): Promise<Rows> {
  if (!Number.isInteger(rowsMax) || rowsMax < 1) throw noCount(rowsMax);
  const { sql, params } = question;
  const rows = await traces.query(sql, params, {
    // One more says whether there are more.
    rowsMax: rowsMax + 1,
    ...(signal === undefined ? {} : { signal }),
  });
  const isCut = rows.length > rowsMax;
  if (isCut && more === "refuse") throw tooManyRows(rowsMax);
  const columns = await describedColumns(traces, question, rows[0]);
  return new Rows(rows.slice(0, rowsMax), columns ?? columnsOf(rows), { question, isCut });
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

/** Undefined for what is no single SELECT; then the values say what they are. */
async function describedColumns(
  traces: Pick<TraceStore, "query">,
  { sql, params }: Question,
  row: Row | undefined,
): Promise<readonly Column[] | undefined> {
  try {
    // In its parentheses a second statement is a mistake, and so is never run again.
    const source = sql.replace(/[\s;]+$/, "");
    const described = await traces.query(`DESCRIBE SELECT * FROM (\n${source}\n)`, params);
    const columns = described.map(({ column_name: name, column_type: type }) => ({
      name: String(name),
      type: String(type),
    }));
    const isWhole = row === undefined || columns.every(({ name }) => Object.hasOwn(row, name));
    return isWhole ? columns : undefined;
  } catch {
    return undefined;
  }
}

/** The columns that plain objects have, in the order in which they come up. */
export function columnsOf(rows: readonly Row[]): readonly Column[] {
  const names = new Set(rows.flatMap((row) => Object.keys(row)));
  return [...names].map((name) => ({ name, type: typeOfValues(rows.map((row) => row[name])) }));
}

const ISO_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$/;

function typeOfValues(values: readonly unknown[]): string {
  const known = values.filter((value) => value !== null && value !== undefined);
  if (known.length === 0) return "NULL";
  if (known.every((value) => typeof value === "number")) {
    return known.every(Number.isInteger) ? "BIGINT" : "DOUBLE";
  }
  if (known.every((value) => typeof value === "boolean")) return "BOOLEAN";
  if (known.every((value) => typeof value === "string" && ISO_TIME.test(value))) return "TIMESTAMP";
  return known.every((value) => typeof value === "string") ? "VARCHAR" : "JSON";
}
