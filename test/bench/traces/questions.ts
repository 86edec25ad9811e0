/** The questions of many runs, each for DuckDB and for SQLite. */

export interface Question {
  readonly name: string;
  readonly duckdb: string;
  readonly sqlite: string;
}

const ENDED = "kind = 'attempt.finished'";

export const QUESTIONS: readonly Question[] = [
  {
    name: "latency by node",
    duckdb: `SELECT node, count(*), quantile_cont(dur_us, [0.5, 0.95, 0.99]) FROM event_log WHERE ${ENDED} GROUP BY node`,
    sqlite: `SELECT node, n, max(CASE WHEN nth <= 0.5 * n THEN dur_us END), max(CASE WHEN nth <= 0.95 * n THEN dur_us END),
      max(CASE WHEN nth <= 0.99 * n THEN dur_us END)
      FROM (SELECT node, dur_us, row_number() OVER (PARTITION BY node ORDER BY dur_us) AS nth,
        count(*) OVER (PARTITION BY node) AS n FROM event_log WHERE ${ENDED}) GROUP BY node`,
  },
  same(
    "tokens and cost by agent and model",
    `SELECT node, model, count(*), sum(input_tokens), sum(output_tokens), sum(cost_usd) FROM event_log
      WHERE kind = 'model.response' GROUP BY node, model`,
  ),
  same(
    "errors and retries by node",
    `SELECT node, sum(CASE WHEN kind = 'error' THEN 1 END), sum(CASE WHEN reason = 'retry' THEN 1 END), max(error_class)
      FROM event_log WHERE kind IN ('error', 'attempt.finished') GROUP BY node`,
  ),
  same(
    "width of fan-outs",
    `SELECT items, count(*) FROM (SELECT run_id, count(*) AS items FROM event_log
      WHERE kind = 'attempt.started' AND attempt = 1 AND item IS NOT NULL GROUP BY run_id) AS w GROUP BY items`,
  ),
  same(
    "growth of the state by step",
    `SELECT step, avg(length(patches)), max(length(patches)) FROM event_log
      WHERE kind = 'commit' GROUP BY step`,
  ),
  same(
    "who tells whom",
    `SELECT sender, receiver, count(*) FROM event_log
      WHERE kind = 'message.sent' GROUP BY sender, receiver`,
  ),
  {
    name: "failures and p95 of tools",
    duckdb: `SELECT name, count(*), count(*) FILTER (status <> 'ok'), quantile_cont(dur_us, 0.95) FROM event_log
      WHERE kind = 'tool.result' GROUP BY name`,
    sqlite: `SELECT name, n, sum(status <> 'ok'), max(CASE WHEN nth <= 0.95 * n THEN dur_us END)
      FROM (SELECT name, status, dur_us, row_number() OVER (PARTITION BY name ORDER BY dur_us) AS nth,
        count(*) OVER (PARTITION BY name) AS n FROM event_log WHERE kind = 'tool.result') GROUP BY name`,
  },
  same(
    "longest threads",
    `SELECT thread_id, count(DISTINCT run_id), max(ts), min(ts), sum(cost_usd), count(*) AS n FROM event_log
      GROUP BY thread_id ORDER BY n DESC LIMIT 20`,
  ),
  same(
    "list of runs",
    `SELECT run_id, min(ts) AS first_ts, max(ts), count(*), sum(cost_usd), max(step) FROM event_log
      GROUP BY run_id ORDER BY first_ts DESC LIMIT 50`,
  ),
  {
    name: "cost by minute and model",
    duckdb: `SELECT epoch_us(ts) // 60000000 AS minute, model, sum(cost_usd), count(*) FROM event_log
      WHERE kind = 'model.response' GROUP BY ALL`,
    sqlite: `SELECT ts / 60000 AS minute, model, sum(cost_usd), count(*) FROM event_log
      WHERE kind = 'model.response' GROUP BY minute, model`,
  },
];

function same(name: string, sql: string): Question {
  return { name, duckdb: sql, sqlite: sql };
}

/** Questions of one run, as people ask them. */
export const RUN_QUESTIONS: Readonly<Record<string, string>> = {
  "gantt of a run": "FROM run_gantt($run)",
  "critical path of a run": "FROM critical_path($run)",
  "parallelism of a run": "FROM parallelism($run)",
  "state of a run at a step": "FROM state_at($run, 4)",
  "two runs compared": "FROM compare_runs($run, $other)",
  "last 100 events of a run": "FROM events WHERE run_id = $run ORDER BY seq DESC LIMIT 100",
};
