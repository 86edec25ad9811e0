/** Defines the types of the buffers in which columns are written to DuckDB. */
import type { DataChunk } from "@duckdb/node-bindings";
import type { ColumnValue } from "../schema/tables.ts";

export type Bindings = typeof import("@duckdb/node-bindings");

/** The value of a cell. */
export type BufferedCell = ColumnValue[keyof ColumnValue];

/** One column of a chunk that is being filled; what is not put is NULL. */
export interface ColumnBuffer {
  put(index: number, cell: BufferedCell): void;
  /** Moves what was put into column `at` of a chunk of `rows` rows, and is empty again. */
  move(bindings: Bindings, chunk: DataChunk, of: { at: number; rows: number }): void;
}
