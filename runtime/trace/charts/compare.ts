/** Two runs beside each other, and one run's state before and after a step. */
import { type Queryable, rowsOf } from "./of-runs.ts";

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

/** What one node took in run A and in run B. */
export interface NodeDelta {
  readonly node: string;
  /** `seconds`, `tokens` or `USD`. */
  readonly measure: string;
  /** Null where the run has no such node, or its cost is not known. */
  readonly a: number | null;
  readonly b: number | null;
}

export const NODE_DELTAS = `
WITH node AS (
  SELECT
    node,
    {seconds: dur_us_a / 1e6, tokens: (input_tokens_a + output_tokens_a)::DOUBLE, USD: cost_usd_a} AS a,
    {seconds: dur_us_b / 1e6, tokens: (input_tokens_b + output_tokens_b)::DOUBLE, USD: cost_usd_b} AS b
  FROM compare_runs($a, $b)
)
SELECT node, 'seconds' AS measure, a.seconds AS a, b.seconds AS b
FROM node
UNION ALL
SELECT node, 'tokens', a.tokens, b.tokens
FROM node
WHERE coalesce(a.tokens, 0) + coalesce(b.tokens, 0) > 0
UNION ALL
SELECT node, 'USD', a.USD, b.USD
FROM node
WHERE coalesce(a.USD, 0) + coalesce(b.USD, 0) > 0
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
