/** Converts imported spans into rows of the trace, by whether Madrigal or another tool has made them. */

import { type ImportedSpan, SCOPE, type TakenRows } from "../span.ts";
import { foreignRows } from "./foreign-rows.ts";
import { ownRows } from "./own-rows.ts";

/** The rows of all spans of one trace; of a span that came twice the later one counts. */
export function takenRows(runId: string, spans: readonly ImportedSpan[]): TakenRows {
  const unique = [...new Map(spans.map((span) => [span.spanId, span])).values()];
  const isOurs = unique.some(({ scope }) => scope === SCOPE);
  return isOurs ? ownRows(runId, unique) : foreignRows(runId, unique);
}
