/** Which runs a chart is of: one, several or all that are traced. */
import type { Value } from "../plain-values.ts";
import type { QueryParams, TraceStore } from "../trace-store.ts";

/** What answers SQL. */
export type Queryable = Pick<TraceStore, "query">;

/** The ids of runs; none of them means all. */
export type RunIds = readonly string[];

/** A condition on the column `run_id`; its values are `runParams`. One id is one constant, which DuckDB pushes down. */
export function isOfRuns(runs: RunIds): string {
  if (runs.length === 0) return "TRUE";
  const names = runs.map((_, index) => `$run_${index}`);
  return names.length === 1 ? `run_id = ${names[0]}` : `run_id IN (${names.join(", ")})`;
}

export function runParams(runs: RunIds): QueryParams {
  return Object.fromEntries(runs.map((run, index) => [`run_${index}`, run]));
}

// What a query gives is what its columns say: a test asks each of them on the real schema.
export async function rowsOf<T extends { readonly [K in keyof T]: Value }>(
  traces: Queryable,
  sql: string,
  params: QueryParams,
): Promise<T[]> {
  return (await traces.query(sql, params)) as unknown as T[];
}

/** What a chart of runs says below its title. */
export interface RunsFacts {
  readonly runs: number;
  readonly graphs: readonly string[];
  readonly sources: readonly string[];
}

/** Not of the view `runs`: that adds up every call, which nobody asks here. */
export const runsFactsSql = (runs: RunIds) => `
WITH run AS (
  SELECT graph, count(*) AS runs
  FROM run_log
  WHERE ${isOfRuns(runs)}
  GROUP BY graph
),
source AS (
  SELECT DISTINCT model_source
  FROM event_log
  WHERE kind IN ('model.response', 'controller.event') AND model_source IS NOT NULL AND ${isOfRuns(runs)}
)
SELECT
  (SELECT coalesce(sum(runs), 0)::BIGINT FROM run) AS runs,
  (SELECT list(graph ORDER BY graph) FROM run) AS graphs,
  (SELECT list(model_source ORDER BY model_source) FROM source) AS sources`;

export async function runsFacts(traces: Queryable, runs: RunIds): Promise<RunsFacts> {
  const [row] = await traces.query(runsFactsSql(runs), runParams(runs));
  const texts = (value: Value | undefined) => (Array.isArray(value) ? value.map(String) : []);
  return {
    runs: Number(row?.runs ?? 0),
    graphs: texts(row?.graphs),
    sources: texts(row?.sources),
  };
}
