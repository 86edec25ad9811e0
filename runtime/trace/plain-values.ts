import type {
  DuckDBResultReader,
  DuckDBType,
  DuckDBValue,
  DuckDBValueConverter,
  JS,
} from "@duckdb/node-api";
import type { DuckDb } from "./database.ts";

/** A value of a result, in plain JavaScript. */
export type Value =
  | null
  | boolean
  | number
  | string
  | Uint8Array
  | readonly Value[]
  | { readonly [key: string]: Value };

export type Row = { readonly [column: string]: Value };

/** The rows of a result, in plain JavaScript. */
export function toRows(duckdb: DuckDb, result: DuckDBResultReader): Row[] {
  const rows = result.convertRowObjects(plainConverter(duckdb));
  // DuckDB's chunks do not know that a column is JSON; the result does.
  const json = result
    .deduplicatedColumnNames()
    .filter((_, at) => result.columnType(at).alias === "JSON");
  for (const row of rows) {
    for (const name of json) row[name] = readJson(row[name]);
  }
  return rows as Row[];
}

/**
 * Makes DuckDB's values plain: integers become numbers, or text when a number can't hold them; timestamps are ISO texts
 * in UTC; JSON is read; times and intervals are as DuckDB writes them.
 */
function plainConverter(duckdb: DuckDb): DuckDBValueConverter<JS> {
  const { DuckDBTypeId: id } = duckdb;
  const asText = new Set([
    id.TIME,
    id.TIME_TZ,
    id.TIME_NS,
    id.INTERVAL,
    id.DATE,
    id.BIGNUM,
    id.BIT,
  ]);
  const convert = (value: DuckDBValue, type: DuckDBType): JS => {
    if (value === null) return null;
    if (type.alias === "JSON") return readJson(String(value));
    if (asText.has(type.typeId)) return String(value);
    try {
      return flat(duckdb.JSDuckDBValueConverter(value, type, convert));
    } catch {
      // Infinite and far away timestamps are no dates in JavaScript.
      return String(value);
    }
  };
  return convert;
}

function flat(value: JS): JS {
  if (typeof value === "bigint") {
    return Number.isSafeInteger(Number(value)) ? Number(value) : String(value);
  }
  return value instanceof Date ? value.toISOString() : value;
}

function readJson(text: JS | undefined): JS {
  if (typeof text !== "string") return text ?? null;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
