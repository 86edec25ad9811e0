/** Finds the targets that trusted values name by the names of records: the address of a contact, the number of a file. */
import { type Directory, isRecord } from "../../../dsl/index.ts";
import { plainText, wordPlaces } from "./trusted-targets.ts";

/** A record that a directory has returned, with the values for one argument. */
export interface DirectoryEntry {
  /** The tool that returned it. */
  readonly tool: string;
  readonly name: string;
  readonly argument: string;
  readonly values: readonly string[];
}

/** Returns the entries of a result: of it, of the items of a list, and of the items of lists that are its members. */
export function entriesIn(
  result: unknown,
  tool: string,
  { by, gives }: Directory,
): readonly DirectoryEntry[] {
  return recordsIn(parsed(result)).flatMap((record) => {
    const name = Object.hasOwn(record, by) ? record[by] : undefined;
    if (typeof name !== "string") return [];
    return Object.entries(gives).map(([argument, member]) => {
      const value = Object.hasOwn(record, member) ? record[member] : undefined;
      return { tool, name, argument, values: valuesOf(value) };
    });
  });
}

/** Servers return records as JSON in a text, too. A text that is more than that has no records. */
function parsed(result: unknown): unknown {
  if (typeof result !== "string") return result;
  try {
    return JSON.parse(result);
  } catch {
    return undefined;
  }
}

function recordsIn(result: unknown): readonly Readonly<Record<string, unknown>>[] {
  if (Array.isArray(result)) return result.filter(isRecord);
  if (!isRecord(result)) return [];
  const lists = Object.values(result).filter((value) => Array.isArray(value));
  return [result, ...lists.flat().filter(isRecord)];
}

function valuesOf(value: unknown): readonly string[] {
  const values = Array.isArray(value) ? value : [value];
  return values.flatMap((one) =>
    typeof one === "string" || typeof one === "number" ? [String(one)] : [],
  );
}

/**
 * Returns the entries that a trusted text names and that may choose an argument of this tool. Where records of one name differ
 * in what they give, none of them does: one of them may be there to pass for the other.
 */
export function namedEntries(
  entries: readonly DirectoryEntry[],
  trusted: readonly string[],
  tool: string,
): readonly DirectoryEntry[] {
  const names = namesIn(
    entries.map(({ name }) => name),
    trusted,
  );
  const fitting = entries.flatMap((entry) => {
    const argument = argumentOf(entry, tool);
    const key = keyOf(entry.name);
    return argument === undefined || !names.has(key) ? [] : [{ ...entry, argument, key }];
  });
  return fitting.filter((entry) =>
    fitting.every(
      (other) =>
        other.key !== entry.key ||
        other.argument !== entry.argument ||
        other.values.join("\n") === entry.values.join("\n"),
    ),
  );
}

/** Returns the entry that gives an argument this value, as it is. */
export function entryGiving(
  entries: readonly DirectoryEntry[],
  argument: string | undefined,
  value: string,
): DirectoryEntry | undefined {
  return entries.find((entry) => entry.argument === argument && entry.values.includes(value));
}

/** An argument of a directory belongs to the tools of its group, unless it says which tool it is of. */
function argumentOf({ tool: of, argument }: DirectoryEntry, tool: string): string | undefined {
  const at = argument.lastIndexOf(".");
  if (at >= 0) return argument.slice(0, at) === tool ? argument.slice(at + 1) : undefined;
  return groupOf(of) === groupOf(tool) ? argument : undefined;
}

function groupOf(tool: string): string {
  return tool.slice(0, Math.max(0, tool.lastIndexOf(".")));
}

function keyOf(name: string): string {
  return plainText(name).trim();
}

/** Shorter names are words that stand in any text. */
const NAME_MIN = 3;

/** Returns the names that stand in a text as whole words and not only as a part of a longer name. */
function namesIn(names: readonly string[], trusted: readonly string[]): ReadonlySet<string> {
  const keys = [...new Set(names.map(keyOf))]
    .filter((key) => key.length >= NAME_MIN)
    .sort((one, other) => other.length - one.length);
  const named = new Set<string>();
  for (const text of trusted) {
    let rest = plainText(text);
    for (const key of keys) {
      const places = wordPlaces(key, rest);
      if (places.length > 0) named.add(key);
      for (const at of places)
        rest = rest.slice(0, at) + "_".repeat(key.length) + rest.slice(at + key.length);
    }
  }
  return named;
}
