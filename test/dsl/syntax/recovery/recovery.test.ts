/** One mistake, one line about it; and what stands around it is kept. */
import { expect, test } from "vitest";
import { astOf, program, report } from "../reading.ts";

const deepSearch = program("1-");

/** DeepSearch with one thing changed: what is said, and how many of the graph's items are left. */
function changed(from: string, to: string): string {
  if (!deepSearch.includes(from)) throw new Error(`DeepSearch has no ${from}`);
  const text = deepSearch.replace(from, to);
  const graph = astOf(text).items.find(({ kind }) => kind === "graph");
  const kept = graph?.kind === "graph" ? graph.items.length : 0;
  return `${report(text)}\nkept ${kept} of 6`;
}

test("a misspelt clause", () => {
  expect(changed("prompt `Find", "promt `Find")).toMatchInlineSnapshot(`
    "M1102 24:5 \`promt\` does not begin a clause (did you mean \`prompt\`?)
    kept 6 of 6"
  `);
});

test("an object type with an index", () => {
  expect(report("type Counts = { [k: string]: int }\n")).toMatchInlineSnapshot(
    `"M1101 1:17 an object type names its members, and has no index (an object with any keys is \`Record<string, int>\`)"`,
  );
});

test("a step of a plan by a number", () => {
  const test = (step: string) => report(`test "t" of G {\n  go/${step} says "x"\n}\n`);
  expect([test("step_0"), test("0")]).toEqual([
    "",
    "M1101 2:6 expected a name after `/`, found `0` (did you mean `step_0`? So the step of a plan is called whose id is 0)",
  ]);
});

test("a comma missing in a list", () => {
  expect(changed("web.search, web.read", "web.search web.read")).toMatchInlineSnapshot(`
    "M1103 23:23 a comma is missing between \`search\` and \`web\`
    kept 6 of 6"
  `);
});

test("a word where a number belongs", () => {
  expect(changed("retry  2", 'retry  "two"')).toMatchInlineSnapshot(`
    "M1101 26:12 expected a number or the name of a parameter after \`retry\`, found \`"two"\`
    kept 6 of 6"
  `);
});

test("the } of a node missing", () => {
  expect(changed("40k tokens\n  }", "40k tokens\n")).toMatchInlineSnapshot(`
    "M1104 21:58 this \`{\` is never closed (add a \`}\`)
    kept 6 of 6"
  `);
});

test("the } of a state block missing", () => {
  expect(changed("report:   string\n  }", "report:   string\n")).toMatchInlineSnapshot(`
    "M1104 8:9 this \`{\` is never closed (add a \`}\`)
    kept 6 of 6"
  `);
});

test("the } of the graph missing", () => {
  expect(changed("-> end\n}", "-> end\n")).toMatchInlineSnapshot(`
    "M1104 7:67 this \`{\` is never closed (add a \`}\`)
    kept 6 of 6"
  `);
});

test("a } too many at the end", () => {
  expect(changed("-> end\n}", "-> end\n}\n}")).toMatchInlineSnapshot(`
    "M1105 38:1 this \`}\` closes nothing (remove it)
    kept 6 of 6"
  `);
});

test("a } too many in the middle", () => {
  expect(changed("report:   string\n  }", "report:   string\n  }}")).toMatchInlineSnapshot(`
    "M1105 12:4 this \`}\` closes nothing (remove it)
    kept 6 of 6"
  `);
});

test("a prompt that is never closed", () => {
  expect(
    changed("${question}`\n    writes tasks", "${question}\n    writes tasks"),
  ).toMatchInlineSnapshot(`
    "M1003 16:12 this prompt is never closed (it runs on through \`writes\`: add the closing backtick)
    kept 6 of 6"
  `);
});

test("the last prompt is never closed", () => {
  expect(changed("${findings}`", "${findings}")).toMatchInlineSnapshot(`
    "M1003 32:12 this prompt is never closed (it runs on through \`writes\`: add the closing backtick)
    kept 6 of 6"
  `);
});

