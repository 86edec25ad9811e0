/** Tells what a cell took: its time, and the tokens and costs of the runs that it started. */
import { durationText, shortCount } from "../display/numbers.ts";
import { costText } from "../display/run/run-lines.ts";
import type { Cell } from "./cell.ts";

/** `1.20 s · 3.4k tokens · $0.0021`. */
export function spentText({ started }: Cell, durationMs: number): string {
  const usages = [...started].map(({ usage }) => usage);
  const sum = (count: (usage: (typeof usages)[number]) => number) =>
    usages.reduce((total, usage) => total + count(usage), 0);
  const tokens = sum(({ inputTokens, outputTokens }) => inputTokens + outputTokens);
  const costUsd = sum((usage) => usage.costUsd ?? 0);
  return [
    durationText(durationMs),
    ...(tokens === 0 ? [] : [`${shortCount(tokens)} tokens`]),
    ...(costUsd === 0 ? [] : [costText(costUsd)]),
  ].join(" · ");
}
