/** Every column of a row as an attribute of ours, and back: so that what goes out can come in again as it was. */
import { type Columns, type EventRow, eventLog } from "../tables.ts";
import { bool, double, integer, type KeyValue, text } from "./any-value.ts";
import type { Attributes } from "./span.ts";

/** Said once for all rows of a run, or by the span's own members. */
const ELSEWHERE = new Set(["run_id", "thread_id", "graph", "ts"]);
/** What people, models and tools said: exported where that is asked for. */
const CONTENT = new Set(["payload", "patches"]);

const rowColumns = Object.entries(eventLog.columns as Columns).filter(
  ([name]) => !ELSEWHERE.has(name),
);
const withoutContent = rowColumns.filter(([name]) => !CONTENT.has(name));

type Cell = string | number | boolean;
type Cells = Readonly<Record<string, Cell | null | undefined>>;

/** One row, under `madrigal.COLUMN`. */
export function rowAttributes(row: EventRow, content: boolean): KeyValue[] {
  const attributes: KeyValue[] = [];
  const cells: Cells = row;
  for (const [name, type] of content ? rowColumns : withoutContent) {
    const cell = cells[name];
    if (cell !== null && cell !== undefined)
      attributes.push(attribute(`madrigal.${name}`, type, cell));
  }
  return attributes;
}

/** The rows that begin and end a span: what both have alike under `madrigal.`, the rest under `madrigal.begin.` and `madrigal.end.`. */
export function spanAttributes(
  { begin, end }: { readonly begin?: EventRow; readonly end?: EventRow },
  content: boolean,
): KeyValue[] {
  const attributes: KeyValue[] = [];
  const first: Cells = begin ?? {};
  const last: Cells = end ?? {};
  for (const [name, type] of content ? rowColumns : withoutContent) {
    const [a, b] = [first[name] ?? undefined, last[name] ?? undefined];
    if (a !== undefined && a === b) {
      attributes.push(attribute(`madrigal.${name}`, type, a));
      continue;
    }
    if (a !== undefined) attributes.push(attribute(`madrigal.begin.${name}`, type, a));
    if (b !== undefined) attributes.push(attribute(`madrigal.end.${name}`, type, b));
  }
  return attributes;
}

/** The cells of any table under a prefix. */
export function cellAttributes(
  cells: Readonly<Record<string, unknown>>,
  prefix: string,
  names: readonly string[],
): KeyValue[] {
  return names.flatMap((name) => {
    const cell = cells[name];
    if (typeof cell === "string") return [text(prefix + name, cell)];
    if (typeof cell === "boolean") return [bool(prefix + name, cell)];
    if (typeof cell === "number") return [double(prefix + name, cell)];
    return [];
  });
}

function attribute(key: string, type: Columns[string], cell: Cell): KeyValue {
  if (type === "VARCHAR") return text(key, String(cell));
  if (type === "BOOLEAN") return bool(key, cell === true);
  return type === "DOUBLE" ? double(key, Number(cell)) : integer(key, Number(cell));
}

/** The cells that stand under one of the prefixes. */
export function readCells(attributes: Attributes, ...prefixes: readonly string[]): EventRow {
  const cells: Record<string, Cell> = {};
  for (const [name, type] of rowColumns) {
    for (const prefix of prefixes) {
      const value = attributes[prefix + name];
      if (!isOf(type, value)) continue;
      cells[name] = value;
    }
  }
  return cells as EventRow;
}

function isOf(type: Columns[string], value: unknown): value is Cell {
  if (type === "VARCHAR") return typeof value === "string";
  if (type === "BOOLEAN") return typeof value === "boolean";
  return typeof value === "number" && fits(type, value);
}

/** What does not fit its column would end the whole transaction. */
function fits(type: Columns[string], value: number): boolean {
  if (type === "DOUBLE") return true;
  if (!Number.isSafeInteger(value)) return false;
  if (type === "BIGINT" || type === "TIMESTAMP") return true;
  return value >= 0 && value <= (type === "USMALLINT" ? 0xffff : 0xffff_ffff);
}
