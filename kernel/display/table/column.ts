/** Declares the types of rows: their columns, and the question that they answer. */
import type { Row } from "../../../runtime/index.ts";

export interface Column {
  readonly name: string;
  /** As DuckDB writes it, or what the values are when nobody said. */
  readonly type: string;
  /** Its cells are names, which nobody reads in pieces: lines don't break in them. */
  readonly isUnbroken?: boolean;
}

/** What was asked, so that a chart can have DuckDB add it up instead. */
export interface ColumnQuestion {
  readonly sql: string;
  readonly params: readonly Parameter[];
}

export type Parameter = string | number | bigint | boolean | null;

/** Rows as files are written of them: with their columns, and the question that has all of them. */
export interface KnownRows extends ReadonlyArray<Row> {
  readonly columns: readonly Column[];
  readonly question: ColumnQuestion | undefined;
  /** Whether the question has more rows than these. */
  readonly isCut: boolean;
}
