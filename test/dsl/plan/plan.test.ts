import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  canonicalJson,
  check,
  type Ir,
  isGraph,
  isPlan,
  type Plan,
  type PlanStep,
  planGraph,
  planLevels,
  print,
  readPlan,
} from "../../../dsl/index.ts";

const TEAM = `import { find } from "./tools.ts"
model m = "openai/gpt-4o"
graph Team(task: string) returns results {
  limit 100 steps
  state { plan: Plan\n results: Json }
  agent planner { model m; prompt \`Plan \${task}.\`; writes plan }
  agent worker(step: Step, before: Json) "does anything" {
    model m
    tools find
    system \`The whole task is \${task}.\`
    prompt \`Do \${step.title}: \${step.details}. So far: \${before}\`
    retry 2
  }
  agent writer { model m; system "You write."; prompt \`Write about \${plan.steps[0].title}.\` }
  graph go = planGraph(plan) writes results
  start -> planner -> go
}`;

function graphOf(text: string): Ir {
  const { graphs, diagnostics } = check({ file: "team", text }, { allowUnreadPrograms: true });
  const [graph] = graphs;
  if (graph === undefined) throw new Error(JSON.stringify(diagnostics));
  return graph;
}

const step = (id: string, more: Partial<PlanStep> = {}): PlanStep => ({
  id,
  title: `title of ${id}`,
  details: `details of ${id}`,
  ...more,
});

const said = (value: unknown, ir = graphOf(TEAM)) => {
  const made = planGraph(ir, value);
  return isGraph(made)
    ? print(made)
    : made.map(({ code, message, hint }) => `${code} ${message} (${hint})`);
};

test("an agent that only plans name runs all the same", () => {
  const { diagnostics } = check({ file: "team", text: TEAM });
  expect(diagnostics.filter(({ code }) => code === "M3202")).toEqual([]);
});

test("a plan is a graph: a node a step, an arrow for what it depends on", () => {
  const plan: Plan = {
    steps: [
      step("read-it"),
      step("2", { agent: "worker", repeat: "3 times" }),
      step("look up", { tool: "find", details: "prices" }),
      step("write", { agent: "writer", depends: ["read-it", "2"] }),
      step("check", {
        agent: "worker",
        depends: ["write"],
        repeat: "every 5m until it is good max 4",
      }),
    ],
  };
  expect(said(plan)).toMatchInlineSnapshot(`
    "import { find } from "./tools.ts"
    model m = "openai/gpt-4o"

    graph TeamPlan(task?: string) returns results {
      state {
        results: Record<string, Json> = {
          "read-it": null,
          "2": null,
          "look up": null,
          write: null,
          check: null
        } via merge
      }
      agent read_it(
        step: Step = { id: "read-it", title: "title of read-it", details: "details of read-it" },
        before: Json = {}
      ) "title of read-it" {
        model  m
        system \`The whole task is \${task}.\`
        prompt \`Do \${step.title}: \${step.details}. So far: \${before}\`
        tools  find
        retry  2
        writes results = { "read-it": result }
      }
      agent step_2(
        step: Step = {
          id: "2",
          title: "title of 2",
          details: "details of 2",
          agent: "worker",
          repeat: "3 times"
        },
        before: Json = {}
      ) "title of 2" {
        model  m
        system \`The whole task is \${task}.\`
        prompt \`Do \${step.title}: \${step.details}. So far: \${before}\`
        tools  find
        retry  2
        every  0ms until 3
        writes results = { "2": (results["2"] ?? []).concat([result]) }
      }
      tool look_up "title of look up" = find("prices") writes results = { "look up": result }
      agent write "title of write" {
        model  m
        system "You write."
        prompt \`title of write

    details of write

    What came of the steps before, by their ids:
    \${{ "read-it": results["read-it"], "2": results["2"] }}\`
        writes results = { write: result }
      }
      agent check(
        step: Step = {
          id: "check",
          title: "title of check",
          details: "details of check",
          agent: "worker",
          repeat: "every 5m until it is good max 4",
          depends: ["write"]
        },
        before: Json = { write: results["write"] }
      ) "title of check" {
        model  m
        system \`The whole task is \${task}.\`
        prompt \`Do \${step.title}: \${step.details}. So far: \${before}\`
        tools  find
        retry  2
        every  5m until "it is good" by m max 4
        writes results = { check: (results["check"] ?? []).concat([result]) }
      }
      start -> read_it
      start -> step_2
      start -> look_up
      [read_it, step_2] -> write -> check
    }
    "
  `);
});

