/** Lists the functions of TypeScript that expressions may call by themselves: conversions, and those of `JSON`, `Math` and `Object` that are pure. */
import type { MethodResult } from "./methods.ts";

const PURE_FUNCTIONS = {
  Math: {
    abs: "number",
    ceil: "number",
    exp: "number",
    floor: "number",
    log: "number",
    max: "number",
    min: "number",
    pow: "number",
    round: "number",
    sign: "number",
    sqrt: "number",
    trunc: "number",
  },
  JSON: { stringify: "string" },
  Object: { entries: "unknown", keys: "strings", values: "unknown" },
} as const satisfies Record<string, Record<string, MethodResult>>;

/** The functions of a group, with the kind of their results. */
export type PureFunctions = Readonly<Record<string, MethodResult>>;

/** The groups by their names; `Math.random` is none of them, since a replay must decide the same. */
export const pureFunctions: ReadonlyMap<string, PureFunctions> = new Map(
  Object.entries(PURE_FUNCTIONS),
);

/** Functions that stand alone: a value as the text that a prompt would show, a text as the number that it says. */
export const conversions = { Number: "number", String: "string" } as const satisfies Record<
  string,
  MethodResult
>;

export function isConversion(name: string): name is keyof typeof conversions {
  return Object.hasOwn(conversions, name);
}
