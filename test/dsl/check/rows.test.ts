/** Proves the requirement rows that older multi-agent systems give for a compiler, one test a row. */
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { check } from "../../../dsl/index.ts";
import { codesOf, report, reportGraph } from "../report.ts";

const state = 'state { a: string = ""\n plan: string = "" }';
const model = "defaults { model m }";

test("a person whom a plan may name needs no arrow", () => {
  const text = `graph G(plan: Plan) returns a {
  state { a: Json }
  human boss(step: Step) "signs" { ask step.details }
  graph go = planGraph(plan) writes a
  start -> go -> end
}`;
  expect(report(text, {})).toBe("");
});

test("A43 [TY] behind `reads` a node is told of those fields and no others", () => {
  const node = (reads: string) =>
    `${state}\nagent x { model m; reads ${reads}; prompt \`Do \${plan}, not \${a}\`; writes a }\nrun y = f(topic) writes plan\nstart -> y -> x`;
  expect(reportGraph(node("plan"))).toMatchInlineSnapshot(
    `"M3106 3:58 \`x\` does not see \`a\`: its \`reads\` does not list it (write \`reads plan, a\`)"`,
  );
  expect(reportGraph(node("plan, a"))).toBe("");
});

test.each([
  [
    "where it is asked whether it is there",
    'a ?? "nothing"',
    "`a`: its `reads` does not list it (write `reads plan, a`)",
  ],
  [
    "compared with null",
    'a == null ? "no" : "yes"',
    "`a`: its `reads` does not list it (write `reads plan, a`)",
  ],
  [
    "as a member of the state",
    "state.a",
    "`a`: its `reads` does not list it (write `reads plan, a`)",
  ],
  [
    "by its name in quotes",
    'state["a"]',
    "`a`: its `reads` does not list it (write `reads plan, a`)",
  ],
  [
    "with the whole state",
    "state",
    "`state`: its `reads` does not list all of it (name what it sees: `plan`)",
  ],
  [
    "by a name that is worked out",
    "state[plan]",
    "`state`: its `reads` does not list all of it (name what it sees: `plan`)",
  ],
  [
    "one that is listed, in any way",
    'plan ?? state.plan ?? state["plan"] ?? state.topic',
    undefined,
  ],
])("A43 [TY] behind `reads` no other field is seen: %s", (_, hole, said) => {
  const text = `${state}\nagent x { model m; reads plan; prompt \`Do \${${hole}}\`; writes a }\nrun y = f(topic) writes plan\nstart -> y -> x`;
  const found = reportGraph(text);
  if (said === undefined) expect(found).toBe("");
  else expect(found.replace(/^M3106 \d+:\d+ /, "")).toBe(`\`x\` does not see ${said}`);
});

test("A46 [TY] a node writes declared fields only", () => {
  expect(
    reportGraph(`${state}\nrun x = f(topic, plan) writes a, b\nstart -> x`),
  ).toMatchInlineSnapshot(`"M3101 3:34 no field is called \`b\` (declare it: \`state { b: … }\`)"`);
});

test("A64 [TY] a graph begins where an arrow leaves `start`, and nowhere else", () => {
  const nodes = `${state}\nrun x = f(topic, plan) writes a\nrun y = f(a) writes plan`;
  expect(codesOf(`graph G(topic: string) returns a {\n${nodes}\nx -> y\n}`)).toEqual(["M3201"]);
  expect(reportGraph(`${nodes}\nstart -> x`)).toMatchInlineSnapshot(
    `"warning M3202 4:5 \`y\` never runs: no arrow leads to it (add an arrow to it, or remove it)"`,
  );
  expect(reportGraph(`${nodes}\nstart -> x -> y`)).toBe("");
});

