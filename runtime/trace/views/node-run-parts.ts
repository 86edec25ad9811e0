/** Gives the SQL of how a node run stands: its rows as `n`, with `last` of its attempts, its run as `r`. */
import { STATUS_AFTER_ATTEMPT } from "../../records/records.ts";

/** Among the sums of a node run's rows: its last beginning or end of an attempt. */
export const LAST_OF_ATTEMPTS = `max(ts) FILTER (kind = 'attempt.finished') AS last_ts,
    arg_max(
      {kind: kind, status: status, reason: reason, error_class: error_class, error_code: error_code},
      seq
    ) FILTER (kind IN ('attempt.started', 'attempt.finished')) AS last`;

/** The reasons of an attempt's end after which its node run has this status, as a list of SQL. */
function reasonsOf(status: "ready" | "failed" | "skipped"): string {
  const reasons = Object.entries(STATUS_AFTER_ATTEMPT).filter(([, after]) => after === status);
  return `(${reasons.map(([reason]) => `'${reason}'`).join(", ")})`;
}

export const STATUS_OF_NODE_RUN = `CASE
    WHEN n.stale THEN 'stale'
    WHEN n.last.status = 'ok' THEN 'succeeded'
    WHEN n.last.reason IN ${reasonsOf("failed")} THEN 'failed'
    WHEN n.last.reason IN ${reasonsOf("skipped")} THEN 'skipped'
    WHEN r.ended_at IS NOT NULL THEN 'aborted'
    WHEN n.last.kind = 'attempt.started' THEN 'running'
    WHEN n.last.reason IN ${reasonsOf("ready")} THEN 'ready'
    ELSE 'aborted'
  END AS status`;

/** NULL while it is under way. */
export const END_OF_NODE_RUN = `CASE
    WHEN n.stale THEN coalesce(n.last_ts, n.ts)
    WHEN n.last.kind = 'attempt.finished' AND coalesce(n.last.reason, '') NOT IN ${reasonsOf("ready")}
      THEN n.last_ts
    ELSE r.ended_at
  END AS end_ts`;

/**
 * Returns the SQL of the end of a run's critical path among its ended node runs: the one whose failure ended it, else
 * the last.
 */
export const endOf = (names: { readonly node: string; readonly run: string }): string => `(
    SELECT n.*
    FROM ${names.node} n
    LEFT JOIN run_log r
      ON r.run_id = ${names.run} AND r.status = 'failed' AND r.error_node = n.node AND n.status = 'failed'
    ORDER BY r.run_id IS NOT NULL DESC, n.end_ts DESC, n.node_run DESC
    LIMIT 1
  )`;
