/** Reads written values as what a reducer merges: items, members, numbers. Throws `ReducerError` where a value is none. */

/** The key or measure of an item: `union(f => f.url)`, `max(f => f.score)`; the item itself without `by`. */
export interface Measured {
  readonly by?: (item: unknown) => unknown;
}

/** Thrown when a value does not fit its reducer; it ends the attempt as `invalid`. */
export class ReducerError extends Error {}

/** A list field takes one item or a list. */
export function itemsOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [value];
}

export function identityOf({ by }: Measured, item: unknown): unknown {
  return by === undefined ? item : by(item);
}

/** An empty list for nothing. */
export function listOf(value: unknown): readonly unknown[] {
  if (value === undefined || value === null) return [];
  if (Array.isArray(value)) return value;
  throw new ReducerError(`a list is needed here, not ${describe(value)}`);
}

/** An empty object for nothing. */
export function objectOf(value: unknown): Readonly<Record<string, unknown>> {
  if (value === undefined || value === null) return {};
  if (typeof value === "object" && !Array.isArray(value)) return value as Record<string, unknown>;
  throw new ReducerError(`an object is needed here, not ${describe(value)}`);
}

export function numberOf(value: unknown): number {
  if (typeof value === "number" && Number.isFinite(value)) return value;
  throw new ReducerError(`a number is needed here, not ${describe(value)}`);
}

export function assertSum(sum: number): number {
  if (Number.isFinite(sum)) return sum;
  throw new ReducerError("the sum is greater than a number can be");
}

export function measure(measured: Measured, value: unknown): number {
  return numberOf(identityOf(measured, value));
}

function describe(value: unknown): string {
  return value === null ? "null" : Array.isArray(value) ? "a list" : `a ${typeof value}`;
}
