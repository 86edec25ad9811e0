/** Plans of AWorld and Magentic-UI, what is wrong with plans, and plans that replace others. */
import fc from "fast-check";
import { expect, test } from "vitest";
import type { Plan, PlanStep } from "../../../dsl/index.ts";
import { compile, plans, scripted } from "../../../kernel/index.ts";

const AWORLD = `First I search.
<PLANNING_TAG>
{"steps": {"s1": {"input": "tulips", "id": "searcher"}, "s2": {"input": "roses", "id": "searcher"},
  "end": {"input": "compare", "id": "writer"}}, "dag": [["s1", "s2"], "end"]}
</PLANNING_TAG>`;

test("W43 AWorld's steps and dag are read: a list stands side by side, then the next", () => {
  expect(plans.read(AWORLD)).toEqual({
    format: "aworld",
    problems: [],
    plan: {
      steps: [
        { id: "s1", title: "s1", details: "tulips", agent: "searcher" },
        { id: "s2", title: "s2", details: "roses", agent: "searcher" },
        { id: "end", title: "end", details: "compare", agent: "writer", depends: ["s1", "s2"] },
      ],
    },
  });
});

test.each([
  ["no plan and an answer", "<FINAL_ANSWER_TAG>tulips</FINAL_ANSWER_TAG>"],
  [
    "an empty plan and an answer",
    '<PLANNING_TAG>{"steps": {}, "dag": []}</PLANNING_TAG><FINAL_ANSWER_TAG>tulips</FINAL_ANSWER_TAG>',
  ],
])("W43 %s: it is finished", (_, text) => {
  expect(plans.read(text)).toEqual({ format: "aworld", answer: "tulips", problems: [] });
});

const MAGENTIC = {
  response: "I shall look.",
  task: "watch the stars",
  plan_summary: "one look, then a watch",
  needs_plan: true,
  steps: [
    { title: "Open", details: "open the page", agent_name: "web_surfer" },
    {
      title: "Wait",
      details: "look at the stars",
      agent_name: "web_surfer",
      step_type: "SentinelPlanStep",
      condition: "there are 7000",
      sleep_duration: 30,
    },
    {
      title: "Thrice",
      details: "say it",
      agent_name: "user_proxy",
      condition: 3,
      sleep_duration: 0,
    },
  ],
};

test("M56 Magentic-UI's JSON is read: one step behind the other, sentinels as repetitions", () => {
  expect(plans.read(`\`\`\`json\n${JSON.stringify(MAGENTIC)}\n\`\`\``)).toMatchSnapshot();
});

test("M57 a planner that needs no plan answers", () => {
  const given = { needs_plan: false, response: "4", steps: [] };
  expect(plans.read(given)).toEqual({ format: "magentic", answer: "4", problems: [] });
});

test("M56 what is read and written again is the same plan", () => {
  const { plan } = plans.read(MAGENTIC);
  expect(plans.read(plans.write(plan as Plan, "magentic"))).toEqual({
    format: "magentic",
    answer: "",
    plan,
    problems: [],
  });
});

test.each<[string, unknown, ("aworld" | "eko" | "json" | "magentic")?]>([
  ["no JSON", "go to the shop"],
  ["a list", "[1, 2]"],
  ["XML without agents", "<root><name>a</name></root>", "eko"],
  ["XML that breaks off", '<root><agents><agent name="A" id="0"><task>a'],
  ["tags without JSON", "<PLANNING_TAG>soon</PLANNING_TAG>"],
  ["neither plan nor answer", '{"steps": {}, "dag": []}'],
  ["a dag of a step that is not there", '{"steps": {}, "dag": ["a"]}'],
  ["a dag without a step", '{"steps": {"a": {"input": "x"}}, "dag": []}'],
  ["a dag of numbers", '{"steps": {"a": {"input": "x"}}, "dag": [1]}'],
  ["steps that are a number", '{"needs_plan": true, "steps": 3}'],
  [
    "M80 a condition of digits",
    { needs_plan: true, steps: [{ title: "a", details: "b", condition: "3", sleep_duration: 1 }] },
  ],
  [
    "M80 a sleep that is a text",
    { needs_plan: true, steps: [{ title: "a", details: "b", condition: 3, sleep_duration: "1m" }] },
  ],
  ["a step that is a text", '{"needs_plan": true, "steps": ["go"]}'],
])("M5040: %s", (_, given, format) => {
  expect(() =>
    plans.read(given, format === undefined ? {} : { format }),
  ).toThrowErrorMatchingSnapshot();
});

test("faults of a plan are told with it, in any format", () => {
  const xml =
    '<root><agents><agent name="A" id="0" dependsOn="1"><task>a</task></agent><agent name="A" id="1" dependsOn="0,9"><task>b</task></agent></agents></root>';
  expect(plans.read(xml).problems.map(({ code, message }) => `${code} ${message}`)).toEqual([
    "M5034 step `1` depends on `9`, and there is no such step",
    "M5035 steps wait for each other: 0 -> 1 -> 0",
  ]);
});

const done: Plan = {
  name: "two shops",
  steps: [
    { id: "0", title: "first", details: "read the first", agent: "A" },
    { id: "1", title: "second", details: "read the second", agent: "A", depends: ["0"] },
  ],
};