test("a prompt that is one value stays before the item of the round", () => {
  const ir = graphOf(TEAM.replace(/prompt `Do .*`/, "prompt step.title"));
  const printed = said({ steps: [step("a", { agent: "worker", repeat: "each of ann" })] }, ir);
  expect(printed).toContain("prompt `${step.title}");
});

test("the conditions of a plan whose graph is known are not read again", () => {
  const ir = graphOf(TEAM);
  let reads = 0;
  const read = {
    ...step("b", { agent: "worker", depends: ["a"] }),
    get when() {
      reads += 1;
      return 'a != "read once"';
    },
  };
  const plan = { steps: [step("a", { agent: "worker" }), read] };
  const readsOf = (work: () => unknown) => {
    reads = 0;
    work();
    return reads;
  };
  expect(isGraph(planGraph(ir, plan))).toBe(true);
  const alone = readsOf(() => readPlan(plan)) + readsOf(() => canonicalJson(plan));
  expect(readsOf(() => planGraph(ir, plan))).toBeLessThanOrEqual(alone);
});

test("the names that a condition may have are said as it writes them", () => {
  const steps = [step("a-1"), step("b", { depends: ["a-1"], when: "a-1 == 1" })];
  expect(said({ steps })).toEqual([expect.stringContaining('waits for (results["a-1"])')]);
});

test("a step has a condition over what came before, and may be done for each of some items", () => {
  const plan: Plan = {
    steps: [
      step("look"),
      step("read-it"),
      step("buy", {
        agent: "worker",
        depends: ["look", "read-it"],
        when: 'look != "sold" && [1].some(look => look > 0) && results["read-it"] == 3',
      }),
      step("tell", { agent: "writer", depends: ["buy"], repeat: "each of ann, bob" }),
      step("sum", { agent: "writer", depends: ["look"], repeat: "each of look" }),
    ],
  };
  expect(said(plan)).toMatchInlineSnapshot(`
    "import { find } from "./tools.ts"
    model m = "openai/gpt-4o"

    graph TeamPlan(task?: string) returns results {
      state {
        results: Record<string, Json> = {
          look: null,
          "read-it": null,
          buy: null,
          tell: null,
          sum: null
        } via merge
      }
      agent look(
        step: Step = { id: "look", title: "title of look", details: "details of look" },
        before: Json = {}
      ) "title of look" {
        model  m
        system \`The whole task is \${task}.\`
        prompt \`Do \${step.title}: \${step.details}. So far: \${before}\`
        tools  find
        retry  2
        writes results = { look: result }
      }
      agent read_it(
        step: Step = { id: "read-it", title: "title of read-it", details: "details of read-it" },
        before: Json = {}
      ) "title of read-it" {
        model  m
        system \`The whole task is \${task}.\`
        prompt \`Do \${step.title}: \${step.details}. So far: \${before}\`
        tools  find
        retry  2
        writes results = { "read-it": result }
      }
      agent buy(
        step: Step = {
          id: "buy",
          title: "title of buy",
          details: "details of buy",
          agent: "worker",
          when: "look != \\"sold\\" && [1].some(look => look > 0) && results[\\"read-it\\"] == 3",
          depends: ["look", "read-it"]
        },
        before: Json = { look: results["look"], "read-it": results["read-it"] }
      ) "title of buy" {
        model  m
        system \`The whole task is \${task}.\`
        prompt \`Do \${step.title}: \${step.details}. So far: \${before}\`
        tools  find
        retry  2
        writes results = { buy: result }
      }
      agent tell "title of tell" {
        model  m
        system "You write."
        prompt \`title of tell

    details of tell

    What came of the steps before, by their ids:
    \${{ buy: results["buy"] }}

    This time for: \${["ann", "bob"][run.round - 1]}\`
        every  0ms until ["ann", "bob"].length
        writes results = { tell: (results["tell"] ?? []).concat([result]) }
      }
      agent sum "title of sum" {
        model  m
        system "You write."
        prompt \`title of sum

    details of sum

    What came of the steps before, by their ids:
    \${{ look: results["look"] }}

    This time for: \${planning.items(results["look"])[run.round - 1]}\`
        every  0ms until planning.items(results["look"]).length
        writes results = { sum: (results["sum"] ?? []).concat([result]) }
      }
      start -> look
      start -> read_it
      [look, read_it] -> buy
        when results["look"] != "sold" && [1].some(look => look > 0) && results["read-it"] == 3
        -> tell
      look -> sum when planning.items(results["look"]).length > 0
    }
    "
  `);
});