test("a prompt in triple backticks that is never closed", () => {
  expect(changed("`Split into", "```Split into")).toMatchInlineSnapshot(`
    "M1003 16:12 this prompt is never closed (it runs on through \`writes\`: add the closing backtick)
    kept 6 of 6"
  `);
});

test("a hole that is never closed", () => {
  expect(changed("${width} independent", "${width independent")).toMatchInlineSnapshot(`
    "M1004 16:32 this \`\${\` is never closed (add a \`}\` behind the expression)
    kept 6 of 6"
  `);
});

test("a hole that is never closed at the end of its prompt", () => {
  expect(
    changed("${question}`\n    writes tasks", "${question`\n    writes tasks"),
  ).toMatchInlineSnapshot(`
    "M1004 16:63 this \`\${\` is never closed (add a \`}\` behind the expression)
    kept 6 of 6"
  `);
});

test("a hole with nothing in it", () => {
  expect(changed("${width}", "${}")).toMatchInlineSnapshot(`
    "M1101 16:34 expected an expression after \`\${\`, found \`}\`
    kept 6 of 6"
  `);
});

test("a hole with two things in it", () => {
  expect(changed("${width}", "${width height}")).toMatchInlineSnapshot(`
    "M1101 16:40 expected \`}\` after \`width\`, found \`height\`
    kept 6 of 6"
  `);
});

test("a hole and its prompt that are never closed", () => {
  expect(
    changed("${question}`\n    writes tasks", "${question\n    writes tasks"),
  ).toMatchInlineSnapshot(`
    "M1004 16:63 this \`\${\` is never closed (add a \`}\` and a backtick behind the expression)
    kept 6 of 6"
  `);
});

test("a string that is never closed in a hole", () => {
  expect(changed("${question}`\n", '${f("x)}`\n')).toMatchInlineSnapshot(`
    "M1002 16:67 this string is never closed (end it with " on the same line)
    kept 6 of 6"
  `);
});

test("a history of none has no size", () => {
  expect(changed("limit  3m, 40k tokens", "history none 40k tokens")).toMatchInlineSnapshot(`
    "M1101 27:18 \`40k\` cannot follow \`none\`
    kept 6 of 6"
  `);
});

test("a string that is never closed", () => {
  expect(changed('"anthropic/claude-opus-5"', '"anthropic/claude-opus-5')).toMatchInlineSnapshot(`
    "M1002 1:15 this string is never closed (end it with " on the same line)
    kept 6 of 6"
  `);
});

test("a string that swallows a brace", () => {
  expect(
    changed('"finds evidence for one task"', '"finds evidence for one task'),
  ).toMatchInlineSnapshot(`
    "M1002 21:28 this string is never closed (end it with " on the same line)
    kept 6 of 6"
  `);
});

test("a comment that is never closed", () => {
  expect(changed("limit $3, 20m", "limit $3, 20m /* or so")).toMatchInlineSnapshot(`
    "M1005 36:17 this comment is never closed (end it with \`*/\`)
    kept 6 of 6"
  `);
});

test("a field without a type", () => {
  expect(changed("tasks:    Task[]", "tasks:")).toMatchInlineSnapshot(`
    "M1107 9:10 a type is missing after \`:\` (write it on the line of the colon, for example \`string\`)
    kept 6 of 6"
  `);
});

test("a field without a colon", () => {
  expect(changed("tasks:    Task[]", "tasks")).toMatchInlineSnapshot(`
    "M1107 9:10 \`tasks\` has no type (write \`tasks: string\`)
    kept 6 of 6"
  `);
});

test("a parameter without a type", () => {
  expect(changed("question: string,", "question,")).toMatchInlineSnapshot(`
    "M1107 7:26 \`question\` has no type (write \`question: string\`)
    kept 6 of 6"
  `);
});

test("a node without a name", () => {
  expect(changed("agent plan ", "agent ")).toMatchInlineSnapshot(`
    "M1101 14:9 expected a name after \`agent\`, found \`"splits a question into independent sea…\`
    kept 5 of 6"
  `);
});

test("another arrow", () => {
  expect(changed("start -> plan", "start => plan")).toMatchInlineSnapshot(`
    "M1101 37:9 expected \`->\` after \`start\`, found \`=>\` (an edge is written \`a -> b\`)
    kept 5 of 6"
  `);
});

