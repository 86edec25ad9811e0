/** Lists the functions of TypeScript's `Math` and `Object` that expressions may call: those that are pure. */
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
  Object: { entries: "unknown", keys: "strings", values: "unknown" },
} as const satisfies Record<string, Record<string, MethodResult>>;

/** The functions of a group, with the kind of their results. */
export type PureFunctions = Readonly<Record<string, MethodResult>>;

/** The groups by their names; `Math.random` is none of them, since a replay must decide the same. */
export const pureFunctions: ReadonlyMap<string, PureFunctions> = new Map(
  Object.entries(PURE_FUNCTIONS),
);
