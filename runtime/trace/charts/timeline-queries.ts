/** Queries when attempts and calls were under way: waterfall, lanes, flame and parallelism. */
import { endOf } from "../views/node-run-parts.ts";
import { type Queryable, rowsOf } from "./chart-runs.ts";
import { OF_ONE_RUN } from "./one-run-sql.ts";

/** A node run, or a call in one, in seconds from the run's start. */
export interface WaterfallBar {
  /** Of the node run, also for its calls. */
  readonly label: string;
  readonly lane: "node run" | "call";
  /** The status of the node run; of a call its kind, or `failed call`. */
  readonly what: string;
  /** The name of the call; for a node run, that of its node. */
  readonly name: string | null;
  readonly attempts: number | null;
  readonly begin_s: number;
  /** Of what is under way: the time of the run's last event. */
  readonly end_s: number;
  readonly input_tokens: number | null;
  readonly output_tokens: number | null;
  readonly model_source: string | null;
  /** The end of the run waited for it. */
  readonly critical: boolean;
}

// The critical path goes back from the node run that ended last, each time to what made it due: as `critical_path`.
export const WATERFALL = `
WITH RECURSIVE ${OF_ONE_RUN},
ended AS (
  SELECT node_run, cause, node, status, end_ts
  FROM known
  WHERE end_ts IS NOT NULL AND status <> 'stale'
),
path AS (
  ${endOf({ node: "ended", run: "$run" })}
  UNION ALL
  SELECT n.*
  FROM path p
  JOIN ended n ON n.node_run = p.cause
),
part AS (
  SELECT
    node_run, 'node run' AS lane, status AS what, node AS name, attempts, ts, end_ts, input_tokens, output_tokens,
    model_source, 0::UINTEGER AS span_id,
    node_run IN (SELECT node_run FROM path) AS critical
  FROM known
  UNION ALL
  SELECT
    node_run, 'call', CASE WHEN status IN ('ok', 'succeeded') THEN split_part(kind, '.', 1) || ' call' ELSE 'failed call' END,
    name, NULL, ts - to_microseconds(dur_us), ts, input_tokens, output_tokens, model_source, span_id, FALSE
  FROM mine
  WHERE kind IN ('model.response', 'tool.result', 'function.result', 'session.ended')
  UNION ALL
  SELECT node_run, 'call', 'open call', name, NULL, ts, NULL, NULL, NULL, model_source, span_id, FALSE
  FROM under_way
  WHERE kind IN ('model.request', 'tool.call', 'function.call', 'session.requested')
)
SELECT
  n.label,
  p.lane,
  p.what,
  p.name,
  p.attempts,
  (epoch_us(p.ts) - epoch_us(e.first_ts)) / 1e6 AS begin_s,
  (epoch_us(coalesce(p.end_ts, e.last_ts)) - epoch_us(e.first_ts)) / 1e6 AS end_s,
  p.input_tokens,
  p.output_tokens,
  p.model_source,
  p.critical
FROM part p
JOIN known n ON n.node_run = p.node_run
CROSS JOIN extent e
ORDER BY n.ts, n.node_run, p.lane DESC, p.span_id`;

/** The node runs of a run in the order in which they began, each followed by its calls. */
export function waterfallBars(traces: Queryable, run: string): Promise<WaterfallBar[]> {
  return rowsOf<WaterfallBar>(traces, WATERFALL, { run });
}

/** A node run as it stands among the commits: from how many there were when it began to its own. */
export interface LaneBar {
  /** A node, and which item of its list. */
  readonly lane: string;
  readonly label: string;
  readonly status: string;
  readonly begin: number;
  readonly end: number;
  readonly attempts: number;
  readonly cost_usd: number | null;
}

export const LANES = `
WITH ${OF_ONE_RUN},
step AS (
  SELECT node_run, seq, row_number() OVER (ORDER BY seq) AS place
  FROM mine
  WHERE kind = 'commit' AND NOT stale
),
total AS (
  SELECT count(*) AS steps
  FROM step
)
SELECT
  n.node || CASE WHEN n.item IS NULL THEN '' ELSE ' · ' || (n.item + 1)::VARCHAR END AS lane,
  n.label,
  n.status,
  coalesce(b.place, 0) AS begin,
  coalesce(s.place, t.steps + 1) AS end,
  n.attempts,
  n.cost_usd
FROM (FROM known WHERE status <> 'stale') n
CROSS JOIN total t
LEFT JOIN step s ON s.node_run = n.node_run
ASOF LEFT JOIN step b ON n.begun_seq > b.seq
ORDER BY n.begun_seq, n.node_run`;

/** The node runs of a run among its steps; what a rewind undid is left out. */
export function laneBars(traces: Queryable, run: string): Promise<LaneBar[]> {
  return rowsOf<LaneBar>(traces, LANES, { run });
}

