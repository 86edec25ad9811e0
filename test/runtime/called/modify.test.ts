import { describe, expect, test } from "vitest";
import type { PlanStep } from "../../../dsl/index.ts";
import { replayLog } from "../../../runtime/replay/replay.ts";
import { foldLog } from "../../../runtime/scheduler/fold.ts";
import { link } from "../../../runtime/scheduler/program/link.ts";
import { drive } from "../driven-run.ts";

const TEAM = `model m = "rules"
graph Team(task: string) returns results {
  limit 60 steps
  state { plan: Plan\n results: Json }
  agent planner { model m; prompt \`Plan \${task}.\`; writes plan }
  agent worker(step: Step, before: Json) { model m; prompt \`\${step.title} after \${before}\` }
  graph go = planGraph(plan) writes results
  start -> planner -> go
}`;

const step = (id: string, ...depends: string[]): PlanStep => ({
  id,
  title: `do ${id}`,
  details: "",
  depends,
});

const FIRST = { steps: [step("a"), step("b", "a"), step("c", "b")] };
const SECOND = { steps: [step("a"), step("x", "a"), step("b", "x")] };

function team() {
  return drive(TEAM, {
    input: { task: "x" },
    does: ({ node }) => (node.name === "planner" ? FIRST : `${node.name} done`),
  });
}

describe("a plan that is modified while it runs", () => {
  test("E04 keeps what is done, and goes on with the new steps", async () => {
    const { run, performed, store } = team();
    await run.step();
    await run.step();
    await run.modify(SECOND);
    expect(run.child("go#1")?.state).toEqual({ results: { a: "a done", x: null, b: null } });
    await run.continue();
    expect(await run.output).toEqual({
      results: { a: "a done", x: "x done", b: "b done" },
    });
    expect(performed).toEqual(["planner#1", "a#1", "x#1", "b#1"]);
    const records = store.read(run.id);
    expect(replayLog(records, { recorded: run.ir }).divergence).toBeUndefined();
    expect(foldLog(link(run.ir), records).status).toBe("succeeded");
  });

  test("shows both plans; the second has the steps of the first before its own, under other names", async () => {
    const { run } = team();
    await run.step();
    await run.step();
    await run.modify(JSON.stringify(SECOND));
    await run.continue();
    const [first, second] = run.children;
    expect([first?.status, second?.status]).toEqual(["aborted", "succeeded"]);
    const nodes = run.child("go#1")?.steps.map(({ node }) => node);
    expect(nodes).toEqual(["a", "x", "b"]);
    expect(first?.steps).toEqual(second?.steps.slice(0, 1));
    expect(new Set(second?.steps.map(({ nodeRunId }) => nodeRunId)).size).toBe(3);
  });

  test("goes on with it in another process, and after a rewind with the one of then", async () => {
    const { run, found } = team();
    await run.step();
    await run.step();
    await run.modify(SECOND);
    const other = found();
    await other.continue();
    expect(await other.output).toEqual({ results: { a: "a done", x: "x done", b: "b done" } });
    await run.rewind(1);
    await run.continue();
    expect(await run.output).toEqual({ results: { a: "a done", b: "b done", c: "c done" } });
  });

  test("takes a modification of a run that stands still when it goes on", async () => {
    const { run } = team();
    await run.step();
    await run.step();
    await run.pause({ now: true });
    await run.modify(SECOND);
    expect(run.status).toBe("paused");
    await run.resume();
    expect(await run.output).toEqual({ results: { a: "a done", x: "x done", b: "b done" } });
  });

  test("a plan that can't run changes nothing", async () => {
    const { run } = team();
    await expect(run.modify(FIRST)).rejects.toMatchObject({ code: "M5039" });
    await run.step();
    await run.step();
    await expect(run.modify({ steps: [step("x", "y")] })).rejects.toMatchObject({ code: "M5034" });
    await expect(run.modify({ steps: [] })).rejects.toMatchObject({ code: "M5032" });
    await expect(run.modify("steps")).rejects.toMatchObject({ code: "M5040" });
    await expect(run.modify(FIRST, { of: "other#1" })).rejects.toMatchObject({ code: "M5039" });
    await run.continue();
    expect(await run.output).toEqual({ results: { a: "a done", b: "b done", c: "c done" } });
  });
});
