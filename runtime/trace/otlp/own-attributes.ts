/** Converts every column of a row into an attribute of ours and back, so that an exported run can be imported unchanged. */
import { type Columns, type EventRow, eventLog } from "../schema/tables.ts";
import { bool, double, integer, type KeyValue, text } from "./any-value.ts";
import type { Attributes } from "./span.ts";

/** Said once for all rows of a run, or by the span's own members. */
const ELSEWHERE = new Set(["run_id", "thread_id", "graph", "ts", "blob", "has_blobs"]);
/** The columns with texts of people, models and tools, which are exported on request only. */
const CONTENT = new Set(["payload", "patches"]);

interface RowColumn {
  readonly name: string;
  readonly type: Columns[string];
  /** The names of its attributes: of a row, and of the two rows of a span. */
  readonly key: string;
  readonly begin: string;
  readonly end: string;
}

const rowColumns: readonly RowColumn[] = Object.entries(eventLog.columns as Columns).flatMap(
  ([name, type]) =>
    ELSEWHERE.has(name)
      ? []
      : [
          {
            name,
            type,
            key: `madrigal.${name}`,
            begin: `madrigal.begin.${name}`,
            end: `madrigal.end.${name}`,
          },
        ],
);
const withoutContent = rowColumns.filter(({ name }) => !CONTENT.has(name));

type AttributeCell = string | number | boolean;
type AttributeCells = Readonly<Record<string, AttributeCell | null | undefined>>;

/** One row, under `madrigal.COLUMN`. */
export function rowAttributes(row: EventRow, content: boolean): KeyValue[] {
  const attributes: KeyValue[] = [];
  const cells: AttributeCells = row;
  for (const { name, type, key } of content ? rowColumns : withoutContent) {
    const cell = cells[name];
    if (cell !== null && cell !== undefined) attributes.push(attribute(key, type, cell));
  }
  return attributes;
}

/** The rows that begin and end a span: what both have alike under `madrigal.`, the rest under `madrigal.begin.` and `madrigal.end.`. */
export function spanAttributes(
  { begin, end }: { readonly begin?: EventRow; readonly end?: EventRow },
  content: boolean,
): KeyValue[] {
  const attributes: KeyValue[] = [];
  const first: AttributeCells = begin ?? {};
  const last: AttributeCells = end ?? {};
  for (const { name, type, key, begin: ofBegin, end: ofEnd } of content
    ? rowColumns
    : withoutContent) {
    const a = first[name] ?? undefined;
    const b = last[name] ?? undefined;
    if (a !== undefined && a === b) {
      attributes.push(attribute(key, type, a));
      continue;
    }
    if (a !== undefined) attributes.push(attribute(ofBegin, type, a));
    if (b !== undefined) attributes.push(attribute(ofEnd, type, b));
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

function attribute(key: string, type: Columns[string], cell: AttributeCell): KeyValue {
  if (type === "VARCHAR") return text(key, String(cell));
  if (type === "BOOLEAN") return bool(key, cell === true);
  return type === "DOUBLE" ? double(key, Number(cell)) : integer(key, Number(cell));
}

type AttributePlace = "key" | "begin" | "end";

const places = new Map<string, { readonly column: RowColumn; readonly place: AttributePlace }>(
  rowColumns.flatMap((column) =>
    (["key", "begin", "end"] as const).map((place) => [column[place], { column, place }] as const),
  ),
);

/** Adds the cells of a row, or of one of the two rows of a span, to what is known of it. */
export function readCells(row: EventRow, attributes: Attributes, of?: "begin" | "end"): EventRow {
  const cells = row as Record<string, AttributeCell>;
  for (const key of Object.keys(attributes)) {
    const found = places.get(key);
    if (found === undefined || (found.place !== "key" && found.place !== of)) continue;
    const { name, type, [of ?? "key"]: own } = found.column;
    // What is said of one of the two rows counts more than what is said of both.
    if (found.place === "key" && of !== undefined && isOf(type, attributes[own])) continue;
    const value = attributes[key];
    if (isOf(type, value)) cells[name] = value;
  }
  return row;
}

function isOf(type: Columns[string], value: unknown): value is AttributeCell {
  if (type === "VARCHAR") return typeof value === "string";
  if (type === "BOOLEAN") return typeof value === "boolean";
  return typeof value === "number" && fits(type, value);
}

/** Returns whether a number fits its column; one that does not would fail the whole transaction. */
function fits(type: Columns[string], value: number): boolean {
  if (type === "DOUBLE") return true;
  if (!Number.isSafeInteger(value)) return false;
  if (type === "BIGINT" || type === "TIMESTAMP") return true;
  return value >= 0 && value <= (type === "USMALLINT" ? 0xffff : 0xffff_ffff);
}
