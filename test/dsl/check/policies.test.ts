import { expect, test } from "vitest";
import { report, reportGraph } from "../report.ts";

const field = "state { a: string = topic }";

test.each([
  ["40k token", "write it like `40k tokens`"],
  ["10 iterations", "write it like `12 turns`"],
  ["2 dollars", "write it like `$2`"],
  ["30 seconds", "write it like `30s`"],
  ["5 stesp", "did you mean `steps`?"],
  [
    "5 apples",
    "there are `tokens`, `turns`, `calls`, `steps`, `errors`, `repeats`, times like `3m` and money like `$2`",
  ],
])("limit %s", (limit, hint) => {
  const text = `${field}\nagent x { model m; prompt \`x\`; writes a; limit ${limit} }\nstart -> x`;
  expect(reportGraph(text)).toMatch(/^M4101/);
  expect(reportGraph(text)).toContain(`(${hint})`);
});

test("limits that are right", () => {
  expect(
    reportGraph(
      `${field}\nagent x { model m; prompt \`x\`; writes a; limit 3m, $0.50, 40k tokens, 12 turns, 3 calls }\nlimit 60 steps, 3 errors, 2 repeats\nstart -> x`,
    ),
  ).toBe("");
});

test("classes behind retry and words behind on", () => {
  expect(
    reportGraph(
      `${field}\nagent x { model m; prompt \`x\`; writes a; retry 2 on network | tols, 1 on timeout }\nagent y { model m; prompt \`x\`; writes a }\nstart -> x\nx -> y on failure\nx -> y on eror`,
    ),
  ).toMatchInlineSnapshot(`
    "M4102 2:53 no class of error is called \`network\` (did you mean \`transport\`?)
    M4102 2:63 no class of error is called \`tols\` (there are \`transport\`, \`model\`, \`filter\`, \`refusal\`, \`invalid\`, \`tool\`, \`timeout\`)
    M4103 5:11 no ending of a node is called \`failure\` (did you mean \`error\`?)
    M4103 6:11 no ending of a node is called \`eror\` (did you mean \`error\`?)"
  `);
});

test("what nodes can't do without", () => {
  expect(
    reportGraph(
      `${field}\nagent x { writes a }\nrouter r { prompt \`x\` }\nhuman h { writes a }\noperator o { prompt \`x\`; writes a }\nstart -> x -> r -> h | o`,
    ),
  ).toMatchInlineSnapshot(`
    "M4001 2:7 \`x\` has no model (write \`model NAME\` in it, or once in \`defaults { }\`)
    M4002 2:7 \`x\` has no \`prompt\` (say in a \`prompt\` what it is to do)
    M4001 3:8 \`r\` has no model (write \`model NAME\` in it, or once in \`defaults { }\`)
    M4002 4:7 \`h\` has no \`ask\` (write its question behind \`ask\`)
    M4002 5:10 \`o\` has no \`controller\` (write \`controller claude_code\`, for example)"
  `);
});

test("defaults give what is lacking", () => {
  expect(
    reportGraph(
      `${field}\ndefaults { model m; prompt \`Do ${"${topic}"}.\` }\nagent x { writes a }\nstart -> x`,
    ),
  ).toBe("");
});

test("clauses that stand twice or mean nothing", () => {
  expect(
    reportGraph(`${field}
defaults { retry 1; retry 2 }
run x = f() writes a { writes a; model m; ask \`?\` }
human h { ask \`?\`; writes a; tools t; controller codex; ensure a != "" "x"; ensure a != "y" "z" }
start -> x -> h`),
  ).toMatchInlineSnapshot(`
    "M4003 2:21 \`defaults\` already has a \`retry\` (merge the two)
    M4003 3:24 \`x\` already has a \`writes\` (merge the two)
    M4004 3:34 \`model\` means nothing in a \`run\` node (it belongs in an \`agent\` or an \`operator\` or a \`router\`)
    M4004 3:43 \`ask\` means nothing in a \`run\` node (it belongs in a \`human\`)
    M4004 4:30 \`tools\` means nothing in a \`human\` node (it belongs in an \`agent\` or an \`operator\` or a \`router\`)
    M4004 4:39 \`controller\` means nothing in a \`human\` node (it belongs in an \`operator\`)"
  `);
});

