/** Writes times, costs and counts as people read them. */

export { timeText } from "../display/numbers.ts";

export function secondsText(ms: number): string {
  return `${(ms / 1000).toFixed(2)}s`;
}

/** An unknown price is never shown as 0. */
export function costText(usd: number | null): string {
  if (usd === null) return "unknown";
  return usd === 0 ? "$0" : `$${usd.toFixed(usd < 0.01 ? 6 : 4)}`;
}
