import { describe, expect, test } from "vitest";
import { check } from "../../../dsl/index.ts";
import { report, reportGraph } from "../report.ts";

const list = "state { a: string[] = [topic] via append }";
const one = "state { a: string = topic }";

/** Nodes that all write `a`. */
function writers(...names: readonly string[]): string {
  return names.map((name) => `run ${name} = f() writes a`).join("\n");
}

describe("two writers of a field that is replaced", () => {
  test("targets of one fork", () => {
    expect(reportGraph(`${one}\n${writers("x", "y")}\nstart -> [x, y]`)).toMatchInlineSnapshot(
      `"M3301 3:20 \`x\` and \`y\` can replace \`a\` at the same time (say how writes merge (\`via append\`, \`via union(…)\`, \`via sum\`, …), or let one of them wait)"`,
    );
  });

  test("arrows written apart, and what follows them", () => {
    expect(
      reportGraph(
        `${one}\nrun s = f()\n${writers("x", "z")}\nrun y = f()\nstart -> s\ns -> x\ns -> y -> z`,
      ),
    ).toMatchInlineSnapshot(
      `"M3301 4:20 \`x\` and \`z\` can replace \`a\` at the same time (say how writes merge (\`via append\`, \`via union(…)\`, \`via sum\`, …), or let one of them wait)"`,
    );
  });

  test("three writers are one fault", () => {
    expect(
      reportGraph(`${one}\n${writers("x", "y", "z")}\nstart -> [x, y, z]`),
    ).toMatchInlineSnapshot(
      `"M3301 3:20 \`x\` and \`y\` can replace \`a\` at the same time (say how writes merge (\`via append\`, \`via union(…)\`, \`via sum\`, …), or let one of them wait)"`,
    );
  });

  test("items of an each, one node with itself", () => {
    expect(
      reportGraph(
        `${one}\nrun x(w: string) = f(w) writes a\nstart -> each w of topic.split(" ") { x(w) }`,
      ),
    ).toMatchInlineSnapshot(
      `"M3301 2:32 runs of \`x\` for several items replace \`a\` at the same time (say how writes merge (\`via append\`, \`via union(…)\`, \`via sum\`, …), or declare it in the body of the \`each\`: then each item has its own)"`,
    );
  });

  test("sets of nodes and of arrows", () => {
    expect(
      reportGraph(
        `${one}\nrun x = f() { set a = "x" }\nrun y = f()\nrun z = f()\nstart -> [x, y]\ny -> z set a = "y"`,
      ),
    ).toMatchInlineSnapshot(
      `"M3301 6:6 \`x\` and \`y\` can replace \`a\` at the same time (say how writes merge (\`via append\`, \`via union(…)\`, \`via sum\`, …), or let one of them wait)"`,
    );
  });

  test("a via that replaces, beside one that merges", () => {
    expect(
      reportGraph(`${list}\n${writers("x")}\nrun y = f() writes a via replace\nstart -> [x, y]`),
    ).toMatchInlineSnapshot(
      `"M3301 3:20 \`x\` and \`y\` can replace \`a\` at the same time (say how writes merge (\`via append\`, \`via union(…)\`, \`via sum\`, …), or let one of them wait)"`,
    );
  });

  test("a fork that is entered again before its other side has ended", () => {
    expect(
      reportGraph(
        `${one}\nrun s = f()\nrun x = f()\n${writers("y", "z")}\nstart -> s -> [x, y]\nx -> s max 2\ny -> z`,
      ),
    ).toMatchInlineSnapshot(
      `"M3301 5:20 \`y\` and \`z\` can replace \`a\` at the same time (say how writes merge (\`via append\`, \`via union(…)\`, \`via sum\`, …), or let one of them wait)"`,
    );
  });

  test.each([
    ["one after the other", "start -> x -> y -> z"],
    ["either of two", 'start -> { topic == "" -> x, else -> y } -> z'],
    ["before and after a join", "start -> x -> [p, q] -> y"],
    ["before, on one side of, and after a fork", "start -> x -> [p, y] -> z"],
    [
      "arrows whose conditions exclude each other",
      "start -> p\np -> x when topic.length > 3\np -> y when !(topic.length > 3)",
    ],
    [
      "arrows that compare with two values",
      'start -> p\np -> x when topic == "a"\np -> y when topic == "b"',
    ],
    ["success and failure", "start -> p\np -> x\np -> y on error"],
    ["a loop", "start -> x -> y -> { topic == a -> x max 2, else -> z }"],
  ])("no fault: %s", (_title, flow) => {
    const text = reportGraph(
      `${one}\n${writers("x", "y", "z")}\nrun p = f()\nrun q = f()\n${flow}`,
    );
    const errors = text.split("\n").filter((line) => line !== "" && !line.startsWith("warning"));
    expect(errors).toEqual([]);
  });

  test("no fault: items one at a time", () => {
    expect(
      reportGraph(
        `${one}\nrun x(w: string) = f(w) writes a\nstart -> each w of topic.split(" ") parallel 1 { x(w) }`,
      ),
    ).toBe("");
  });

  test("no fault: reducers that merge", () => {
    expect(reportGraph(`${list}\n${writers("x", "y")}\nstart -> [x, y]`)).toBe("");
  });
});