test("one limit a graph, one clause of a kind an arrow", () => {
  expect(
    reportGraph(`${field}
run x = f() writes a
limit 3m
limit $2
start -> x when a != "" max 2 max 3 set a = "x" set a = "y"`),
  ).toMatchInlineSnapshot(`
    "M4003 4:1 the graph already has a \`limit\` (merge the two: \`limit 3m, $2, 60 steps\`)
    M4003 5:31 this arrow already has a \`max\` (merge the two)"
  `);
});

test("a condition in words needs a judge", () => {
  expect(
    reportGraph(
      `${field}\nagent x { model m; prompt \`x\`; writes a; ensure "it is short" }\nstart -> x`,
    ),
  ).toMatchInlineSnapshot(
    `"M4104 2:49 a condition in words needs a judge (name a model: \`ensure "…" by fast\`; or write an expression: \`ensure tasks.length > 0 "…"\`)"`,
  );
});

test("what is unused: models, types, imports, servers, parameters", () => {
  expect(
    report(`import { f, g as h } from "./f.ts"
mcp files = "npx files"
model m = "scripted"
type T = { x: U }
type U = int
graph G(topic: string, n: int = 1) returns a {
  state { a: string = "" }
  run x(w: int, v: int) = f(w) writes a
  start -> x(1, 2)
}`),
  ).toMatchInlineSnapshot(`
    "warning M2301 1:18 nothing uses the import \`h\` (use it, or remove it)
    warning M2301 2:5 nothing uses the mcp \`files\` (use it, or remove it)
    warning M2301 3:7 nothing uses the model \`m\` (use it, or remove it)
    warning M2301 4:6 nothing uses the type \`T\` (use it, or remove it)
    warning M2301 6:9 nothing uses the parameter \`topic\` (use it, or remove it)
    warning M2301 6:24 nothing uses the parameter \`n\` (use it, or remove it)
    warning M2301 8:17 nothing uses the parameter \`v\` (use it, or remove it)"
  `);
});

test("a file without a graph declares for others", () => {
  expect(report('model m = "scripted"\ntype T = int\n')).toBe("");
});

test("nothing is called unused as long as something is wrong", () => {
  expect(report('model m = "scripted"\ngraph G() { start -> x }')).toMatch(/^M2101[^\n]*$/);
});

test("a clause that could not be read is not called missing", () => {
  expect(
    reportGraph(
      `${field}\nagent x { modle m\n writes a; prompt \`x\` }\nagent y { model m; promt \`y\`; writes a }\nagent z { writes a }\nstart -> x -> y -> z`,
    ),
  ).toMatchInlineSnapshot(`
    "M1102 2:11 \`modle\` does not begin a clause (did you mean \`model\`?)
    M1102 4:20 \`promt\` does not begin a clause (did you mean \`prompt\`?)
    M4001 5:7 \`z\` has no model (write \`model NAME\` in it, or once in \`defaults { }\`)
    M4002 5:7 \`z\` has no \`prompt\` (say in a \`prompt\` what it is to do)"
  `);
  expect(
    reportGraph(`${field}\ndefaults { modle m }\nagent x { prompt \`x\`; writes a }\nstart -> x`),
  ).toMatchInlineSnapshot(
    `"M1102 2:12 \`modle\` does not begin a clause (did you mean \`model\`?)"`,
  );
});

test("a time limit in `defaults` is for the nodes that work: a question beside them is not refused", () => {
  const human = (own: string) =>
    reportGraph(`state { a: string }
defaults { limit 2h, 30 turns }
run x = f(topic)
human who { ask \`Who is \${topic}?\` within 1d; writes a${own} }
start -> who -> x`);
  expect(human("")).toBe("");
  expect(human("; limit 2h")).toContain("M4110");
});

