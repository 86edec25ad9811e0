/** Roles over one shared state: who sees what, who chooses whom, and what the database says of it. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { check } from "../../../dsl/index.ts";
import { scripted } from "../../../kernel/index.ts";
import { Routed } from "../../../kernel/library/programs.ts";
import { tool } from "../../../runtime/index.ts";
import { projectRoot } from "../../support/child.ts";
import { newSession } from "../scoped-run.ts";
import { newFolder } from "../trace/store.ts";

const INPUT = { description: "a counter at 0", goal: "the counter is at 2", rules: "no jumps" };

/** A whole run of the design, with what each node's model was asked. */
async function routed() {
  const models = {
    router: scripted(["planning", "acting", "analysing"]),
    planner: scripted([["add 2"]] as never),
    actor: scripted(["it is at 2"]),
    analyst: scripted([{ status: "completed", errors: ["none left"] }]),
  };
  const run = Routed.run(INPUT, { models, store: "memory" });
  const asked = new Map<string, string>();
  for await (const event of run.stream("events")) {
    const { kind, node, request } = event as { kind: string; node?: string; request?: unknown };
    if (kind === "model.request" && node !== undefined) asked.set(node, JSON.stringify(request));
  }
  return { run, asked };
}

test("S04 all roles work on one state: what one writes the others find", async () => {
  const { run, asked } = await routed();
  expect(run.state).toMatchObject({
    plan: ["add 2"],
    step: 1,
    observation: ["it is at 2"],
    status: "completed",
    errors: ["none left"],
  });
  expect(asked.get("acting")).toContain("add 2");
  expect(asked.get("analysing")).toContain("it is at 2");
});

test("S05 a role's prompt has what it reads, and nothing else of the state", async () => {
  const { asked } = await routed();
  const sees = (node: string) =>
    ["a counter at 0", "the counter is at 2", "no jumps", "add 2", "it is at 2"].filter((text) =>
      asked.get(node)?.includes(text),
    );
  expect(sees("planning")).toEqual(["a counter at 0", "the counter is at 2", "no jumps"]);
  expect(sees("acting")).toEqual(["add 2"]);
  expect(sees("analysing")).toEqual(["the counter is at 2", "it is at 2"]);
  expect(sees("route")).toEqual(["add 2"]);
});

test("S13 the router is shown the plan, the step and the status, and the roles with what they are for", async () => {
  const { asked } = await routed();
  const prompt = JSON.parse(asked.get("route") ?? "{}") as object;
  const text = JSON.stringify(prompt);
  for (const shown of ["plan", "step", "status", "makes a plan of actions", "does the next action"])
    expect(text).toContain(shown);
  expect(text).not.toContain("it is at 2");
});

const TYPED = `model m = "scripted"
graph Steps(plan: Step[]) returns done {
  state { at: int = 0  done: string[] = [] via append }
  defaults { model m; history none; limit 5 turns }
  run look = nothing()
  agent reader { prompt \`\${plan[at].title}\`; writes done; set at = at + 1 }
  agent writer { prompt \`\${plan[at].title}\`; writes done; set at = at + 1 }
  limit 40 steps
  start -> look -> { at >= plan.length -> end, else -> match plan[at].agent { "reader" -> reader, else -> writer } }
  reader | writer -> look
}`;

test("S13 without a model the next open step goes to the role that it names", async () => {
  const { Steps } = newSession().compile(TYPED, { scope: { nothing: () => null } });
  const step = (id: string, agent: string) => ({ id, title: id, details: "", agent });
  const models = { m: scripted({ reader: ["read", "read again"], writer: ["written"] } as never) };
  const run = Steps?.run(
    { plan: [step("a", "reader"), step("b", "writer"), step("c", "reader")] },
    { models },
  );
  expect(await run?.output).toEqual({ done: ["read", "written", "read again"] });
});

