/** What is wrong with `test` declarations. */
import { describe, expect, test } from "vitest";
import type { CodePage } from "../../../dsl/codes/page.ts";
import { tests } from "../../../dsl/codes/tests.ts";
import { check } from "../../../dsl/index.ts";
import { editsBetween, imagesOf } from "../check/one-token.ts";

function report(text: string): string {
  const { diagnostics } = check({ file: "t.madrigal", text });
  return diagnostics
    .map(
      ({ code, line, column, message, hint }) =>
        `${code} ${line}:${column} ${message}${hint === undefined ? "" : ` (${hint})`}`,
    )
    .join("\n");
}

const pages = Object.entries<CodePage>(tests).filter(([, { bad }]) => bad !== undefined);

test("there are pages", () => expect(pages.length).toBeGreaterThan(8));

test.each(pages)("%s is all that is said about its bad program", (code, { bad = "" }) => {
  expect(
    report(bad)
      .split("\n")
      .map((line) => line.slice(0, 5)),
  ).toEqual([code]);
});

test.each(pages)("%s has a good program, about which nothing is said", (_code, { good = "" }) => {
  expect(report(good)).toBe("");
});

test.each(pages)("%s has a near miss, one token away", (_code, { bad = "", good = "", near }) => {
  if (typeof near === "object") expect(near.none).toMatch(/\.$/);
  else expect(editsBetween(imagesOf(bad), imagesOf(near ?? good))).toBe(1);
});

const graph = `model m = "openai/gpt-4o"
type Found = { url: string, score: number }
config { width: 3 }
graph G(topic: string, n: int = 1) returns found, note {
  state { found: Found[] = [] via append  note: string = ""  bad?: string }
  agent a { model m; prompt \`\${topic} \${n} \${width}\`; writes found }
  agent b { model m; prompt \`\${found}\`; writes note, bad? }
  human c { ask \`\${bad}?\`; writes note }
  router d { model m; reads note }
  start -> a -> b -> c -> d -> a | end  limit 9 steps
}
`;
const said = (lines: string, given = 'given topic = "x"') =>
  report(`${graph}test "t" of G {\n${given}\n${lines}\nexpect note == "" }`);

describe("scripts are typed", () => {
  test.each([
    ['a says [{ url: "u", score: 1 }]', ""],
    ['a says { url: "u", score: 1 }', ""],
    ["a says []", ""],
    ['b says { note: "x" }', ""],
    ['b says { note: "x", bad: "y" }', ""],
    ['c says "yes"', ""],
    ['d says "end", "a"', ""],
    ["d says run.path[0]", ""],
    ['a fails "busy"', ""],
    ['a fails { class: "tool", message: "no" }, says []', ""],
    ["a says topic", "M3603 14:8 `string` is not what `a` writes: `Found[]`"],
    [
      "a says [{ url: 3, score: 1 }]",
      "M3603 14:8 `{ url: 3, score: 1 }[]` is not what `a` writes: `Found[]`",
    ],
    [
      'b says { nte: "x" }',
      'M3603 14:8 `{ nte: "x" }` is not what `b` writes: `{ note: string, bad?: string }`',
    ],
    ['d says "b"', 'M3608 14:8 "b" is none of the names behind the arrow (there are "a", "end")'],
    ["d says 3", 'M3608 14:8 3 is none of the names behind the arrow (there are "a", "end")'],
    ["a fails 3", "M3609 14:9 a node fails with a text, or with `{ message, class }`"],
    [
      'a fails { class: "tol" }',
      'M3609 14:9 no class of errors is called "tol" (did you mean "tool"?)',
    ],
    [
      "a says topicc",
      "M2103 14:8 no field or parameter is called `topicc` (did you mean `topic`?)",
    ],
    ["e says 3", "M2101 14:1 no node is called `e`"],
  ])("%s", (lines, expected) => {
    expect(said(lines)).toContain(expected);
    if (expected === "") expect(said(lines)).toBe("");
  });
});

describe("what is given fits", () => {
  test.each([
    ['given topic = "x", n = 3', ""],
    ['given topic = "x", note = "old"', ""],
    [
      'given topic = "x", n = "3"',
      'M3603 13:24 `"3"` does not fit `n: int` (give a value of that type)',
    ],
    [
      'given topic = "x" via append',
      "M3305 13:19 `given` puts `topic` as it is, so no reducer meets it (leave `via append` out)",
    ],
    ["given topic = 3", "M3603 13:15 `3` does not fit `topic: string` (give a value of that type)"],
    [
      'given topic = "x", notes = ""',
      "M2102 13:20 no field or parameter is called `notes` (did you mean `note`?)",
    ],
    [
      'given topic = "x", topic = "y"',
      "M3601 13:20 `topic` stands here twice (merge the two lines)",
    ],
    ["given n = 3", "M3602 12:13 `G` needs `topic` (write `given topic = …`)"],
  ])("%s", (given, expected) => {
    expect(said("a says []", given)).toBe(expected);
  });
});

