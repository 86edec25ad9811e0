import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startTypes } from "../../../kernel/types/client.ts";
import { Notebook } from "./notebook.ts";

const types = startTypes();
const notebook = new Notebook(types);
beforeAll(() =>
  notebook.run(`
    const web = { search: (query: string) => [query], limit: 4 };
    function runTests(patch: string): boolean { return patch !== "" }
    async function later(patch: string): Promise<string> { return patch }
    function withContext(patch: string, context: { readonly signal: AbortSignal }) { return patch }
    function withText(patch: string, context: { readonly signal: string }) { return patch }
    async function* words() { yield "one" }
    async function* prices() { yield { price: 4 } }
    const mode = (patch: string): "fast" | "slow" => patch === "" ? "fast" : "slow";
  `),
);
afterAll(() => types.close());

/** A program with these parts in it; without any it has no errors. */
function program(parts: Readonly<Record<string, string>> = {}): string {
  return `model smart = "openai/gpt-4o"
type Task = { query: string, why: string }
type Finding = { url: string, quote: string, score: number }
graph DeepSearch(question: string, width: int = ${parts.width ?? "4"}) returns report {
  state {
    tasks:    Task[]
    findings: Finding[] = [] via union(f => ${parts.via ?? "f.url"})
    report:   string
    passed:   boolean = false
  }
  defaults { model smart }
  agent plan {
    prompt \`Split into \${width} searches: \${${parts.hole ?? "question"}}\`
    writes tasks
    ensure ${parts.ensure ?? "tasks.length <= width"} "too many"
  }
  agent search(task: Task) {
    tools ${parts.tools ?? "web.search"}
    prompt \`Find \${${parts.taskHole ?? "task.query"}}\`
    writes findings
  }
  agent write { prompt \`Answer \${question} from \${findings}\`; writes report }
  run check = ${parts.call ?? "runTests(report)"} writes ${parts.written ?? "passed"}
  limit 60 steps
  start -> plan -> each task of ${parts.items ?? "tasks"} { search(${parts.send ?? "task"}) } -> write -> check
  check -> ${parts.choice ?? "{ passed -> end, else -> plan max 2 }"}
}`;
}

test("a program without errors has none", async () => {
  expect(await notebook.graph(program())).toBe("");
});

test.each([
  ["string", ""],
  ["string[]", ""],
  ["int[]", "M3508 «told» `string & string[]` does not fit `number[]`"],
  ["int", "M3508 «told» `string & string[]` does not fit `number`"],
])("a function that gives texts one after another, for a field of %s", async (field, fault) => {
  const streaming = `graph Tell() returns told {
  state { told: ${field} }
  run tell = words() writes told
  start -> tell -> end
}`;
  expect(await notebook.graph(streaming)).toBe(fault);
});

test("a default answer of a question is what its node writes, as TypeScript has it", async () => {
  const asking = (field: string) => `graph Ask() returns kind {
  state { kind: ${field} }
  human who { ask \`Which?\` within 2h else mode("x"); writes kind }
  start -> who -> end
}`;
  expect(await notebook.graph(asking('"fast" | "slow"'))).toBe("");
  expect(await notebook.graph(asking("int"))).toBe(
    'M3508 «mode("x")» `string` does not fit `number`',
  );
});

