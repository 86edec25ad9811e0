/** Queries the charts that compare two runs, or one run's state before and after a step. */
import { type Queryable, rowsOf } from "./chart-runs.ts";

/** A node run on the way that a run went. */
export interface PathStop {
  readonly node: string;
  readonly label: string;
  readonly status: string;
  readonly dur_us: number | null;
}

export const TRAJECTORY = `
SELECT node, label, status, dur_us
FROM node_runs
WHERE run_id = $run AND status <> 'stale'
ORDER BY node_run`;

/** In the order in which they were due, which is that of the graph. */
export function trajectory(traces: Queryable, run: string): Promise<PathStop[]> {
  return rowsOf<PathStop>(traces, TRAJECTORY, { run });
}

/** The difference of one node between run A and run B. */
export interface NodeDelta {
  readonly node: string;
  /** `seconds`, `tokens` or `USD`. */
  readonly measure: string;
  /** Null where the run has no such node, or its cost is not known. */
  readonly a: number | null;
  readonly b: number | null;
}

// As the macro `compare_runs`, with one constant a side: DuckDB then reads no other run.
const side = (run: string) => `
  SELECT
    node,
    sum(dur_us) FILTER (status <> 'stale') / 1e6 AS seconds,
    sum(input_tokens + output_tokens)::DOUBLE AS tokens,
    CASE WHEN count(*) = count(cost_usd) THEN sum(cost_usd) END AS usd
  FROM node_runs
  WHERE run_id = $${run}
  GROUP BY node`;

export const NODE_DELTAS = `
WITH left_side AS (${side("a")}
),
right_side AS (${side("b")}
),
node AS (
  SELECT coalesce(l.node, r.node) AS node, l AS a, r AS b
  FROM left_side l
  FULL JOIN right_side r ON r.node = l.node
)
SELECT node, 'seconds' AS measure, a.seconds AS a, b.seconds AS b
FROM node
UNION ALL
SELECT node, 'tokens', a.tokens, b.tokens
FROM node
WHERE coalesce(a.tokens, 0) + coalesce(b.tokens, 0) > 0
UNION ALL
SELECT node, 'USD', a.usd, b.usd
FROM node
WHERE coalesce(a.usd, 0) + coalesce(b.usd, 0) > 0
ORDER BY measure, node`;

export function nodeDeltas(
  traces: Queryable,
  { a, b }: { readonly a: string; readonly b: string },
): Promise<NodeDelta[]> {
  return rowsOf<NodeDelta>(traces, NODE_DELTAS, { a, b });
}

/** The patches of one step, or of more; `patches` is JSON. */
export interface StepPatches {
  readonly step: number;
  readonly node: string | null;
  readonly patches: string;
}

/** Step 0 is the initial state. What people edited counts with the step before it. */
export const PATCHES_UPTO = `
SELECT s.step, p.node, s.patches::VARCHAR AS patches
FROM state_at($run, $step) s
LEFT JOIN (FROM steps WHERE run_id = $run AND graph_path IS NULL) p ON p.seq = s.seq
ORDER BY s.seq`;

export function patchesUpto(
  traces: Queryable,
  { run, step }: { readonly run: string; readonly step: number },
): Promise<StepPatches[]> {
  return rowsOf<StepPatches>(traces, PATCHES_UPTO, { run, step });
}
