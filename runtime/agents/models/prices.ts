/** Says what a model costs and computes the cost of usage: prices are in US dollars for a million tokens. */
import { type ListedPrice, listedPrice, type PriceIr } from "../../../dsl/index.ts";
import type { KnownPrice, Price, TokenRates } from "../../price.ts";
import type { Usage } from "../../usage.ts";

/** Prices by the id of the model. */
export type PriceTable = Readonly<Record<string, Price>>;

/** The prices that a run knows, strongest first; the table that comes with Madrigal is behind them. */
export interface RunPrices {
  /** `run(input, { prices })`. */
  readonly run?: PriceTable | undefined;
  /** The price in `model_prices` that holds now; asked only where nobody else says one. */
  readonly workspace?: ((id: string) => KnownPrice | undefined) | undefined;
}

/** The price that holds for a model: that of the run, of its declaration, of the workspace, or of the table; `undefined` where it is unknown. */
export function priceOf(
  id: string,
  { run = {}, workspace }: RunPrices = {},
  declared?: PriceIr,
): KnownPrice | undefined {
  const given = Object.hasOwn(run, id) ? run[id] : undefined;
  if (given !== undefined) return { ...given, source: "run" };
  if (declared !== undefined) return declaredPrice(declared);
  const listed = listedPrice(id);
  // Models of this process cost nothing, so no table is read for them.
  return id === "rules" || id === "scripted"
    ? fromTable(listed)
    : (workspace?.(id) ?? fromTable(listed));
}

function declaredPrice({ input, output, cached }: PriceIr): KnownPrice {
  return {
    input,
    output,
    ...(cached === undefined ? {} : { cachedInput: cached }),
    source: "program",
  };
}

function fromTable(listed: ListedPrice | undefined): KnownPrice | undefined {
  if (listed === undefined) return undefined;
  const { from: _, ...price } = listed;
  return { ...price, source: "table" };
}

/** Returns the rates of a call by the tokens of its prompt. */
export function ratesOf({ long, ...rates }: Price, promptTokens: number): TokenRates {
  if (long === undefined || promptTokens <= long.above) return rates;
  const { above: _, ...dearer } = long;
  return dearer;
}

/** Returns the price that held for a call, as it is stored with it. */
export function heldPrice(price: KnownPrice, promptTokens: number): KnownPrice {
  const { source, asOf } = price;
  return { ...ratesOf(price, promptTokens), source, ...(asOf === undefined ? {} : { asOf }) };
}

type CountedTokens = Pick<
  Usage,
  "inputTokens" | "outputTokens" | "cachedTokens" | "cacheWriteTokens"
>;

/** Returns the cost of one call in dollars: null without a price or without the number of tokens. */
export function costOf(usage: CountedTokens, price: Price | undefined): number | null {
  if (price === undefined) return null;
  const rates = ratesOf(price, usage.inputTokens);
  const cached = Math.min(usage.cachedTokens, usage.inputTokens);
  const written = Math.min(usage.cacheWriteTokens ?? 0, usage.inputTokens - cached);
  const dollars =
    (usage.inputTokens - cached - written) * rates.input +
    cached * (rates.cachedInput ?? rates.input) +
    written * (rates.cacheWrite ?? rates.input) +
    usage.outputTokens * rates.output;
  return dollars / 1_000_000;
}

/** Returns what a call is taken to cost before it is made: the tokens of its prompt, and as many of output as it may have at most. */
export function estimatedCost(
  tokens: { readonly prompt: number; readonly outputMax: number | undefined },
  price: Price,
): number {
  const { input, output } = ratesOf(price, tokens.prompt);
  return (tokens.prompt * input + (tokens.outputMax ?? 0) * output) / 1_000_000;
}