test("S09 a role is its name, what it is for, its static knowledge, what it reads, writes and may do", () => {
  const text = `model m = "rules"
graph G(goal: string) returns notes {
  state { plan: string[] = []  notes: string[] = [] via append }
  agent planner "plans" { model m; prompt \`\${goal}\`; writes plan }
  agent scribe "writes notes" {
    model  m
    system \`You know the rules of the house.\`
    tools  env.look
    prompt \`Note \${plan}.\`
    writes notes via append
    history none
  }
  start -> planner -> scribe -> end
}`;
  const [graph] = check({ file: "g", text }, { allowUnreadPrograms: true }).graphs;
  const scribe = graph?.nodes.find(({ name }) => name === "scribe");
  const { name, kind, description, system, tools, prompt, writes, history } = scribe ?? {};
  expect(
    JSON.parse(
      JSON.stringify(
        { name, kind, description, system, tools, prompt, writes, history },
        (key, value) => (key === "span" ? undefined : value),
      ),
    ),
  ).toMatchInlineSnapshot(`
    {
      "description": "writes notes",
      "history": {
        "source": "none",
        "summarize": false,
      },
      "kind": "agent",
      "name": "scribe",
      "prompt": {
        "kind": "template",
        "parts": [
          "Note ",
          {
            "kind": "name",
            "name": "plan",
            "of": "field",
          },
          ".",
        ],
      },
      "system": {
        "kind": "template",
        "parts": [
          "You know the rules of the house.",
        ],
      },
      "tools": [
        [
          "env",
          "look",
        ],
      ],
      "writes": [
        {
          "field": "notes",
          "optional": false,
          "via": {
            "args": [],
            "custom": false,
            "name": "append",
          },
        },
      ],
    }
  `);
});

test("S20 the keys of the design and what they begin with", async () => {
  const text = readFileSync(
    join(projectRoot, "test/dsl/programs/4-state-routing.madrigal"),
    "utf8",
  );
  const [graph] = check({ file: "routing", text }, { allowUnreadPrograms: true }).graphs;
  const defaults = (graph?.fields ?? []).map((field) => [
    field.name,
    field.default?.kind === "literal" ? field.default.value : field.default?.kind,
    field.reducer.name,
  ]);
  expect(defaults).toEqual([
    ["plan", undefined, "replace"],
    ["current_step", 0, "replace"],
    ["observation", "list", "append"],
    ["status", "in progress", "replace"],
    ["errors", "list", "append"],
  ]);
});

const SUM = `graph Sum(numbers: int[]) returns total {
  state { total: int = 0 via sum }
  run one(n: int) = same(n) writes total
  start -> each n of numbers { one(n) } -> end
}`;

test("S15 increments are added, whatever ends first", async () => {
  const { Sum } = newSession().compile(SUM, { scope: { same: (n: number) => n } });
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.integer({ min: -9, max: 9 }), { maxLength: 6 }),
      async (numbers) => {
        const output = await Sum?.invoke({ numbers }, { store: "none" });
        expect(output).toEqual({ total: numbers.reduce((sum, n) => sum + n, 0) });
        const orders = Sum?.explore({ numbers: numbers.slice(0, 3) });
        expect(orders?.race).toBeUndefined();
      },
    ),
    { numRuns: 10 },
  );
});

const ACTING = `model m = "scripted"
graph Act(steps: string[]) returns observation {
  state { at: int = 0  observation: string[] = [] via append }
  agent actor { model m; tools env.act; history none; prompt \`Do \${steps[at]}\`; writes observation; set at = at + 1 }
  limit 20 steps
  start -> actor -> { at < steps.length -> actor, else -> end }
}`;

describe("the database", () => {
  test("S23 an observation leads to the step and the tool call that caused it", async () => {
    const env = {
      act: tool(({ add }: { add: number }) => `at ${add}`, {
        effect: "none",
        description: "adds",
        input: { type: "object", properties: { add: { type: "number" } }, required: ["add"] },
      }),
    };
    const session = newSession({ env: { MADRIGAL_HOME: newFolder() } });
    const { Act } = session.compile(ACTING, { scope: { env } });
    const call = (add: number) => ({ calls: [{ tool: "env.act", input: { add } }] });
    const models = { m: scripted({ actor: [call(1), "one", call(2), "two"] } as never) };
    const run = Act?.run({ steps: ["first", "second"] }, { models });
    await run?.output;
    const traces = await session.traces();
    const rows = await traces.query(
      `SELECT s.value AS observation, t.request AS action FROM state_changes s JOIN tool_calls t ON t.run_id = s.run_id AND t.node_run_id = s.node_run_id WHERE s.run_id = '${run?.id}' AND s.field = 'observation' ORDER BY s.step`,
    );
    expect(rows).toMatchInlineSnapshot(`
      [
        {
          "action": {
            "add": 1,
          },
          "observation": "one",
        },
        {
          "action": {
            "add": 2,
          },
          "observation": "two",
        },
      ]
    `);
  });
});
