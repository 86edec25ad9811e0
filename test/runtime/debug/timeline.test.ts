/** A run step by step: what changed at each place, how the nodes stood, and that nothing of it depends on how one got there. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { Timeline } from "../../../runtime/debug/timeline.ts";
import { FailureError } from "../../../runtime/failure.ts";
import { arbitraryGraph } from "../../support/arbitrary-graph.ts";
import { drive } from "../driven-run.ts";

const CALLS = `graph Outer(topic: string) returns notes {
  state {
    draft: string = "none"
    notes: string[] = [] via append
  }
  run plan = f(topic) writes draft
  graph go(about: string) = Inner(about) writes notes
  start -> plan -> go(draft) -> end
}
graph Inner(topic: string) returns found {
  state {
    found: string[] = ["first"] via append
  }
  run look = g(topic) writes found
  run again = g(topic) writes found
  start -> look -> again -> end
}`;

const does = ({ node: { name } }: { readonly node: { readonly name: string } }) =>
  name === "plan" ? "a draft" : [`by ${name}`];

test("each step has its place, those of called graphs too, with what it changed from what to what", async () => {
  const { run } = drive(CALLS, { input: { topic: "x" }, does, goal: "end" });
  await run.output;
  const timeline = run.timeline();
  expect(timeline.entries.map(({ title, step }) => [step, title])).toEqual([
    [0, "start"],
    [1, "step 1: plan#1"],
    [1, "step 1 in go#1: look#1"],
    [1, "step 2 in go#1: again#1"],
    [2, "step 2: go#1"],
  ]);
  expect(timeline.at(1)).toMatchObject({
    changes: [{ path: "draft", op: "replace", before: "none", after: "a draft" }],
    marked: "plan",
    nodeRuns: [{ node: "plan", status: "succeeded" }],
    graph: { name: "Outer" },
  });
  expect(timeline.at(3)).toMatchObject({
    changes: [{ path: "found[2]", op: "add", after: "by again" }],
    transcript: [{ kind: "output", text: '["by again"]' }],
    marked: "again",
    nodeRuns: [
      { node: "look", status: "succeeded" },
      { node: "again", status: "succeeded" },
    ],
    graph: { name: "Inner" },
  });
  expect(timeline.at(0)).toMatchObject({ transcript: [{ kind: "given", text: '{"topic":"x"}' }] });
  expect(() => timeline.at(5)).toThrow(expect.objectContaining({ code: "M5456" }));
  expect(String(timeline).replace(run.id, "RUN")).toMatchInlineSnapshot(`
    "timeline of run RUN of Outer: succeeded, 2 steps
      0  start
      1  step 1: plan#1
           draft = "a draft" (was "none")
      2  step 1 in go#1: look#1
           found[1] = "by look"
      3  step 2 in go#1: again#1
           found[2] = "by again"
      4  step 2: go#1
           notes[0] = "first"
           notes[1] = "by look"
           notes[2] = "by again""
  `);
});

test("it grows with the run, shows what people set, and shrinks when the run goes back", async () => {
  const { run } = drive(CALLS, { input: { topic: "x" }, does });
  const timeline = new Timeline(run);
  await run.step();
  await run.edit({ draft: "mine" });
  await run.step();
  expect(timeline.entries.map(({ title }) => title)).toEqual([
    "start",
    "step 1: plan#1",
    "a person set draft",
    "step 1 in go#1: look#1",
  ]);
  expect(timeline.at(2).changes).toEqual([
    { path: "draft", op: "replace", before: "a draft", after: "mine" },
  ]);
  expect(timeline.at(3).nodeRuns).toEqual([{ node: "look", status: "succeeded" }]);
  await run.rewind(1);
  expect(timeline.length).toBe(2);
  await run.continue();
  expect(timeline.entries.map(({ title }) => title)).toEqual([
    "start",
    "step 1: plan#1",
    "step 1 in go#1: look#1",
    "step 2 in go#1: again#1",
    "step 2: go#1",
  ]);
});

test("a rewind into a call keeps its graph one, whatever number its node run has", async () => {
  const { run } = drive(CALLS, { input: { topic: "x" }, does, goal: "end" });
  await run.output;
  const branch = run.timeline();
  const before = branch.entries.map((_, index) => branch.at(index).changes);
  await run.rewind(1);
  await run.continue();
  expect(branch.entries.map((_, index) => branch.at(index).changes)).toEqual(before);
});

test("for every place of a generated run, the values before and after are those of the states around it", async () => {
  const property = fc.asyncProperty(arbitraryGraph(), async (text) => {
    const { run } = drive(text, { goal: "end" });
    await run.settled();
    const timeline = run.timeline();
    const steps = timeline.entries.filter(({ kind, path }) => kind === "step" && path.length === 0);
    expect(steps.map(({ step }) => step)).toEqual(run.steps.map(({ step }) => step));
    // From the last to the first: nothing depends on the order in which they are asked for.
    for (const { index, step } of steps.toReversed()) {
      const { changes, nodeRuns } = timeline.at(index);
      const [before, behind] = [run.steps[step - 2]?.state, run.steps[step - 1]];
      expect(changes.map(({ op }) => op)).toEqual(behind?.patches.map(({ op }) => op));
      for (const { path, before: old, after } of changes) {
        if (!/^\w+$/.test(path)) continue;
        if (before !== undefined && changes.length === 1) expect(old).toEqual(before[path]);
        if (changes.length === 1) expect(after).toEqual(behind?.state[path]);
      }
      expect(nodeRuns.filter(({ status }) => status === "succeeded")).toHaveLength(step);
    }
  });
  await fc.assert(property, { numRuns: 40 });
});

test("looked at behind each step, it has at the end what one has that is looked at once", async () => {
  const property = fc.asyncProperty(arbitraryGraph(), fc.nat({ max: 5 }), async (text, back) => {
    const { run } = drive(text);
    const growing = run.timeline();
    const look = () => growing.entries.map((_, index) => growing.at(index));
    for (let step = 0; step < 30 && run.status !== "succeeded"; step += 1) {
      await run.step().catch(() => run.abort());
      look();
      if (step === back && run.steps.length > 0 && run.isUnderWay) await run.back();
    }
    expect(look()).toEqual(run.timeline().entries.map((_, index) => run.timeline().at(index)));
  });
  await fc.assert(property, { numRuns: 15 });
});

test("an attempt that fails has a place of its own, also where it ends the run", async () => {
  let tries = 0;
  const { run } = drive(CALLS.replace("writes draft\n", "writes draft { retry 1 }\n"), {
    input: { topic: "x" },
    does: (attempt) => {
      tries += 1;
      if (tries === 2) return does(attempt);
      throw new FailureError({ class: "tool", code: "M8301", message: `no ${tries}`, hint: "" });
    },
    goal: "end",
  });
  await run.settled();
  const timeline = run.timeline();
  expect(timeline.entries.map(({ title, node }) => [title, node]).slice(1, 4)).toEqual([
    ["plan#1 failed (M8301)", "plan"],
    ["step 1: plan#1, attempt 2", "plan"],
    ["look#1 in go#1 failed (M8301)", "look"],
  ]);
  expect(timeline.at(1)).toMatchObject({
    transcript: [{ kind: "failure", text: "M8301 no 1" }],
    nodeRuns: [{ node: "plan", status: "ready" }],
    step: 0,
  });
  expect(timeline.at(3)).toMatchObject({
    marked: "look",
    nodeRuns: [{ node: "look", status: "failed" }],
  });
});
