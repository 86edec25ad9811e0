/** Lists the methods that expressions may call, with the kind of their results. */

/** The type of a method's result, as far as the kind of its object decides it. */
export type MethodResult =
  | "string"
  | "number"
  | "boolean"
  | "item"
  | "same"
  | "strings"
  | "callback"
  | "unknown";

/**
 * The methods that an expression may call on a text: the closed list, which the engine evaluates without TypeScript.
 * `length` is a member, not a method.
 */
export const stringMethods = {
  includes: "boolean",
  startsWith: "boolean",
  endsWith: "boolean",
  toUpperCase: "string",
  toLowerCase: "string",
  trim: "string",
  split: "strings",
  slice: "string",
  indexOf: "number",
  replace: "string",
  replaceAll: "string",
  padStart: "string",
  padEnd: "string",
  at: "string",
} as const satisfies Record<string, MethodResult>;

/** The methods of a list; `reverse` and `sort` give a copy. */
export const arrayMethods = {
  map: "callback",
  filter: "same",
  find: "item",
  findIndex: "number",
  some: "boolean",
  every: "boolean",
  flatMap: "unknown",
  includes: "boolean",
  indexOf: "number",
  join: "string",
  slice: "same",
  concat: "same",
  flat: "unknown",
  at: "item",
  reduce: "unknown",
  reverse: "same",
  sort: "same",
} as const satisfies Record<string, MethodResult>;

/** The methods of a number. */
export const numberMethods = { toFixed: "string" } as const satisfies Record<string, MethodResult>;

/** The methods of a list whose first argument is a lambda over its items; `sort` takes two, `reduce` the value so far before the item. */
export const callbackMethods: readonly string[] = [
  "map",
  "filter",
  "find",
  "findIndex",
  "some",
  "every",
  "flatMap",
  "reduce",
  "sort",
];
