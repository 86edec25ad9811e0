/** Generated traces are traces like any other. */
import { applyPatches, enablePatches, type Patch } from "immer";
import { expect, onTestFinished, test } from "vitest";
import type { TraceStore } from "../../../../runtime/trace/trace-store.ts";
import { views } from "../../../../runtime/trace/views/views.ts";
import { generatedRuns, generatedTraces } from "../../../support/traces/fill-traces.ts";
import { newFolder } from "../store.ts";

enablePatches();

async function generated(seed: number, runs = 120): Promise<TraceStore> {
  const traces = await generatedTraces({ folder: newFolder(), seed, runs });
  onTestFinished(() => traces.close());
  return traces;
}

test("one seed makes one trace, another seed another", () => {
  const first = (seed: number) => {
    const runs = generatedRuns(seed);
    return JSON.stringify([runs.next().value, runs.next().value]);
  };
  expect(first(7)).toBe(first(7));
  expect(first(7)).not.toBe(first(8));
});

test("every view has rows, of names that say where they come from", async () => {
  const traces = await generated(1);
  const kept = Object.keys(views).filter((view) => !NOT_GENERATED.includes(view));
  for (const view of kept) {
    const [count] = await traces.query(`SELECT count(*) AS n FROM ${view}`);
    expect(count?.n, view).toBeGreaterThan(0);
  }
  const named = `SELECT DISTINCT graph, split_part(model, '/', 1) AS models, model_source
    FROM event_log WHERE kind = 'model.request'`;
  expect(await traces.query(named)).toEqual([
    { graph: "GeneratedSearch", models: "generated", model_source: "scripted" },
  ]);
});

const NOT_GENERATED = [
  "agent_changes",
  "blobs",
  "conversation_messages",
  "memories",
  "guard_decisions",
  "model_fallbacks",
  "plan_steps",
  "sentinel_checks",
];

test("what ends has begun, and a run's parts add up to it", async () => {
  const traces = await generated(2);
  const wrong = {
    "ends without a beginning": `FROM event_log e WHERE dur_us IS NOT NULL AND span_id IS NOT NULL
      AND NOT EXISTS (FROM event_log s WHERE s.run_id = e.run_id AND s.span_id = e.span_id AND s.seq < e.seq)`,
    "parts that no span has": `FROM event_log e WHERE parent_id IS NOT NULL
      AND NOT EXISTS (FROM event_log s WHERE s.run_id = e.run_id AND s.span_id = e.parent_id)`,
    "numbers that do not rise": `FROM event_log e JOIN event_log f ON f.run_id = e.run_id
      AND f.seq = e.seq + 1 WHERE f.ts < e.ts`,
    "steps that are missing": `FROM runs r WHERE steps <> (SELECT count(*) FROM steps s WHERE s.run_id = r.run_id)`,
    "succeeded without a report":
      "FROM runs WHERE status = 'succeeded' AND (output ->> '$.report') IS NULL",
  };
  for (const [what, from] of Object.entries(wrong)) {
    expect(await traces.query(`SELECT count(*) AS n ${from}`), what).toEqual([{ n: 0 }]);
  }
});

test("the patches of a run come to its output", async () => {
  const traces = await generated(3, 5);
  const runs = await traces.query("FROM runs WHERE status = 'succeeded'");
  expect(runs.length).toBeGreaterThan(2);
  for (const { run_id, steps, output } of runs) {
    const rows = await traces.query("FROM state_at($1, $2)", [String(run_id), Number(steps)]);
    const patches = rows.flatMap((row) => row.patches as unknown as Patch[]);
    expect(applyPatches({}, patches)).toMatchObject(output as object);
  }
});
