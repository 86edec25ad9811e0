/** Finds what is wrong with an object whose members are known: `context { … }`, the setting `guard`. */
import { nearest } from "../names/nearest.ts";

/** A value that a member may have. */
export type MemberRule =
  | { readonly kind: "number"; readonly min: number; readonly isShare?: true }
  | { readonly kind: "flag" }
  | { readonly kind: "text" }
  | { readonly kind: "texts" }
  | { readonly kind: "word"; readonly words: readonly string[] }
  | { readonly kind: "schema" }
  | {
      readonly kind: "object";
      readonly members: MemberTable;
      /** The member that a number alone means. */
      readonly number?: string;
      /** One of these must be there, where there are any. */
      readonly needs: readonly string[];
    };

/** One member of an object whose members are known. */
interface Member {
  readonly rule: MemberRule;
  /** Its values, in words. */
  readonly takes: string;
  readonly example: string;
  /** Its effect, for completions. */
  readonly about: string;
}

/** The members that such an object may have. */
export type MemberTable = Readonly<Record<string, Member>>;

/** Stands in an object for a value that is only known when the node runs. */
export const NOT_KNOWN = Symbol("not known");

/** Something wrong with such an object, and its place. */
export interface MemberFault {
  /** The keys from the object to the place; empty for the object itself. */
  readonly path: readonly string[];
  /** Set where the key is wrong and not its value. */
  readonly isKey?: true;
  readonly message: string;
  readonly hint: string;
}

/** Returns all that is wrong with the value of `name`, an object with these members. */
export function memberFaults(
  value: unknown,
  { name, members, example }: ObjectForm,
): readonly MemberFault[] {
  const hint = `write it like \`${example}\``;
  if (!isObject(value)) return [{ path: [], message: `\`${name}\` takes an object`, hint }];
  return faultsIn(value, { name, members, path: [] });
}

/** The name, the members and an example of an object. */
interface ObjectForm {
  readonly name: string;
  readonly members: MemberTable;
  readonly example: string;
}

interface ObjectPlace {
  readonly name: string;
  readonly members: MemberTable;
  readonly path: readonly string[];
}

function faultsIn(
  value: Readonly<Record<string, unknown>>,
  { name, members, path }: ObjectPlace,
): readonly MemberFault[] {
  return Object.entries(value).flatMap(([key, one]) => {
    const member = Object.hasOwn(members, key) ? members[key] : undefined;
    return member === undefined
      ? [unknownMember(key, { name, members, path })]
      : faultsOf(one, member, { name, path: [...path, key] });
  });
}

function unknownMember(key: string, { name, members, path }: ObjectPlace): MemberFault {
  const known = Object.keys(members);
  const near = nearest(key, known);
  const all = known.map((one) => `\`${one}\``).join(", ");
  return {
    path: [...path, key],
    isKey: true,
    message: `\`${[name, ...path].join(".")}\` has no member \`${key}\``,
    hint: near === undefined ? `there are ${all}` : `did you mean \`${near}\`?`,
  };
}

function faultsOf(
  value: unknown,
  { rule, takes, example }: Member,
  { name, path }: Pick<ObjectPlace, "name" | "path">,
): readonly MemberFault[] {
  if (value === NOT_KNOWN) return [];
  const wrong = {
    path,
    message: `\`${path.join(".")}\` takes ${takes}`,
    hint: `write it like \`${example}\``,
  };
  if (rule.kind !== "object") return fits(value, rule) ? [] : [wrong];
  if (typeof value === "number" && rule.number !== undefined)
    return fits(value, ruleOfNumber(rule)) ? [] : [wrong];
  if (!isObject(value)) return [wrong];
  const faults = faultsIn(value, { name, members: rule.members, path });
  if (faults.length > 0 || rule.needs.length === 0) return faults;
  if (rule.needs.some((one) => Object.hasOwn(value, one))) return faults;
  const needs = rule.needs.map((one) => `\`${one}\``).join(" or ");
  return [{ ...wrong, message: `\`${path.join(".")}\` lacks ${needs}` }];
}

type ObjectRule = Extract<MemberRule, { readonly kind: "object" }>;

function ruleOfNumber({ members, number }: ObjectRule): PlainRule {
  const rule = members[number ?? ""]?.rule;
  return rule === undefined || rule.kind === "object" ? { kind: "number", min: 0 } : rule;
}

type PlainRule = Exclude<MemberRule, { readonly kind: "object" }>;

function fits(value: unknown, rule: PlainRule): boolean {
  switch (rule.kind) {
    case "number": {
      if (typeof value !== "number") return false;
      if (rule.isShare === true && value > 0 && value < 1) return true;
      return Number.isInteger(value) && value >= rule.min;
    }
    case "flag":
      return typeof value === "boolean";
    case "word":
      return typeof value === "string" && rule.words.includes(value);
    case "text":
      return typeof value === "string" && value !== "";
    case "texts":
      return (
        Array.isArray(value) && value.every((one) => one === NOT_KNOWN || typeof one === "string")
      );
    case "schema":
      return isObject(value);
  }
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