test("a longer arrow", () => {
  expect(changed("start -> plan", "start --> plan")).toMatchInlineSnapshot(`
    "M1101 37:9 expected \`->\` after \`start\`, found \`-\` (an edge is written \`a -> b\`)
    kept 5 of 6"
  `);
});

test("a printed arrow", () => {
  expect(changed("start -> plan", "start → plan")).toMatchInlineSnapshot(`
    "M1001 37:9 \`→\` means nothing here (an edge is written \`a -> b\`)
    kept 5 of 6"
  `);
});

test("an arrow missing", () => {
  expect(changed("-> write -> end", "-> write end")).toMatchInlineSnapshot(`
    "M1101 37:76 expected \`->\` after \`write\`, found \`end\` (an edge is written \`a -> b\`)
    kept 6 of 6"
  `);
});

test("a misspelt node word", () => {
  expect(changed("agent plan ", "agnt plan ")).toMatchInlineSnapshot(`
    "M1102 14:3 \`agnt\` does not begin a node, a state block or an edge (did you mean \`agent\`?)
    kept 5 of 6"
  `);
});

test("a word of another tool for a clause", () => {
  expect(changed("limit  3m, 40k tokens", "timeout 3m")).toMatchInlineSnapshot(`
    "M1102 27:5 \`timeout\` does not begin a clause (did you mean \`limit\`?)
    kept 6 of 6"
  `);
});

test("a word of another tool for a state block", () => {
  expect(changed("state {", "channels {")).toMatchInlineSnapshot(`
    "M1102 8:3 \`channels\` does not begin a node, a state block or an edge (did you mean \`state\`?)
    kept 5 of 6"
  `);
});

test("a word of another tool in an edge", () => {
  expect(
    changed("each task of tasks parallel 8", "for task of tasks parallel 8"),
  ).toMatchInlineSnapshot(`
    "M1101 37:24 expected \`->\` after \`for\`, found \`task\` (did you mean \`each\`?)
    kept 6 of 6"
  `);
});

test("two words of another tool in an edge", () => {
  expect(
    changed("each task of tasks parallel 8", "parallel for task of tasks"),
  ).toMatchInlineSnapshot(`
    "M1101 37:29 expected \`->\` after \`parallel\`, found \`for\` (did you mean \`each\`?)
    kept 6 of 6"
  `);
});

test("a word of another tool for a condition", () => {
  expect(changed("-> write -> end", "-> write if report")).toMatchInlineSnapshot(`
    "M1101 37:76 expected \`->\` after \`write\`, found \`if\` (did you mean \`when\`?)
    kept 6 of 6"
  `);
});

test("a ) missing", () => {
  expect(changed("{ search(task) }", "{ search(task }")).toMatchInlineSnapshot(`
    "M1101 37:64 expected \`)\` after \`task\`, found \`}\`
    kept 5 of 6"
  `);
});

test("a reserved word for a field", () => {
  expect(changed("report:   string", "each:   string")).toMatchInlineSnapshot(`
    "M1106 11:5 \`each\` is a reserved word and cannot be a name (choose another name, for example \`each_\`)
    kept 6 of 6"
  `);
});

test("a comment of another language", () => {
  expect(changed("limit $3, 20m", "# limit $3, 20m")).toMatchInlineSnapshot(`
    "M1001 36:3 \`#\` means nothing here (comments begin with \`//\`)
    kept 6 of 6"
  `);
});

test("a limit without a unit", () => {
  expect(changed("limit $3, 20m", "limit 30")).toMatchInlineSnapshot(`
    "M1108 36:9 \`30\` has no unit (write for example \`20 turns\`, \`40k tokens\`, \`60 steps\`, \`3m\` or \`$2\`)
    kept 6 of 6"
  `);
});

test("a unit that does not exist", () => {
  expect(changed("limit $3, 20m", "limit 30sec")).toMatchInlineSnapshot(`
    "M1006 36:9 \`30sec\` is not an amount (durations end in ms, s, m, h or d; large numbers in k or M; a unit word stands apart: \`60 steps\`)
    kept 6 of 6"
  `);
});

