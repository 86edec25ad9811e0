/** L9 for what people say unasked: it is in the log once they are told so, and is heard or told to be unheard. */

import { pathOf } from "../../../runtime/history/log-path.ts";
import { innermost, type LogRecord } from "../../../runtime/records/records.ts";
import { isJsonEqual } from "../../../runtime/state/json.ts";
import type { Ran } from "../../support/run-graph.ts";

/** What was said and is nowhere. */
export function wordsHold({ records, reportedAnswers: said, status }: Ran): string | undefined {
  const lost = said.find((record) => !isJsonEqual(records[record.seq], record));
  if (lost !== undefined)
    return `a ${lost.kind} was taken, and is not record ${lost.seq} of the log`;
  if (status !== "succeeded" && status !== "failed") return undefined;
  const heard = heardIn(pathOf(records));
  const missing = said.find((record) => record.kind === "steer" && !heard.has(record.message.id));
  return missing?.kind === "steer"
    ? `nobody hears ${missing.message.id}, and nobody is told`
    : undefined;
}

/** A rewind undoes no word of a person: only what lies on the way to the end counts as heard. */
function heardIn(path: readonly LogRecord[]): ReadonlySet<string> {
  const ids = path.flatMap((logged) => {
    const record = innermost(logged);
    if (record.kind === "intent") return (record.steers ?? []).map(({ id }) => id);
    return record.kind === "end" ? (record.dead ?? []) : [];
  });
  return new Set(ids);
}
