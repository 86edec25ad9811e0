/** LangGraph: the state inside subgraphs is invisible, and their history is lost. */
import { applyPatches, enablePatches, type Patch } from "immer";
import { expect, onTestFinished, test } from "vitest";
import { Session, scripted } from "../../../runtime/index.ts";
import { lines, newFolder } from "../trace/store.ts";

enablePatches();

const TEXT = `model m = "scripted"
graph Parent(topic: string) returns notes {
  state { notes: string[] = [] via append }
  agent search { model m; prompt \`Begin \${topic}.\`; writes notes }
  graph go = Search(topic) writes notes
  start -> search -> go
}
graph Search(topic: string) returns found {
  state { found: string[] = [] via append }
  agent search { model m; prompt \`Search \${topic}.\`; writes found }
  agent read { model m; prompt \`Read \${found}.\`; writes found }
  start -> search -> read
}`;

async function ran() {
  const session = new Session({ store: "memory", env: { MADRIGAL_HOME: newFolder() } });
  onTestFinished(() => session.close());
  const graph = session.compile(TEXT).Parent;
  if (graph === undefined) throw new Error("no graph");
  const model = scripted([
    { says: "a", when: "Begin" },
    { says: "b", when: "Search" },
    { says: "c", when: "Read" },
  ]);
  const run = graph.run({ topic: "x" }, { models: { m: model } });
  await run.output;
  return { run, traces: await session.traces() };
}

test("pain 13 the state of a called graph after each of its steps is in the run and in its trace", async () => {
  const { run, traces } = await ran();
  expect(run.child("go#1")?.steps.map(({ state }) => state)).toEqual([
    { found: ["b"] },
    { found: ["b", "c"] },
  ]);
  expect(
    await lines(traces, "SELECT graph_path, step, node, label FROM steps ORDER BY seq"),
  ).toMatchInlineSnapshot(`
    "null 1 search search#1
    go#1 1 go/search go#1 › search#1
    go#1 2 go/read go#1 › read#1
    null 2 go go#1"
  `);
  const rows = await traces.query(
    "SELECT patches FROM event_log WHERE graph_path = 'go#1' AND patches IS NOT NULL ORDER BY seq, part",
  );
  const patches = rows.flatMap((row) => JSON.parse(String(row.patches)) as Patch[]);
  expect(applyPatches({}, patches)).toEqual(run.child("go#1")?.state);
});

test("pain 13 what a called graph does is nested in what called it, and the caller's own history is not mixed with it", async () => {
  const { run, traces } = await ran();
  expect(
    await lines(
      traces,
      `SELECT kind, graph_path, label, name, status FROM event_log
       WHERE kind NOT LIKE 'route%' AND kind NOT LIKE 'model%' ORDER BY seq, part`,
    ),
  ).toMatchInlineSnapshot(`
    "run.started null null Parent running
    attempt.started null search#1 null running
    attempt.finished null search#1 null ok
    commit null search#1 null null
    attempt.started null go#1 null running
    graph.started go#1 null Search running
    attempt.started go#1 go#1 › search#1 null running
    attempt.finished go#1 go#1 › search#1 null ok
    commit go#1 go#1 › search#1 null null
    attempt.started go#1 go#1 › read#1 null running
    attempt.finished go#1 go#1 › read#1 null ok
    commit go#1 go#1 › read#1 null null
    graph.finished go#1 null Search succeeded
    attempt.finished null go#1 null ok
    commit null go#1 null null
    run.finished null null Parent succeeded"
  `);
  const nested = await traces.query(
    `SELECT inner_.label FROM event_log inner_ JOIN event_log outer_
     ON outer_.span_id = inner_.parent_id AND outer_.kind = 'attempt.started'
     WHERE inner_.kind = 'attempt.started' AND outer_.label = 'go#1' ORDER BY inner_.seq`,
  );
  expect(nested.map(({ label }) => label)).toEqual(["go#1 › search#1", "go#1 › read#1"]);
  const after = await traces.query("FROM state_at($run, $step)", { run: run.id, step: 2 });
  const patches = after.flatMap((row) => row.patches as unknown as Patch[]);
  expect(applyPatches({}, patches)).toEqual(run.state);
  expect(await lines(traces, "SELECT steps, model_calls FROM runs")).toMatchInlineSnapshot(`"2 3"`);
});