test("= for ==", () => {
  expect(changed("tasks.length <= width", "tasks.length = width")).toMatchInlineSnapshot(`
    "M1101 18:25 \`=\` cannot follow \`length\` (did you mean \`==\`?)
    kept 6 of 6"
  `);
});

test("a clause without its operand", () => {
  expect(changed("tools  web.search, web.read", "tools")).toMatchInlineSnapshot(`
    "M1101 23:10 expected a name after \`tools\`, found the end of the line (\`prompt\` on the next line was taken for it)
    kept 6 of 6"
  `);
});

test("a comma with nothing behind it", () => {
  expect(changed("web.search, web.read", "web.search, web.read,")).toMatchInlineSnapshot(`
    "M1101 23:33 expected a name after \`,\`, found the end of the line (\`prompt\` on the next line was taken for it)
    kept 6 of 6"
  `);
});

test("a clause outside a node", () => {
  expect(changed("limit $3, 20m", "prompt `x`")).toMatchInlineSnapshot(`
    "M1102 36:3 \`prompt\` does not begin a node, a state block or an edge (\`prompt\` stands inside the braces of a node)
    kept 5 of 6"
  `);
});

test("a second graph before the first is closed", () => {
  expect(changed("-> end\n}", "-> end\ngraph B { start -> end }")).toMatchInlineSnapshot(`
    "M1104 7:67 this \`{\` is never closed (add a \`}\`)
    kept 6 of 6"
  `);
});

test("two mistakes on two lines", () => {
  expect(
    changed("web.search, web.read\n    prompt", "web.search web.read\n    promt"),
  ).toMatchInlineSnapshot(`
    "M1103 23:23 a comma is missing between \`search\` and \`web\`
    M1102 24:5 \`promt\` does not begin a clause (did you mean \`prompt\`?)
    kept 6 of 6"
  `);
});

test("two mistakes on one line", () => {
  expect(
    changed("tools  web.search, web.read", "tols web.search web.read, ="),
  ).toMatchInlineSnapshot(`
    "M1102 23:5 \`tols\` does not begin a clause (did you mean \`tools\`?)
    kept 6 of 6"
  `);
});

test("nothing", () => {
  expect(report("")).toMatchInlineSnapshot(`""`);
});

test("words that mean nothing", () => {
  expect(report("hello world")).toMatchInlineSnapshot(
    `"M1102 1:1 \`hello\` does not begin a declaration"`,
  );
});

test("a node outside a graph", () => {
  expect(report("agent a { prompt `x` }")).toMatchInlineSnapshot(
    `"M1102 1:1 \`agent\` does not begin a declaration (\`agent\` stands inside \`graph … { }\`)"`,
  );
});

test("braces that belong to nothing", () => {
  expect(report("}}}")).toMatchInlineSnapshot(`"M1105 1:1 this \`}\` closes nothing (remove it)"`);
});

test("a line of open brackets", () => {
  expect(report("graph G { ((( [[[ {{{")).toMatchInlineSnapshot(
    `"M1102 1:11 \`(\` does not begin a node, a state block or an edge"`,
  );
});

test("the middle of a prompt", () => {
  expect(report("` ${ `")).toMatchInlineSnapshot(
    `"M1102 1:1 a backtick does not begin a declaration"`,
  );
});

test("a backtick too many", () => {
  expect(report("model a = `x` `\nmodel b = `${c}`\nmodel d = `${e}`")).toMatchInlineSnapshot(
    `"M1003 1:15 this prompt is never closed (it runs on through \`model\`: add the closing backtick)"`,
  );
});

test("a byte order mark and the line ends of Windows", () => {
  expect(report("\uFEFFmodel a = 1\r\nmodel b =\r\n")).toMatchInlineSnapshot(
    `"M1101 2:10 expected an expression after \`=\`, found the end of the text"`,
  );
});

test("brackets may nest 200 deep", () => {
  expect(report(`model a = ${"(".repeat(200)}1${")".repeat(200)}`)).toBe("");
});

