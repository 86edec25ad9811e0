/** Finds a run by a word among all that are traced, also those without a log here. */
import { namedRunId } from "../../run-names.ts";
import type { QueryableTraces } from "./queries.ts";

export const LAST_RUN = `
SELECT run_id
FROM runs
ORDER BY ts DESC, run_id DESC
LIMIT 1`;

export const RUNS_LIKE = `
SELECT run_id
FROM runs
WHERE starts_with(run_id, $word) OR ends_with(run_id, $word)
ORDER BY ts DESC, run_id DESC`;

/** By its id, its short form, the beginning of it, or `last`; undefined where there is none, M5108 where there are several. */
export async function tracedRunId(
  traces: QueryableTraces,
  word: string,
): Promise<string | undefined> {
  if (word === "last") return (await runIds(traces, LAST_RUN))[0];
  return namedRunId(word, await runIds(traces, RUNS_LIKE, { word }));
}

async function runIds(
  traces: QueryableTraces,
  sql: string,
  params?: { readonly word: string },
): Promise<readonly string[]> {
  const rows = await traces.query(sql, params);
  return rows.map(({ run_id }) => String(run_id));
}