/** Ten faults that people make between a graph and its TypeScript; the language finds most of them without TypeScript. */
const SEEDED: readonly (readonly [string, Readonly<Record<string, string>>, string])[] = [
  [
    "a misspelt name in a prompt",
    { hole: "qestion" },
    "M2103 «qestion» no field or parameter is called `qestion` (did you mean `question`?)",
  ],
  [
    "a member that a type lacks",
    { taskHole: "task.reason" },
    "M2110 «reason» `Task` has no member `reason` (it has `query`, `why`)",
  ],
  [
    "the wrong argument of a node",
    { send: "task.query" },
    "M3104 «task.query» `string` does not fit `task: Task` (pass a value of that type)",
  ],
  [
    "`each` of a number",
    { items: "width" },
    "M3105 «width» `each` needs a list, but this is `int` (name a field or an expression that is a list)",
  ],
  [
    "a number for a condition",
    { ensure: "tasks.length" },
    "M3218 «tasks.length» a condition must be true or false, `tasks.length` is a number (write for example `tasks.length > 0`)",
  ],
  [
    "a reducer's member",
    { via: "f.link" },
    "M2110 «link» `Finding` has no member `link` (it has `url`, `quote`, `score`)",
  ],
  [
    "a text as the default of a number",
    { width: '"4"' },
    'M3103 «"4"» the default is `"4"`, but the type is `int` (give a default of that type, or change the type)',
  ],
  [
    "a function's result in a field of another type",
    { written: "report" },
    "M3508 «report» `boolean` does not fit `string`",
  ],
  [
    "a missing case",
    { choice: 'match mode(report) { "fast" -> end }' },
    'M3510 «mode(report)» `"slow"` isn\'t handled (add a case or `else`)',
  ],
  [
    "an impossible case",
    { choice: 'match mode(report) { "fast" -> end, "slow" -> end, "fsat" -> end }' },
    'M3510 «"fsat"» this case can never occur (correct the value, or remove the case)',
  ],
];

describe("seeded errors are reported at their place", () => {
  test.each(SEEDED)("%s", async (_title, parts, errors) => {
    expect(await notebook.graph(program(parts))).toBe(errors);
  });
});

const AGAINST_CELLS: readonly (readonly [string, Readonly<Record<string, string>>, string])[] = [
  [
    "an argument of a TypeScript function",
    { call: "runTests(tasks)" },
    "M3503 «tasks» `Task[]` does not fit `string`",
  ],
  ["too few arguments", { call: "runTests()" }, "M3503 «runTests» expected 1 argument, but got 0"],
  [
    "too many arguments",
    { call: "runTests(report, width)" },
    "M3503 «width» expected 1 argument, but got 2",
  ],
  [
    "a function that nobody declared",
    { call: "runTest(report)" },
    "M3501 «runTest» nothing is called `runTest` (did you mean `runTests`?)",
  ],
  [
    "a value that is no function",
    { call: "web.limit(report)" },
    "M3504 «web.limit» this is called, and is no function (name a function of a TypeScript cell or file)",
  ],
  ["a function that waits", { call: "later(report)", written: "report" }, ""],
  [
    "a function that takes the engine's context",
    { call: "withContext(report)", written: "report" },
    "",
  ],
  [
    "a function that takes the engine's signal for a text",
    { call: "withText(report)", written: "report" },
    "M3503 «withText» expected 2 arguments, but got 1",
  ],
  [
    "a tool that nobody declared",
    { tools: "web.serch" },
    "M3502 «web.serch» there is no `serch` in `{ search: (query: string) => string[]; limit: number; }` (did you mean `search`?)",
  ],
  [
    "a tool that is no function",
    { tools: "web.limit" },
    "M3504 «web.limit» a tool is a function, and this is `number` (name a function, or make a tool with `tool(fn, { … })`)",
  ],
  ["all tools of a group", { tools: "web.*" }, ""],
  ["tools that every graph has", { tools: "docs.search" }, ""],
  [
    "a tool that those do not have",
    { tools: "docs.serch" },
    "M3502 «docs.serch» there is no `serch` in `DocsTools` (did you mean `search`?)",
  ],
  ["functions that every graph has", { ensure: "planning.items(report).length > 0" }, ""],
  [
    "a function that those do not have",
    { ensure: "planning.item(report).length > 0" },
    "M3502 «item» there is no `item` in `{ read: (text: string, current?: Plan | undefined, results?: Readonly<Record<string, unknown>> | undefined) => Plan; next: (plan: Plan, results: Readonly<Record<string, unknown>>) => Plan; items: (result: unknown) => unknown[]; }` (did you mean `items`?)",
  ],
  [
    "a call inside a condition",
    { ensure: "runTests(width)" },
    "M3503 «width» `number` does not fit `string`",
  ],
  [
    "a function's result as a condition",
    { ensure: "mode(question)" },
    'M3505 «mode(question)» a condition is true or false, and this is `"fast" | "slow"` (compare it with something)',
  ],
  [
    "a comparison that can't hold",
    { ensure: 'mode(question) == "fsat"' },
    'M3514 «"fsat"» `"fast" | "slow"` is never equal to `"fsat"` (compare it with a value that it can have)',
  ],
  [
    "a promise in a prompt",
    { hole: "later(question)" },
    "M3506 «later(question)» a value of `Promise<string>` can't be shown in a text (name a member of it, or call a function that makes a text of it)",
  ],
  [
    "`each` of a function's promise, and nothing that follows from it",
    { items: "later(question)" },
    "M3507 «later(question)» `each` needs a list or a stream, and this is `Promise<string>` (name a field or an expression that is a list)",
  ],
  [
    "`each` of a stream whose items do not fit",
    { items: "prices()" },
    "M3503 «task» `{ price: number; }` does not fit `Task`",
  ],
];