test("A65 [TY] what goes in, what is kept and what comes out have types", () => {
  const typed = (out: string, input: string) =>
    report(
      `graph G(n: ${input}) returns ${out} {\nstate { a: int = n }\nrun x = f(n) writes a\nstart -> x\n}`,
    );
  expect(typed("a", "int")).toBe("");
  expect(typed("b", "int")).toMatchInlineSnapshot(
    `"M2102 1:25 no field is called \`b\` (declare it: \`state { b: … }\`)"`,
  );
  expect(typed("a", "string")).toMatchInlineSnapshot(
    `"M3103 2:18 the default is \`string\`, but the type is \`int\` (give a default of that type, or change the type)"`,
  );
  expect(typed("a", "Text")).toMatchInlineSnapshot(`"M2104 1:12 no type is called \`Text\`"`);
});

test("A67 [TY] where a path goes on is true or false, one of the values, or picked", () => {
  const flow = (to: string) =>
    reportGraph(
      `state { a: "yes" | "no" = "no" }\nrun x = f(topic) writes a\nrun y = f() writes a\nstart -> x -> ${to}`,
    );
  expect(flow('{ a == "yes" -> y, else -> end }')).toBe("");
  expect(flow('match a { "yes" -> y, "no" -> end }')).toBe("");
  expect(flow("y | end")).toBe("");
  expect(flow('{ a == "yess" -> y, else -> end }')).toMatchInlineSnapshot(
    `"M3210 4:22 "yess" is not one of the possible values (did you mean "yes"?)"`,
  );
  expect(flow("{ a -> y, else -> end }")).toMatchInlineSnapshot(
    `"M3218 4:17 a condition must be true or false, \`a\` is a string (write for example \`a != ""\` or \`a != null\`)"`,
  );
  expect(flow('match a { "yes" -> y }')).toMatchInlineSnapshot(
    `"M3209 4:21 "no" isn't handled (add a case, or \`else -> …\`)"`,
  );
});

test("A69 [TY] parameters and settings are read and never written", () => {
  const text = (write: string) =>
    report(
      `config { depth: 3 }\ngraph G(topic: string) returns a {\nstate { a: string = "" }\nrun x = f(topic, depth) writes a { ${write} }\nstart -> x\n}`,
    );
  expect(text("")).toBe("");
  expect(text('set topic = "x"')).toMatchInlineSnapshot(
    `"M3102 4:40 \`topic\` is a parameter, and parameters never change (declare a field in \`state { }\` and write that)"`,
  );
  expect(text("set depth = 4")).toMatchInlineSnapshot(
    `"M3102 4:40 \`depth\` is a setting, and settings never change (declare a field in \`state { }\` and write that)"`,
  );
});

test("M53 [TY] a run that nobody attends has no questions", () => {
  const lines = `${state}
human ask1 { ask \`\${topic} \${plan}?\`; writes a }
run x = f(a) writes plan { approve before; ensure plan != "" "write one" else ask; limit 3m else ask }
run y = f(plan) writes a { approve after by m }
run z = f(plan) writes a { every 1h until "it is done" max 2 }
run w = f(plan) writes a { every 1h until "it is done" by m max 2 }
approve before y
start -> ask1 -> x -> y -> z -> w`;
  const text = `model m = "rules"\ngraph G(topic: string) returns a {\n${lines}\n}`;
  const told = (people: readonly string[] | undefined) =>
    report(text, people === undefined ? undefined : { people, allowUnreadPrograms: true });
  expect(told([])).toMatchInlineSnapshot(`
    "M4106 5:7 nobody can answer \`ask1\` (name the people who answer, or remove the question)
    M4106 6:28 nobody can answer this \`approve\` (name the people who answer, or remove the question)
    M4106 6:44 nobody can answer the \`else ask\` of this \`ensure\` (name the people who answer, or remove the question)
    M4106 6:84 nobody can answer the \`else ask\` of this \`limit\` (name the people who answer, or remove the question)
    M4106 8:43 nobody can answer this \`until\` (name the people who answer, or remove the question)
    M4106 10:1 nobody can answer this \`approve\` (name the people who answer, or remove the question)"
  `);
  expect(told(["ann"])).toBe("");
  expect(codesOf(text)).not.toContain("M4106");
});

