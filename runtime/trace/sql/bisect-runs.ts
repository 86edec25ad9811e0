/** Evaluates a condition of SQL for each run that has ended, oldest first. */

import type { TraceStore } from "../trace-store.ts";
import { SqlError } from "./sql-error.ts";

export interface AskedRun {
  readonly run_id: string;
  readonly graph: string;
  readonly graph_hash: string | null;
  /** The text of its graph, where it is known. */
  readonly text: string | null;
  readonly status: string;
  readonly ts: string | null;
  /** The id of each alias, and the input: JSON. */
  readonly models: unknown;
  readonly input: unknown;
  readonly holds: boolean;
}

export interface AskedAbout {
  /** Over a row of the view `runs`; null counts as no. */
  readonly where: string;
  readonly graph?: string;
  readonly runs?: readonly string[];
}

/** `TRUE` is where the condition stands. */
export const ASKED_RUNS = `
SELECT
  runs.run_id,
  runs.graph,
  runs.graph_hash,
  (SELECT any_value(g.text) FROM graph_log g WHERE g.graph_hash = runs.graph_hash) AS text,
  runs.status,
  runs.ts,
  runs.models,
  runs.input,
  coalesce((
TRUE
  )::BOOLEAN, FALSE) AS holds
FROM runs
WHERE runs.ended_at IS NOT NULL
  AND ($graph::VARCHAR IS NULL OR runs.graph = $graph)
  AND ($runs::VARCHAR IS NULL OR list_contains(from_json($runs, '["VARCHAR"]'), runs.run_id))
ORDER BY runs.ts, runs.run_id`;

export const GRAPHS_OF_RUNS = `
SELECT DISTINCT graph
FROM runs
ORDER BY graph`;

/** The names of the graphs of which there are runs, ended or not. */
export async function graphsOfRuns(traces: Pick<TraceStore, "query">): Promise<readonly string[]> {
  return (await traces.query(GRAPHS_OF_RUNS)).map(({ graph }) => String(graph));
}

/** Those that have ended, oldest first. What DuckDB does not understand of the condition is told at its place in that. */
export async function askRuns(
  traces: Pick<TraceStore, "query">,
  { where, graph, runs }: AskedAbout,
): Promise<readonly AskedRun[]> {
  if (where.trim() === "") {
    throw new SqlError("M6101", "the condition is empty", {
      sql: where,
      hint: "say what is wrong with a run, as in `status <> 'succeeded'` or `cost_usd > 0.1`",
    });
  }
  const [head = "", tail = ""] = ASKED_RUNS.split("TRUE");
  const params = { graph: graph ?? null, runs: runs === undefined ? null : JSON.stringify(runs) };
  try {
    const rows = await traces.query(`${head}${where}${tail}`, params);
    return rows as unknown as readonly AskedRun[];
  } catch (error) {
    throw error instanceof SqlError ? inCondition(error, where, head.length) : error;
  }
}

/** The same error, as one of the condition alone. */
function inCondition(error: SqlError, where: string, before: number): SqlError {
  const { code, message, hint, cause, offset } = error;
  const own = offset === undefined ? undefined : offset - before;
  const isInside = own !== undefined && own >= 0 && own <= where.length;
  const place = isInside ? { offset: own } : {};
  return new SqlError(code, message, { sql: where, hint, cause, ...place });
}
