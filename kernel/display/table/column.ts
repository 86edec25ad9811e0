/** Declares the types of rows: their columns, and the question that they answer. */
import type { Row, ValueTable } from "../../../runtime/index.ts";

export interface Column {
  readonly name: string;
  /** As DuckDB writes it, or what the values are when nobody said. */
  readonly type: string;
  /** Its cells are names, which nobody reads in pieces: lines don't break in them. */
  readonly isUnbroken?: boolean;
}

/** The SQL behind a column, so that DuckDB can aggregate it for a chart. */
export interface ColumnQuestion {
  readonly sql: string;
  readonly params: readonly Parameter[];
  /** The values of cells that it may name as tables: the same ones where it is asked again. */
  readonly tables?: readonly ValueTable[];
}

export type Parameter = string | number | bigint | boolean | null;

/** Rows as files are written of them: with their columns, and the question that has all of them. */
export interface KnownRows extends ReadonlyArray<Row> {
  readonly columns: readonly Column[];
  readonly question: ColumnQuestion | undefined;
  /** True if the query has more rows than these. */
  readonly isCut: boolean;
}
