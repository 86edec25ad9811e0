/** What the charts of one run work out of its rows is what the views say of it. */
import { expect, onTestFinished, test } from "vitest";
import { type Row, Session, scripted, type TraceStore } from "../../../../runtime/index.ts";
import { OF_ONE_RUN } from "../../../../runtime/trace/charts/one-run-sql.ts";
import { waterfallBars } from "../../../../runtime/trace/charts/timeline-queries.ts";
import { runFacts } from "../../../../runtime/trace/sql/queries.ts";
import { generatedTraces } from "../../../support/traces/fill-traces.ts";
import { newFolder } from "../store.ts";

const NODE_RUN_COLUMNS = `node_run, node, label, item, cause, attempts, ts, status, end_ts, model_source,
  input_tokens, output_tokens, cost_usd`;
const OPEN_COLUMNS = "span_id, node, label, attempt, name, ts";

async function assertAsViews(traces: TraceStore, run: string): Promise<readonly Row[]> {
  const both = async (ours: string, views: string) => {
    const [made, expected] = [
      await traces.query(`WITH ${OF_ONE_RUN} ${ours}`, { run }),
      await traces.query(views, { run }),
    ];
    expect(made).toEqual(expected);
    return made;
  };
  const known = await both(
    `SELECT ${NODE_RUN_COLUMNS} FROM known ORDER BY node_run`,
    `SELECT ${NODE_RUN_COLUMNS} FROM node_runs WHERE run_id = $run ORDER BY node_run`,
  );
  await both(
    `SELECT ${OPEN_COLUMNS} FROM under_way ORDER BY ALL`,
    `SELECT ${OPEN_COLUMNS} FROM open_spans WHERE run_id = $run AND kind <> 'run' ORDER BY ALL`,
  );
  const critical = (await waterfallBars(traces, run)).filter((bar) => bar.critical);
  const path = await traces.query("SELECT label FROM critical_path($run)", { run });
  expect(critical.map(({ label }) => label).sort()).toEqual(path.map((row) => row.label).sort());
  const [of] = await traces.query(
    "SELECT graph, status, model_source FROM runs WHERE run_id = $run",
    {
      run,
    },
  );
  expect(await runFacts(traces, run)).toEqual({ run_id: run, ...of });
  return known;
}

test("generated runs, ended and under way", async () => {
  const traces = await generatedTraces({ folder: newFolder(), seed: 5, runs: 120 });
  onTestFinished(() => traces.close());
  const statuses = new Set<unknown>();
  for (const { run_id } of await traces.query(
    "SELECT run_id FROM run_log ORDER BY ended_at IS NOT NULL, status, hash(run_id) LIMIT 4",
  )) {
    for (const { status } of await assertAsViews(traces, String(run_id))) statuses.add(status);
  }
  expect(statuses).toContain("running");
  expect(statuses).toContain("succeeded");
});

const text = `model m = "scripted"
graph Inner(x: string) returns y {
  state { y: string = "" }
  agent deep { model m; prompt \`Deep \${x}\`; writes y }
  start -> deep -> end
}
graph Notes() returns notes {
  state {
    notes: string[] = [] via append
    y: string = ""
  }
  agent first { model m; prompt \`First\`; writes notes }
  graph call = Inner("a") writes y
  agent second { model m; prompt \`Second\`; writes notes }
  start -> first -> call -> second -> end
}`;

test("a run that called a graph and was rewound", async () => {
  const session = new Session({ store: "memory", env: { MADRIGAL_HOME: newFolder() } });
  onTestFinished(() => session.close());
  const answers = { first: ["1"], second: ["2", "2 again"], deep: ["in", "in again"] };
  const run = session.compile(text).Notes?.debug({}, { models: { m: scripted(answers) } });
  if (run === undefined) throw new Error("no graph");
  await run.step();
  await assertAsViews(await session.traces(), run.id);
  await run.continue();
  await run.rewind(1);
  await run.step();
  await run.continue();
  const known = await assertAsViews(await session.traces(), run.id);
  expect(known.map(({ status }) => status)).toContain("stale");
  expect(known.map(({ node }) => node)).toContain("call/deep");
});
