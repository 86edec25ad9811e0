/** Offers values of cells to SQL: an array of objects is a table, one of numbers or texts a table with a column `value`. */
import { setImmediate as nextTurn } from "node:timers/promises";
import { nearest } from "../../../dsl/index.ts";
import { messageOf, type Row, RunError, type ValueTable } from "../../../runtime/index.ts";
import { currentHost } from "../../host.ts";
import { counted } from "../visible.ts";
import type { Column } from "./column.ts";
import { bytesText } from "./json-rows.ts";
import { isPlainObject, plainRows } from "./plain-rows.ts";
import { type JsonType, ValueType } from "./value-type.ts";

/** The texts and comments of a query, in which no table is named, and its names. */
const WORDS = /'(?:[^']|'')*'|--[^\n]*|\/\*[\s\S]*?\*\/|"((?:[^"]|"")*)"|[\p{L}_][\p{L}\p{N}_$]*/gu;

/** The values of cells that a query may mean as tables; which of them it does, DuckDB finds out. */
export function tablesNamedIn(sql: string): readonly ValueTable[] {
  const names = currentHost()?.names;
  if (names === undefined) return [];
  const words = new Set(
    [...sql.matchAll(WORDS)].map(([word, quoted]) =>
      (quoted?.replaceAll('""', '"') ?? word).toLowerCase(),
    ),
  );
  return Object.keys(names)
    .filter((name) => words.has(name.toLowerCase()))
    .map((name) => ({ name, value: names[name] }))
    .filter(({ value }) => whyNoTable(value) === undefined)
    .map(({ name, value }) => valueTable(name, value as readonly unknown[]));
}

/** The names of the values of cells that SQL can ask. */
export function tableNames(): readonly string[] {
  const names = currentHost()?.names ?? {};
  return Object.keys(names).filter((name) => whyNoTable(names[name]) === undefined);
}

/** Says why a value is no table; undefined for one that is. */
export function whyNoTable(value: unknown): string | undefined {
  if (!Array.isArray(value)) return "it is no array";
  if (value.length === 0 && columnsOf(value) === undefined)
    return "it is empty, so that nothing says which columns it has";
  if (plainRows(value) !== undefined || value.length === 0) return undefined;
  const isRow = isPlainObject(value[0]) ? isPlainObject : isSingle;
  const at = Array.from(value).findIndex((item) => !isRow(item));
  return at === -1 ? undefined : `item ${at} of it is no plain object`;
}

function isSingle(item: unknown): boolean {
  return item === null || item === undefined || SINGLE.has(typeof item);
}

const SINGLE = new Set(["string", "number", "bigint", "boolean"]);

/** Rows of a query say what their columns are. */
function columnsOf(value: readonly unknown[]): readonly Column[] | undefined {
  const { columns } = value as { readonly columns?: unknown };
  return Array.isArray(columns) && columns.length > 0 ? columns : undefined;
}

/** So many rows are looked at and written at a time: the main thread must not stand still. */
const PART_ROWS = 5_000;

function valueTable(name: string, value: readonly unknown[]): ValueTable {
  let found: Promise<FoundColumns> | undefined;
  return {
    name,
    async read(at) {
      found ??= findColumns(name, value);
      const { columns, isList } = await found;
      const from = at * PART_ROWS;
      if (at > 0 && from >= value.length) return undefined;
      const fields = Object.fromEntries(columns.map(({ field, type }) => [field, type]));
      const items = value.slice(from, from + PART_ROWS);
      const rows = isList ? items.map((item) => ({ value: item })) : (items as readonly Row[]);
      return { type: wellFormed(JSON.stringify([fields])), rows: rowsText(rows, columns, name) };
    },
  };
}

interface FoundColumn {
  /** The key in the rows, and the name of the column. */
  readonly key: string;
  readonly field: string;
  readonly type: JsonType;
}

interface FoundColumns {
  readonly columns: readonly FoundColumn[];
  /** The items are single values. */
  readonly isList: boolean;
}

