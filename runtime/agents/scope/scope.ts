/** Looks names of a program up in its scope, and suggests similar ones. */
import { type DottedIr, nearest } from "../../../dsl/index.ts";
import { isController } from "../operator/controller.ts";
import { fromForeign, isForeignTool } from "./foreign-tools.ts";

/** The TypeScript side of a program: functions, tools and groups of them, by the names a graph uses. */
export type Scope = { readonly [name: string]: unknown };

/** The value of a dotted name in a scope, with the object that owns it. */
export interface ScopeEntry {
  readonly value: unknown;
  readonly owner: unknown;
}

/** Finds the entry of `name` in the scope; undefined where there is none. Only own members are found, never `constructor`. */
export function lookUp(name: DottedIr, scope: Scope): ScopeEntry | undefined {
  let found: ScopeEntry = { value: scope, owner: undefined };
  for (const step of name) {
    if (!isGroup(found.value) || !Object.hasOwn(found.value, step)) return undefined;
    // A function of the scope itself is nobody's method, and stacks don't call it one.
    const owner = found.value === scope ? undefined : found.value;
    found = { value: found.value[step], owner };
  }
  const { value, owner } = found;
  return isForeignTool(value) ? { value: fromForeign(value), owner } : found;
}

/** Returns whether a value has members that a dotted name can reach. */
export function isGroup(value: unknown): value is Scope {
  return (typeof value === "object" || typeof value === "function") && value !== null;
}

/** A name of the scope that was probably meant: of the same group first, else of any other. */
export function suggestion(name: DottedIr, scope: Scope): string | undefined {
  const names = callableNames(scope);
  const written = name.join(".");
  const inGroup = names.filter((one) => name.length > 1 && one.startsWith(`${name[0]}.`));
  return nearest(written, inGroup) ?? nearest(written, names) ?? sameLastWord(name, names);
}

// `search` for `docs.search`: too far for its letters, but clearly meant.
function sameLastWord(name: DottedIr, names: readonly string[]): string | undefined {
  const last = name.at(-1);
  return names.find((one) => one.split(".").at(-1) === last);
}

/** Every function and controller of the scope, dotted; two groups deep is as deep as names are written. */
export function callableNames(scope: Scope): string[] {
  return Object.entries(scope).flatMap(([name, value]) => {
    if (isNamed(value)) return [name];
    if (!isGroup(value)) return [];
    const members = Object.entries(value).filter(([, member]) => isNamed(member));
    return members.map(([member]) => `${name}.${member}`);
  });
}

/** Every name of the scope that a program may write, dotted, two groups deep: constants too. */
export function offeredNames(scope: Scope): string[] {
  return Object.entries(scope).flatMap(([name, value]) => {
    if (isNamed(value) || !isGroup(value) || Array.isArray(value)) return [name];
    const members = Object.keys(value);
    return members.length === 0 ? [name] : members.map((member) => `${name}.${member}`);
  });
}

function isNamed(value: unknown): boolean {
  return typeof value === "function" || isController(value) || isForeignTool(value);
}
