/** Writes one value of a table as text: times, durations and money as people read them. */
import { types } from "node:util";
import { durationText } from "../numbers.ts";
import { counted } from "../visible.ts";
import type { Column } from "./column.ts";
import { inert } from "./inert.ts";
import { bytesText } from "./json-rows.ts";

export interface TableCellText {
  readonly text: string;
  readonly kind: "null" | "number" | "text" | "json";
  /** The value itself where the text is rounded. */
  readonly exact?: string;
}

const NUMBER = /^(?:U?(?:TINY|SMALL|BIG|HUGE)?INT(?:EGER)?|FLOAT|DOUBLE|DECIMAL|BIGNUM|VARINT)\b/;

export function isNumeric({ type }: Column): boolean {
  return NUMBER.test(type) && !type.endsWith("]");
}

export function cellText(value: unknown, column: Column): TableCellText {
  if (value === null || value === undefined) return { text: "NULL", kind: "null" };
  if (typeof value === "number") return numberText(value, column);
  if (typeof value === "boolean") return { text: String(value), kind: "text" };
  if (typeof value === "string")
    return { text: stringText(value, column), kind: isNumeric(column) ? "number" : "text" };
  if (types.isDate(value)) return { text: dateText(value), kind: "text" };
  if (value instanceof Uint8Array) return { text: blobText(value), kind: "text" };
  return { text: jsonText(value), kind: "json" };
}

function numberText(value: number, { name }: Column): TableCellText {
  const exact = String(value);
  if (/_us$/.test(name)) return { text: durationText(value / 1000), kind: "number", exact };
  if (/_ms$/.test(name)) return { text: durationText(value), kind: "number", exact };
  if (Number.isInteger(value)) return { text: exact, kind: "number" };
  const rounded = String(Number(value.toPrecision(6)));
  const text = /_usd$/.test(name) ? `$${rounded}` : rounded;
  return { text, kind: "number", ...(rounded === exact ? {} : { exact }) };
}

/** As a TIMESTAMP of a query, or that there is none. */
function dateText(date: Date): string {
  const ms = Date.prototype.getTime.call(date);
  if (Number.isNaN(ms)) return "Invalid Date";
  return stringText(new Date(ms).toISOString(), { name: "", type: "TIMESTAMP" });
}

function stringText(value: string, { type }: Column): string {
  return /^TIMESTAMP/.test(type) ? value.replace("T", " ").replace(/(?:\.000)?Z$/, "") : value;
}

const BLOB_BYTES = 32;

/** Returns the beginning of a blob and its length, as text. */
function blobText(bytes: Uint8Array): string {
  if (bytes.length <= BLOB_BYTES) return bytesText(bytes);
  return `${bytesText(bytes.subarray(0, BLOB_BYTES))}… (${counted(bytes.length, "byte")})`;
}

/** Returns the JSON of a value, or another text for one that JSON can't hold. */
export function jsonText(value: unknown): string {
  try {
    return JSON.stringify(inert(value), plainMember) ?? String(value);
  } catch {
    return "(goes round in a circle)";
  }
}

function plainMember(_key: string, member: unknown): unknown {
  if (typeof member === "bigint") return String(member);
  return member instanceof Uint8Array ? counted(member.length, "byte") : member;
}
