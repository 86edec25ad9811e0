/** Collects the names and types that a part of the IR refers to. */
import type { ExprIr, Ir } from "../ir/ir.ts";
import { isPart, type TreeObject } from "../ir/visit-tree.ts";
import { plainSkillNames, serverSkillName } from "../vocabulary/skill-names.ts";

/** Every name that a part of the IR refers to, whatever it means there. */
export interface References {
  /** The names in expressions, counts, callees, tools, judges and memories, and the servers of skills. */
  readonly names: ReadonlySet<string>;
  readonly types: ReadonlySet<string>;
}

/**
 * Returns the names and types that a part of the IR refers to. It walks plain JSON, so that a new
 * clause is covered without a change here.
 */
export function referencesOf(part: unknown): References {
  const found = { names: new Set<string>(), types: new Set<string>() };
  collect(part, found);
  return found;
}

interface FoundReferences {
  readonly names: Set<string>;
  readonly types: Set<string>;
}

// It looks at each member once, by its key: to ask a dozen kinds of objects for keys that few have takes three times as long.
function collect(part: unknown, found: FoundReferences): void {
  if (Array.isArray(part)) {
    for (const item of part) if (typeof item === "object") collect(item, found);
  } else if (isPart(part)) {
    for (const key in part) collectMember(part, key, found);
  }
}

/** The names that stand in an object itself: an expression's, a count's, a callee's, a tool's, a judge's, a reducer's. */
function collectMember(part: TreeObject, key: string, found: FoundReferences): void {
  const member = part[key];
  if (typeof member === "string") {
    if (key === "name") addName(member, part, found);
    else if (key === "by" || key === "memory") found.names.add(member);
    // `tell b as Attack`; a kind of message that is no type is none of the declared ones either.
    else if (key === "as" && "targets" in part) found.types.add(member);
  } else if (typeof member === "object" && key !== "span" && key !== "output") {
    // A schema's keys are the user's.
    if (key === "name" || key === "callee") addDotted(member, found);
    else if (key === "tools" && Array.isArray(member))
      for (const tool of member) addDotted(tool, found);
    else if (key === "skills" && Array.isArray(member)) addSkillServers(member, found);
    collect(member, found);
  }
}

function addName(name: string, part: TreeObject, { names, types }: FoundReferences): void {
  const { kind } = part;
  if (kind === "named" || part.of === "type") types.add(name);
  else if ((kind === "name" && "of" in part) || part.custom === true || isCount(part))
    names.add(name);
}

function isCount(part: TreeObject): boolean {
  for (const key in part) if (key !== "name") return false;
  return true;
}

function addSkillServers(skills: readonly ExprIr[], { names }: FoundReferences): void {
  for (const name of skills.flatMap(plainSkillNames)) {
    const of = serverSkillName(name);
    if (of !== undefined) names.add(of.server);
  }
}

function addDotted(parts: unknown, { names }: FoundReferences): void {
  if (!Array.isArray(parts) || typeof parts[0] !== "string") return;
  names.add(parts[0]);
  if (parts.length === 1) return;
  names.add(parts.slice(0, -1).join("."));
  names.add(parts.join("."));
}

/** The same of several parts that never change: what was worked out about one of them before is used again. */
export function referencesOfAll(parts: readonly unknown[]): References {
  const found = { names: new Set<string>(), types: new Set<string>() };
  for (const { names, types } of parts.map(knownReferences)) {
    for (const name of names) found.names.add(name);
    for (const type of types) found.types.add(type);
  }
  return found;
}

/**
 * Returns those of `declared` that `from` refers to, directly or through another one of them, in
 * the order of `declared`.
 */
export function reachable<T extends { readonly name: string }>(
  declared: readonly T[],
  from: readonly unknown[],
  select: (references: References) => ReadonlySet<string>,
): readonly T[] {
  if (declared.length === 0) return [];
  const kept = new Set<T>();
  let frontier = from;
  while (frontier.length > 0) {
    const referred = frontier.map((part) => select(knownReferences(part)));
    const isReferred = ({ name }: T) => referred.some((names) => names.has(name));
    const found = declared.filter((each) => !kept.has(each) && isReferred(each));
    for (const each of found) kept.add(each);
    frontier = found;
  }
  return declared.filter((each) => kept.has(each));
}

// The body of a graph is asked about for each kind of declaration, and never changes.
const known = new WeakMap<object, References>();

function knownReferences(part: unknown): References {
  if (typeof part !== "object" || part === null) return referencesOf(part);
  const before = known.get(part);
  if (before !== undefined) return before;
  const references = referencesOf(part);
  known.set(part, references);
  return references;
}

/** The parts of a graph that refer to its file. */
export type GraphPart = Omit<
  Ir,
  | "irVersion"
  | "hash"
  | "source"
  | "imports"
  | "models"
  | "mcps"
  | "types"
  | "config"
  | "memories"
  | "calls"
  | "graphs"
>;
