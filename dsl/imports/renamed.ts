/** Rewrites a part of a declaration into the names of another file. */
import type { NameMeaning, SpanIr } from "../ir/ir.ts";

/** What is named by a file, and not inside of one expression or graph. */
const OF_FILE: readonly NameMeaning[] = ["config", "model", "memory", "scope"];

/** A part of a declaration in the names of another file, as if all of it stood where it is imported. */
export function renamed<T>(part: T, names: ReadonlyMap<string, string>, span: SpanIr): T {
  if (Array.isArray(part)) return part.map((item) => renamed(item, names, span)) as T;
  if (typeof part !== "object" || part === null) return part;
  const copy = Object.fromEntries(
    Object.entries(part).map(([key, member]) => [
      key,
      key === "span" ? span : renamed(member, names, span),
    ]),
  );
  const name = nameOfFile(part);
  return (name === undefined ? copy : { ...copy, name: renamedPath(name, names) }) as T;
}

/** The name of a type or of something of the file, where an expression or a type is one. */
function nameOfFile(part: object): string | undefined {
  if (!("kind" in part && "name" in part) || typeof part.name !== "string") return undefined;
  if (part.kind === "named") return part.name;
  const isOfFile = "of" in part && OF_FILE.some((meaning) => meaning === part.of);
  return part.kind === "name" && isOfFile ? part.name : undefined;
}

/** Of `lib.Thing` the file knows `lib`. */
function renamedPath(path: string, names: ReadonlyMap<string, string>): string {
  const [first = "", ...rest] = path.split(".");
  return [names.get(path) ?? names.get(first) ?? first, ...(names.has(path) ? [] : rest)].join(".");
}