test("S01 [TY] the task of a run is read-only", () => {
  const lines = `${state}\nrun x = f(goal, plan) writes a { set goal = "another" }\nstart -> x`;
  expect(reportGraph(lines, "goal: string")).toMatchInlineSnapshot(
    `"M3102 3:38 \`goal\` is a parameter, and parameters never change (declare a field in \`state { }\` and write that)"`,
  );
});

test("S02 [TY] a planner has no tools that act", () => {
  const text = (tools: string) =>
    report(
      `model m = "rules"\ngraph G(topic: string) returns a {\nstate { a: string = "" }\nagent plan { model m; tools ${tools}; effects none; prompt \`\${topic}\`; writes a }\nstart -> plan\n}`,
      { effects: { "env.look": "none", "env.push": "external" }, allowUnreadPrograms: true },
    );
  expect(text("env.look")).toBe("");
  expect(text("env.look, env.push")).toMatchInlineSnapshot(
    `"M4105 4:39 \`env.push\` has effect \`external\`, and \`plan\` may have \`none\` (remove it, or write \`effects external\`)"`,
  );
  expect(text("env.*")).toMatchInlineSnapshot(
    `"M4105 4:29 \`env.*\` has effect \`external\`, and \`plan\` may have \`none\` (remove it, or write \`effects external\`)"`,
  );
  expect(text("files.read")).toBe("");
});

test("S06 [TY] a writer may merge in its own way, if that fits the field", () => {
  const writer = (via: string) =>
    reportGraph(
      `state { a: string[] = [] via append }\nrun x = f(topic) writes a ${via}\nstart -> x`,
    );
  expect(writer("via replace")).toBe("");
  expect(writer("via union")).toBe("");
  expect(writer("via sum")).toMatchInlineSnapshot(
    `"M3302 2:27 \`via sum\` needs a number, but the type is \`string[]\`"`,
  );
  expect(writer("via repalce")).toMatchInlineSnapshot(
    `"M3303 2:31 no reducer is called \`repalce\` (did you mean \`replace\`?)"`,
  );
});

test("S08 [TY] an undeclared field comes with the declaration that it lacks", () => {
  const hints = (lines: string) =>
    reportGraph(lines)
      .split("\n")
      .filter((line) => line.startsWith("M3101"))
      .map((line) => line.replace(/^.*declare it: (.*)\)$/, "$1"));
  expect(
    hints(`${state}
agent x { model m; prompt \`\${topic}\`; writes thoughts, found via append, ends = result.size via max }
run y = f(plan) writes answer, total via sum, seen via union, known via merge
human z { ask \`?\`; writes wish; set count = 1, ready = a == "", tags = ["new"], pair = { at: 1 } }
start -> x -> y -> z set step = a, done = true`),
  ).toMatchInlineSnapshot(`
    [
      "\`state { thoughts: string }\`",
      "\`state { found: string[] = [] via append }\`",
      "\`state { ends: number = 0 via max }\`",
      "\`state { answer: … }\`",
      "\`state { total: number = 0 via sum }\`",
      "\`state { seen: …[] = [] via union }\`",
      "\`state { known: Record<string, Json> = {} via merge }\`",
      "\`state { wish: string }\`",
      "\`state { count: number }\`",
      "\`state { ready: boolean }\`",
      "\`state { tags: string[] }\`",
      "\`state { pair: { at: number } }\`",
      "\`state { step: string }\`",
      "\`state { done: boolean }\`",
    ]
  `);
  const mended = `${state.replace("plan", "count: number = 0\n plan")}\nrun x = f(topic, plan) writes a { set count = count + 1 }\nstart -> x`;
  expect(reportGraph(mended)).toBe("");
});

