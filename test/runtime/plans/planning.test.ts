/** The functions by which programs read plans from texts, and plan on with steps that are done. */
import { expect, test } from "vitest";
import type { Plan, PlanStep } from "../../../dsl/index.ts";
import { compile, planning, rules, scripted } from "../../../kernel/index.ts";

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

const PLANNED = `model m = "scripted"
graph Team(plan: Plan) returns results {
  limit 60 steps
  state { results: Json = {} }
  agent worker(step: Step, before: Json) { model m; prompt \`\${step.title}: \${step.details}. \${before}\` }
  graph go = planGraph(plan) writes results
  start -> go -> end
}`;

function textsOf(content: unknown): string {
  const parts = Array.isArray(content) ? (content as readonly { readonly text?: string }[]) : [];
  return parts.map(({ text = "" }) => text).join("");
}

/** The prompts that were asked in the order of the node runs, and what the plan came to. */
async function played(plan: Plan, says: (prompt: string) => string) {
  const { Team } = compile(PLANNED);
  const asked: string[] = [];
  const m = rules(({ messages }) => {
    const prompt = textsOf(messages.at(-1)?.content);
    asked.push(prompt);
    return says(prompt);
  });
  const run = Team?.run({ plan } as never, { models: { m } });
  const output = (await run?.output) as { results: Readonly<Record<string, unknown>> };
  expect(run?.replay().ok).toBe(true);
  return { asked, results: output.results };
}

const step = (id: string, more: Partial<PlanStep> = {}): PlanStep => ({
  id,
  title: `do ${id}`,
  details: `all of ${id}`,
  agent: "worker",
  ...more,
});

test("a step whose `when` does not hold is skipped, with what waits for it alone; what waits for others goes on", async () => {
  const plan = (price: string) =>
    played(
      {
        steps: [
          step("look"),
          step("buy", { depends: ["look"], when: 'look == "cheap"' }),
          step("wait", { depends: ["look"], when: 'look != "cheap"' }),
          step("pay", { depends: ["buy"] }),
          step("tell", { depends: ["look", "pay", "wait"] }),
        ],
      },
      (prompt) => (prompt.startsWith("do look") ? price : "done"),
    );
  expect((await plan("cheap")).results).toEqual({
    ...{ look: "cheap", buy: "done", wait: null, pay: "done", tell: "done" },
  });
  expect((await plan("dear")).results).toEqual({
    ...{ look: "dear", buy: null, wait: "done", pay: null, tell: "done" },
  });
});

test("E72 the engine does a step for each item exactly once, whatever the model says of what is next", async () => {
  const { asked, results } = await played(
    {
      steps: [
        step("list"),
        step("greet", { repeat: "each of Ann, Bob" }),
        step("price", { depends: ["list"], repeat: "each of list" }),
        step("none", { depends: ["greet"], repeat: "each of greet", when: "greet.length > 2" }),
      ],
    },
    (prompt) => {
      if (prompt.startsWith("do list")) return "1. apples\n2. pears\n3. plums";
      // A model that forgets where it was says that all is done.
      return /This time for: (\w+)/.exec(prompt)?.[1] === "Ann" ? "all done" : "next: 7";
    },
  );
  const items = (id: string) =>
    asked
      .filter((prompt) => prompt.startsWith(`do ${id}`))
      .map((prompt) => /for: (\w+)/.exec(prompt)?.[1]);
  expect(items("greet")).toEqual(["Ann", "Bob"]);
  expect(items("price")).toEqual(["apples", "pears", "plums"]);
  expect(results).toMatchObject({
    greet: ["all done", "next: 7"],
    price: ["next: 7", "next: 7", "next: 7"],
    none: null,
  });
});

test("E72 no item, no work; what a step came to may be a list, JSON in a text, or lines", async () => {
  for (const [list, times] of [
    ["", 0],
    ['["a", "b"]', 2],
    ["Here they are: [1, 2, 3]", 3],
    ["- a\n- b", 2],
  ] as const) {
    const { asked } = await played(
      { steps: [step("list"), step("each", { depends: ["list"], repeat: "each of list" })] },
      (prompt) => (prompt.startsWith("do list") ? list : "ok"),
    );
    expect(asked.length - 1).toBe(times);
  }
});
