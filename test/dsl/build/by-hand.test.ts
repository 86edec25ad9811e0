/** The programs of the language as a person would write them with the builder. */
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { compiled } from "../report.ts";
import { graph } from "./built.ts";

const planCodeReview = graph("PlanCodeReview")
  .import("./tests.ts", ["runTests"])
  .import("./models.madrigal", ["smart"])
  .type("Review", '{ verdict: "ship" | "revise" | "replan", notes: string }')
  .param("task", "string")
  .returns("patch", "review")
  .state({
    steps: "string[]",
    patch: "string",
    passed: { type: "boolean", default: false },
    notes: { type: "string[]", default: [], via: "append" },
    review: "Review",
    shipIt: { type: "boolean", default: false },
  })
  .agent("plan", {
    model: "smart",
    prompt: "Plan this change as short steps: ${task}. Notes so far: ${notes}",
    writes: "steps",
  })
  .operator("code", {
    controller: 'claude_code(cwd: ".")',
    skills: '"tdd"',
    prompt: "Carry out ${steps}. The reviewer said: ${notes}",
    writes: "patch",
    approve: 'tool shell when call.risk == "high"',
    limit: "20m, $2",
  })
  .run("check", "runTests(patch)", { writes: "passed" })
  .operator("critic", {
    controller: "codex",
    prompt: 'Review this patch for "${task}" (tests pass: ${passed}): ${patch}',
    writes: "review",
  })
  .human("signoff", { ask: "Ship it? ${review.notes}", writes: "shipIt" })
  .approve("after plan `Start coding these steps?`")
  .edge("start", "plan", "code", "check", "critic", {
    match: "review.verdict",
    cases: [
      [
        '"ship"',
        "signoff",
        {
          choice: [
            ["shipIt", "end"],
            ["else", { to: "code", max: 2 }],
          ],
        },
      ],
      ['"revise"', { to: "code", max: 3, set: { notes: "[review.notes]" } }],
      ['"replan"', { to: "plan", max: 1 }],
      ["else", "signoff"],
    ],
  });

const stateRouting = graph("StateRouting")
  .model("mini", "openai/gpt-4o-mini")
  .param("description", "string")
  .param("goal", "string")
  .param("rules", "string", '""')
  .returns("status", "observation")
  .state({
    plan: "string[]",
    current_step: "int = 0",
    observation: "string[] = [] via append",
    status: '"in progress" | "completed" | "failed" = "in progress"',
    errors: "string[] = [] via append",
  })
  .defaults({ model: "mini", history: "none" })
  .router("boss", {
    description: "the manager: decides who works next",
    reads: ["plan", "current_step", "status"],
    prompt: "Find the next open step and pick the role best suited to it.",
  })
  .agent("actor", {
    description: "carries out one action and reports what it observed",
    tools: "env.*",
    prompt: "Carry out step ${current_step} of ${plan} with one tool call.",
    writes: "observation",
    set: { current_step: "current_step + 1" },
  })
  .agent("planner", {
    description: "turns the goal into a list of actions",
    prompt: "Task: ${description}. Goal: ${goal}. Rules: ${rules}. Write the actions.",
    writes: "plan via replace",
  })
  .agent("analyst", {
    description: "judges the observations against the goal",
    prompt: "Goal: ${goal}. Observations: ${observation}. What is the status?",
    writes: ["status via replace", "errors via append"],
  })
  .limit("60 steps")
  .edge("start", "boss", { oneOf: ["actor", "planner", "analyst", "end"] })
  .edge({ any: ["actor", "planner"] }, "boss")
  .edge("analyst", {
    choice: [
      ['status == "in progress"', "boss"],
      ["else", "end"],
    ],
  });

