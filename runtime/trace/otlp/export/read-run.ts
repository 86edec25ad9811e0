/** Reads everything that the trace has of one run, to be exported. */

import { type EventRow, eventLog, type GraphRow } from "../../schema/tables.ts";
import type { QueryableTraces } from "../../sql/queries.ts";
import { RUN_SCORES, type ScoreRow } from "../scores.ts";
import type { ExportedRunFacts, RunRows } from "./to-spans.ts";

const columnNames = Object.keys(eventLog.columns).filter((column) => !/blob/.test(column));
const columns = columnNames.map((column) => {
  if (column === "ts") return "epoch_us(ts) / 1000 AS ts";
  return column === "payload" || column === "patches" ? `${column}::VARCHAR AS ${column}` : column;
});

/** As texts: a value that is made for each cell, of which most are NULL, takes far longer. */
export const RUN_ROWS = `
SELECT to_json(event)::VARCHAR AS event
FROM (
  SELECT
    ${columns.join(",\n    ")}
  FROM events
  WHERE run_id = $run
) event
ORDER BY event.seq, event.part`;

export const RUN_FACTS = `
SELECT
  * REPLACE (epoch_us(started_at) / 1000 AS started_at, epoch_us(ended_at) / 1000 AS ended_at)
FROM run_log
WHERE run_id = $run`;

export const RUN_GRAPHS = `
SELECT
  graph_hash,
  name,
  file,
  text,
  ir::VARCHAR AS ir
FROM graphs
WHERE graph_hash IN (SELECT unnest(from_json($hashes, '["VARCHAR"]')))
ORDER BY graph_hash`;

/** The rows of a run; undefined where the trace has none of it. */
export async function readRun(
  traces: QueryableTraces,
  runId: string,
): Promise<RunRows | undefined> {
  const [run] = await traces.query(RUN_FACTS, { run: runId });
  if (run === undefined) return undefined;
  const rows = await traces.query(RUN_ROWS, { run: runId });
  const events = rows.map(({ event }) => JSON.parse(String(event)) as EventRow);
  const hashes = JSON.stringify(graphHashes(run.graph_hash, events));
  const graphs = (await traces.query(RUN_GRAPHS, { hashes })) as unknown as GraphRow[];
  const scores = (await traces.query(RUN_SCORES, { run: runId })) as unknown as ScoreRow[];
  return { run: run as unknown as ExportedRunFacts, events, graphs, scores };
}

/** That of the run, and those that it was resumed with. */
function graphHashes(own: unknown, events: readonly EventRow[]): string[] {
  const others = events.flatMap(({ kind, payload }) =>
    kind === "run.resumed" ? [/"graphHash":"([^"]*)"/.exec(payload ?? "")?.[1]] : [],
  );
  return [own, ...others].filter((hash) => typeof hash === "string");
}
