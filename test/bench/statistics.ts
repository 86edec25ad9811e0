/** The few figures that a series of measurements is summed up by. */

/** The middle one; of an even number the mean of the two in the middle. Throws without any. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const lower = sorted[Math.floor((sorted.length - 1) / 2)];
  const upper = sorted[Math.floor(sorted.length / 2)];
  if (lower === undefined || upper === undefined) throw new Error("nothing was measured");
  return (lower + upper) / 2;
}

export function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

/** How far the runs lie apart: slowest less fastest, as a part of the median. */
export function spread(values: readonly number[]): number {
  const middle = median(values);
  return middle === 0 ? 0 : (Math.max(...values) - Math.min(...values)) / middle;
}

/** Three digits that count; more would be noise, but not in what is counted, as lines are. */
export function rounded(value: number): number {
  if (Number.isInteger(value) && value < 10_000) return value;
  return Number(value.toPrecision(3));
}