describe("cycles", () => {
  test("one without a bound is reported at the arrow that goes back", () => {
    expect(
      reportGraph(`${one}\n${writers("x", "y", "z")}\nstart -> x -> y -> z -> y`),
    ).toMatchInlineSnapshot(
      `"M3205 5:25 \`y -> z -> y\` can go round for ever (write \`max 5\` behind one of its arrows, or \`limit 100 steps\` in the graph)"`,
    );
  });

  test("two cycles are two faults", () => {
    expect(
      reportGraph(
        `${one}\n${writers("x", "y")}\nstart -> x -> { topic == a -> x, else -> y }\ny -> { topic == a -> y, else -> end }`,
      ),
    ).toMatchInlineSnapshot(`
      "M3205 4:31 \`x -> x\` can go round for ever (write \`max 5\` behind one of its arrows, or \`limit 100 steps\` in the graph)
      M3205 5:22 \`y -> y\` can go round for ever (write \`max 5\` behind one of its arrows, or \`limit 100 steps\` in the graph)"
    `);
  });

  test("a cycle in the body of an each", () => {
    expect(
      reportGraph(
        `${list}\nrun x(w: string) = f(w) writes a\nstart -> each w of a { x(w) -> { topic == w -> x(w), else -> end } }`,
      ),
    ).toMatchInlineSnapshot(
      `"M3205 3:48 \`x -> x\` can go round for ever (write \`max 5\` behind one of its arrows, or \`limit 100 steps\` in the graph)"`,
    );
  });

  test("a cycle through a join and through an each", () => {
    expect(
      reportGraph(`${list}\n${writers("x", "y", "z")}\nstart -> x -> [y, z] -> x`),
    ).toMatchInlineSnapshot(
      `"M3205 5:25 \`x -> y -> [y, z] -> x\` can go round for ever (write \`max 5\` behind one of its arrows, or \`limit 100 steps\` in the graph)"`,
    );
    expect(
      reportGraph(
        `${list}\n${writers("x")}\nrun y(w: string) = f(w) writes a\nstart -> x -> each w of a { y(w) } -> x`,
      ),
    ).toMatchInlineSnapshot(
      `"M3205 4:39 \`x -> each w -> x\` can go round for ever (write \`max 5\` behind one of its arrows, or \`limit 100 steps\` in the graph)"`,
    );
  });

  test.each([
    ["write max 3", "topic: string"],
    ["write max n", "topic: string, n: int = 2"],
  ])("a max bounds it: %s", (target, head) => {
    const flow = `start -> write -> { a == "" -> ${target}, else -> end }`;
    expect(reportGraph(`${one}\n${writers("write")}\n${flow}`, head)).toBe("");
  });

  test("a limit in steps bounds all, one in turns does not", () => {
    expect(reportGraph(`${one}\n${writers("x")}\nstart -> x -> x\nlimit 60 steps`)).toBe("");
    expect(reportGraph(`${one}\n${writers("x")}\nstart -> x -> x\nlimit 60 turns`)).toMatch(
      "M3205",
    );
  });
});

