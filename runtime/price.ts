/** Types the price of a model, and where it is from. */

/** US dollars for a million tokens. */
export interface TokenRates {
  readonly input: number;
  readonly output: number;
  /** Input that the provider had in its cache; as `input` when absent. */
  readonly cachedInput?: number;
  /** Input that the provider wrote into its cache; as `input` when absent. */
  readonly cacheWrite?: number;
}

/** The price of a model. */
export interface Price extends TokenRates {
  /** The rates of a whole call whose prompt has more tokens than `above`. */
  readonly long?: TokenRates & { readonly above: number };
}

/** A price and where it is from; with a call, the rates that held for it are stored, without `long`. */
export interface KnownPrice extends Price {
  readonly source: PriceSource;
  /** Since when, or as of which day (YYYY-MM-DD), where that is known. */
  readonly asOf?: string;
}

/** The one whose word a price is: the call of the run's, the program's, the workspace's, or that of the table that Madrigal brings. */
export type PriceSource = "run" | "program" | "workspace" | "table";
