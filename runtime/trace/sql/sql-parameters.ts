/** Gives each statement of a text those parameters that it names. */
import type { DuckDBPreparedStatement } from "@duckdb/node-api";
import { PARTS } from "./sql-statements.ts";

export type QueryValue = null | boolean | number | bigint | string;
export type QueryParams = readonly QueryValue[] | Readonly<Record<string, QueryValue>>;

export interface NamedQuery {
  readonly sql: string;
  readonly named: Readonly<Record<string, QueryValue>>;
}

/**
 * The query with names for its numbers, as long as they are: every place in it stays. DuckDB takes a statement with `$2` and
 * no `$1` for one that lacks a parameter.
 */
export function withNames(sql: string, params: QueryParams = []): NamedQuery {
  if (!isList(params)) return { sql, named: params };
  if (params.length === 0) return { sql, named: {} };
  const values = params.map((value, at) => [nameOf(String(at + 1)), value] as const);
  const renamed = sql.replace(WITH_NUMBERS, (part) =>
    /^\$\d+$/.test(part) ? `$${nameOf(part.slice(1))}` : part,
  );
  return { sql: renamed, named: Object.fromEntries(values) };
}

function isList(params: QueryParams): params is readonly QueryValue[] {
  return Array.isArray(params);
}

const WITH_NUMBERS = new RegExp(`${PARTS.source}|\\$\\d+`, "g");

/** `12` is `bc`. */
function nameOf(number: string): string {
  return number.replaceAll(/\d/g, (digit) => "abcdefghij".charAt(Number(digit)));
}

export function bindNamed(
  statement: DuckDBPreparedStatement,
  named: Readonly<Record<string, QueryValue>>,
): void {
  for (let at = 1; at <= statement.parameterCount; at += 1) {
    const value = named[statement.parameterName(at)];
    // DuckDB itself says which one has no value.
    if (value !== undefined) statement.bindValue(at, value);
  }
}
