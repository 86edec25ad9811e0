/** Writes the numbers, times and booleans of a column into a vector of DuckDB. */
import type { ColumnValue } from "../schema/tables.ts";
import type { BufferedCell, ColumnBuffer } from "./column-buffer.ts";
import { Validity } from "./validity.ts";

type FixedType = Exclude<keyof ColumnValue, "VARCHAR">;

/** A column of values that all have one size. */
export function numberColumn(type: FixedType, rows: number): ColumnBuffer {
  const bytes = BYTES[type];
  const buffer = new ArrayBuffer(rows * bytes);
  const put = putterOf(type, buffer);
  const validity = new Validity(rows);
  return {
    put(index, cell) {
      put(index, cell);
      validity.set(index);
    },
    move(bindings, chunk, { at, rows: filled }) {
      const vector = bindings.data_chunk_get_vector(chunk, at);
      // One NULL for all of them is one value to DuckDB.
      if (validity.count === 0) {
        bindings.vector_reference_value(vector, bindings.create_null_value());
        return;
      }
      validity.move(bindings, vector, filled);
      bindings.copy_data_to_vector(vector, 0, buffer, 0, filled * bytes);
    },
  };
}

function putterOf(
  type: FixedType,
  buffer: ArrayBuffer,
): (index: number, cell: BufferedCell) => void {
  if (type === "BIGINT") return integers(buffer, 1);
  // Microseconds; milliseconds may have a fraction.
  if (type === "TIMESTAMP") return integers(buffer, 1_000);
  const view = new VIEWS[type](buffer);
  return (index, cell) => {
    view[index] = Number(cell);
  };
}

/** Without bigints, which would be made for each of them; DuckDB is little-endian like all machines that Node runs on. */
function integers(
  buffer: ArrayBuffer,
  factor: number,
): (index: number, cell: BufferedCell) => void {
  const low = new Uint32Array(buffer);
  const high = new Int32Array(buffer);
  return (index, cell) => {
    const value = Math.round(Number(cell) * factor);
    const word = Math.floor(value / WORD);
    low[2 * index] = value - word * WORD;
    high[2 * index + 1] = word;
  };
}

const VIEWS = {
  BOOLEAN: Uint8Array,
  USMALLINT: Uint16Array,
  UINTEGER: Uint32Array,
  DOUBLE: Float64Array,
} as const;
const BYTES = {
  BOOLEAN: 1,
  USMALLINT: 2,
  UINTEGER: 4,
  BIGINT: 8,
  DOUBLE: 8,
  TIMESTAMP: 8,
} as const;
const WORD = 2 ** 32;