test.each([
  ["open brackets", "(".repeat(20_000)],
  ["prompts in holes", "`${".repeat(20_000)],
  ["conditions", "a ? b : ".repeat(20_000)],
  ["lambdas", "a => ".repeat(20_000)],
])("%s without end are one mistake", (_what, text) => {
  expect(report(`model a = ${text}`)).toMatch(/^M1112 .*$/);
  expect(report("model a = 1")).toBe("");
});

test("= for == before the arrow of a branch", () => {
  expect(
    report("graph G(r: int) {\n  start -> { r = 3 -> end, else -> end }\n}"),
  ).toMatchInlineSnapshot(
    `"M1101 2:16 expected \`->\` after \`r\`, found \`=\` (did you mean \`==\`?)"`,
  );
});

test.each([
  ["between fields", "state { r: int; q: int }"],
  ["between fields, a comma", "state { r: int = 1,\n q: int }"],
  ["behind a call", "run f = g() writes r;"],
  ["behind an edge", "start -> f;"],
  ["behind a node", "agent a { prompt `x` };"],
  ["between clauses, a comma", "agent a { prompt `x`, model m }"],
  ["between branches", "start -> { r -> f; else -> end }"],
])("a separator %s", (_where, line) => {
  expect(report(`graph G {\n${line}\n}`)).toMatch(
    /^\S+ 2:\d+ `[;,]` .*\((no separator is needed here: .* stand one on a line|.* stand one on a line, or with one `[;,]` between them)\)$/,
  );
});

test("a separator behind a declaration", () => {
  expect(report('import { f } from "./f.ts";\nmodel m = "x";')).toMatchInlineSnapshot(`
    "M1101 1:27 \`;\` cannot follow \`"./f.ts"\` (no separator is needed here: declarations stand one below the other)
    M1101 2:14 \`;\` cannot follow \`"x"\` (no separator is needed here: declarations stand one below the other)"
  `);
});

test.each([
  [
    "human h { ask `x` within 2 hours; writes c }",
    "expected a duration after `within`, found `2` (a duration is one word: `2h`, `30m`, `1d`)",
  ],
  [
    "agent h { prompt `x`; approve before `ok?` within then ask lead within 1d }",
    "expected a duration after `within`, found `then` (a duration is one word: `2h`, `30m`, `1d`)",
  ],
  [
    'human h { ask `x` within 2h then "bob"; writes c }',
    'expected `ask` after `then`, found `"bob"` (write `then ask "bob" within 1h` to ask the next person)',
  ],
  [
    "run h = f() { writes c; memory z }",
    "`memory` does not begin a clause (a node reads a memory by `recall NAME`, and writes it by `store … into NAME`)",
  ],
])("a clause that ends wrong is told by its own word: %s", (node, message) => {
  expect(report(`graph G {\n${node}\n}`).replace(/^M110\d \d+:\d+ /, "")).toBe(message);
});

test("an edge behind what a call writes, on one line", () => {
  const behind = (text: string) => report(`graph G {\nrun f = g() writes ${text}\n}`);
  expect(behind("r start -> f")).toBe("");
  expect(behind("r via sum start -> f")).toBe("");
  expect(behind("r start => f")).toMatchInlineSnapshot(
    `"M1101 2:28 expected \`->\` after \`start\`, found \`=>\` (an edge is written \`a -> b\`)"`,
  );
  expect(behind("r, start -> f")).toMatchInlineSnapshot(
    `"M1101 2:29 \`->\` cannot follow \`start\` (an edge begins on a line of its own: \`start -> …\`)"`,
  );
  expect(behind("r start f")).toMatchInlineSnapshot(
    `"M1101 2:22 \`start\` cannot follow \`r\` (an edge begins on a line of its own and is written \`a -> b\`)"`,
  );
  expect(behind("r, q f")).toMatchInlineSnapshot(
    `"M1101 2:25 \`f\` cannot follow \`q\` (an edge begins on a line of its own and is written \`a -> b\`)"`,
  );
  expect(report("graph G {\nrun f = g() -> r\n}")).toMatchInlineSnapshot(
    `"M1101 2:13 \`->\` cannot follow \`)\` (write the fields that a node writes behind \`writes\`)"`,
  );
});
