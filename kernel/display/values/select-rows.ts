/** Finds which rows of a table are shown, and in which order: by a search, a filter a column, and one column to sort by. */
import { setImmediate as nextTurn } from "node:timers/promises";
import type { Row } from "../../../runtime/index.ts";
import { cellText } from "../table/cell-text.ts";
import type { Column } from "../table/column.ts";

export interface RowsAsked {
  readonly search?: string;
  /** By the number of the column: `text`, `> 5`, `2..4`, `= x`, `!= x`, `null`, `!null`. */
  readonly filters?: Readonly<Record<string, string>>;
  readonly sort?: { readonly column: number; readonly isDown: boolean };
}

export interface ViewedRows {
  readonly rows: readonly Row[];
  readonly columns: readonly Column[];
}

/** So many rows are looked at before other work has its turn. */
const TURN_ROWS = 5_000;

/** The numbers of the rows. */
export async function selectRows(viewed: ViewedRows, asked: RowsAsked): Promise<readonly number[]> {
  const { rows, columns } = viewed;
  const isShown = testOf(columns, asked);
  const found: number[] = [];
  for (let at = 0; at < rows.length; at += 1) {
    if (at % TURN_ROWS === TURN_ROWS - 1) await nextTurn();
    const row = rows[at];
    if (row !== undefined && isShown(row)) found.push(at);
  }
  const column = columns[asked.sort?.column ?? -1];
  if (asked.sort === undefined || column === undefined) return found;
  const keys = rows.map((row) => memberOf(row, column));
  const turn = asked.sort.isDown ? -1 : 1;
  return found.sort((one, other) => compared(keys[one], keys[other], turn) || one - other);
}

/** A member of a row; a getter may throw. */
export function memberOf(row: Row | undefined, { name }: Column): unknown {
  try {
    return row?.[name];
  } catch {
    return "(throws)";
  }
}

/** Nothing comes last, whichever way; numbers before texts. */
function compared(one: unknown, other: unknown, turn: number): number {
  const [left, right] = [keyOf(one), keyOf(other)];
  if (left === undefined || right === undefined) {
    return Number(left === undefined) - Number(right === undefined);
  }
  if (typeof left !== typeof right) return typeof left === "number" ? -turn : turn;
  if (left === right) return 0;
  return left < right ? -turn : turn;
}

function keyOf(value: unknown): number | string | undefined {
  if (value === null || value === undefined) return undefined;
  if (typeof value === "number" || typeof value === "bigint") return Number(value);
  if (typeof value === "boolean") return Number(value);
  return searched(value);
}

const ANY: Column = { name: "", type: "" };

function searched(value: unknown): string {
  return typeof value === "string" ? value : cellText(value, ANY).text;
}

type RowTest = (row: Row) => boolean;

function testOf(columns: readonly Column[], { search = "", filters = {} }: RowsAsked): RowTest {
  const tests: RowTest[] = [];
  const words = search.trim().toLowerCase();
  if (words !== "") {
    tests.push((row) =>
      columns.some((column) => searched(memberOf(row, column)).toLowerCase().includes(words)),
    );
  }
  for (const [number, text] of Object.entries(filters)) {
    const column = columns[Number(number)];
    if (column === undefined || text.trim() === "") continue;
    const test = valueTest(text.trim());
    tests.push((row) => test(memberOf(row, column)));
  }
  return (row) => tests.every((test) => test(row));
}

function valueTest(text: string): (value: unknown) => boolean {
  if (/^null$/i.test(text)) return isNothing;
  if (/^!\s*null$/i.test(text)) return (value) => !isNothing(value);
  const [, low = "", high = ""] = /^(-?[\d.]+)\s*\.\.\s*(-?[\d.]+)$/.exec(text) ?? [];
  if (low !== "")
    return (value) =>
      isNumber(value) && Number(value) >= Number(low) && Number(value) <= Number(high);
  const [, operator, bound = ""] = /^(<=|>=|!=|<|>|=)\s*(.+)$/s.exec(text) ?? [];
  if (operator === undefined) {
    const words = text.toLowerCase();
    return (value) => !isNothing(value) && searched(value).toLowerCase().includes(words);
  }
  return (value) => {
    if (isNothing(value)) return operator === "!=";
    const order = orderOf(value, bound);
    switch (operator) {
      case "<":
        return order < 0;
      case "<=":
        return order <= 0;
      case ">":
        return order > 0;
      case ">=":
        return order >= 0;
      case "=":
        return order === 0;
      default:
        return order !== 0;
    }
  };
}

function orderOf(value: unknown, bound: string): number {
  if (isNumber(value) && bound.trim() !== "" && !Number.isNaN(Number(bound)))
    return Number(value) - Number(bound);
  const text = searched(value);
  if (text === bound) return 0;
  return text < bound ? -1 : 1;
}

function isNothing(value: unknown): boolean {
  return value === null || value === undefined;
}

function isNumber(value: unknown): boolean {
  return typeof value === "number" || typeof value === "bigint";
}