describe("errors against the types of cells", () => {
  test.each(AGAINST_CELLS)("%s", async (_title, parts, errors) => {
    expect(await notebook.graph(program(parts))).toBe(errors);
  });
});

describe("later cells know a graph", () => {
  beforeAll(() => notebook.graph(program()));
  const ERRORS: readonly (readonly [string, string])[] = [
    [
      "DeepSearch.run({ q: 1 })",
      "TS2353 1:18-1:19 Object literal may only specify known properties, and 'q' does not exist in type 'Input'.",
    ],
    [
      "DeepSearch.run({})",
      "TS2345 1:16-1:18 Argument of type '{}' is not assignable to parameter of type 'Input'.\n  Property 'question' is missing in type '{}' but required in type 'Input'.",
    ],
    [
      '(await DeepSearch.run({ question: "q" }).output).reprt',
      "TS2551 1:50-1:55 Property 'reprt' does not exist on type 'Output'. Did you mean 'report'?",
    ],
    [
      'DeepSearch.run({ question: "q" }).state.findngs',
      "TS2551 1:41-1:48 Property 'findngs' does not exist on type 'State'. Did you mean 'findings'?",
    ],
    [
      "const task: Task = { query: '', why: 1 }",
      "TS2322 1:33-1:36 Type 'number' is not assignable to type 'string'.",
    ],
    [
      "const node: DeepSearch.Node = 'serch'",
      `TS2820 1:7-1:11 Type '"serch"' is not assignable to type 'Node'. Did you mean '"search"'?`,
    ],
  ];

  test.each(ERRORS)("%s", async (cell, errors) => {
    expect(await notebook.run(cell)).toBe(errors);
  });

  test("a breakpoint at no node", async () => {
    const cell = 'DeepSearch.run({ question: "q" }, { breakpoints: ["serch"] })';
    expect(await notebook.run(cell)).toContain(`Did you mean '"search"'?`);
  });

  test("completion", async () => {
    expect(await notebook.complete("DeepSearch.▮")).toContain("run");
    expect(await notebook.complete("DeepSearch.run({▮")).toEqual(["question", "width"]);
    expect(await notebook.complete('DeepSearch.run({ question: "" }).state.▮')).toEqual([
      "findings",
      "passed",
      "question",
      "report",
      "tasks",
      "width",
    ]);
    expect(await notebook.complete('const node: DeepSearch.Node = "▮"')).toEqual([
      "check",
      "plan",
      "search",
      "write",
    ]);
  });

  test("a graph declared anew has its new types, also cells later", async () => {
    const other = new Notebook(types);
    await other.graph(program().replace("graph DeepSearch", "graph Other"));
    expect(await other.run("type O = Other.State['findings']")).toBeUndefined();
    const small =
      'model m = "openai/gpt-4o"\ngraph Other(topic: string) returns a { state { a: string }\n agent x { model m; prompt `${topic}`; writes a }\n start -> x }';
    expect(await other.graph(small)).toBe("");
    await other.run("const unrelated = 1");
    expect(await other.run("Other.run({ question: '' })")).toContain(
      "'question' does not exist in type 'Input'",
    );
    expect(await other.complete("Other.run({▮")).toEqual(["topic"]);
  });

  test("a graph with errors declares nothing", async () => {
    expect(
      await notebook.graph(
        program({ written: "report" }).replace("graph DeepSearch", "graph Broken"),
      ),
    ).not.toBe("");
    expect(await notebook.run("Broken")).toBe("TS2304 1:1-1:7 Cannot find name 'Broken'.");
  });
});

