/** Converts the values of DuckDB into plain values of JavaScript. */
import type {
  DuckDBDecimalValue,
  DuckDBResultReader,
  DuckDBType,
  DuckDBValue,
  DuckDBValueConverter,
  JS,
} from "@duckdb/node-api";
import type { DuckDb } from "../database/database.ts";

/** A value of a result, in plain JavaScript. */
export type SqlValue =
  | null
  | boolean
  | number
  | string
  | Uint8Array
  | readonly SqlValue[]
  | { readonly [key: string]: SqlValue };

export type Row = { readonly [column: string]: SqlValue };

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
 * Makes DuckDB's values plain: integers and decimals become numbers, or text when a number can't hold them; timestamps are
 * ISO texts in UTC; JSON is read; a map whose keys are texts is an object; times and intervals are as DuckDB writes them.
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
    if (value instanceof duckdb.DuckDBDecimalValue) return exactDecimal(value);
    try {
      const plain = duckdb.JSDuckDBValueConverter(value, type, convert);
      if (value instanceof duckdb.DuckDBMapValue) return mapped(plain);
      // Also a `Buffer`, as which it does not come out of another thread.
      if (plain instanceof Uint8Array) return Uint8Array.from(plain);
      return plain instanceof Date ? isoText(plain, String(value)) : flat(plain);
    } catch {
      // Infinite and far away timestamps are no dates in JavaScript.
      return String(value);
    }
  };
  return convert;
}

function flat(value: JS): JS {
  if (typeof value !== "bigint") return value;
  return Number.isSafeInteger(Number(value)) ? Number(value) : String(value);
}

/** A number holds 15 digits for sure. */
const DIGITS_MAX = 15;

function exactDecimal(value: DuckDBDecimalValue): JS {
  const { length } = String(value.value).replace("-", "");
  return length <= DIGITS_MAX ? value.toDouble() : String(value);
}

/** A date of JavaScript knows no microseconds; DuckDB's text of it does. */
function isoText(date: Date, text: string): string {
  const iso = date.toISOString();
  const fraction = /\.\d{3}(\d+)/.exec(text)?.[1];
  return fraction === undefined ? iso : iso.replace("Z", `${fraction}Z`);
}

function mapped(plain: JS): JS {
  const entries = plain as unknown as readonly { readonly key: JS; readonly value: JS }[];
  if (!entries.every(({ key }) => typeof key === "string")) return plain;
  return Object.fromEntries(entries.map(({ key, value }) => [key, value])) as JS;
}

function readJson(text: JS | undefined): JS {
  if (typeof text !== "string") return text ?? null;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