test("a tool is one that an agent lists, or what the file imports where the graph uses it", () => {
  const plan: Plan = { steps: [step("a", { tool: "find", details: "prices" })] };
  const unlisted = TEAM.replace("    tools find\n", "");
  expect(said(plan, graphOf(unlisted))).toEqual([
    "M5037 step `a` uses `find`, and `Team` has no such tool (its tools: none)",
  ]);
  const used = unlisted
    .replace("graph go", 'run warm = find("x")\n  graph go')
    .replace("-> go", "-> warm -> go");
  expect(said(plan, graphOf(used))).toContain(
    'tool a "title of a" = find("prices") writes results',
  );
});

test("no steps are a graph that ends at once", () => {
  expect(said({ steps: [] })).toMatchInlineSnapshot(`
    "graph TeamPlan() returns results {
      state { results: Record<string, Json> = {} via merge }
      start -> end
    }
    "
  `);
});

describe("what is wrong with a plan is said, each thing with its step", () => {
  test.each<[string, unknown]>([
    ["no object", "steps"],
    ["no list", { steps: {} }],
    ["a step without texts", { steps: [{ id: "a", depends: "b" }, 1] }],
    ["two of one id", { steps: [step("a"), step("a")] }],
    ["a step that is not there", { steps: [step("a", { depends: ["b"] })] }],
    [
      "a circle",
      {
        steps: [
          step("a", { depends: ["c"] }),
          step("b", { depends: ["a"] }),
          step("c", { depends: ["b"] }),
        ],
      },
    ],
    [
      "M5060 conditions that can't be read",
      {
        steps: [
          step("a", { agent: "worker" }),
          step("b", { agent: "worker", when: "a == 1" }),
          step("c", { agent: "worker", depends: ["a"], when: "a ==" }),
          step("d", { agent: "worker", depends: ["a"], when: "task == a" }),
          step("e", { agent: "worker", depends: ["a"], when: "find(a)" }),
        ],
      },
    ],
    ["one that waits for itself", { steps: [step("a", { depends: ["a"] })] }],
    [
      "E46 agents that are not there",
      { steps: [step("a", { agent: "writter" }), step("b", { agent: "coder" })] },
    ],
    ["E46 a tool that is not there", { steps: [step("a", { tool: "fnd" })] }],
    [
      "words that say nothing",
      { steps: [step("a", { repeat: "often" }), step("b", { repeat: "every 5m" })] },
    ],
  ])("%s", (_title, plan) => {
    expect(said(plan)).toMatchSnapshot();
  });

  test("a step without an agent, where several take one", () => {
    const two = graphOf(TEAM.replace("agent writer {", "agent writer(step: Step) {"));
    expect(said({ steps: [step("a")] }, two)).toMatchInlineSnapshot(`
      [
        "M5036 step \`a\` names no agent, which is only allowed if \`Team\` has exactly one agent (its agents: planner, worker, writer)",
      ]
    `);
  });
});

