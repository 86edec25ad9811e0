/** Computes the cost of usage from prices in US dollars for a million tokens. */
import type { Usage } from "../../usage.ts";

/** US dollars for a million tokens. */
export interface Price {
  readonly input: number;
  readonly output: number;
  /** Input that the provider had in its cache; as `input` when absent. */
  readonly cachedInput?: number;
}

export type PriceTable = Readonly<Record<string, Price>>;

/**
 * Prices of models by id. Only models of this process, which cost nothing, are listed: providers change their prices,
 * and a wrong price is worse than none. The cost of any other model is unknown (`null`).
 */
export const prices: PriceTable = {
  rules: { input: 0, output: 0 },
  scripted: { input: 0, output: 0 },
};

/** The price of a model, where it is known. */
export function priceOf(id: string, table: PriceTable = prices): Price | undefined {
  return Object.hasOwn(table, id) ? table[id] : undefined;
}

/** Returns the cost of one call in dollars: null without a price or without the number of tokens. */
export function costOf(
  usage: Pick<Usage, "inputTokens" | "outputTokens" | "cachedTokens">,
  price: Price | undefined,
): number | null {
  if (price === undefined) return null;
  const cached = Math.min(usage.cachedTokens, usage.inputTokens);
  const dollars =
    (usage.inputTokens - cached) * price.input +
    cached * (price.cachedInput ?? price.input) +
    usage.outputTokens * price.output;
  return dollars / 1_000_000;
}
