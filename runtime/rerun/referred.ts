/**
 * Finds the names of a scope that its TypeScript refers to, from the text. It may find too much, never too little: a
 * missed name would serve outdated work.
 */
import { randomUUID } from "node:crypto";
import { lookUp, type Scope } from "../agents/scope/scope.ts";
import { functionOf } from "../agents/scope/tools.ts";
import { besideOf } from "./beside.ts";

/** Texts by name: of the functions that these values call by name, of those that they call, of the data that all of them name, and of what lies beside them in their files. */
export function referredBy(value: unknown, scope: Scope): ReadonlyMap<string, unknown> {
  const found = new Map<string, unknown>();
  const open = functionsIn(value, DEPTH);
  const own = new Set(open);
  for (const one of open) {
    const beside = besideOf(one, functionText(one));
    if (beside.length > 0) found.set(`beside ${functionText(one)}`, beside);
    const { words, data } = wordsOf(one);
    for (const word of words) {
      const referred = found.has(word) ? undefined : lookUp([word], scope)?.value;
      if (referred === undefined || own.has(referred as object)) continue;
      const functions = functionsIn(referred, DEPTH);
      if (functions.length === 0 && !(data.has(word) && isPlain(referred))) continue;
      found.set(word, functions.length === 0 ? dataText(referred) : textsIn(referred, DEPTH));
      open.push(...functions);
    }
  }
  return found;
}

/** As deep as dotted names are written. */
export const DEPTH = 2;

/** The texts of functions, and what stands beside them. */
export function textsIn(value: unknown, depth: number): unknown {
  if (typeof value === "function") return functionText(value);
  if (typeof value !== "object" || value === null) return String(value);
  if (depth === 0) return null;
  return Object.entries(value).map(([key, member]) => [key, textsIn(member, depth - 1)]);
}

export function functionText(value: object): string {
  return Function.prototype.toString.call(functionOf(value) ?? value);
}

const MEMBERS_MAX = 1_000;

function functionsIn(value: unknown, depth: number): object[] {
  if (typeof value === "function") return [value];
  if (depth === 0 || typeof value !== "object" || value === null) return [];
  const members = Object.values(value);
  // Data, however it is kept: no group of tools has so many.
  if (members.length > MEMBERS_MAX) return [];
  return members.flatMap((member) => functionsIn(member, depth - 1));
}

/** Each run hashes it at its start: more than so many values, or so many characters each, would hold that up. */
const VALUES_MAX = 10_000;
const CHARACTERS_A_VALUE = 64;

/** Returns the text of a value for comparison; a value that is too big counts as changed each time. */
function dataText(value: unknown): unknown {
  let left = VALUES_MAX;
  const counted = (_: string, part: unknown) => {
    left -= typeof part === "string" ? 1 + part.length / CHARACTERS_A_VALUE : 1;
    if (left < 0) throw new RangeError();
    return part;
  };
  try {
    return [typeof value, JSON.stringify(value, counted) ?? String(value)];
  } catch {
    if (left < 0) return randomUUID();
    return textsIn(value, DEPTH); // It goes in a ring, or holds a bigint.
  }
}

/** Returns whether a value is data. Living objects, such as a client or a run, differ each time and are not compared. */
function isPlain(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return true;
  const prototype: unknown = Object.getPrototypeOf(value);
  return Array.isArray(value) || prototype === null || prototype === Object.prototype;
}

interface ReferredWords {
  readonly words: ReadonlySet<string>;
  /** Those that may be data of the scope, and not a variable of the function's own, of which many have common names. */
  readonly data: ReadonlySet<string>;
}

/** A function's text never changes. */
const known = new WeakMap<object, ReferredWords>();

function wordsOf(value: object): ReferredWords {
  const before = known.get(value);
  if (before !== undefined) return before;
  const made = wordsIn(functionText(value));
  known.set(value, made);
  return made;
}

const NAME = String.raw`[\p{L}_$][\p{L}\p{N}_$]*`;

function wordsIn(text: string): ReferredWords {
  const words = new Set(text.match(new RegExp(NAME, "gu")) ?? []);
  // A cell's code says `exports.limit` of what another statement has declared.
  const exported = matchesIn(text, `\\bexports\\.(${NAME})`);
  const bare = matchesIn(text, `(?<![\\p{L}\\p{N}_$]|(?<!\\.\\.)\\.)(${NAME})`);
  const [head = ""] = text.split(/=>|\{/u, 1);
  // A parameter's default may be data of the scope.
  const parameters = head.includes("=") ? [] : (head.match(new RegExp(NAME, "gu")) ?? []);
  const own = new Set([...parameters, ...matchesIn(text, `\\b(?:const|let|var)\\s+(${NAME})`)]);
  return { words, data: new Set([...exported, ...bare.filter((word) => !own.has(word))]) };
}

function matchesIn(text: string, pattern: string): readonly string[] {
  return [...text.matchAll(new RegExp(pattern, "gu"))].flatMap(([, name]) => name ?? []);
}
