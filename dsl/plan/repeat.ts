/** Reads `repeat` of a plan's step as an `every` clause. */
import type { ExprIr, NodeIr } from "../ir/ir.ts";
import { itemsOf, lengthOf } from "./step-conditions.ts";

const WORDS =
  /^(?:every\s+(\d+(?:\.\d+)?)\s*(ms|s|m|h|d)\b\s*)?(?:(\d+)\s*times|until\s+(.+?))?(?:\s*\bmax\s+(\d+))?$/i;

const UNITS_MS: Readonly<Record<string, number>> = {
  ms: 1,
  s: 1000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
};

/**
 * Undefined where the words say nothing that ends. `by` judges what is said in words; `before` are the ids of steps whose results are
 * there.
 */
export function readRepeat(
  text: string,
  { by, before = [] }: { readonly by?: string | undefined; readonly before?: readonly string[] },
): NodeIr["every"] | undefined {
  const items = itemsOf(text, before);
  if (items !== undefined) return { interval: { kind: "duration", ms: 0 }, until: lengthOf(items) };
  const found = WORDS.exec(text.trim());
  if (found === null) return undefined;
  const [, count, unit = "", times, until, max] = found;
  const end = times ?? until ?? max;
  if (end === undefined) return undefined;
  const ms = count === undefined ? 0 : Number(count) * (UNITS_MS[unit.toLowerCase()] ?? 0);
  const condition = times ?? (until !== undefined && /^\d+$/.test(until) ? until : undefined);
  const value = condition === undefined ? until : Number(condition);
  return {
    interval: { kind: "duration", ms },
    ...(value === undefined ? {} : { until: literal(value) }),
    ...(typeof value === "string" && by !== undefined ? { by } : {}),
    ...(max === undefined ? {} : { max: Number(max) }),
  };
}

function literal(value: string | number): ExprIr {
  return { kind: "literal", value };
}