async function findColumns(name: string, value: readonly unknown[]): Promise<FoundColumns> {
  const declared = columnsOf(value);
  const isList = declared === undefined && plainRows(value) === undefined;
  const types = new Map<string, ValueType>(declared?.map((column) => [column.name, typeOf()]));
  for (const [at, row] of value.entries()) {
    if (at % PART_ROWS === PART_ROWS - 1) await nextTurn();
    const entries = isList ? [["value", row] as const] : entriesOf(row as Row, name, at);
    for (const [key, one] of entries) {
      const type = types.get(key) ?? typeOf();
      types.set(key, type);
      type.add(one);
    }
  }
  if (types.size > COLUMNS_MAX || types.size === 0) {
    throw noTable(
      name,
      types.size === 0 ? "its objects are empty" : `it has ${counted(types.size, "column")}`,
    );
  }
  const asked = new Map(declared?.map((column) => [column.name, column.type]));
  const taken = new Set<string>();
  const columns = [...types].map(([key, type]) => {
    const known = asked.get(key);
    const isKept = known !== undefined && !LOST.test(known);
    return { key, field: fieldName(key, taken), type: isKept ? known : type.type };
  });
  return { columns, isList };
}

const COLUMNS_MAX = 2_000;
/** The types of DuckDB whose values do not come back from JSON as they were. */
const LOST = /\b(?:NULL|UNION|VARIANT|GEOMETRY|BIT|BIGNUM)\b/;

function typeOf(): ValueType {
  return new ValueType();
}

/** DuckDB does not tell capital letters from small ones, and a column has a name. */
function fieldName(key: string, taken: Set<string>): string {
  const base = key === "" ? "column" : key.toWellFormed();
  let name = base;
  for (let count = 1; taken.has(name.toLowerCase()); count += 1) name = `${base}_${count}`;
  taken.add(name.toLowerCase());
  return name;
}

function entriesOf(row: Row, name: string, at: number): readonly (readonly [string, unknown])[] {
  try {
    return Object.entries(row);
  } catch (cause) {
    throw noTable(name, `item ${at} of it throws: ${messageOf(cause)}`, cause);
  }
}

function rowsText(
  rows: readonly Readonly<Record<string, unknown>>[],
  columns: readonly FoundColumn[],
  name: string,
): string {
  try {
    const fields = rows.map((row) =>
      Object.fromEntries(columns.map(({ key, field }) => [field, row[key]])),
    );
    return wellFormed(JSON.stringify(fields, jsonMember));
  } catch (cause) {
    throw noTable(name, `it is no JSON: ${messageOf(cause).split("\n", 1)[0]}`, cause);
  }
}

const { rawJSON } = JSON as unknown as { readonly rawJSON: (text: string) => unknown };

function jsonMember(this: unknown, key: string, member: unknown): unknown {
  const held = (this as Readonly<Record<string, unknown>>)[key];
  if (held instanceof Uint8Array) return bytesText(held);
  if (typeof member === "bigint") return rawJSON(String(member));
  return typeof member === "number" && !Number.isFinite(member) ? String(member) : member;
}

/** JSON of JavaScript may hold halves of characters, which DuckDB refuses. */
function wellFormed(json: string): string {
  if (!/\\ud[89a-f]/.test(json)) return json;
  return json.replace(/\\(?:ud[89a-f][\da-f]{2}|.)/g, (part) =>
    part.length === 6 ? "\\ufffd" : part,
  );
}

function noTable(name: string, why: string, cause?: unknown): RunError {
  return new RunError("M7841", `\`${name}\` can't be a table: ${why}`, {
    hint: "a table is an array of plain objects, whose values are numbers, texts, dates, lists and objects",
    cause,
  });
}

// ── what a query that names no table is told ────────────────────────────────────────────────────

/** The same error; where a query names a value that is no table, or one that is spelled otherwise, it says so. */
export function withCellName(thrown: unknown): unknown {
  const [, missing] = /^Table with name (.+?) does not exist/.exec(messageOf(thrown)) ?? [];
  const names = currentHost()?.names ?? {};
  if (missing === undefined || !(thrown instanceof Error)) return thrown;
  const name = Object.keys(names).find((one) => one.toLowerCase() === missing.toLowerCase());
  const why = name === undefined ? undefined : whyNoTable(names[name]);
  if (why !== undefined) {
    const hint = "SQL reads arrays of plain objects; `${NAME}` binds a single value";
    return Object.assign(thrown, {
      code: "M7840",
      message: `\`${name}\` is no table: ${why}`,
      hint,
    });
  }
  const { hint } = thrown as { readonly hint?: string };
  const meant = hint?.startsWith("did you mean") ? undefined : nearest(missing, tableNames());
  return meant === undefined
    ? thrown
    : Object.assign(thrown, { hint: `did you mean \`${meant}\`?` });
}
