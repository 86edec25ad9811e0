/** Represents the rows of a query, with the names and types of its columns. */
import { types } from "node:util";
import { type Row, RunError } from "../../../runtime/index.ts";
import type { QuickChart } from "../chart/quick-types.ts";
import type { Chart, ChartSpec } from "../chart/spec.ts";
import { counted } from "../visible.ts";
import type { Column, ColumnQuestion } from "./column.ts";
import { type CsvOptions, csvText } from "./csv.ts";
import { jsonRows } from "./json-rows.ts";
import { writeCsv, writeJson, writeParquet } from "./rows-files.ts";

/** The number of rows in one page of a table. */
export const PAGE_ROWS = 100;

/** An array like any other; only its display knows about pages, names and types. */
export class Rows<T extends object = Row> extends Array<T> {
  // `map` and `filter` return plain arrays.
  static override get [Symbol.species](): ArrayConstructor {
    return Array;
  }

  readonly columns: readonly Column[];
  readonly question: ColumnQuestion | undefined;
  /** True if the query has more rows than these. */
  readonly isCut: boolean;
  /** The number of rows of the query, where it is known. */
  readonly total: number | undefined;

  constructor(
    rows: readonly T[] = [],
    columns: readonly Column[] = columnsOf(rows as readonly Row[]),
    { question, isCut = false, total = isCut ? undefined : rows.length }: RowsOrigin = {},
  ) {
    super(rows.length);
    for (let index = 0; index < rows.length; index += 1) this[index] = rows[index] as T;
    this.columns = columns;
    this.question = question;
    this.isCut = isCut;
    this.total = total;
    // Not enumerable, so that `console.log` and `toEqual` see the rows only.
    for (const key of ["columns", "question", "isCut", "total"])
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
    return new RowsPage(this as unknown as Rows, number);
  }

  /** Draws them: a type with the columns that fit it, or a specification of Vega-Lite. */
  chart(spec?: QuickChart | ChartSpec): Chart {
    return draw(this as unknown as Rows, spec);
  }

  /**
   * Returns these rows as CSV; with a file, writes all rows of the query there and returns its
   * path. Throws `RunError` M7631 if that fails.
   */
  csv(file?: undefined, options?: CsvOptions): string;
  csv(file: string, options?: CsvOptions): Promise<string>;
  csv(file?: string, options?: CsvOptions): string | Promise<string> {
    const rows = this as unknown as Rows;
    return file === undefined ? csvText(whole(rows), options) : writeCsv(rows, file, options);
  }

  /**
   * Returns these rows as JSON; with a file, writes all rows of the query there and returns its
   * path.
   */
  json(): string;
  json(file: string): Promise<string>;
  json(file?: string): string | Promise<string> {
    const rows = this as unknown as Rows;
    return file === undefined ? jsonRows(whole(rows)) : writeJson(rows, file);
  }

  /** Writes all rows of the question to a Parquet file, whose path it gives. */
  parquet(file: string): Promise<string> {
    return writeParquet(this as unknown as Rows, file);
  }
}

/** The query that rows come from, and whether they are all of its rows. */
export interface RowsOrigin {
  readonly question?: ColumnQuestion;
  readonly isCut?: boolean;
  readonly total?: number | undefined;
}

function whole(rows: Rows): Rows {
  if (!rows.isCut) return rows;
  throw new RunError("M7631", `only the first ${counted(rows.length)} rows were read`, {
    hint: "give a file name, as in .csv('rows.csv'), to write all rows of the query",
  });
}

/** Charts know rows, and rows not them. */
let draw: (rows: Rows, spec: QuickChart | ChartSpec | undefined) => Chart = () => {
  throw new Error("nothing draws rows yet");
};

/** Says what `rows.chart()` does. */
export function drawRowsBy(made: typeof draw): void {
  draw = made;
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

/** The columns that plain objects have, in the order in which they come up. */
export function columnsOf(rows: readonly Row[]): readonly Column[] {
  const kinds = new Map<string, Set<PlainKind>>();
  for (const row of rows) {
    for (const name of Object.keys(row)) {
      const value = row[name];
      const known = kinds.get(name) ?? new Set();
      if (known.size === 0) kinds.set(name, known);
      // In a column with a text that is no time, all texts are.
      if (
        value !== null &&
        value !== undefined &&
        !(known.has("text") && typeof value === "string")
      )
        known.add(kindOf(value));
    }
  }
  return [...kinds].map(([name, known]) => ({ name, type: typeOfKinds(known) }));
}

type PlainKind = "integer" | "double" | "boolean" | "time" | "text" | "other";

const ISO_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$/;

function kindOf(value: unknown): PlainKind {
  switch (typeof value) {
    case "number":
      return Number.isInteger(value) ? "integer" : "double";
    case "boolean":
      return "boolean";
    case "string":
      return ISO_TIME.test(value) ? "time" : "text";
    default:
      return types.isDate(value) ? "time" : "other";
  }
}

function typeOfKinds(kinds: ReadonlySet<PlainKind>): string {
  const has = (...among: readonly PlainKind[]) => [...kinds].every((kind) => among.includes(kind));
  if (kinds.size === 0) return "NULL";
  if (has("integer")) return "BIGINT";
  if (has("integer", "double")) return "DOUBLE";
  if (has("boolean")) return "BOOLEAN";
  if (has("time")) return "TIMESTAMP";
  return has("time", "text") ? "VARCHAR" : "JSON";
}
