/** Lists the members of `context { … }`, and finds what is wrong with such an object. */
import { nearest } from "../names/nearest.ts";

/** A value that a member may have. */
type MemberRule =
  | { readonly kind: "number"; readonly min: number; readonly isShare?: true }
  | { readonly kind: "text" }
  | { readonly kind: "texts" }
  | { readonly kind: "schema" }
  | {
      readonly kind: "object";
      readonly members: Readonly<Record<string, ContextMember>>;
      /** The member that a number alone means. */
      readonly number: string;
      /** One of these must be there. */
      readonly needs: readonly string[];
    };

/** One member of `context { … }`. */
interface ContextMember {
  readonly rule: MemberRule;
  /** Its values, in words. */
  readonly takes: string;
  readonly example: string;
  /** Its effect, for completions. */
  readonly about: string;
}

const OFFLOAD: Readonly<Record<string, ContextMember>> = {
  over: {
    rule: { kind: "number", min: 0 },
    takes: "a number of tokens",
    example: "over: 2k",
    about: "results of tools that are longer are shown shortened",
  },
  preview: {
    rule: { kind: "number", min: 0 },
    takes: "a number of tokens",
    example: "preview: 200",
    about: "the tokens of a shortened result that are shown",
  },
  except: {
    rule: { kind: "texts" },
    takes: "a list of names of tools",
    example: 'except: ["docs.read"]',
    about: "tools whose results are always shown whole",
  },
};

const SUMMARIZE: Readonly<Record<string, ContextMember>> = {
  at: {
    rule: { kind: "number", min: 1 },
    takes: "a number of tokens",
    example: "at: 40k",
    about: "the size of the conversation at which it is summarised",
  },
  every: {
    rule: { kind: "number", min: 1 },
    takes: "a number of turns",
    example: "every: 5",
    about: "the number of answers of the model after which it is summarised",
  },
  by: {
    rule: { kind: "text" },
    takes: "a model",
    example: "by: small",
    about: "the model that summarises",
  },
  schema: {
    rule: { kind: "schema" },
    takes: "a type of the file",
    example: "schema: Snapshot",
    about: "the type of the summary",
  },
};

/** The members of `context { … }`, in the order in which they are applied. */
export const CONTEXT_MEMBERS: Readonly<Record<string, ContextMember>> = {
  keep: {
    rule: { kind: "number", min: 0 },
    takes: "a number of turns",
    example: "keep: 10",
    about: "the turns of tool calls that are shown, from the first and the last",
  },
  media: {
    rule: { kind: "number", min: 0 },
    takes: "a number of files",
    example: "media: 1",
    about: "the images and files that are shown, from the last",
  },
  repeated: {
    rule: { kind: "number", min: 0 },
    takes: "a number of tokens",
    example: "repeated: 200",
    about: "results of tools that are longer and equal to an earlier one are not shown again",
  },
  offload: {
    rule: { kind: "object", members: OFFLOAD, number: "over", needs: ["over"] },
    takes: "a number of tokens, or an object",
    example: "offload: 2k",
    about:
      "results of tools that are longer are shown by their two ends; the agent can read the rest",
  },
  summarize: {
    rule: { kind: "object", members: SUMMARIZE, number: "at", needs: ["at", "every"] },
    takes: "a number of tokens, or an object",
    example: "summarize: 40k",
    about: "a model says in short what came before",
  },
  limit: {
    rule: { kind: "number", min: 1, isShare: true },
    takes: "a whole number of tokens, or a share above 0 and up to 1 of what the model can read",
    example: "limit: 110k",
    about: "the tokens that a call may show; the middle of the conversation is left out",
  },
};

/** Stands in an object for a value that is only known when the node runs. */
export const NOT_KNOWN = Symbol("not known");

/** Something wrong with the object of a `context`, and its place. */
export interface ContextFault {
  /** The keys from the object to the place; empty for the object itself. */
  readonly path: readonly string[];
  /** Set where the key is wrong and not its value. */
  readonly isKey?: true;
  readonly message: string;
  readonly hint: string;
}

/** Returns all that is wrong with the value of a `context`. */
export function contextFaults(value: unknown): readonly ContextFault[] {
  const hint = "write it like `context { offload: 2k, keep: 10 }`";
  if (!isObject(value)) return [{ path: [], message: "`context` takes an object", hint }];
  return faultsIn(value, CONTEXT_MEMBERS, []);
}

function faultsIn(
  value: Readonly<Record<string, unknown>>,
  members: Readonly<Record<string, ContextMember>>,
  path: readonly string[],
): readonly ContextFault[] {
  return Object.entries(value).flatMap(([key, one]) => {
    const member = Object.hasOwn(members, key) ? members[key] : undefined;
    const here = [...path, key];
    return member === undefined
      ? [unknownMember(key, Object.keys(members), path)]
      : memberFaults(one, member, here);
  });
}

function unknownMember(
  key: string,
  known: readonly string[],
  path: readonly string[],
): ContextFault {
  const near = nearest(key, known);
  const all = known.map((name) => `\`${name}\``).join(", ");
  return {
    path: [...path, key],
    isKey: true,
    message: `\`${["context", ...path].join(".")}\` has no member \`${key}\``,
    hint: near === undefined ? `there are ${all}` : `did you mean \`${near}\`?`,
  };
}

function memberFaults(
  value: unknown,
  { rule, takes, example }: ContextMember,
  path: readonly string[],
): readonly ContextFault[] {
  if (value === NOT_KNOWN) return [];
  const wrong = {
    path,
    message: `\`${path.join(".")}\` takes ${takes}`,
    hint: `write it like \`${example}\``,
  };
  if (rule.kind !== "object") return fits(value, rule) ? [] : [wrong];
  if (typeof value === "number") return fits(value, ruleOfNumber(rule)) ? [] : [wrong];
  if (!isObject(value)) return [wrong];
  const faults = faultsIn(value, rule.members, path);
  if (faults.length > 0 || rule.needs.some((name) => Object.hasOwn(value, name))) return faults;
  const needs = rule.needs.map((name) => `\`${name}\``).join(" or ");
  return [{ ...wrong, message: `\`${path.join(".")}\` lacks ${needs}` }];
}

type ObjectRule = Extract<MemberRule, { readonly kind: "object" }>;

function ruleOfNumber({ members, number }: ObjectRule): PlainRule {
  const rule = members[number]?.rule;
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
