/** What programs call to have plans out of texts, and steps that are done already. */
import { expect, test } from "vitest";
import type { Plan } from "../../../dsl/index.ts";
import { compile, planning, scripted } from "../../../kernel/index.ts";

const XML = `Both at once.
<root><name>Prices</name><agents>
  <agent name="worker" id="a"><task>Read a</task></agent>
  <agent name="worker" id="b"><task>Read b</task></agent>
  <agent name="worker" id="c" dependsOn="a,b"><task>Compare</task></agent>
</agents></root>`;

const idsOf = ({ steps }: Plan) => steps.map(({ id }) => id);

test("E44 a level of a plan is what waits for nothing that is open", () => {
  const plan = planning.read(XML);
  expect(idsOf(planning.next(plan, {}))).toEqual(["a", "b"]);
  expect(idsOf(planning.next(plan, { a: 1 }))).toEqual(["b"]);
  expect(idsOf(planning.next(plan, { a: 1, b: 2 }))).toEqual(["c"]);
  expect(idsOf(planning.next(plan, { a: 1, b: 2, c: 3 }))).toEqual([]);
});

test("E49 what is planned anew keeps the done steps before it", () => {
  const plan = planning.read(XML);
  const next = planning.read(XML.replace("Compare", "Add"), plan, { a: 1, b: 2 });
  expect(idsOf(next)).toEqual(["a", "b", "c"]);
  expect(next.steps[2]?.title).toBe("Add");
});

const TEAM = `model m = "scripted"
graph Team(task: string) returns results, rounds {
  limit 50 steps
  state {
    plan:    Plan = { steps: [] }
    results: Json = {}
    rounds:  int = 0
  }
  agent planner { model m; prompt \`Plan \${task}.\`; writes plan = planning.read(result, plan, results) }
  agent worker(step: Step, before: Json) { model m; prompt \`\${step.title} after \${before}\` }
  graph go = planGraph(planning.next(plan, results), done: results) writes results, rounds = rounds + 1
  start -> planner -> go -> { plan.steps.every(s => s.id in results) -> end, else -> go }
}`;

test("E44 with `done` a plan is run level by level, and no step twice", async () => {
  const { Team } = compile(TEAM);
  const m = scripted([
    { says: XML, when: "Plan prices" },
    { says: "9", when: "Read a" },
    { says: "8", when: "Read b" },
    { says: "b is cheaper", when: "Compare after" },
  ]);
  const run = Team?.run({ task: "prices" }, { models: { m } });
  expect(await run?.output).toEqual({ results: { a: "9", b: "8", c: "b is cheaper" }, rounds: 2 });
  expect(run?.children.map(({ steps }) => steps.map(({ node }) => node).toSorted())).toEqual([
    ["a", "b"],
    ["c"],
  ]);
  expect(run?.replay().ok).toBe(true);
});

test("E46 M5040 a text without a plan goes back to the model, with an example", async () => {
  const { Team } = compile(TEAM);
  const m = scripted([
    { says: "I shall read both.", when: "Plan prices" },
    { says: XML.replaceAll("worker", "surfer"), when: "no plan" },
    { says: XML.replace('dependsOn="a,b"', ""), when: "no such agent" },
    "9",
    "8",
    "7",
  ]);
  const run = Team?.run({ task: "prices" }, { models: { m } });
  expect(await run?.output).toMatchObject({ rounds: 1 });
  const told: string[] = [];
  for await (const event of run?.stream("events") ?? []) {
    const { kind, failure } = event as { kind: string; failure?: { message: string } };
    if (kind === "attempt.finished" && failure !== undefined) told.push(failure.message);
  }
  expect(told).toMatchInlineSnapshot(`
    [
      "the text is no plan of the format \`json\`: it holds no object of JSON (cell:9:66)",
      "the plan of \`planner\` can't run: step \`a\` is for \`surfer\`, and \`Team\` has no such agent (and 2 more)",
    ]
  `);
});
