/** Reads Vega's names for values in a row: `size`, `usage.tokens`, `notes[0]`, `a\.b`. */
import type { Row } from "../../../runtime/index.ts";

export function fieldPath(field: string): readonly string[] {
  return [...field.matchAll(PART)].map(([, plain, , bracketed]) =>
    (plain ?? bracketed ?? "").replace(/\\(.)/g, "$1"),
  );
}

const PART = /((?:\\.|[^.[\\])+)|\[(["']?)((?:\\.|[^\\])*?)\2\]/g;

/** Returns whether the field names a column as it is, without a path. */
export function isColumn(field: string): boolean {
  return !/[.[\]\\]/.test(field);
}

export function valueAt(row: Row, path: readonly string[]): unknown {
  return path.reduce<unknown>((value, key) => {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, key)) return undefined;
    return (value as Row)[key];
  }, row);
}