test("S10 [TY] a router decides and changes nothing", () => {
  const router = (clauses: string) =>
    reportGraph(
      `${state}\n${model}\nrouter r { reads plan; prompt \`\${topic}\`; ${clauses} }\nrun x = f(plan) writes a\nrun y = f(a) writes plan\nstart -> r -> x | y`,
    );
  expect(router("")).toBe("");
  expect(router('writes a; set plan = ""')).toMatchInlineSnapshot(`
    "M4004 4:43 \`writes\` means nothing in a \`router\` node (it belongs in an \`agent\` or an \`operator\` or a \`human\`)
    M4004 4:53 \`set\` means nothing in a \`router\` node (it belongs in an \`agent\` or an \`operator\` or a \`human\`)"
  `);
});

test("S17 [TY] an index into a list that is planned anew", () => {
  const plan = (reset: string, arrow = "") =>
    reportGraph(`state { a: string = ""\n steps: string[] = []\n at: int = 0 }
run plan = f(topic) writes steps ${reset}
run act = f(steps[at]) writes a { set at = at + 1 }
start -> plan -> act -> { a == "again" -> plan max 2 ${arrow}, at < steps.length -> act max 9, else -> end }`);
  expect(plan("")).toMatchInlineSnapshot(
    `"warning M3223 5:13 \`at\` may point into the \`steps\` from before: \`plan\` replaces it and leaves \`at\` as it is (set it back where the list is replaced: \`set at = 0\`; or ask first: \`at < steps.length ? steps[at] : …\`)"`,
  );
  expect(plan("{ set at = 0 }")).toBe("");
  expect(plan("", "set at = 0")).toBe("");
  expect(plan("", "set a = topic")).toMatch("M3223");
  // Whoever plans says where to begin.
  expect(plan(", at")).toBe("");
  expect(plan("via append")).toBe("");
  // With more behind it, each index means what it meant.
  expect(plan("= [...steps, result]")).toBe("");
  expect(plan("= [result, ...steps]")).toMatch("M3223");
});

test("S17 [TY] an index that is compared with the length, or that may be missing, is asked about", () => {
  const read = (item: string) =>
    reportGraph(`state { a: string = ""\n steps: string[] = []\n at: int = 0 }
run plan = f(topic) writes steps
run act = f(${item}) writes a { set at = at + 1 }
start -> plan -> act -> { a == "again" -> plan max 2, at < steps.length -> act max 9, else -> end }`);
  expect(read("steps[at]")).toMatch("M3223");
  expect(read('at < steps.length ? steps[at] : ""')).toBe("");
  expect(read('steps[at] ?? ""')).toBe("");
  expect(read('at < 3 ? steps[at] : ""')).toMatch("M3223");
});

test("S17 [TY] the programs that set the index back are not warned of it", () => {
  const magentic = readFileSync(
    new URL("../programs/3-magentic.madrigal", import.meta.url),
    "utf8",
  );
  expect(codesOf(magentic)).toEqual([]);
  expect(codesOf(magentic.replace(" set at = 0", ""))).toEqual(["M3223"]);
});

test("S19 [TY] what is never read, and what nobody writes and must be given", () => {
  const text = `model m = "rules"
graph Seed() returns status {
  state {
    description: string
    goal:        string
    rules:       string
    tools:       string
    plan:        string[] = []
    status:      string = ""
    errors:      string[] = [] via append
  }
  agent planner { model m; prompt \`\${description} \${goal} \${rules} \${tools}\`; writes plan }
  agent analyst { model m; prompt \`\${goal} \${plan}\`; writes status, errors }
  start -> planner -> analyst
}`;
  expect(report(text)).toMatchInlineSnapshot(`
    "warning M3206 4:5 nothing writes \`description\` (write it in a node: \`writes description\`; or make it a parameter of the graph)
    warning M3206 5:5 nothing writes \`goal\` (write it in a node: \`writes goal\`; or make it a parameter of the graph)
    warning M3206 6:5 nothing writes \`rules\` (write it in a node: \`writes rules\`; or make it a parameter of the graph)
    warning M3206 7:5 nothing writes \`tools\` (write it in a node: \`writes tools\`; or make it a parameter of the graph)
    warning M3208 10:5 \`errors\` is never read (read it, return it, or remove it)"
  `);
});