describe("start, end, and who is led to", () => {
  test("nothing starts", () => {
    expect(reportGraph(one)).toMatchInlineSnapshot(
      `"M3201 0:7 \`G\` never starts: no arrow leaves \`start\`"`,
    );
  });

  test("of nodes that hang on each other, the first that is cut off is reported", () => {
    expect(
      reportGraph(
        `${one}\n${writers("x", "y", "z", "p", "q")}\nstart -> x\ny -> z\np -> q -> p max 2`,
      ),
    ).toMatchInlineSnapshot(`
      "warning M3202 3:5 \`y\` never runs: no arrow leads to it (add an arrow to it, or remove it)
      warning M3202 5:5 \`p\` never runs: no arrow leads to it (add an arrow to it, or remove it)"
    `);
  });

  test("start and end in wrong places", () => {
    expect(
      reportGraph(
        `${one}\n${writers("x", "y")}\nagent end { model m; prompt \`x\` }\nstart -> x -> start\nx -> end -> y\nend -> y\n[start, x] -> y\nx -> [y, end]\nx -> end(1)`,
      ),
    ).toMatchInlineSnapshot(`
      "M3203 4:7 \`end\` is where every graph ends, and can't be a node (choose another name)
      M3203 5:15 nothing leads back to \`start\` (name the first node instead)
      M3203 6:6 \`end\` is where a path ends: nothing follows it (remove the arrow behind \`end\`, or name a node in its place)
      M3203 7:1 \`end\` is where a path ends: nothing follows it (remove the arrow behind \`end\`, or name a node in its place)
      M3203 8:2 \`start\` has always arrived, so it can't be waited for (remove it from the \`[ ]\`)
      M3203 9:10 \`end\` starts nothing, so it can't be one of several that start (remove it from the \`[ ]\`)
      M3203 10:6 \`end\` takes no arguments (write \`end\` alone)"
    `);
  });

  test("an item begins on the first line of its body, not at `start`", () => {
    const body = (lines: string) =>
      reportGraph(
        `${list}\nrun x(w: string) = f(w) writes a\nrun y(w: string) = f(w) writes a\nrun z = f()\nstart -> each w of a {\n${lines}\n} -> z`,
      );
    expect(body("x(w)\nx -> y(w) on error\n[x] -> end")).toBe("");
    expect(body("x(w)\nstart -> y(w)\n[start, x] -> y(w)\nend -> y(w)")).toMatchInlineSnapshot(`
      "M3203 7:1 a run starts once, not for each item (the first line of the body is where each item begins: write it there, without \`start ->\`)
      M3203 8:2 \`start\` has always arrived, so it can't be waited for (remove it from the \`[ ]\`)
      M3203 9:1 \`end\` is where a path ends: nothing follows it (remove the arrow behind \`end\`, or name a node in its place)"
    `);
    expect(body("x(w) -> y(w)\nx | x -> q(w)")).toMatchInlineSnapshot(`
      "warning M2003 7:5 \`x\` is already in this list (remove one of the two)
      M2101 7:10 no node is called \`q\` (there are \`x\`, \`y\`, \`z\`, \`start\`, \`end\`, \`return\`)"
    `);
    expect(body("x(w) -> y(w)\nz -> y(w)\n[x, y] need 3 -> end")).toMatchInlineSnapshot(`
      "M3220 8:13 \`need 3\` can't be reached: there are 2 of them (say how many must arrive, or leave \`need\` out to wait for all)
      M3204 9:6 \`z\` stands in an \`each\` and elsewhere too (a node belongs to one place: declare a second node for the other one)"
    `);
  });

  test("an item's field is written and read in its body alone, by one node at a time", () => {
    const body = (state: string, lines: string) =>
      reportGraph(
        `${list}\nrun x(w: string) = f(w) writes t\nrun y(w: string) = f(w, t) writes a\nrun z = f(a)\nstart -> each w of a {\nstate { ${state} }\n${lines}\n} -> z`,
      );
    expect(body('t: string = ""', 'x(w) -> y(w) set t = ""\ny -> end when t == ""')).toBe("");
    expect(body("t: string", "y(w) -> x(w)")).toMatchInlineSnapshot(
      `"warning M3207 3:25 \`t\` may not be written yet when it is read here (give it a default, or write it before; a prompt shows \`(none yet)\`)"`,
    );
    expect(body('t: string = ""', "[x(w), y(w)]\nx -> x2(w)")).toMatchInlineSnapshot(
      `"M2101 8:6 no node is called \`x2\` (there are \`x\`, \`y\`, \`z\`, \`start\`, \`end\`, \`return\`)"`,
    );
    expect(
      reportGraph(
        `${list}\nrun x(w: string) = f(w) writes t\nrun y(w: string) = f(w) writes t\nrun u(w: string) = f(w) writes t\nrun z = f(t)\nstart -> each w of a {\nstate { t: string = w\n  v: Reply\n  a: int }\n[x(w), y(w)] -> each q of a { u(q) }\n} -> z when t == "" set t = "x"`,
      ),
    ).toMatchInlineSnapshot(`
      "M2103 5:11 no field or parameter is called \`t\` (it is a field of the items of \`each w\`; only the body of that \`each\` and its nodes can name it)
      M2103 7:21 no field or parameter is called \`w\`
      M2104 8:6 no type is called \`Reply\`
      M2001 9:3 there is already a field or parameter called \`a\` (rename one of the two, or remove it)
      M2103 11:13 no field or parameter is called \`t\` (it is a field of the items of \`each w\`; only the body of that \`each\` and its nodes can name it)
      M3101 11:25 no field is called \`t\` (it is a field of the items of \`each w\`; only the body of that \`each\` and its nodes can name it)"
    `);
    expect(
      reportGraph(
        `${list}\nrun x(w: string) = f(w) writes t\nrun y(w: string) = f(w) writes t\nrun u(w: string) = f(t) writes t\nrun v = f(t) writes a\nstart -> each w of a {\nstate { t: string = "" }\n[x(w), y(w)] -> each q of a { u(q) } -> v\n}`,
      ),
    ).toMatchInlineSnapshot(
      `"M3301 3:32 \`x\` and \`y\` can replace \`t\` at the same time (say how writes merge (\`via append\`, \`via union(…)\`, \`via sum\`, …), or let one of them wait)"`,
    );
  });

  test("a node stands in one scope", () => {
    expect(
      reportGraph(
        `${list}\nrun x(w: string) = f(w) writes a\nrun y = f() writes a\nstart -> each w of a { x(w) -> y } -> y\nx -> end`,
      ),
    ).toMatchInlineSnapshot(`
      "M3204 4:39 \`y\` stands in an \`each\` and elsewhere too (a node belongs to one place: declare a second node for the other one)
      M3204 5:1 \`x\` stands in an \`each\` and elsewhere too (a node belongs to one place: declare a second node for the other one)"
    `);
  });

  test("two arrows of one node to a node that is started twice", () => {
    expect(
      reportGraph(`${list}\n${writers("x", "y", "z")}\nstart -> x\nstart -> y\nx -> z\ny -> z`),
    ).toMatchInlineSnapshot(
      `"warning M3214 8:6 \`z\` starts twice: \`x\` and \`y\` can both arrive (to wait for both, write \`[x, y] -> z\`)"`,
    );
    expect(reportGraph(`${list}\n${writers("x", "y", "z")}\nstart -> [x, y]\nx | y -> z`)).toBe("");
  });

  test("on, where no node is left", () => {
    expect(
      reportGraph(
        `${list}\n${writers("x", "y")}\nrun z(w: string) = f(w) writes a\nstart -> x on error\nx -> y on limit\nx -> y on timeout\nx -> each w of a { z(w) on deny } -> y on error`,
      ),
    ).toMatchInlineSnapshot(`
      "M3213 5:12 \`on\` belongs to an arrow that leaves a node or an \`each\` (write it as its own line: \`node -> other on error\`)
      M4103 7:11 no ending of a node is called \`timeout\` (did you mean \`limit\`?)
      M3213 8:25 \`on\` belongs to an arrow that leaves a node or an \`each\` (write it as its own line: \`node -> other on deny\`)"
    `);
  });

  test("several ways share a plain arrow only", () => {
    const nodes = `${list}\n${writers("x", "y", "z")}\nrun w1(w: string) = f(w) writes a`;
    expect(
      reportGraph(
        `${nodes}\nstart -> { topic == "" -> [x, y], else -> z } -> each w of a { w1(w) }`,
      ),
    ).toMatchInlineSnapshot(
      `"M3212 6:50 several arrows lead here, and they can't share the route that follows (lead them to one node, and write this route behind that node)"`,
    );
  });
});