/** Plans whose steps depend on earlier ones, in any order of the list. */
const plans: fc.Arbitrary<Plan> = fc
  .uniqueArray(
    fc.oneof(
      fc.string({ maxLength: 6 }),
      fc.string({ unit: "grapheme", maxLength: 3 }),
      fc.constantFrom(
        "task",
        "m",
        "find",
        "step",
        "results",
        "agent",
        "when",
        "each",
        "end",
        "state",
        "Team",
      ),
    ),
    { minLength: 1, maxLength: 8 },
  )
  .chain((ids) =>
    fc.tuple(
      ...ids.map((id, index) =>
        fc
          .record({
            id: fc.constant(id),
            title: fc.string(),
            details: fc.oneof(fc.string(), fc.json()),
            depends: fc.subarray(ids.slice(0, index)),
            when: fc.option(fc.constant('results["1"] != 1'), { nil: null }),
            repeat: fc.constantFrom(
              null,
              null,
              "3 times",
              "every 5m until it is good max 4",
              "each of a, b",
            ),
          })
          .chain((all) =>
            fc.constantFrom(
              { ...all, agent: "worker" },
              { ...all, agent: "writer" },
              { ...all, tool: "find" },
            ),
          ),
      ),
    ),
  )
  .chain((steps) => fc.shuffledSubarray(steps, { minLength: steps.length }))
  .map((steps) => ({ steps }) as unknown as Plan);

test("any plan makes a graph, whose text reads back as the same graph", () => {
  const ir = graphOf(TEAM);
  fc.assert(
    fc.property(plans, (plan) => {
      expect(isPlan(readPlan(JSON.parse(JSON.stringify(plan))))).toBe(true);
      const made = planGraph(ir, plan);
      if (!isGraph(made)) throw new Error(JSON.stringify(made));
      const again = check({ file: "team", text: print(made) }, { allowUnreadPrograms: true });
      expect(again.graphs[0]?.hash).toBe(made.hash);
      expect(made.nodes).toHaveLength(plan.steps.length);
    }),
    { numRuns: 60 },
  );
});

test("any results that are kept stand in the graph as in its text", () => {
  const ir = graphOf(TEAM);
  const done = fc.dictionary(fc.string({ maxLength: 4 }), fc.jsonValue());
  fc.assert(
    fc.property(plans, done, done, (plan, done, rounds) => {
      const made = planGraph(ir, plan, { done, rounds });
      if (!isGraph(made)) throw new Error(JSON.stringify(made));
      const again = check(
        { file: "team", text: made.source?.text ?? "" },
        { allowUnreadPrograms: true },
      );
      expect(again.diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
      expect(again.graphs[0]?.hash).toBe(made.hash);
      expect(JSON.parse(JSON.stringify(made)).source.text).toBe(made.source?.text);
    }),
    { numRuns: 30 },
  );
});

test("a thousand steps of a shape are as they would be written", () => {
  const steps = Array.from({ length: 1000 }, (_, at) =>
    step(`s${at}`, { agent: at % 2 === 0 ? "worker" : "writer", depends: at === 0 ? [] : ["s0"] }),
  );
  const made = planGraph(graphOf(TEAM), { steps });
  if (!isGraph(made)) throw new Error(JSON.stringify(made));
  const written = graphOf(print(made));
  expect(made.hash).toBe(written.hash);
  expect(canonicalJson(made.nodes.map(({ output }) => output ?? null))).toBe(
    canonicalJson(written.nodes.map(({ output }) => output ?? null)),
  );
});

test("E44 levels: each step stands behind all that it depends on, and in the first level where it can", () => {
  fc.assert(
    fc.property(plans, (plan) => {
      const levels = planLevels(plan);
      const levelOf = (id: string) => levels.findIndex((level) => level.includes(id));
      for (const { id, depends = [] } of plan.steps) {
        expect(levelOf(id)).toBe(Math.max(-1, ...depends.map(levelOf)) + 1);
      }
      expect(levels.flat()).toHaveLength(plan.steps.length);
    }),
  );
});

test.each(["constructor", "toString"])(
  "steps called `%s` make a graph by its text or none",
  (id) => {
    const steps = ["a", id, "b", "c"].map((one) => step(one, { agent: "worker" }));
    const made = planGraph(graphOf(TEAM), { task: "go", steps });
    if (isGraph(made)) expect(graphOf(print(made)).hash).toBe(made.hash);
    else expect(made).toMatchObject([{ code: "M5032" }]);
  },
);
