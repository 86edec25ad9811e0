/** Steps of plans that are calls of tools, with arguments; what AWorld's planner writes is run by a server. */
import { expect, test } from "vitest";
import type { Plan } from "../../../dsl/index.ts";
import { plans } from "../../../kernel/index.ts";
import { tool } from "../../../runtime/index.ts";
import { commands } from "../mcp/servers.ts";
import { newSession, runWith } from "../scoped-run.ts";

const AWORLD = `<PLANNING_TAG>
{"steps": {"add": {"id": "every__get_sum", "input": {"a": 40, "b": 2}}, "tell": {"id": "writer", "input": "say it"}},
 "dag": ["add", "tell"]}
</PLANNING_TAG>`;

test("W44 a step names an agent or a tool of a server with its parameters, and the server is called", async () => {
  const { plan } = plans.read(AWORLD);
  expect(plan?.steps.map(({ agent, tool }) => agent ?? tool)).toEqual(["every.get_sum", "writer"]);
  expect(plans.read(plans.write(plan as Plan, "aworld")).plan).toEqual(plan);
  const text = `model m = "scripted"
mcp every = stdio(${JSON.stringify(commands.everything)})
graph G(plan: Plan) returns results {
  state { results: Json }
  agent writer(step: Step, before: Json) { model m tools every.echo, every.get_sum prompt \`\${step.details}: \${before}\` }
  graph go = planGraph(plan) writes results
  start -> go -> end
}`;
  const { run } = runWith(text, {}, { input: { plan }, models: { m: "rules" } });
  const { results } = (await run.output) as { results: Readonly<Record<string, unknown>> };
  expect(results.add).toBe("The sum of 40 and 2 is 42.");
  expect(Object.keys(results)).toEqual(["add", "tell"]);
});

const COUNTER = `model m = "rules"
graph Count(plan: Plan) returns results {
  state { results: Json }
  agent worker(step: Step) { model m tools env.* prompt \`\${step.title}\` }
  graph go = planGraph(plan) writes results
  start -> go -> end
}`;

test("S22 S25 a plan is a list of actions, each a tool with arguments; an environment is reset, acted on and observed", async () => {
  let value = 7;
  const described = { effect: "workspace", description: "of the counter" } as const;
  const env = {
    reset: tool(() => (value = 0), described),
    act: tool(({ add }: { add: number }) => (value += add), {
      ...described,
      input: { type: "object", properties: { add: { type: "number" } }, required: ["add"] },
    }),
    observe: tool(() => ({ value, isSolved: value === 6 }), { ...described, effect: "none" }),
  };
  const action = (id: string, name: string, details: object, depends: readonly string[] = []) => ({
    id,
    title: name,
    tool: `env.${name}`,
    details: JSON.stringify(details),
    depends,
  });
  const plan: Plan = {
    steps: [
      action("start", "reset", {}),
      action("first", "act", { add: 2 }, ["start"]),
      action("second", "act", { add: 4 }, ["first"]),
      action("look", "observe", {}, ["second"]),
    ],
  };
  const { Count } = newSession().compile(COUNTER, { scope: { env } });
  const output = await Count?.invoke({ plan });
  expect(output).toEqual({
    results: { start: 0, first: 2, second: 6, look: { value: 6, isSolved: true } },
  });
});

test("a tool that is called for each of some items is told the item of the round", async () => {
  const asked: unknown[] = [];
  const find = tool((input: object) => asked.push(input), {
    effect: "none",
    description: "finds",
    input: { type: "object" },
  });
  const step = (id: string, details: string, repeat: string): Plan["steps"][number] => ({
    id,
    title: id,
    tool: "env.find",
    details,
    repeat,
  });
  const steps = [
    step("a", '{"query": "price of {item}", "limit": 2}', "each of apples, pears"),
    { ...step("b", '{"limit": 1}', "each of nuts"), depends: ["a"] },
    { ...step("c", '{"wanted": "{item}"}', "each of a"), depends: ["a", "b"] },
    { ...step("d", '{"query": "{item}"}', "1 times"), depends: ["c"] },
  ];
  const { Count } = newSession().compile(COUNTER, { scope: { env: { find } } });
  await Count?.invoke({ plan: { steps } });
  expect(asked).toEqual([
    { query: "price of apples", limit: 2 },
    { query: "price of pears", limit: 2 },
    { limit: 1, item: "nuts" },
    { wanted: 1 },
    { wanted: 2 },
    { query: "{item}" },
  ]);
});