test("E49 a plan for what is left keeps the done steps: new ids, dependencies follow, the first waits for the last kept", () => {
  const next: Plan = {
    steps: [
      { id: "0", title: "third", details: "read the third", agent: "A" },
      { id: "2", title: "say", details: "say it", agent: "B", depends: ["0"] },
    ],
  };
  const merged = plans.merge(done, next, ["0"]);
  expect(merged).toEqual({
    name: "two shops",
    version: 2,
    steps: [
      done.steps[0],
      { id: "0-2", title: "third", details: "read the third", agent: "A", depends: ["0"] },
      { id: "2", title: "say", details: "say it", agent: "B", depends: ["0-2"] },
    ],
  });
  expect(plans.read(merged).problems).toEqual([]);
});

test("a condition and items of steps that get other ids follow them", () => {
  const next: Plan = {
    steps: [
      { id: "0", title: "third", details: "read the third", agent: "A" },
      {
        ...{ id: "say", title: "say", details: "say it", depends: ["0"] },
        when: `a != "a" && b.a > 0`,
        repeat: "each of 0",
      },
      { id: "a", title: "other", details: "another a" },
    ],
  };
  const before: Plan = { steps: [...done.steps, { id: "a", title: "a", details: "the first a" }] };
  expect(plans.merge(before, next, ["0", "a"]).steps[3]).toMatchObject({
    when: `results["a-2"] != "a" && b.a > 0`,
    repeat: "each of 0-2",
    depends: ["0-2"],
  });
});

test.each([
  [
    "null in place of nothing",
    { agent: null, tool: null, when: null, repeat: null, depends: null },
    1,
  ],
  ["another repetition", { repeat: "3 times" }, 2],
  ["another condition", { when: "true" }, 2],
  ["another tool", { tool: "web.open" }, 2],
])("a step that is planned again with %s", (_what, said, steps) => {
  const step = { id: "a", title: "Find", details: "Find it" };
  const merged = plans.merge({ steps: [step] }, { steps: [{ ...step, ...said } as PlanStep] }, [
    "a",
  ]);
  expect(merged.steps).toHaveLength(steps);
});

test("null among the members of a step is none, also for its level", () => {
  const step = { id: "a", title: "Find", details: "Find it", depends: null } as unknown as PlanStep;
  expect(plans.levels({ steps: [step] })).toEqual([["a"]]);
});

test("E49 a step that the new plan says again is the kept one", () => {
  const merged = plans.merge(done, { steps: [...done.steps] }, ["0", "1"]);
  expect(merged.steps).toEqual(done.steps);
});

const ids = fc.uniqueArray(fc.constantFrom("a", "b", "c", "d", "a-2"), { maxLength: 5 });
const anyPlan = ids.chain((names) =>
  fc.tuple(...names.map((_, at) => fc.subarray(names.slice(0, at)))).map((waits) => ({
    steps: names.map((id, at) => ({
      id,
      title: `do ${id}`,
      details: "",
      ...(waits[at]?.length ? { depends: waits[at] } : {}),
    })),
  })),
);

test("E49 law: a merged plan has all kept steps unchanged, unique ids, and no unknown dependency", () => {
  fc.assert(
    fc.property(
      anyPlan,
      anyPlan,
      fc.subarray(["a", "b", "c", "d", "a-2"]),
      (before, after, ended) => {
        const other = { steps: after.steps.map((step) => ({ ...step, details: "again" })) };
        // A step has ended only where those that it waited for have.
        const closed: Plan["steps"][number][] = [];
        for (const step of before.steps) {
          const isOver = (step.depends ?? []).every((id) => closed.some((one) => one.id === id));
          if (isOver && ended.includes(step.id)) closed.push(step);
        }
        const merged = plans.merge(
          { steps: before.steps },
          other,
          closed.map(({ id }) => id),
        );
        expect(merged.steps.slice(0, closed.length)).toEqual(closed);
        expect(merged.steps.length).toBe(closed.length + after.steps.length);
        expect(plans.read(merged, { format: "json" }).problems).toEqual([]);
      },
    ),
  );
});

test("AWorld keeps of what a plan says the order of its levels", () => {
  fc.assert(
    fc.property(
      anyPlan.filter(({ steps }) => steps.length > 0),
      (given) => {
        const { plan } = plans.read(plans.write(given, "aworld"));
        const sorted = (one: Plan) => plans.levels(one).map((level) => level.toSorted());
        expect(sorted(plan as Plan)).toEqual(sorted(given));
      },
    ),
  );
});

test("E40 an agent tree of Eko runs as a plan, each agent behind those that it depends on", async () => {
  const { Team } = compile(
    [
      'model m = "scripted"',
      "graph Team(plan: Plan) returns results {",
      "  state { results: Json }",
      "  agent Browser(step: Step) { model m prompt `${step.title}: ${step.details}` }",
      "  agent Chat(step: Step, before: Json) { model m prompt `${step.title} ${before}` }",
      "  graph go = planGraph(plan) writes results",
      "  start -> go -> end",
      "}",
    ].join("\n"),
  );
  const { plan } = plans.read(
    '<root><name>Prices</name><agents><agent name="Browser" id="0"><task>Read</task><nodes><node output="price">the shop</node></nodes></agent><agent name="Chat" id="1" dependsOn="0"><task>Say</task></agent></agents></root>',
  );
  const m = scripted([
    { says: "9", when: "Read: 1. the shop (writes price)" },
    { says: "It is 9.", when: "Say" },
  ]);
  const run = Team?.run({ plan }, { models: { m } });
  expect(await run?.output).toEqual({ results: { 0: "9", 1: "It is 9." } });
});