describe("what is generated is checked", () => {
  test.each([
    ["for any input", ""],
    ["for any topic, n when n > 0", ""],
    ["for any topic, note, n", ""],
    [
      'given topic = "x"\nfor any notes',
      "M2102 14:9 no field or parameter is called `notes` (did you mean `note`?)",
    ],
    [
      'given topic = "x"\nfor any topic',
      "M3760 14:9 `topic` is given, so it is not generated (leave out `given topic`, or this)",
    ],
    ["for any topic, topic", "M3760 13:16 `topic` stands here twice (leave one of them out)"],
    [
      'given topic = "x", n = 2\nfor any input',
      "M3760 14:1 `G` has no parameter left to generate (leave the line out, or name fields: `for any draft`)",
    ],
    [
      "for any topic\nfor any n",
      "M3601 14:1 `for any` stands here twice (name all of it in one line: `for any a, b`)",
    ],
    [
      "for any topic when n",
      "M3218 13:20 a condition must be true or false, `n` is a number (write for example `n > 0` or `n != null`)",
    ],
    [
      'given topic = "x"\nin any order\nin any order',
      "M3601 15:1 `in any order` stands here twice (leave one of them out)",
    ],
    ["for any n", "M3602 12:13 `G` needs `topic` (write `given topic = …`)"],
  ])("%s", (given, expected) => {
    expect(said("a says []", given)).toBe(expected);
  });
});

describe("expectations are checked", () => {
  test.each([
    ["expect visits(a) == 1 && cost < $1 && steps > 2", ""],
    ['expect error == null || error.code == "M5010"', ""],
    ['expect run.status == "failed" && path[0] == "a"', ""],
    ["expect found.map(f => f.url).length == width", ""],
    ["expect path start -> a -> end", ""],
    [
      "expect path a -> start",
      "M3607 14:18 nothing comes before `start` (name the nodes in the order in which they end)",
    ],
    ["expect path a -> x", "M2101 14:18 no node is called `x`"],
    ["expect visits(x) > 1", "M2101 14:15 no node is called `x`"],
    [
      "expect found.lenght == 1",
      "M2110 14:14 `Found[]` has no member `lenght` (did you mean `length`?)",
    ],
    ['expect status == "done"', 'M3210 14:18 "done" is not one of the possible values'],
    ["expect steps", "M3218 14:8 a condition must be true or false, `steps` is a number"],
    ["expect true", "M3605 14:8 this has the same value whatever the graph does"],
  ])("%s", (lines, expected) => {
    expect(said(lines)).toContain(expected);
    if (expected === "") expect(said(lines)).toBe("");
  });
});

describe("a handoff is one that the agent can make", () => {
  const said = (line: string) =>
    report(`model m = "openai/gpt-4o"
graph H(q: string) returns a {
  state { a: string = "" }
  defaults { model m }
  agent front { prompt \`\${q}\`; writes a }
  agent expert { prompt \`\${q}\`; writes a }
  start -> front -> expert | end
}
test "t" of H {
  given q = "x"
  front says ${line}
  expert says "y"
  expect a == "y"
}`);

  test.each([
    ['{ goto: "expert", handoff: { task: "t" } }', ""],
    ['{ goto: "expert", handoff: { task: "t", payload: [1] } }', ""],
    [
      '{ goto: "expirt", handoff: { task: "t" } }',
      'M3608 11:14 "expirt" is none of the names behind the arrow (did you mean "expert"?)',
    ],
    [
      '{ goto: "expert", handoff: { taks: "t" } }',
      'M3603 11:14 `{ taks: "t" }` is no handoff: `{ task?: string, payload?: Json }` (write `{ goto: "NODE", handoff: { task: "…" } }`)',
    ],
  ])("%s", (line, found) => {
    expect(said(line)).toBe(found);
  });

  const by = (front: string) =>
    report(`graph H(q: string) returns a {
  state { a: string = "" }
  ${front}
  human expert { ask \`\${q}\`; writes a }
  start -> front -> expert | end
}
test "t" of H {
  given q = "x"
  front says { goto: "expert", handoff: { task: "t" } }
  expert says "y"
  expect a == "y"
}`);

  test("an operator can make one, a person can't", () => {
    expect(by("operator front { controller codex; prompt `Go.`; writes a }")).toBe("");
    expect(by("human front { ask `Go?`; writes a }")).toContain(
      "`front` can't hand its work over: only an agent or an operator can",
    );
  });
});

test("a graph that is not there is told, with what it may be", () => {
  expect(report(`${graph}test "t" of H { expect note == "" }`)).toBe(
    'M2112 12:13 no graph is called `H` (import it: `import { H } from "./file.madrigal"`)',
  );
});

test("tests come with their graph", () => {
  const text = `${graph}test "t" of G { given topic = "x" expect note == "" }`;
  const { tests: found, graphs } = check({ file: "t", text });
  expect(graphs.map(({ name }) => name)).toEqual(["G"]);
  expect(found).toMatchObject([
    {
      name: "t",
      graph: "G",
      line: 12,
      ir: { name: "G" },
      scripts: [],
      givens: [{ name: "topic", of: "param" }],
    },
  ]);
});
