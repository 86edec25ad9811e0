/** Reads the price of a model out of the workspace's table `model_prices`. */
import type { KnownPrice } from "../price.ts";
import type { WritableValues } from "../store/database/writable-columns.ts";

/**
 * Returns the price that holds at `now` (milliseconds since the epoch) for a model of this id: the row with the latest
 * `valid_from` that is not ahead. Rows without both prices say nothing.
 */
export function workspacePrice(
  rows: readonly WritableValues[],
  id: string,
  now: number,
): KnownPrice | undefined {
  const valid = rows
    .filter(([model, from]) => model === id && sinceWhen(from) <= now)
    .toSorted(([, a], [, b]) => sinceWhen(b) - sinceWhen(a));
  for (const [, from, input, output, cached] of valid) {
    if (typeof input !== "number" || typeof output !== "number") continue;
    return {
      input,
      output,
      ...(typeof cached === "number" ? { cachedInput: cached } : {}),
      source: "workspace",
      ...(typeof from === "string" ? { asOf: from.slice(0, 10) } : {}),
    };
  }
  return undefined;
}

/** Times of the table are UTC texts without a zone. */
function sinceWhen(from: WritableValues[number] | undefined): number {
  if (typeof from !== "string") return Number.NEGATIVE_INFINITY;
  return Date.parse(/[zZ]|[+-]\d\d:?\d\d$/.test(from) ? from : `${from.replace(" ", "T")}Z`);
}
