/** Writes durations and counts as people read them; the same number is the same text everywhere. */

/** `12 ms`, `1.20 s`, `2 min 5 s`. */
export function durationText(ms: number): string {
  const size = Math.abs(ms);
  if (size < 1) return `${Number(ms.toPrecision(2))} ms`;
  if (size < 999.5) return `${Math.round(ms)} ms`;
  if (size < 59_995) return `${(ms / 1000).toFixed(2)} s`;
  const seconds = Math.round(ms / 1000);
  return `${Math.trunc(seconds / 60)} min ${Math.abs(seconds % 60)} s`;
}

/** `2026-11-23 12:03:10`, in UTC. */
export function timeText(at: number): string {
  return new Date(at).toISOString().replace("T", " ").slice(0, 19);
}

/** 950, `1.2k`, `31k`, `1.4M`. */
export function shortCount(count: number): string {
  if (count < 1000) return String(count);
  const [size, unit] = count < 999_500 ? [count / 1000, "k"] : [count / 1_000_000, "M"];
  return `${size < 9.95 ? size.toFixed(1) : Math.round(size)}${unit}`;
}
