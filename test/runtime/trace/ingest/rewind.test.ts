/** The trace of runs that were held and rewound: what counts is the path, what was paid stays. */
import { applyPatches, enablePatches, type Patch } from "immer";
import { expect, onTestFinished, test } from "vitest";
import { type Run, Session, scripted, type TraceStore } from "../../../../runtime/index.ts";
import { nodeTable } from "../../../../runtime/trace/sql/queries.ts";
import { openTraces } from "../../../../runtime/trace/trace-store.ts";
import { contents, lines, newFolder } from "../store.ts";

enablePatches();

const text = `model m = "scripted"
graph Notes() returns notes {
  state { notes: string[] = [] via append }
  agent first { model m; prompt \`First\`; writes notes }
  agent second { model m; prompt \`Second\`; writes notes }
  agent third { model m; prompt \`Third\`; writes notes }
  start -> first -> second -> third -> end
}`;

const answers = { first: ["1"], second: ["2", "2 again"], third: ["3", "3 again"] };

interface Scene {
  readonly session: Session;
  readonly run: Run;
  /** Brings the trace up to date. */
  traces(): Promise<TraceStore>;
}

function scene(): Scene {
  const session = new Session({ store: "memory", env: { MADRIGAL_HOME: newFolder() } });
  onTestFinished(() => session.close());
  const run = session.compile(text).Notes?.debug({}, { models: { m: scripted(answers) } });
  if (run === undefined) throw new Error("no graph");
  return { session, run, traces: () => session.traces() };
}

/** To the end, back to the first step, and to another end; the trace looks in between if `often`. */
async function rewound({ run, traces }: Scene, often: boolean): Promise<TraceStore> {
  const look = async () => {
    if (often) await traces();
  };
  await run.step();
  await look();
  await run.continue();
  await look();
  await run.rewind(1);
  await look();
  await run.step();
  await look();
  await run.continue();
  return await traces();
}

test("steps and state changes are those of the path, node runs that were undone are stale", async () => {
  const played = scene();
  const traces = await rewound(played, true);
  expect(await lines(traces, "SELECT step, node, output FROM steps ORDER BY step")).toBe(
    "1 first 1\n2 second 2 again\n3 third 3 again",
  );
  const runs = "SELECT label, step, status FROM node_runs ORDER BY ts, node_run";
  expect(await lines(traces, runs)).toBe(
    [
      "first#1 1 succeeded",
      "second#1 null stale",
      "third#1 null stale",
      "second#1 2 succeeded",
      "third#1 3 succeeded",
    ].join("\n"),
  );
  const ids = await lines(traces, "SELECT count(DISTINCT node_run_id), count(*) FROM node_runs");
  expect(ids).toBe("5 5");
  expect(await lines(traces, "SELECT status, steps FROM runs")).toBe("succeeded 3");
  const path = "SELECT node FROM critical_path((SELECT run_id FROM runs))";
  expect(await lines(traces, path)).toBe("first\nsecond\nthird");
  for (const { step, state } of played.run.steps) {
    const rows = await traces.query("FROM state_at($run, $step)", { run: played.run.id, step });
    const patches = rows.flatMap((row) => row.patches as unknown as Patch[]);
    expect(applyPatches({}, patches)).toEqual(state);
  }
});

test("what was paid stays paid: calls of undone steps are there, without a step", async () => {
  const played = scene();
  const traces = await rewound(played, false);
  const calls = "SELECT node, step, stale FROM llm_calls ORDER BY seq";
  expect(await lines(traces, calls)).toBe(
    "first 1 false\nsecond null true\nthird null true\nsecond 2 false\nthird 3 false",
  );
  expect(await lines(traces, "SELECT model_calls FROM runs")).toBe("5");
  expect(played.run.usage.modelCalls).toBe(5);
  const table = await nodeTable(traces, played.run.id);
  expect(table.map(({ node, runs, model_calls }) => [node, runs, model_calls])).toEqual([
    ["first", 1, 1],
    ["second", 1, 2],
    ["third", 1, 2],
  ]);
});

test("a trace that follows comes to the same rows as one that is built from the log", async () => {
  const played = scene();
  const followed = await contents(await rewound(played, true));
  const rebuilt = await openTraces(newFolder(), "again");
  onTestFinished(() => rebuilt.close());
  await rebuilt.ingest(played.session.store);
  expect(await contents(rebuilt)).toEqual(followed);
});

test("a held run is paused for people; its attempts are under way and their spans open", async () => {
  const { run, traces } = scene();
  await run.step();
  const held = "SELECT status, reason FROM runs";
  expect(await lines(await traces(), held)).toBe("paused step");
  await run.rewind(0);
  expect(await lines(await traces(), held)).toBe("paused rewind");
  expect(await lines(await traces(), "SELECT kind FROM open_spans")).toBe("run");
  await run.pause({ now: true, reason: "lunch" });
  expect(await lines(await traces(), held)).toBe("paused lunch");
  const verbs = "SELECT kind FROM events WHERE kind LIKE 'run.%' ORDER BY seq, part";
  expect(await lines(await traces(), verbs)).toBe(
    "run.started\nrun.held\nrun.released\nrun.held\nrun.rewound\nrun.held\nrun.paused",
  );
});