test("a limit that a question never reaches, in whatever unit", () => {
  const human = (limit: string, clause = "") =>
    reportGraph(`state { a: string }
human who { ask \`Who is \${topic}?\`; writes a; limit ${limit}${clause} }
start -> who`);
  for (const limit of ["2h", "12 turns", "40k tokens", "$2", "3 calls", "9 steps"]) {
    expect(human(limit), limit).toContain("M4110");
  }
  expect(human("2 errors, $2")).toMatchInlineSnapshot(
    `"M4110 2:63 a question spends no money: this limit is never reached (remove it; \`ask … within 2h\` ends a question that nobody answers, and a \`limit\` of the graph is for the whole run)"`,
  );
  expect(human("2 errors, 3 repeats")).toBe("");
  // What a model that judges the answer spends, it spends within the node.
  for (const limit of ["12 turns", "40k tokens", "$2"]) {
    expect(human(limit, '; ensure "it is a name" by m'), limit).toBe("");
    expect(human(limit, '; every 1h until "it is a name" by m'), limit).toBe("");
    expect(human(limit, '; every 1h until "it is a name"'), limit).toContain("M4110");
  }
  expect(human("2h", '; ensure "it is a name" by m')).toContain("M4110");
});

test.each([
  ["2h..1d", ""],
  ["1d..2h", "M4150"],
  ["2h..2h", "M4150"],
  ["1m..2d", "M4150"],
  ['1h then ask "lead" within 2h..1h', "M4150"],
])("within %s", (wait, code) => {
  const human = `${field}\nhuman who { ask \`Who?\` within ${wait}; writes a }\nstart -> who`;
  const approval = `${field}\nrun who = f() writes a { approve before within ${wait} }\nstart -> who`;
  const whole = `${field}\nrun who = f() writes a\napprove before who within ${wait}\nstart -> who`;
  for (const text of [human, approval, whole])
    expect(/M\d+/.exec(reportGraph(text))?.[0] ?? "").toBe(code);
});

test.each([
  ['from ["ann", "bob"]; writes ok', ""],
  ['from ["ann"] within 1h then ask ["lead", "cfo"]; writes ok', ""],
  ["from persons; writes ok", ""],
  ['from "ann"; writes a', ""],
  ['from ["ann", "bob"]; writes a', "M4990"],
  ["from persons; writes a", "M4990"],
  ['from "ann" within 1h then ask persons; writes a', "M4990"],
  ['from ["ann", "bob"]; edits a', "M4990"],
  ["from []; writes ok", "M4991"],
  ['from ["ann", "bob", "ann"]; writes ok', "M4991"],
  ['within 1h then ask ["lead", "lead"]; writes ok', "M4991"],
  ['from ["ann", "bob"] need 2; writes ok', ""],
  ["from persons need 2; writes ok", ""],
  ['from ["ann", "bob"] need 3; writes ok', "M4992"],
  ['from ["ann", "bob"] need 0; writes ok', "M4992"],
  ['from ["ann", "bob"] need 1.5; writes ok', "M4992"],
  ['from "ann" need 1; writes ok', "M4992"],
  ['from "ann" within 1h then ask ["lead", "cfo"] need 3; writes ok', "M4992"],
])("several persons: %s", (clause, code) => {
  const state = `${field}\nstate { ok: boolean = false\n persons: string[] = [] }`;
  const text = `${state}\nhuman who { ask \`Pay?\` ${clause} }\nrun give = g() writes persons, ok, a\nstart -> give -> who`;
  expect(/M499\d/.exec(reportGraph(text))?.[0] ?? "").toBe(code);
});

test("several persons behind an approval", () => {
  const approved = (persons: string) =>
    `${field}\nrun who = f() writes a { approve before within 1h then ask ${persons} }\nstart -> who`;
  expect(reportGraph(approved('["lead", "cfo"]'))).not.toContain("M4991");
  expect(reportGraph(approved('["lead", "lead"]'))).toContain("M4991");
  expect(reportGraph(approved('["lead", "cfo"] need 3'))).toContain("M4992");
  const named = (from: string) =>
    reportGraph(`${field}\nrun who = f() writes a { approve before from ${from} }\nstart -> who`);
  expect(named('["lead", "cfo"] need 1')).not.toContain("M4992");
  expect(named('["lead", "cfo"] need 3')).toContain("M4992");
  expect(named("nobody")).toContain("M2");
});
