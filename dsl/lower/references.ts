import type { Ir, TypeIr } from "../ir.ts";

/** Every name that a part of the IR refers to, whatever it means there. */
export interface References {
  /** Of expressions, counts, callees, tools, judges, memories. */
  readonly names: ReadonlySet<string>;
  readonly types: ReadonlySet<string>;
}

/** What a part of the IR refers to. It walks plain JSON, so that a new clause is covered without a change here. */
export function referencesOf(part: unknown): References {
  const names = new Set<string>();
  const types = new Set<string>();
  collect(part, names, types);
  return { names, types };
}

function collect(part: unknown, names: Set<string>, types: Set<string>): void {
  if (Array.isArray(part)) {
    for (const item of part) collect(item, names, types);
    return;
  }
  if (typeof part !== "object" || part === null) return;
  const record = part as Readonly<Record<string, unknown>>;
  if (isNamedType(part)) types.add(part.name);
  for (const name of namesIn(record)) names.add(name);
  for (const [key, member] of Object.entries(record)) {
    // A schema's keys are the user's.
    if (key !== "output" && key !== "span") collect(member, names, types);
  }
}

function isNamedType(part: object): part is TypeIr & { kind: "named" } {
  return "kind" in part && part.kind === "named" && "name" in part;
}

/** The names that stand in an object itself: an expression's, a count's, a callee's, a tool's, a judge's, a reducer's. */
function namesIn(record: Readonly<Record<string, unknown>>): readonly string[] {
  const { kind, name, callee, tools, by, memory, custom } = record;
  const isCount = Object.keys(record).length === 1 && typeof name === "string";
  const named = (kind === "name" && "of" in record) || custom === true || isCount ? [name] : [];
  const dotted = [callee, ...(Array.isArray(tools) ? tools : []), name].flatMap((parts) =>
    Array.isArray(parts) ? [parts[0], parts.slice(0, -1).join("."), parts.join(".")] : [],
  );
  return [...named, ...dotted, by, memory].filter((each) => typeof each === "string");
}

/** What of `declared` is referred to from `part`, and from what is kept itself, in the order of the declarations. */
export function reachable<T extends { readonly name: string }>(
  declared: readonly T[],
  part: unknown,
  select: (references: References) => ReadonlySet<string>,
): readonly T[] {
  const kept = new Set<T>();
  let frontier: readonly unknown[] = [part];
  while (frontier.length > 0) {
    const referred = select(referencesOf(frontier));
    const found = declared.filter((each) => referred.has(each.name) && !kept.has(each));
    for (const each of found) kept.add(each);
    frontier = found;
  }
  return declared.filter((each) => kept.has(each));
}

/** The parts of a graph that refer to its file. */
export type GraphPart = Omit<
  Ir,
  "irVersion" | "hash" | "source" | "imports" | "models" | "mcps" | "types" | "config" | "memories"
>;
