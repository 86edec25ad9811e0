/** Reads the words of SQL over the traces, which trace-tables.test.ts writes from the code and DuckDB. */
import { readFileSync } from "node:fs";

export interface TableWords {
  readonly note?: string;
  /** Their types. */
  readonly columns: Readonly<Record<string, string>>;
}

export interface CallWords {
  /** `(run, upto_step)`. */
  readonly signature: string;
  readonly note?: string;
}

interface TraceWords {
  readonly tables: Readonly<Record<string, TableWords>>;
  readonly macros: Readonly<Record<string, CallWords>>;
  /** The notes on columns, by name. */
  readonly columns: Readonly<Record<string, string>>;
}

interface DuckDbWords {
  /** With what stands in their parentheses. */
  readonly functions: Readonly<Record<string, string>>;
  /** Separated by spaces, those first that queries need most. */
  readonly keywords: string;
}

let trace: TraceWords | undefined;
let duckdb: DuckDbWords | undefined;

/** Read with the first cell of SQL. */
export function traceWords(): TraceWords {
  trace ??= read("trace-words.json") as TraceWords;
  return trace;
}

export function duckDbWords(): DuckDbWords {
  duckdb ??= read("duckdb-words.json") as DuckDbWords;
  return duckdb;
}

function read(name: string): unknown {
  return JSON.parse(readFileSync(new URL(name, import.meta.url), "utf8"));
}

/** Case means nothing in SQL. */
export function tableWords(name: string): TableWords | undefined {
  return own(traceWords().tables, name.toLowerCase());
}

export function macroWords(name: string): CallWords | undefined {
  return own(traceWords().macros, name.toLowerCase());
}

export function functionWords(name: string): CallWords | undefined {
  const signature = own(duckDbWords().functions, name.toLowerCase());
  return signature === undefined ? undefined : { signature };
}

function own<T>(from: Readonly<Record<string, T>>, name: string): T | undefined {
  return Object.hasOwn(from, name) ? from[name] : undefined;
}

const TABLE_OF_QUERY =
  /\b(?:FROM|JOIN|,)\s+([\p{L}_][\p{L}\p{N}_]*)(?:\s+(?:AS\s+)?([\p{L}_][\p{L}\p{N}_]*))?/giu;

/** The tables that a query names. */
export function tablesIn(code: string): readonly string[] {
  const named = [...code.matchAll(TABLE_OF_QUERY)].map(([, name = ""]) => name.toLowerCase());
  return [...new Set(named)].filter((name) => tableWords(name) !== undefined);
}

/** The table that `n` stands for, of `FROM node_runs n`. */
export function aliased(name: string, code: string): string {
  const found = [...code.matchAll(TABLE_OF_QUERY)].find(([, , alias]) => alias === name);
  return (found?.[1] ?? name).toLowerCase();
}
