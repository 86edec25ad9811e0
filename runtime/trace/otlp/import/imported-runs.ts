/** Lists and deletes runs that were imported as spans. */
import type { RunFilter } from "../../../store/run-store.ts";
import { type Queryable, rowsOf } from "../../charts/chart-runs.ts";
import type { SqlValue } from "../../sql/plain-values.ts";
import type { RunListed } from "../../sql/queries.ts";

/** The facts of an imported run, which has no log. */
export interface ImportedRun extends Omit<RunListed, "ts"> {
  /** The origin: `otlp:` and the name of the service. */
  readonly origin: string;
  /** Milliseconds since the epoch. */
  readonly started_at: number | null;
  /** The end, or the last that is known. */
  readonly last_at: number | null;
  readonly error_node: string | null;
  readonly input: SqlValue;
  readonly output: SqlValue;
}

export const IMPORTED_RUNS = `
SELECT
  r.run_id,
  r.thread_id,
  r.graph,
  r.origin,
  r.status,
  r.reason,
  epoch_ms(r.ts)::DOUBLE AS started_at,
  epoch_ms(coalesce(r.ended_at, (SELECT max(e.ts) FROM event_log e WHERE e.run_id = r.run_id)))::DOUBLE AS last_at,
  r.dur_us,
  r.steps,
  r.model_calls,
  r.tool_calls,
  r.input_tokens,
  r.output_tokens,
  r.cost_usd,
  r.model,
  r.model_source,
  r.error_code,
  r.error_message,
  r.error_node,
  r.input,
  r.output
FROM runs r
WHERE r.origin IS NOT NULL
  AND ($run IS NULL OR r.run_id = $run)
  AND ($graph IS NULL OR r.graph = $graph)
  AND ($status IS NULL OR r.status = $status)
  AND ($thread IS NULL OR r.thread_id = $thread)
ORDER BY r.ts DESC, r.run_id DESC
LIMIT $limit`;

/** The filter of listed imported runs. */
export type ImportedFilter = RunFilter & { readonly run?: string };

/** Newest first. */
export function importedRuns(
  traces: Queryable,
  filter: ImportedFilter = {},
): Promise<ImportedRun[]> {
  const { run = null, graph = null, status = null, thread = null, limit = 1e9 } = filter;
  return rowsOf<ImportedRun>(traces, IMPORTED_RUNS, { run, graph, status, thread, limit });
}

/** Those that `runs prune` takes: older ones, but for the newest of each thread. */
export function outdatedImports(
  runs: readonly ImportedRun[],
  { before, keep }: { readonly before: number; readonly keep: number },
): ImportedRun[] {
  return [...Map.groupBy(runs, ({ thread_id }) => thread_id).values()].flatMap((thread) =>
    thread.slice(keep).filter(({ last_at }) => last_at !== null && last_at < before),
  );
}
