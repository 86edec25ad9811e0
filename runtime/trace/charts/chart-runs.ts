/** Resolves which runs a chart shows: one, several or all that are traced. */
import type { SqlValue } from "../sql/plain-values.ts";
import type { QueryParams, TraceStore } from "../trace-store.ts";

/** A source that answers SQL. */
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
export async function rowsOf<T extends { readonly [K in keyof T]: SqlValue }>(
  traces: Queryable,
  sql: string,
  params: QueryParams,
): Promise<T[]> {
  return (await traces.query(sql, params)) as unknown as T[];
}

/** The facts below the title of a chart of runs. */
export interface RunsFacts {
  readonly runs: number;
  readonly graphs: readonly string[];
  readonly sources: readonly string[];
}

/** Not of the view `runs`: that adds up every call, which nobody asks here. */
export const graphsSql = (runs: RunIds) => `
SELECT graph, count(*) AS runs
FROM run_log
WHERE ${isOfRuns(runs)}
GROUP BY graph
ORDER BY graph`;

/** A source that is none of so many known ones. */
export const nextSourceSql = (runs: RunIds, known: number) => `
SELECT model_source
FROM event_log
WHERE kind IN ('model.response', 'controller.event')
  AND model_source IS NOT NULL
  ${Array.from({ length: known }, (_, index) => `AND model_source <> $source_${index}`).join(" ")}
  AND ${isOfRuns(runs)}
LIMIT 1`;

export async function runsFacts(traces: Queryable, runs: RunIds): Promise<RunsFacts> {
  const graphs = await traces.query(graphsSql(runs), runParams(runs));
  return {
    runs: graphs.reduce((sum, row) => sum + Number(row.runs), 0),
    graphs: graphs.map(({ graph }) => String(graph)),
    sources: await sourcesOf(traces, runs),
  };
}

/** One after the other: there are few, and comparing a million texts with those that are known takes half as long as grouping them. */
async function sourcesOf(traces: Queryable, runs: RunIds): Promise<readonly string[]> {
  const sources: string[] = [];
  for (;;) {
    const known = Object.fromEntries(sources.map((source, index) => [`source_${index}`, source]));
    const params = { ...runParams(runs), ...known };
    const [next] = await traces.query(nextSourceSql(runs, sources.length), params);
    if (next === undefined) return sources.sort();
    sources.push(String(next.model_source));
  }
}
