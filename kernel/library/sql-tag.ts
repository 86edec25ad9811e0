/** Makes the tag `sql`: a query in TypeScript whose holes are bound as parameters. */
import type { Row } from "../../runtime/index.ts";
import type { Parameter } from "../display/table/column.ts";
import { queryRows } from "../display/table/query-rows.ts";
import type { Rows } from "../display/table/rows.ts";
import { tablesNamedIn, withCellName } from "../display/table/value-table.ts";
import { currentHost } from "../host.ts";
import { currentSession } from "../session.ts";
import { holeText, offsetInText } from "./template-place.ts";

/** Asks in SQL. Who knows the columns says so: sql<{ node: string; n: number }>`…`. */
export type SqlTag = <T extends object = Row>(
  parts: TemplateStringsArray,
  ...params: readonly (Parameter | Date)[]
) => Promise<Rows<T>>;

export function sqlTag(options: { readonly rowsMax?: number } = {}): SqlTag {
  return async <T extends object>(
    parts: TemplateStringsArray,
    ...params: readonly (Parameter | Date)[]
  ) => {
    // The stack loses its caller behind the first await.
    const caller = new Error("called");
    const text = parts.reduce((before, part, index) => `${before}${holeText(index)}${part}`);
    const signal = currentHost()?.signal();
    const traces = await currentSession().traces();
    const more = signal === undefined ? options : { ...options, signal };
    const bound = params.map((value) => (value instanceof Date ? value.toISOString() : value));
    try {
      const question = { sql: text, params: bound, tables: tablesNamedIn(text) };
      return await queryRows<T>(traces, question, more);
    } catch (thrown) {
      throw withPlaceInCell(withCellName(thrown), caller, parts);
    }
  };
}

/** An error with the frames of who asked, before them the very place in the cell that DuckDB means. */
function withPlaceInCell(thrown: unknown, caller: Error, parts: TemplateStringsArray): unknown {
  if (!(thrown instanceof Error)) return thrown;
  const [, ...frames] = String(caller.stack).split("\n");
  const at = placeInCell(thrown, frames, parts);
  const header = `${thrown.name}: ${thrown.message}`;
  thrown.stack = [header, ...(at === undefined ? [] : [`    at ${at}`]), ...frames].join("\n");
  return thrown;
}

/** `Cell[3]:5:12`; undefined where the query does not stand in a cell, or DuckDB names no place. */
function placeInCell(
  thrown: Error,
  frames: readonly string[],
  parts: TemplateStringsArray,
): string | undefined {
  const { offset } = thrown as { readonly offset?: unknown };
  if (typeof offset !== "number") return undefined;
  const called = frames.map((frame) => /(\w+\[\d+\]):(\d+):(\d+)/.exec(frame)).find(Boolean);
  const [, cell = "", line, column] = called ?? [];
  const text = currentHost()?.cellText?.(cell)?.replaceAll("\r\n", "\n");
  if (text === undefined) return undefined;
  const start = offsetOf(text, Number(line), Number(column));
  const found = offsetInText(text, start, { parts, raw: parts.raw }, offset);
  if (found === undefined) return undefined;
  const before = text.slice(0, found).split("\n");
  return `${cell}:${before.length}:${(before.at(-1) ?? "").length + 1}`;
}

function offsetOf(text: string, line: number, column: number): number {
  const before = text.split("\n").slice(0, line - 1);
  return before.reduce((sum, { length }) => sum + length + 1, 0) + column - 1;
}