test("S21 [TY] a status is one of its values", () => {
  const text = (value: string, condition: string) =>
    reportGraph(
      `state { a: string = ""\n status: "in progress" | "completed" = ${value} }\nrun x = f(topic) writes a, status\nstart -> x -> { ${condition} -> x max 3, else -> end }`,
    );
  expect(text('"in progress"', 'status == "in progress"')).toBe("");
  expect(text('"started"', 'status == "in progress"')).toMatchInlineSnapshot(
    `"M3103 2:40 the default is \`"started"\`, but the type is \`"in progress" | "completed"\` (give a default of that type, or change the type)"`,
  );
  expect(text('"in progress"', 'status == "in progres"')).toMatchInlineSnapshot(
    `"M3210 4:27 "in progres" is not one of the possible values (did you mean "in progress"?)"`,
  );
});

test("E29 [TY] what one agent keeps for itself, another one can't name", () => {
  const text = (scope: "own" | "run") => {
    const url = "url: string = topic";
    const [shared, own] = scope === "run" ? [`state { ${url} }`, ""] : ["", `state { ${url} };`];
    return reportGraph(
      `state { a: string = "" }\n${shared}\nagent browse { model m; prompt \`Open \${url}\`; ${own} writes a; set url = a }\nagent analyse { model m; prompt \`Analyse \${url}\`; writes a }\nstart -> browse -> analyse`,
    );
  };
  expect(text("run")).toBe("");
  expect(text("own")).toMatchInlineSnapshot(
    `"M2103 4:44 no field or parameter is called \`url\` (it is the own state of \`browse\`; no other node can name it)"`,
  );
});

test("E45 [TY] agents that wait for each other, an unknown one, and none at all", () => {
  const nodes = `${state}\nrun x = f(topic, plan) writes a\nrun y = f(a) writes plan`;
  expect(reportGraph(`${nodes}\nstart -> x -> y -> x`)).toMatchInlineSnapshot(
    `"M3205 5:20 \`x -> y -> x\` can go round for ever (write \`max 5\` behind one of its arrows, or \`limit 100 steps\` in the graph)"`,
  );
  expect(reportGraph(`${nodes}\nstart -> x -> y -> z`)).toMatchInlineSnapshot(
    `"M2101 5:20 no node is called \`z\` (there are \`x\`, \`y\`, \`start\`, \`end\`, \`return\`)"`,
  );
  expect(report("graph G() {\n}")).toMatchInlineSnapshot(
    `"M3201 1:7 \`G\` never starts: no arrow leaves \`start\`"`,
  );
});

test("W42 [TY] a workflow has one entry, ends, and names what its nodes may hand over to", () => {
  const nodes = `${state}\n${model}
agent lead "leads" { prompt \`\${topic}\`; writes plan }
agent work "works" { prompt \`\${plan}\`; writes a }`;
  const flow = (lines: string) => reportGraph(`${nodes}\n${lines}`);
  expect(flow("start -> lead -> work | end\nwork -> lead max 3")).toBe("");
  expect(flow("start -> lead -> work -> lead max 3")).toMatchInlineSnapshot(
    `"warning M3219 6:26 no way leads out of \`lead -> work -> lead\` (add a condition that ends it: \`a -> { done -> end, else -> b max 3 }\`; a run that ends only by a used-up \`max\` fails)"`,
  );
  expect(flow("start -> lead -> work | wrok")).toMatchInlineSnapshot(
    `"M2101 6:25 no node is called \`wrok\` (did you mean \`work\`?)"`,
  );
  expect(flow("start -> lead -> work | work | end")).toMatchInlineSnapshot(
    `"warning M2003 6:25 \`work\` is already in this list (remove one of the two)"`,
  );
  expect(flow("start -> lead | work")).toMatchInlineSnapshot(
    `"M3211 6:10 no node picks one of these: \`start\` decides nothing (add a \`router\` that picks, write conditions \`{ a == 1 -> x, else -> y }\`, or start all of them \`[x, y]\`)"`,
  );
  expect(flow("start -> lead\nlead -> lead max 3")).toMatchInlineSnapshot(`
    "warning M3202 5:7 \`work\` never runs: no arrow leads to it (add an arrow to it, or remove it)
    warning M3219 7:9 no way leads out of \`lead -> lead\` (add a condition that ends it: \`a -> { done -> end, else -> b max 3 }\`; a run that ends only by a used-up \`max\` fails)"
  `);
});