describe("branches that nothing comes to", () => {
  const nodes = `${one}\n${writers("x", "y", "z")}`;

  test("behind an else, or a value for the second time", () => {
    expect(
      reportGraph(`${nodes}\nstart -> { topic == "" -> x, else -> y, a == "" -> z }`),
    ).toMatchInlineSnapshot(
      `"warning M3217 5:41 this branch is never taken: the \`else\` before it takes all values (move it up, or remove it)"`,
    );
    expect(
      reportGraph(
        `${nodes}\nstart -> match topic { "a" -> x, "b" | "a" -> y, "b" -> z, else -> end }`,
      ),
    ).toMatchInlineSnapshot(
      `"warning M3217 5:50 this branch is never taken: a branch above takes the value (move it up, or remove it)"`,
    );
  });

  test("no warning: what comes before is used up after some times", () => {
    expect(
      reportGraph(`${nodes}\nstart -> x -> { else -> x max 2, topic == "" -> z }\nz -> y`),
    ).toBe("");
  });
});

describe("reads that race a write", () => {
  test("a prompt or an argument on the other side of a fork", () => {
    expect(
      reportGraph(
        `${list}\nrun x = f() writes a\nrun y = f(a)\nrun z = f(a)\nstart -> [x, y] -> z`,
      ),
    ).toMatchInlineSnapshot(
      `"warning M3216 3:11 \`y\` reads \`a\` while \`x\` may write it (it reads the value from before the branches split: write \`reads earlier a\` if that is meant, or let one of them wait for the other)"`,
    );
  });

  test("none where `earlier` says that it is meant, and one where nothing is written meanwhile", () => {
    const graph = (reads: string, flow: string) =>
      reportGraph(
        `${list}\nrun x = f() writes a\nrun y = f(a, topic) { ${reads} }\nstart -> ${flow}`,
      );
    expect(graph("reads earlier a", "[x, y]")).toBe("");
    expect(graph("reads a", "[x, y]")).toMatch(/^warning M3216 3:11 /);
    expect(graph("reads earlier a", "x -> y")).toMatchInlineSnapshot(
      `"warning M3242 3:37 nothing writes \`a\` while \`y\` runs (leave out \`earlier\`: \`reads a\`)"`,
    );
    expect(graph("reads a, earlier topic", "x -> y")).toMatchInlineSnapshot(
      `"warning M3242 3:40 nothing writes \`topic\` while \`y\` runs (leave out \`earlier\`: \`reads topic\`)"`,
    );
    expect(
      reportGraph(
        `${list}\nrun x(w: string) = f(a, w) writes a { reads earlier a }\nstart -> each w of a { x(w) }`,
      ),
    ).toBe("");
  });

  test("no warning: within one item of an each", () => {
    expect(
      reportGraph(
        `${list}\nrun x(w: string) = f(w) writes a\nrun y(w: string) = f(a, w)\nstart -> each w of a { x(w) -> y(w) }`,
      ),
    ).toBe("");
  });
});

