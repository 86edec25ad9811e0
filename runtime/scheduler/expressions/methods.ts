/** Evaluates the methods and pure functions that an expression may call; the checker reads the same names from the dsl. */
import { type ExprIr, pureFunctions } from "../../../dsl/index.ts";
import { isJsonEqual } from "../../state/json.ts";
import { gathered } from "./calls.ts";
import { EvaluationError } from "./evaluation-errors.ts";

type Method<T> = (object: T, args: readonly unknown[]) => unknown;
type Callback = (...values: unknown[]) => unknown;

const strings: Readonly<Record<string, Method<string>>> = {
  includes: (text, [part]) => text.includes(string(part)),
  startsWith: (text, [part]) => text.startsWith(string(part)),
  endsWith: (text, [part]) => text.endsWith(string(part)),
  toUpperCase: (text) => text.toUpperCase(),
  toLowerCase: (text) => text.toLowerCase(),
  trim: (text) => text.trim(),
  split: (text, [separator]) => text.split(string(separator)),
  slice: (text, [start, end]) => text.slice(optionalNumber(start), optionalNumber(end)),
  indexOf: (text, [part]) => text.indexOf(string(part)),
  replace: (text, [part, by]) => text.replace(string(part), () => string(by)),
  replaceAll: (text, [part, by]) => text.replaceAll(string(part), () => string(by)),
  padStart: (text, [length, fill]) => text.padStart(number(length), fillOf(fill)),
  padEnd: (text, [length, fill]) => text.padEnd(number(length), fillOf(fill)),
  at: (text, [index]) => text.at(number(index)),
};

const lists: Readonly<Record<string, Method<readonly unknown[]>>> = {
  map: (list, [by]) => [...gathered(list, callback(by))],
  filter: (list, [by]) => {
    const kept = gathered(list, callback(by));
    return list.filter((_, index) => kept[index]);
  },
  find: (list, [by]) => list.find((item, index) => callback(by)(item, index)),
  findIndex: (list, [by]) => list.findIndex((item, index) => callback(by)(item, index)),
  some: (list, [by]) => list.some((item, index) => callback(by)(item, index)),
  every: (list, [by]) => list.every((item, index) => callback(by)(item, index)),
  flatMap: (list, [by]) => gathered(list, callback(by)).flat(),
  includes: (list, [item]) => list.some((known) => isJsonEqual(known, item)),
  indexOf: (list, [item]) => list.findIndex((known) => isJsonEqual(known, item)),
  join: (list, [separator]) => list.join(separator === undefined ? "," : string(separator)),
  slice: (list, [start, end]) => list.slice(optionalNumber(start), optionalNumber(end)),
  concat: (list, others) => list.concat(...others),
  flat: (list) => list.flat(),
  at: (list, [index]) => list.at(number(index)),
  reduce: (list, [by, ...first]) => folded(list, callback(by), first),
  reverse: (list) => list.toReversed(),
  sort: (list, [by]) => list.toSorted(by === undefined ? undefined : comparator(by)),
};

/** `list.reduce(by, first)`; without `first` the list must not be empty, as in TypeScript. */
function folded(list: readonly unknown[], by: Callback, first: readonly unknown[]): unknown {
  if (first.length > 0) return list.reduce((sum, item, index) => by(sum, item, index), first[0]);
  if (list.length > 0) return list.reduce((sum, item, index) => by(sum, item, index));
  throw new EvaluationError("`reduce` of an empty list needs a first value: `reduce(by, 0)`");
}

const numbers: Readonly<Record<string, Method<number>>> = {
  toFixed: (value, [digits]) =>
    value.toFixed(Math.min(100, Math.max(0, optionalNumber(digits) ?? 0))),
};

/** The names by the type they belong to, for the checker's test. */
export const methodNames = {
  string: Object.keys(strings),
  array: Object.keys(lists),
  number: Object.keys(numbers),
};

/** Calls a method of a text, a list or a number; throws an `EvaluationError` where there is none. */
export function callMethod(object: unknown, name: string, args: readonly unknown[]): unknown {
  if (typeof object === "string") return methodOf(strings, name, "text")(object, args);
  if (Array.isArray(object)) return methodOf(lists, name, "a list")(object, args);
  if (typeof object === "number") return methodOf(numbers, name, "a number")(object, args);
  const what = object === undefined ? "a value that is not written yet" : JSON.stringify(object);
  throw new EvaluationError(`\`${name}\` can't be called on ${what}`);
}

function methodOf<T>(table: Readonly<Record<string, Method<T>>>, name: string, what: string) {
  const method = Object.hasOwn(table, name) ? table[name] : undefined;
  if (method === undefined) throw new EvaluationError(`${what} has no method \`${name}\``);
  return method;
}

function callback(value: unknown): Callback {
  if (typeof value === "function") return value as Callback;
  throw new EvaluationError("a function like `item => item.name` is needed here");
}

function comparator(value: unknown): (a: unknown, b: unknown) => number {
  const compare = callback(value);
  return (a, b) => number(compare(a, b));
}

/** Returns a text as it is; throws an `EvaluationError` for anything else. */
export function string(value: unknown): string {
  if (typeof value === "string") return value;
  throw new EvaluationError(`text is needed here, not ${JSON.stringify(value) ?? "nothing"}`);
}

function number(value: unknown): number {
  if (typeof value === "number") return value;
  throw new EvaluationError(`a number is needed here, not ${JSON.stringify(value) ?? "nothing"}`);
}

function optionalNumber(value: unknown): number | undefined {
  return value === undefined ? undefined : number(value);
}

function fillOf(value: unknown): string | undefined {
  return value === undefined ? undefined : string(value);
}

/** The function of `Math` or `Object` that is called, where it is one of those that expressions have. */
export function pureFunction(
  callee: ExprIr,
): ((...args: readonly unknown[]) => unknown) | undefined {
  if (callee.kind !== "member" || callee.object.kind !== "name") return undefined;
  const { name, of } = callee.object;
  const result = of === "special" ? pureFunctions.get(name)?.[callee.name] : undefined;
  if (result === undefined) return undefined;
  const shown = `${name}.${callee.name}`;
  if (name === "JSON") return jsonText;
  return name === "Math"
    ? (...args) => calculated(shown, callee.name as NumberFunction, args.map(number))
    : (...[object]) => membersOf(shown, callee.name as "keys" | "values" | "entries", object);
}

/** The last argument is the indentation; the second one, which chooses members, can only be null. */
function jsonText(value: unknown, _: unknown, indent?: unknown): string {
  return JSON.stringify(value ?? null, null, optionalNumber(indent));
}

type NumberFunction = "abs" | "max";

function calculated(shown: string, name: NumberFunction, args: readonly number[]): number {
  const value = Math[name](...(args as [number]));
  if (Number.isFinite(value)) return value;
  throw new EvaluationError(`\`${shown}\` of ${args.join(", ") || "nothing"} is no number`);
}

function membersOf(
  shown: string,
  name: "keys" | "values" | "entries",
  object: unknown,
): readonly unknown[] {
  if (typeof object === "object" && object !== null) return Object[name](object);
  throw new EvaluationError(
    `\`${shown}\` needs an object, not ${JSON.stringify(object) ?? "a value that is not written yet"}`,
  );
}