/** The number of node runs of one node that committed within some steps. */
export interface LaneBin {
  readonly lane: string;
  readonly begin: number;
  readonly end: number;
  readonly node_runs: number;
}

export const LANE_BINS = `
WITH step AS (
  SELECT node, row_number() OVER (ORDER BY seq) AS place
  FROM steps
  WHERE run_id = $run
),
width AS (
  SELECT greatest(ceil(count(*) / 100), 1)::BIGINT AS steps
  FROM step
)
SELECT
  s.node AS lane,
  (s.place - 1) // w.steps * w.steps AS begin,
  ((s.place - 1) // w.steps + 1) * w.steps AS end,
  count(*) AS node_runs
FROM step s, width w
GROUP BY ALL
ORDER BY min(s.place) OVER (PARTITION BY s.node), begin`;

/** A hundred pieces of a run's steps, node by node. */
export function laneBins(traces: Queryable, run: string): Promise<LaneBin[]> {
  return rowsOf<LaneBin>(traces, LANE_BINS, { run });
}

/** All time that was spent in one place: a node, or the calls of one name in it. */
export interface FlameFrame {
  /** JSON: the graphs' nodes down to it. */
  readonly stack: string;
  readonly kind: string;
  readonly dur_us: number;
  readonly count: number;
}

export const FRAMES = `
WITH last AS (
  SELECT max(ts) AS ts
  FROM events
  WHERE run_id = $run
)
SELECT
  to_json(string_split(n.node, '/'))::VARCHAR AS stack,
  'node' AS kind,
  sum(coalesce(n.dur_us, epoch_us(l.ts) - epoch_us(n.ts)))::BIGINT AS dur_us,
  count(*) AS count
FROM node_runs n, last l
WHERE n.run_id = $run AND n.status <> 'stale'
GROUP BY ALL
UNION ALL
SELECT
  to_json(list_append(string_split(node, '/'), coalesce(name, kind)))::VARCHAR,
  kind,
  sum(dur_us)::BIGINT,
  count(*)
FROM spans
WHERE run_id = $run AND kind IN ('model', 'tool', 'function', 'session') AND NOT stale AND node IS NOT NULL
GROUP BY ALL
ORDER BY dur_us DESC, stack`;

/**
 * Returns the frames of the flame chart: the time of the run by call; parallel work counts twice, work that a rewind
 * undid does not.
 */
export function frames(traces: Queryable, run: string): Promise<FlameFrame[]> {
  return rowsOf<FlameFrame>(traces, FRAMES, { run });
}

/** The number of running attempts from a moment on. */
export interface RunningFrom {
  readonly at_s: number;
  readonly running: number;
}

/** As many moments as a screen has places: of each place the first, the last, the least and the most (M4). */
export const RUNNING = `
WITH ${OF_ONE_RUN},
change AS (
  SELECT ts - to_microseconds(dur_us) AS ts, 1 AS difference
  FROM mine
  WHERE kind = 'attempt.finished'
  UNION ALL
  SELECT ts, -1
  FROM mine
  WHERE kind = 'attempt.finished'
  UNION ALL
  SELECT ts, 1
  FROM under_way
  WHERE kind = 'attempt.started'
),
attempts AS (
  SELECT ts, (sum(sum(difference)) OVER (ORDER BY ts))::INTEGER AS running
  FROM change
  GROUP BY ts
),
moment AS (
  SELECT (epoch_us(p.ts) - epoch_us(e.first_ts)) / 1e6 AS at_s, p.running
  FROM attempts p, extent e
  UNION ALL
  SELECT (epoch_us(e.last_ts) - epoch_us(e.first_ts)) / 1e6, NULL
  FROM extent e
  WHERE e.last_ts IS NOT NULL
),
filled AS (
  SELECT at_s, coalesce(running, last_value(running IGNORE NULLS) OVER (ORDER BY at_s, running NULLS LAST), 0) AS running
  FROM moment
),
placed AS (
  SELECT *, floor(at_s / nullif(max(at_s) OVER (), 0) * 400) AS place, count(*) OVER () AS moments
  FROM filled
)
SELECT DISTINCT at_s, running
FROM placed
QUALIFY moments <= 1600
  OR row_number() OVER (PARTITION BY place ORDER BY at_s) = 1
  OR row_number() OVER (PARTITION BY place ORDER BY at_s DESC) = 1
  OR row_number() OVER (PARTITION BY place ORDER BY running, at_s) = 1
  OR row_number() OVER (PARTITION BY place ORDER BY running DESC, at_s) = 1
ORDER BY at_s, running`;

/** Returns the number of running attempts, from each moment on. */
export function runningFrom(traces: Queryable, run: string): Promise<RunningFrom[]> {
  return rowsOf<RunningFrom>(traces, RUNNING, { run });
}
