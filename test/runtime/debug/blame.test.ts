/** Who wrote a part of the state, against an oracle that folds the log step by step. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { blame, slice } from "../../../runtime/debug/blame.ts";
import { PathStates } from "../../../runtime/debug/path-states.ts";
import { type Commit, WriterIndex } from "../../../runtime/debug/writer-index.ts";
import { foldPatches } from "../../../runtime/replay/fold-patches.ts";
import type { DrivenRun } from "../../../runtime/run/driven-run.ts";
import type { Patch } from "../../../runtime/state/patch.ts";
import { type Path, pathText, valueAt } from "../../../runtime/state/path.ts";
import { arbitraryGraph } from "../../support/arbitrary-graph.ts";
import { drive } from "../driven-run.ts";

const TEXT = `graph Write(topic: string) returns report {
  state {
    plan: { steps: string[], note: string } = { steps: [], note: "" }
    facts: string[] = [] via append
    unused: int = 0
    report: string = ""
  }
  run plans = f(topic) writes plan
  run looks(x: string) = g(x) writes facts
  run counts = h() writes unused
  run reports = r(facts) writes report
  start -> plans -> [looks("a"), counts] -> reports -> end
}`;

const does = ({ node: { name } }: { readonly node: { readonly name: string } }) =>
  ({ plans: { steps: ["one", "two"], note: "n" }, looks: ["fact"], counts: 3, reports: "done" })[
    name
  ];

async function written(): Promise<DrivenRun> {
  const { run } = drive(TEXT, { input: { topic: "x" }, does, goal: "end" });
  await run.output;
  return run;
}

test("a part of the state is its writer's, with what that could read", async () => {
  const run = await written();
  const byNode = new Map(run.steps.map(({ node, step }) => [node, step]));
  expect(blame(run, "plan.steps[1]")).toMatchObject({
    value: "two",
    by: "commit",
    node: "plans",
    step: 1,
  });
  expect(blame(run, "report")).toMatchObject({
    node: "reports",
    inputs: { facts: [byNode.get("looks")] },
  });
  expect(slice(run, "report")).toEqual([byNode.get("looks"), run.steps.length]);
  expect(slice(run, "report", { causes: true })).toEqual([1, 2, 3, 4]);
});

test("what nobody wrote is the start's, and what a person set is the person's", async () => {
  const { run } = drive(TEXT, { input: { topic: "x" }, does });
  await run.step();
  await run.edit({ unused: 7 });
  expect(blame(run, "unused")).toMatchObject({ by: "edit", value: 7 });
  expect(blame(run, "report")).toMatchObject({ by: "start", seq: 0 });
  expect(() => blame(run, "plan.steps[9]")).toThrow(expect.objectContaining({ code: "M5453" }));
  const hintOf = (path: string) => {
    try {
      return `${blame(run, path).step}`;
    } catch (error) {
      return (error as { hint?: string }).hint;
    }
  };
  expect(
    ["plan.steps[9]", "plan.step", "report.title", "topic", "reprt"].map(hintOf),
  ).toMatchInlineSnapshot(`
      [
        "\`plan.steps\` has 2 elements, the first is [0]",
        "\`plan\` has steps, note",
        "\`report\` is """,
        "\`topic\` is a parameter: it is what the run was given, and no step writes it",
        "did you mean \`report\`?",
      ]
    `);
  expect(() => blame(run, "plan..x")).toThrow(expect.objectContaining({ code: "M5450" }));
});

test("for every path of every step of a generated run, the one blamed gave it its value", async () => {
  const property = fc.asyncProperty(arbitraryGraph(), async (text) => {
    const { run } = drive(text, { goal: "end" });
    await run.settled();
    if (run.status !== "succeeded") return;
    for (let step = run.steps.length; step > 0; step -= 1) {
      for (const path of pathsOf(run.steps[step - 1]?.state)) expectBlamed(run, path, step);
      if (step > 1) await run.rewind(step - 1);
    }
  });
  await fc.assert(property, { numRuns: 40 });
});

test("the states around each record are what the records up to it fold to, in whatever order they are asked for", async () => {
  const property = fc.asyncProperty(
    arbitraryGraph(),
    fc.integer({ min: 1, max: 9 }),
    (text, between) => expectStates(text, between),
  );
  await fc.assert(property, { numRuns: 20 });
});

async function expectStates(text: string, between: number): Promise<void> {
  const { run } = drive(text, { goal: "end" });
  await run.settled();
  const { records } = run.position;
  const states = new PathStates(records, between);
  for (const index of [...records.keys()].reverse()) {
    const { before, behind } = states.around(index);
    expect(before).toEqual(foldPatches(records.slice(0, index)));
    expect(behind).toEqual(foldPatches(records.slice(0, index + 1)));
  }
}

test("what a step could read was written by all since the field was last replaced, as a scan of the log says", async () => {
  const property = fc.asyncProperty(arbitraryGraph(), async (text) => {
    const { run } = drive(text, { goal: "end" });
    await run.settled();
    const { records } = run.position;
    const index = new WriterIndex(records);
    const commits = records.filter((record) => record.kind === "commit");
    for (const { seq } of commits) {
      const before = commits.filter((commit) => commit.seq < seq);
      for (const field of [...run.ir.fields.map(({ name }) => name), "state"])
        expect(index.writersOf(field, seq)).toEqual(writersIn(before, field));
    }
  });
  await fc.assert(property, { numRuns: 20 });
});

function writersIn(commits: readonly Commit[], field: string): readonly number[] {
  const isOf = ({ path }: Patch) => field === "state" || path[0] === field;
  const isWhole = ({ path }: Patch) => field !== "state" && path.length === 1;
  const writers = commits.filter(({ patches }) => patches.some(isOf));
  const last = writers.findLastIndex(({ patches }) =>
    patches.some((one) => isOf(one) && isWhole(one)),
  );
  return writers.slice(Math.max(0, last)).map(({ step }) => step);
}

/** The fold knows: behind the one that is blamed the value is what it is from there on, and before it was not. */
function expectBlamed(run: DrivenRun, path: Path, upTo: number): void {
  if (run.steps.length !== upTo) return;
  const value = valueAt(run.state, path);
  if (value === undefined) return;
  const { by, step = 0 } = blame(run, pathText(path));
  const states = [undefined, ...run.steps.map(({ state }) => state)];
  if (by === "commit") {
    // An element may stand elsewhere behind its commit: what came before it was put in front, there or at the end.
    const there = valuesIn(states[step], path).map(inAnyOrder);
    expect(there).toContainEqual(inAnyOrder(value));
    const patches = run.steps[step - 1]?.patches ?? [];
    expect(patches.map((patch) => patch.path[0])).toContain(path[0]);
    // Of what is replaced as a whole, the last who wrote it.
    if (isReplaced(run, path)) expect(step).toBe(lastWriterOf(run, path));
  } else {
    expect(by).toBe("start");
    for (const state of states.slice(1, upTo + 1))
      expect(valuesIn(state, path).map(inAnyOrder)).toContainEqual(inAnyOrder(value));
  }
}

function isReplaced({ ir }: DrivenRun, [field]: Path): boolean {
  return ir.fields.some(({ name, reducer }) => name === field && reducer.name === "replace");
}

function lastWriterOf({ steps }: DrivenRun, [field]: Path): number {
  return steps.findLastIndex(({ patches }) => patches.some(({ path }) => path[0] === field)) + 1;
}

function inAnyOrder(value: unknown): unknown {
  return Array.isArray(value) ? value.map((item) => JSON.stringify(item)).sort() : value;
}

/** The value at a path, and of an element those that stand beside it. */
function valuesIn(state: unknown, path: Path): readonly unknown[] {
  const list = valueAt(state, path.slice(0, -1));
  if (typeof path.at(-1) === "number" && Array.isArray(list)) return list;
  return [valueAt(state, path)];
}

function pathsOf(value: unknown, path: Path = []): readonly Path[] {
  if (typeof value !== "object" || value === null) return path.length === 0 ? [] : [path];
  const inner = Array.isArray(value)
    ? value.flatMap((item, index) => pathsOf(item, [...path, index]))
    : Object.entries(value).flatMap(([key, item]) => pathsOf(item, [...path, key]));
  return path.length === 0 ? inner : [path, ...inner];
}