test("types of a person are not those of the graph, whatever they are called", async () => {
  const text = `type Input = { a: number }
type Output = { b: number }
type State = { c: number }
type Node = { d: number }
type Pick = { e: number }
model m = "openai/gpt-4o"
graph Named(q: Input, p: Pick) returns out, node {
  state { out: Output
    where: State
    node: Node }
  agent x { model m; prompt \`\${q.a} \${p.e}\`; writes out, where, node }
  start -> x
}`;
  expect(await notebook.graph(text)).toBe("");
  expect(
    await notebook.run(`const named = async (input: Named.Input) => {
      const run = (null as unknown as typeof Named).run({ ...input, q: { a: 1 }, p: { e: 2 } });
      const { out, node } = await run.output;
      return [out.b, node.d, run.state.where.c, run.state.q.a].map((one) => one.toFixed(1));
    };`),
  ).toBeUndefined();
  expect(await notebook.run("Named.run({ q: { b: 1 }, p: { e: 1 } })")).toContain(
    "'b' does not exist in type 'Input'",
  );
});

const PROGRAMS = join(import.meta.dirname, "../../dsl/programs");
const NEED_CELLS = ["M3501", "M3511"];
const bare = startTypes();
afterAll(() => bare.close());

test.each(readdirSync(PROGRAMS).filter((name) => /^[1-5].*\.madrigal$/.test(name)))(
  "%s has no errors but the functions and tools that it lacks here",
  async (name) => {
    const errors = await new Notebook(bare).graph(readFileSync(join(PROGRAMS, name), "utf8"));
    const others = errors.split("\n").filter((line) => !NEED_CELLS.includes(line.slice(0, 5)));
    expect(others.filter((line) => line !== "")).toEqual([]);
  },
);

test("imports of a graph cell", async () => {
  const text = program({ call: "nowhere(report)" });
  expect(await notebook.graph(`import { nowhere } from "./no-such-file.ts"\n${text}`)).toBe(
    'M3511 «"./no-such-file.ts"» cannot find module `./no-such-file.ts` or its corresponding type declarations',
  );
});

test("names that TypeScript keeps for itself are names in a graph", async () => {
  const text =
    'model m = "openai/gpt-4o"\ngraph G(class: string) returns delete { state { delete: string }\n agent new { model m; prompt `${class}`; writes delete }\n start -> new }';
  expect(await notebook.graph(text)).toBe("");
});