describe("who decides", () => {
  test.each(["router", "agent"])("a %s may", (word) => {
    expect(
      reportGraph(
        `${one}\n${word} boss { model m; prompt \`Who?\` }\n${writers("x", "y")}\nstart -> boss -> x | y | end`,
      ),
    ).toBe("");
  });

  test("start, a join, an each and a person may not", () => {
    expect(
      reportGraph(
        `${list}\n${writers("x", "y", "z")}\nrun w1(w: string) = f(w) writes a\nhuman h { ask \`?\`; writes a }\nstart -> x | y\n[x, y] -> z | h\nh -> x | y max 2\nz -> each w of a { w1(w) } -> x | end`,
      ),
    ).toMatchInlineSnapshot(`
      "M3211 7:10 no node picks one of these: \`start\` decides nothing (add a \`router\` that picks, write conditions \`{ a == 1 -> x, else -> y }\`, or start all of them \`[x, y]\`)
      M3211 8:11 no node picks one of these: \`[x, y]\` waits for several nodes, and none of them decides (add a \`router\` that picks, write conditions \`{ a == 1 -> x, else -> y }\`, or start all of them \`[x, y]\`)
      M3211 9:6 no node picks one of these: \`h\` is a \`human\` node, which decides nothing (add a \`router\` that picks, write conditions \`{ a == 1 -> x, else -> y }\`, or start all of them \`[x, y]\`)
      M3211 10:31 no node picks one of these: an \`each\` decides nothing (add a \`router\` that picks, write conditions \`{ a == 1 -> x, else -> y }\`, or start all of them \`[x, y]\`)
      M3205 10:31 \`x -> [x, y] -> z -> each w -> x\` can go round for ever (write \`max 5\` behind one of its arrows, or \`limit 100 steps\` in the graph)"
    `);
  });

  test.each([
    ["f -> x | y", "warning M3228"],
    ["f -> { b == 1 -> x | y, else -> x | y | end }", "warning M3228"],
    ["f -> { b == 1 -> x, else -> x | y }", ""],
    ["f -> x | y | end", ""],
    ["f -> x | return\nx -> f | end", ""],
    ["f -> x | y on error\nf -> x", ""],
    ["f -> x | y\nf -> z", ""],
    ['f -> x | y\nend when a != ""', ""],
    ["f -> x | y\nend when b == 1", "warning M3228"],
  ])("an agent whose answer leads nowhere: %s", (flow, found) => {
    const agents = ["f", "x", "y", ...(flow.includes("z") ? ["z"] : [])].map(
      (name) => `agent ${name} "n" { model m; prompt \`?\`; writes a }`,
    );
    const text = `model m = "openai/gpt-4o"
graph G() returns a {
state {
  a: string = ""
  b: int = 0
}
${agents.join("\n")}
limit 20 steps
start -> f
${flow}
}`;
    const lines = report(text).split("\n");
    expect(lines.filter((line) => line.includes("M3228")).map((line) => line.slice(0, 13))).toEqual(
      found === "" ? [] : [found],
    );
  });

  test("what is to be written instead keeps the condition of the arrow", () => {
    const text = `model m = "openai/gpt-4o"
graph G(b: int) returns a {
state { a: string = "" }
agent f "n" { model m; prompt \`?\`; writes a }
agent x "n" { model m; prompt \`?\`; writes a }
agent y "n" { model m; prompt \`?\`; writes a }
start -> f
f -> x | y when b == 1
}`;
    const hint = check({ file: "g", text }).diagnostics.find(({ code }) => code === "M3228")?.hint;
    expect(hint).toContain("`f -> x | y | end when b == 1`");
    expect(hint).toContain('`f -> { a != "" -> next, b == 1 -> x | y }`');
    for (const flow of ["f -> x | y | end when b == 1", 'f -> { a != "" -> x, b == 1 -> x | y }']) {
      const mended = check({ file: "g", text: text.replace("f -> x | y when b == 1", flow) });
      expect(mended.diagnostics.filter(({ code }) => code === "M3228")).toEqual([]);
    }
  });
});

