/** Reads which published traces are meant: a folder, a period in days, graphs. */
import { resolve } from "node:path";
import type { storedRuns } from "../runtime/index.ts";

/** The texts behind `--since`, `--until` and `--graph`. */
export interface WrittenPeriod {
  readonly since?: string | undefined;
  readonly until?: string | undefined;
  readonly graph?: string | undefined;
}

const DAY_MS = 86_400_000;

/** Returns the traces that are meant, or the name of the option that says no day. */
export function readPublishedTraces(
  folder: string,
  { since, until, graph }: WrittenPeriod,
): storedRuns.PublishedTraces | "since" | "until" {
  const [from, to] = [readDay(since), readDay(until)];
  if (since !== undefined && from === undefined) return "since";
  if (until !== undefined && to === undefined) return "until";
  return {
    folder: resolve(folder),
    ...(from === undefined ? {} : { since: from }),
    ...(to === undefined ? {} : { until: to }),
    ...(graph === undefined ? {} : { graphs: graph.split(",").map((name) => name.trim()) }),
  };
}

export const DAY_HINT = "a day as `2026-11-28`, or so many days or weeks ago: `7d`, `2w`";

/** `2026-11-28`, or `7d` for the day (UTC) seven days ago. */
function readDay(text: string | undefined): string | undefined {
  const [, number, unit] = /^(\d{1,4})([dw])$/.exec(text ?? "") ?? [];
  if (number !== undefined) {
    const days = Number(number) * (unit === "w" ? 7 : 1);
    return new Date(Date.now() - days * DAY_MS).toISOString().slice(0, 10);
  }
  const isDay = /^\d{4}-\d{2}-\d{2}$/.test(text ?? "") && !Number.isNaN(Date.parse(text ?? ""));
  return isDay ? text : undefined;
}
