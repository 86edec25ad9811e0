/** Reads the arguments of a debugger's request. A wrong one throws M7764, which the sender of the request gets as its answer. */

import { CommandError } from "../../command-error.ts";
import { isRecord } from "../../is-record.ts";
import type { Dict } from "../wire/message.ts";
import type { Paging } from "./protocol.ts";

export function textIn(given: Dict, name: string): string {
  const value = given[name];
  if (typeof value === "string") return value;
  throw misshapen(`\`${name}\` is no text`);
}

/** A number that a debugger gave out. */
export function numberIn(given: Dict, name: string): number {
  const value = given[name];
  if (typeof value === "number" && Number.isSafeInteger(value) && value >= 0) return value;
  throw misshapen(`\`${name}\` is no number`);
}

export function optionalNumberIn(given: Dict, name: string): number | undefined {
  return given[name] === undefined || given[name] === null ? undefined : numberIn(given, name);
}

export function pathIn({ source }: Dict): string {
  return textIn(isRecord(source) ? source : {}, "path");
}

/** The lines of the breakpoints that are asked for, each once. */
export function linesIn({ breakpoints = [] }: Dict): readonly number[] {
  if (!Array.isArray(breakpoints)) throw misshapen("`breakpoints` is no list");
  const lines = breakpoints.map((one) => numberIn(isRecord(one) ? one : {}, "line"));
  return [...new Set(lines)].sort((a, b) => a - b);
}

export function filtersIn({ filters = [] }: Dict): readonly string[] {
  if (Array.isArray(filters) && filters.every((one) => typeof one === "string")) return filters;
  throw misshapen("`filters` is no list of names");
}

export function pagingIn(given: Dict): Paging {
  const [start, count] = ["start", "count"].map((name) => optionalNumberIn(given, name));
  return {
    ...(start === undefined ? {} : { start }),
    ...(count === undefined || count === 0 ? {} : { count }),
  };
}

function misshapen(what: string): CommandError {
  return new CommandError("M7764", `${what} in this request of the debugger`, {
    hint: "this is an error in the front end; please report it there",
  });
}
