/** Names the tables that people write with SQL, their columns in order, and the types of their rows. */
export const writableColumns = {
  scores: ["run_id", "node_run_id", "name", "value", "label", "comment", "source", "ts"],
  model_prices: ["model", "valid_from", "input_usd", "output_usd", "cached_usd"],
  model_contexts: ["model", "context_tokens"],
} as const;

export type WritableTable = keyof typeof writableColumns;

/** The values of a row in the order of its columns; times and whole numbers are text, which loses no digit of them. */
export type WritableValues = readonly (string | number | null)[];

export interface WritableRow {
  /** Of this row alone in its table. */
  readonly id: number;
  readonly values: WritableValues;
}
