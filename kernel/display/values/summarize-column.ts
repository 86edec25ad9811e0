/** Sums up a column of a table in a line: how many values, what they range over, or which are the most frequent. */
import { setImmediate as nextTurn } from "node:timers/promises";
import { cellText, isNumeric } from "../table/cell-text.ts";
import type { Column } from "../table/column.ts";
import { counted, cut, visibleLine } from "../visible.ts";
import { memberOf, type ViewedRows } from "./select-rows.ts";

const TURN_ROWS = 20_000;
/** More different values are not told apart. */
const DISTINCT_MAX = 100_000;
const TOP = 2;

/** The lines of a summary, of the rows with these numbers. */
export async function summarizeColumn(
  { rows }: Pick<ViewedRows, "rows">,
  column: Column,
  numbers: readonly number[],
): Promise<readonly string[]> {
  const counts = new Map<unknown, number>();
  let nulls = 0;
  let isMore = false;
  let range: { least: unknown; most: unknown } | undefined;
  for (const [index, number] of numbers.entries()) {
    if (index % TURN_ROWS === TURN_ROWS - 1) await nextTurn();
    const value = memberOf(rows[number], column);
    if (value === null || value === undefined) nulls += 1;
    else {
      const key = typeof value === "object" ? cellText(value, column).text : value;
      if (counts.has(key) || counts.size < DISTINCT_MAX)
        counts.set(key, (counts.get(key) ?? 0) + 1);
      else isMore = true;
      if (typeof value !== "object") range = widened(range, value);
    }
  }
  const values = numbers.length - nulls;
  const distinct = `${isMore ? "over " : ""}${counted(counts.size)}`;
  const size = `${counted(values)} · ${distinct} distinct${nulls === 0 ? "" : ` · ${counted(nulls)} NULL`}`;
  return values === 0 ? [size] : [size, ...spread(column, range, counts)];
}

function widened(range: { least: unknown; most: unknown } | undefined, value: unknown) {
  if (range === undefined) return { least: value, most: value };
  const { least, most } = range as { least: number; most: number };
  // Values of one type are compared, whichever it is; in a mixed column the range says nothing.
  return {
    least: (value as number) < least ? value : least,
    most: (value as number) > most ? value : most,
  };
}

function spread(
  column: Column,
  range: { readonly least: unknown; readonly most: unknown } | undefined,
  counts: ReadonlyMap<unknown, number>,
): readonly string[] {
  const text = (value: unknown) => cut(visibleLine(cellText(value, column).text), 24);
  if (range !== undefined && (isNumeric(column) || /^(?:TIMESTAMP|DATE)/.test(column.type)))
    return [`${text(range.least)} … ${text(range.most)}`];
  const top = [...counts].sort(([, one], [, other]) => other - one).slice(0, TOP);
  // The most frequent values say nothing if each value occurs once.
  if (counts.size > TOP && (top[0]?.[1] ?? 0) <= 1) return [];
  return top.map(([value, count]) => `${text(value)} × ${counted(count)}`);
}