test("both ways to two writers at the same time are shown", () => {
  const text = `graph G(topic: string) returns a {
state { a: string = "" }
run plan = f(topic)
run left = f()
run right = f()
run one = f() writes a
run two = f() writes a
start -> plan -> [left, right]
left -> one
right -> two
}`;
  const { diagnostics } = check({ file: "test.madrigal", text });
  const shown = diagnostics.map(({ code, line, related = [] }) => ({
    code,
    line,
    related: related.map((each) => `${each.line}:${each.column} ${each.message}`),
  }));
  expect(shown).toMatchInlineSnapshot(`
    [
      {
        "code": "M3301",
        "line": 7,
        "related": [
          "6:22 \`one\` writes it here, on the way \`plan -> left -> one\`",
          "7:22 \`two\` writes it here, on the way \`plan -> right -> two\`",
        ],
      },
    ]
  `);
});

test("for items of an each it is shown where they start", () => {
  const text = `graph G(words: string[]) returns a {
state { a: string = "" }
run note(w: string) = f(w) writes a
start -> each w of words { note(w) }
}`;
  const [first] = check({ file: "test.madrigal", text }).diagnostics;
  expect(first).toMatchObject({
    code: "M3301",
    related: [{ line: 4, column: 20, message: "one run an item, several at the same time" }],
  });
});

test("E22 [TY] fields are the run's, or an agent's own; what the run says of itself nobody writes", () => {
  const node = (more: string, other = "") =>
    `${state}\nagent x { ${model.slice(11, -2)}; prompt \`Do \${topic} after \${plan}\`; writes a; state { own: int = 0 } ${more} }\nrun y = f(topic) writes plan ${other}\nstart -> x -> y`;
  expect(reportGraph(node("set own = own + 1"))).toBe("");
  expect(reportGraph(node("set own = own + 1", "{ set plan = own }"))).toMatchInlineSnapshot(
    `"M2103 4:43 no field or parameter is called \`own\` (it is the own state of \`x\`; no other node can name it)"`,
  );
  expect(reportGraph(node("set own = own + 1", "{ set own = 1 }"))).toMatchInlineSnapshot(
    `"M3101 4:36 no field is called \`own\` (it is the own state of \`x\`; no other node can name it)"`,
  );
  expect(reportGraph(node("set run = 1"))).toMatchInlineSnapshot(
    `"M3101 3:93 no field is called \`run\` (declare it: \`state { run: number }\`)"`,
  );
  expect(reportGraph(node("state { a: int = 0 }"))).toMatchInlineSnapshot(
    `"M2001 3:97 there is already a field or parameter called \`a\` (rename one of the two, or remove it)"`,
  );
});

test("W55 [TY] an agent acts on its run only with tools that it lists", () => {
  const node = (tools: string) =>
    `${state}\nagent x { ${model.slice(11, -2)}; prompt \`Do \${topic} after \${plan}\`; writes a; tools ${tools} }\nstart -> x`;
  expect(reportGraph(node("run.steer, run.pause, run.modify"))).toBe("");
  expect(reportGraph(node("run.*"))).toBe("");
  expect(reportGraph(node("run.stear"))).toMatchInlineSnapshot(
    `"M2107 3:72 no tool is called \`run.stear\` (did you mean \`run.steer\`?)"`,
  );
});
