/** Tells what a directory is: a tool whose results hold records, by whose names trusted values name targets. */
import { isRecord } from "../is-record.ts";

/** The declaration that a tool returns records which trusted values may name. */
export interface Directory {
  /** The member of a record that holds its name. */
  readonly by: string;
  /** By argument (`to`, or `mail.send.to` for a tool of another group): the member of a record whose values it may have. */
  readonly gives: Readonly<Record<string, string>>;
}

export function isDirectory(value: unknown): value is Directory {
  if (!isRecord(value)) return false;
  const { by, gives, ...others } = value;
  if (typeof by !== "string" || !isRecord(gives) || Object.keys(others).length > 0) return false;
  return Object.values(gives).every((member) => typeof member === "string");
}