describe("match", () => {
  const verdict = (cases: string, type = '"ship" | "revise"') =>
    report(`graph G(v: ${type}) returns a {
state { a: string = "" }
run x = f() writes a
start -> match v { ${cases} }
}`);

  test("every value of a choice, of yes and no, or else", () => {
    expect(verdict('"ship" -> x')).toMatchInlineSnapshot(
      `"M3209 4:16 "revise" isn't handled (add a case, or \`else -> …\`)"`,
    );
    expect(verdict("true -> x", "boolean")).toMatchInlineSnapshot(
      `"M3209 4:16 false isn't handled (add a case, or \`else -> …\`)"`,
    );
    expect(verdict('"ship" -> x', "string")).toMatchInlineSnapshot(
      `"M3209 4:16 any \`string\` can come (add a case, or \`else -> …\`)"`,
    );
    expect(verdict('"ship" | "revise" -> x')).toBe("");
    expect(verdict('"ship" -> x, else -> end', "string")).toBe("");
    expect(verdict('"ship" -> x', "Json")).toBe("");
  });

  test("no value that can't come", () => {
    expect(verdict('"shipp" -> x, "ship" -> x, "revise" -> end')).toMatchInlineSnapshot(
      `"M3210 4:20 "shipp" is no possible value here (did you mean "ship"?)"`,
    );
    expect(verdict("1 -> x, else -> end")).toMatchInlineSnapshot(
      `"M3210 4:20 1 is no possible value here (it is one of "ship", "revise")"`,
    );
  });

  test("a comparison that never holds", () => {
    expect(
      reportGraph(
        `${one}\n${writers("x")}\nstart -> { kind == "lnog" -> x, "short" != kind -> end }`,
        'topic: string, kind: "long" | "short"',
      ),
    ).toMatchInlineSnapshot(
      `"M3210 3:20 "lnog" is not one of the possible values (did you mean "long"?)"`,
    );
  });
});

