/** Writes rows as JSON, with texts for values that JSON lacks. */
import type { KnownRows } from "./column.ts";

/** An array of objects, a line each. */
export function jsonRows(rows: KnownRows): string {
  if (rows.length === 0) return "[]\n";
  return `[\n${Array.from(rows, (row) => `  ${jsonText(row)}`).join(",\n")}\n]\n`;
}

export function jsonText(value: unknown): string {
  return JSON.stringify(value, plainMember) ?? "null";
}

/** `toJSON` of bytes has been called by then, so the holder is asked. */
function plainMember(this: unknown, key: string, member: unknown): unknown {
  const held = (this as Readonly<Record<string, unknown>>)[key];
  if (held instanceof Uint8Array) return bytesText(held);
  if (typeof member === "bigint") return String(member);
  return typeof member === "number" && !Number.isFinite(member) ? String(member) : member;
}

/** Returns bytes as DuckDB writes a BLOB: `abc\x00`. */
export function bytesText(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) =>
    byte >= 0x20 && byte < 0x7f && byte !== 0x5c
      ? String.fromCharCode(byte)
      : `\\x${byte.toString(16).toUpperCase().padStart(2, "0")}`,
  ).join("");
}
