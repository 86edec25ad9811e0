/** Queries the checks of nodes with `every`: when each happened, what it came to, and how long it had been waited for. */
import { type Queryable, rowsOf } from "./chart-runs.ts";

/** One check of a sentinel. Times are ISO 8601 in UTC, durations seconds. */
export interface SentinelCheck {
  /** A node with `every`, and which item of its list. */
  readonly sentinel: string;
  /** From 1; a round that failed is counted again. */
  readonly check: number;
  readonly verdict: "met" | "not met" | "failed";
  /** The reason that the judge gave, or the message of the failure. */
  readonly reason: string | null;
  readonly at: string;
  /** Since the check before; of the first, since its round began. */
  readonly gap_s: number;
  /** The time at which the round was to begin; null of the first. */
  readonly due: string | null;
  readonly began: string | null;
  /** Between `due` and `began`: the run was paused, or no process drove it. */
  readonly late_s: number;
  /** The time at which the next round is to begin; null of the last. */
  readonly next: string | null;
  /** `met`, `times`, `max` or `errors` where no check follows; null before that. */
  readonly ended: string | null;
}

const iso = (ts: string) => `strftime(${ts}, '%Y-%m-%dT%H:%M:%S.%gZ')`;

// A round has in turn: the time at which it is due, its attempts, its check, and perhaps the end of the sentinel. The rows
// between two checks are of the later one, but what ends a sentinel behind its check.
export const SENTINEL_CHECKS_OF_ONE_RUN = `
WITH told AS (
  SELECT
    seq, part, ts, kind, node, item, reason, payload::JSON AS payload,
    kind = 'sentinel.finished' AND reason = 'errors' AS gave_up
  FROM event_log
  WHERE run_id = $run
    AND NOT stale
    AND kind IN ('attempt.started', 'sentinel.started', 'sentinel.checked', 'sentinel.failed', 'sentinel.sleeping', 'sentinel.finished')
    AND node IN (SELECT node FROM event_log WHERE run_id = $run AND kind = 'sentinel.started' AND NOT stale)
),
placed AS (
  SELECT
    *,
    count(*) FILTER (kind IN ('sentinel.checked', 'sentinel.failed') OR gave_up) OVER (
      PARTITION BY node, item
      ORDER BY seq, part
      ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING
    ) - (kind = 'sentinel.finished' AND NOT gave_up)::INTEGER AS place
  FROM told
),
round AS (
  SELECT
    node,
    item,
    place,
    min(ts) FILTER (kind = 'attempt.started') AS began,
    max(ts) FILTER (kind IN ('sentinel.checked', 'sentinel.failed') OR gave_up) AS ts,
    max(seq) AS seq,
    bool_or(kind = 'sentinel.started') AS is_first,
    max(coalesce(payload ->> '$.check', payload ->> '$.checks')::BIGINT) FILTER (kind <> 'sentinel.sleeping') AS number,
    CASE
      WHEN bool_or(kind = 'sentinel.failed' OR gave_up) THEN 'failed'
      WHEN bool_or((payload ->> '$.met')::BOOLEAN) THEN 'met'
      WHEN max((payload ->> '$.errors')::BIGINT) > 0 THEN 'failed'
      ELSE 'not met'
    END AS verdict,
    max(coalesce(payload ->> '$.failure.message', reason)) FILTER (kind IN ('sentinel.checked', 'sentinel.failed')) AS reason,
    make_timestamp(max((payload ->> '$.until')::DOUBLE * 1000)::BIGINT) AS due,
    max(reason) FILTER (kind = 'sentinel.finished') AS ended
  FROM placed
  GROUP BY node, item, place
),
timed AS (
  SELECT
    *,
    CASE WHEN NOT is_first THEN due END AS planned,
    coalesce(CASE WHEN NOT is_first THEN lag(ts) OVER line END, began, ts) AS before,
    lead(due) OVER line AS next
  FROM round
  WINDOW line AS (PARTITION BY node, item ORDER BY place)
)
SELECT
  node || CASE WHEN item IS NULL THEN '' ELSE ' · ' || (item + 1)::VARCHAR END AS sentinel,
  number AS check,
  verdict,
  reason,
  ${iso("ts")} AS at,
  (epoch_us(ts) - epoch_us(before)) / 1e6 AS gap_s,
  ${iso("planned")} AS due,
  ${iso("began")} AS began,
  greatest(coalesce(epoch_us(began) - epoch_us(planned), 0), 0) / 1e6 AS late_s,
  CASE WHEN ended IS NULL THEN ${iso("next")} END AS next,
  ended
FROM timed
WHERE ts IS NOT NULL
ORDER BY seq`;

/** Returns the checks of a run's nodes with `every`, in their order; what a rewind undid is left out. */
export function sentinelChecks(traces: Queryable, run: string): Promise<SentinelCheck[]> {
  return rowsOf<SentinelCheck>(traces, SENTINEL_CHECKS_OF_ONE_RUN, { run });
}