const homeHunt = graph("HomeHunt")
  .import("./prices.ts", ["toTable", "watchPrices"])
  .mcp("browser", "npx -y @playwright/mcp")
  .model("fast", "anthropic/claude-haiku-4-5")
  .type("Home", "{ url: string, price: number, rooms: int }")
  .param("city", "string")
  .param("target", "number")
  .returns("table", "alerts")
  .state({
    todo: "string[]",
    homes: { type: "Home[]", default: [], via: "union(h => h.url)" },
    table: "string",
    alerts: "string[] = [] via append",
  })
  .defaults({ model: "fast", retry: 2, limit: "5m" })
  .agent("list", {
    tools: "browser.*",
    prompt: "Find listing urls for flats in ${city}; one url per todo.",
    writes: "todo",
  })
  .agent("visit", {
    params: { url: "string" },
    tools: "browser.*",
    prompt: "Open ${url} and read the price and rooms.",
    writes: "homes",
    ensure: 'homes.every(h => h.price > 0) "price missing, look again"',
    cache: "1d by url",
  })
  .run("tabulate", "toTable(homes)", { writes: "table" })
  .operator("alert", {
    params: { home: "Home" },
    controller: 'a2a("http://127.0.0.1:9000/.well-known/agent.json")',
    prompt: "Tell me: ${home.url} fell to ${home.price}",
    writes: "alerts",
  })
  .edge("start", "list", { each: "url", of: "todo", parallel: 3, body: "visit(url)" }, "tabulate")
  .edge("tabulate", {
    each: "home",
    of: "watchPrices(homes)",
    when: "home.price < target",
    body: "alert(home)",
  })
  .edge("list", { to: "end", on: "limit" });

test.each([
  ["2-plan-code-review", planCodeReview],
  ["4-state-routing", stateRouting],
  ["5-eko-watch", homeHunt],
])("A62 program %s, written by hand, has the text's hash", (name, builder) => {
  const text = readFileSync(new URL(`../programs/${name}.madrigal`, import.meta.url), "utf8");
  const { ir, diagnostics } = builder.build();
  expect(diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
  expect(ir?.hash).toBe(compiled(text).hash);
});

test("an `each` with fields and arrows of its own has the text's hash", () => {
  const text = `graph Intake(rows: string[]) returns log {
  state { log: string[] = [] via append }
  run read(row: string) = readRow(row) writes price
  run load = store(price) writes log
  run bury(row: string) = note(row, price) writes log
  start -> each row of rows parallel 2 {
    state { price: int = 0 }
    read(row) -> load
    read | load -> bury(row) on error
  }
}`;
  const { ir } = graph("Intake")
    .param("rows", "string[]")
    .returns("log")
    .state({ log: "string[] = [] via append" })
    .run("read", "readRow(row)", { params: { row: "string" }, writes: "price" })
    .run("load", "store(price)", { writes: "log" })
    .run("bury", "note(row, price)", { params: { row: "string" }, writes: "log" })
    .edge("start", {
      each: "row",
      of: "rows",
      parallel: 2,
      state: { price: { type: "int", default: 0 } },
      body: ["read(row)", "load"],
      arrows: [[{ any: ["read", "load"] }, { to: "bury(row)", on: "error" }]],
    })
    .build();
  expect(ir?.hash).toBe(compiled(text).hash);
});

test("a string is text of the language; numbers, lists and objects are values, with the strings in them", () => {
  const text = graph("G")
    .config({ speed: "fast", tries: 3 })
    .param("a", "string", '"fast"')
    .state({ b: { type: "string[]", default: ["x"] }, c: { type: "int", default: "tries - 1" } })
    .text();
  expect(text).toContain('config { speed: "fast", tries: 3 }');
  expect(text).toContain('graph G(a: string = "fast")');
  expect(text).toContain('b: string[] = ["x"]');
  expect(text).toContain("c: int = tries - 1");
});

test("prompts have holes; descriptions, ids and commands have none, and take an expression where it is meant", () => {
  const text = graph("G")
    .describe("a ${b}")
    .model("m", "openai/${b}")
    .model("n", { expression: "id" })
    .mcp("s", { expression: "command" })
    .agent("w", { description: "c ${b}", prompt: "d ${b}", system: { expression: "brief(b)" } })
    .human("h", { ask: "e ${b}?" })
    .text();
  for (const line of ['"a ${b}"', 'model m = "openai/${b}"', "model n = id", "mcp s = command"])
    expect(text).toContain(line);
  for (const line of ['agent w "c ${b}"', "prompt `d ${b}`", "system brief(b)", "`e ${b}?`"])
    expect(text).toContain(line);
});