describe("completion and inspection in a graph cell", () => {
  test("`result` shows its forms, as the guide has them", async () => {
    const text = program({ written: "passed = result" }).replace("= result", "= res▮ult");
    const shown = (await notebook.inspect(text)) ?? "";
    const guide = readFileSync("dsl/manual/05-expressions.md", "utf8");
    const rows = [...guide.matchAll(/^\| (`writes .*?) \| (.*) \|$/gm)];
    expect(rows.length).toBeGreaterThan(4);
    for (const [, writes, result] of rows) expect(shown).toContain(`\n${writes}: ${result}`);
  });

  test("words and names that begin as what is written", async () => {
    const text = program().replace("Split", "Split ${ta▮}");
    expect(await notebook.complete(text)).toEqual(["tasks", "task"]);
    expect(await notebook.complete("graph G() { ag▮ }")).toEqual(["agent"]);
  });

  test("behind `within` how long, and behind its `else` what the answer is then", async () => {
    const asking = (ask: string) =>
      `graph Name(usual: string, about: string) returns name {
  state { name: string }
  human who { ask \`Who? \${about}\` ${ask}; writes name }
  start -> who
}`;
    const durations = await notebook.complete(asking("within ▮"));
    expect(durations.slice(0, 4)).toEqual(["10m", "1h", "2h", "1d"]);
    expect(await notebook.complete(asking("within 1▮"))).toEqual(["10m", "1h", "1d"]);
    expect(await notebook.complete(asking("within 2h el▮"))).toEqual(["else"]);
    const answers = await notebook.complete(asking("within 2h else ▮"));
    expect(answers.slice(0, 3)).toEqual(["usual", "about", "name"]);
    // A function of a cell is a value too.
    await notebook.run("const whoElse = () => 'nobody';");
    expect(await notebook.complete(asking("within 2h else who▮"))).toEqual(["who", "whoElse"]);
  });

  test("the declaration of a name", async () => {
    const text = program().replace("${findings}", "${find▮ings}");
    expect(await notebook.inspect(text)).toBe(
      "findings: Finding[] = [] via union(f => f.url)\n\na field of DeepSearch, written by search",
    );
    expect(await notebook.inspect(program().replace("each task", "ea▮ch task"))).toContain(
      "One sub-flow for each item",
    );
  });
});

describe("a case of a `match`", () => {
  const act = (
    cases: string,
  ) => `type Act = { kind: "respond", text: string } | { kind: "plan", steps: string[] }
graph Replan(act: Act) returns answer {
  state { answer: string = "" }
  run next = runTests("x")
  start -> next
  next -> match act.kind { ${cases} }
}`;

  test("says which of a union its subject is", async () => {
    const cases =
      '"respond" -> end set answer = act.text, "plan" -> end set answer = act.steps[0] ?? ""';
    expect(await notebook.graph(act(cases))).toBe("");
    const otherwise =
      '"respond" -> end set answer = act.text, else -> end set answer = act.steps.join(" ")';
    expect(await notebook.graph(act(otherwise))).toBe("");
  });

  test("has no member of another one", async () => {
    const cases = '"respond" -> end set answer = act.steps[0] ?? "", "plan" -> end';
    expect(await notebook.graph(act(cases))).toMatchInlineSnapshot(
      `"M3502 «steps» there is no \`steps\` in \`{ kind: "respond"; text: string; }\`"`,
    );
  });

  test("that can't be is told once", async () => {
    const cases = '"answer" -> end set answer = act.text, else -> end';
    expect(await notebook.graph(act(cases))).toMatchInlineSnapshot(
      `"M3510 «"answer"» this case can never occur (correct the value, or remove the case)"`,
    );
  });
});

test.each([
  ["[...tasks, { query: question, why: `${[1..width].length}` }]", ""],
  ["tasks.map(t => ({ ...t, why: question }))", ""],
  ["tasks.filter(t => not (t.query in [question]) && Math.max(...[1..width]) > 1)", ""],
  [
    "[...question]",
    "M2150 «...question» `...` needs a list here, and this is `string` (`[...list, item]` takes the items of a list; one value stands there without `...`)",
  ],
  [
    "[question..width]",
    "M3104 «task» `number` does not fit `task: Task` (pass a value of that type)",
  ],
  [
    "tasks.filter(t => t.query in width)",
    "M3503 «width» `number` does not fit `string | object | unknown[] | null | undefined`",
  ],
  ["tasks.slice(Math.max(question, 1))", "M3503 «question» `string` does not fit `number`"],
])("items %s", async (items, expected) => {
  expect(await notebook.graph(program({ items }))).toBe(expected);
});