describe("state", () => {
  test("a field that may be unwritten: on one way, before a loop, behind an each", () => {
    expect(
      reportGraph(
        `state { a: string
 plan: string
 note: string
 sum: string
}
run p = f() writes plan
run q(w: string) = f(w) writes note
run r = f(plan) writes a
run s = f(a, note) writes sum
run t = f(sum) writes a
start -> { topic == "" -> p, else -> r }
p -> r -> each w of topic.split(" ") parallel 1 { q(w) } -> s -> t`,
      ),
    ).toMatchInlineSnapshot(`
      "warning M3207 8:11 \`plan\` may not be written yet when it is read here (give it a default, or write it before; a prompt shows \`(none yet)\`)
      warning M3207 9:14 \`note\` may not be written yet when it is read here (give it a default, or write it before; a prompt shows \`(none yet)\`)"
    `);
  });

  const both = (flow: string) =>
    reportGraph(`state { a: string\n left: string\n right: string\n}
run p = f() writes a
run q = f() writes left
run r = f() writes right
run s = f(left, right) writes a
${flow}`)
      .split("\n")
      .filter((line) => line.includes("M3207"))
      .map((line) => line.replace(/.*`(\w+)` may.*/, "$1"))
      .join(" ");

  test.each([
    ["both come", "start -> p -> [q, r]\n[q, r] -> s", ""],
    ["both come, each along its own way", "start -> q\nstart -> p -> r\n[q, r] -> s", ""],
    ["a choice leads to both", 'start -> p -> { a == "" -> [q, r], else -> end }\n[q, r] -> s', ""],
    ["one may be left out", 'start -> p -> q\np -> r when a == ""\n[q, r] -> s', "right"],
    ["one may fail", "start -> p -> [q, r]\nr -> end on error\n[q, r] -> s", "right"],
    [
      "one of a choice",
      'start -> p -> q\np -> { a == "" -> r, else -> end }\n[q, r] -> s',
      "right",
    ],
    [
      "either may be left out",
      'start -> p\np -> q when a == "1"\np -> r when a == "2"\n[q, r] -> s',
      "left right",
    ],
    ["a quorum", "start -> p -> [q, r]\n[q, r] need 1 -> s", "left right"],
    ["a quorum of all", "start -> p -> [q, r]\n[q, r] need 2 -> s", ""],
  ])("a join brings what surely comes to it: %s", (_, flow, unwritten) => {
    expect(both(flow)).toBe(unwritten);
  });

  test.each([
    ["end when tags.length > 1", "tags"],
    ["end when tags[0] == a", "tags"],
    ["end when tags?.length == 2", ""],
    ["end when tags != null && tags.length > 1", ""],
    // Not written yet, it does not hold.
    ["end when score > 1", ""],
    ["break before q when tags.length > 1", "tags"],
    ["break after q when tags.length > 1", ""],
  ])("what stops a run may take a part of nothing: %s", (stop, unwritten) => {
    const found = reportGraph(`state { a: string = ""\n tags: string[]\n score: int\n}
run p = f() writes a
run q = f(a) writes tags, score
run r = f(tags, score) writes a
start -> p -> q -> r
${stop}`);
    const warned = found.split("\n").filter((line) => line.includes("M3207"));
    expect(warned.map((line) => line.replace(/.*`(\w+)` may.*/, "$1")).join(" ")).toBe(unwritten);
  });

  test("no warning: a default, an optional field, a guard, a join, an own write", () => {
    expect(
      reportGraph(
        `state { a: string
 plan: string
 note?: string
 left: string
 right: string
}
run p = f(note) writes plan
run q = f(plan ?? "none", plan?.length) writes left
run r = f() writes right { ensure right.length > 1 "short" }
run s = f(left, right, plan) writes a, note
start -> p
p -> [q, r] -> s -> { a == "" -> p max 2, else -> end }`,
      ),
    ).toMatchInlineSnapshot(
      `"warning M2301 0:9 nothing uses the parameter \`topic\` (use it, or remove it)"`,
    );
  });

  test("never written, never read", () => {
    expect(
      reportGraph(`state { a: string
 never: string
 unread: int = 0
}
run x = f(never, topic) writes a
start -> x`),
    ).toMatchInlineSnapshot(`
      "warning M3206 2:2 nothing writes \`never\` (write it in a node: \`writes never\`; or make it a parameter of the graph)
      warning M3208 3:2 \`unread\` is never read (read it, return it, or remove it)"
    `);
  });

  test("a whole view reads every field", () => {
    expect(
      reportGraph(`state { a: string = ""\n b: int = 0 }\nrun x = f(state) writes a\nstart -> x`),
    ).toBe("");
  });

  test("a default answer of another type, or of names that there are not", () => {
    const asking = (answer: string) =>
      reportGraph(`state { a: "s" | "m" = "s" }
human who { ask \`Which \${topic}?\` within 2h else ${answer}; writes a }
start -> who`);
    expect(['"m"', '"xl"', "topik"].map(asking)).toEqual([
      "",
      'M3103 2:50 the default answer is `"xl"`, but `who` writes `"s" | "m"` (give an answer of that type)',
      "M2103 2:50 no field or parameter is called `topik` (did you mean `topic`?)",
    ]);
  });

  test("defaults, writes and sets of another type", () => {
    expect(
      reportGraph(
        `state { a: string = 1
 b: int[] = ["x"] via append
 c: "x" | "y" = "z"
 d: { n: int, s?: string } = { n: "1" }
 e: Record<string, int> = {}
 f: int = 0 via sum
 g: boolean = null
}
run x = go() writes a, b = [1], c = "w", d = { s: "x" }, e = { k: 1 }, f = 1, g
run y = go() { set a = topic, b = 2, b = "x", c = "y", g = 1 }
start -> x -> y`,
      ).replaceAll(/.*warning.*\n?/g, ""),
    ).toMatchInlineSnapshot(`
      "M3103 1:21 the default is \`1\`, but the type is \`string\` (give a default of that type, or change the type)
      M3103 2:13 the default is \`"x"[]\`, but the type is \`int[]\` (give a default of that type, or change the type)
      M3103 3:17 the default is \`"z"\`, but the type is \`"x" | "y"\` (give a default of that type, or change the type)
      M3103 4:30 the default is \`{ n: "1" }\`, but the type is \`{ n: int, s?: string }\` (give a default of that type, or change the type)
      M3103 7:15 the default is \`null\`, but the type is \`boolean\` (give a default of that type, or change the type)
      M3104 9:37 \`"w"\` does not fit \`c: "x" | "y"\` (write a value of that type, or change the type of the field)
      M3104 9:46 \`{ s: "x" }\` does not fit \`d: { n: int, s?: string }\` (write a value of that type, or change the type of the field)
      M3104 10:42 \`"x"\` does not fit \`b: int[]\` (write a value of that type, or change the type of the field)
      M3104 10:60 \`1\` does not fit \`g: boolean\` (write a value of that type, or change the type of the field)"
    `);
  });

  test("reducers that a `set` names", () => {
    expect(
      reportGraph(
        `state { a: string[] = [] via append
 b: int = 0 }
run x = go(a, b) { set a = [] via replace, a = "x" via union, b = 1 via sum }
run y = go(a, b) { set a = [] via union(s => s.length), a = ["x"] via myOwn, b = 1 via append, b = 2 via mx }
start -> x set a = 1 via replace -> y set a = "x" via replace`,
      ).replaceAll(/.*warning.*\n?/g, ""),
    ).toMatchInlineSnapshot(`
      "M3305 4:31 \`set\` can't merge \`via union\` with arguments (give the reducer to the field, or name one of \`replace\`, \`append\`, \`union\`, \`merge\`, \`sum\`, \`max\`, \`min\` alone)
      M3305 4:67 \`set\` can't merge \`via myOwn\` with a function of TypeScript (give the reducer to the field, or name one of \`replace\`, \`append\`, \`union\`, \`merge\`, \`sum\`, \`max\`, \`min\` alone)
      M3302 4:84 \`via append\` needs a list, but the type is \`int\`
      M3303 4:106 no reducer is called \`mx\` (did you mean \`max\`?)
      M3104 5:20 \`1\` does not fit \`a: string[]\` (write a value of that type, or change the type of the field)
      M3104 5:47 \`"x"\` does not fit \`a: string[]\` (write a value of that type, or change the type of the field)"
    `);
  });

  test("reducers and types", () => {
    expect(
      reportGraph(
        `state { a: string[] = [] via union(x => x.lenth)
 b: string via merge
 c: string = "" via sum
 d: { n: int }[] = [] via max
 e: { n: int } via max(x => x.n)
 f: Json via append
 g: string via appendd
 h: string via myOwn
}
run x = go(b, c, d, e, f, g, h) writes a, b, c, d, e, f, g, h, a via sum
start -> x`,
      ).replaceAll(/.*warning.*\n?/g, ""),
    ).toMatchInlineSnapshot(`
      "M2110 1:43 \`string\` has no member \`lenth\` (did you mean \`length\`?)
      M3302 2:12 \`via merge\` needs an object, but the type is \`string\`
      M3302 3:17 \`via sum\` needs a number, but the type is \`string\`
      M3302 4:23 \`via max\` needs a number, or a function that gives one, but the type is \`{ n: int }[]\`
      M3303 7:16 no reducer is called \`appendd\` (did you mean \`append\`?)
      M3302 10:66 \`via sum\` needs a number, but the type is \`string[]\`"
    `);
  });

  test("each over what is no list", () => {
    expect(
      reportGraph(
        `${list}\nrun x(w: string) = f(w) writes a\nstart -> each w of n { x(w) }`,
        "topic: string, n: int",
      ),
    ).toMatchInlineSnapshot(
      `"M3105 3:20 \`each\` needs a list, but this is \`int\` (name a field or an expression that is a list)"`,
    );
    expect(
      reportGraph(
        `${list}\nrun x(w: Json) = f(w) writes a\nstart -> each w of load(n) { x(w) }`,
        "topic: string, n: int",
      ),
    ).toBe("");
  });

  test("what a model is asked for has a shape", () => {
    expect(
      reportGraph(`state { a: Image[]
 b: Thing
}
agent x { model m; prompt \`\${topic}\`; writes a, b }
start -> x
}
import { Thing } from "./thing.ts"
graph H() { start -> end`),
    ).toMatchInlineSnapshot(`
      "M3402 1:12 \`x\` can't be asked for \`Image\`: its shape is not known here (declare its shape with \`type\`, or let a \`run\` node write the field)
      M3402 2:5 \`x\` can't be asked for \`Thing\`: its shape is not known here (declare its shape with \`type\`, or let a \`run\` node write the field)"
    `);
  });
});
