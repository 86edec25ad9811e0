import { describe, expect, test } from "vitest";
import {
  calledGraph,
  check,
  hashIr,
  type Ir,
  type PrintedPrograms,
  printPrograms,
  type Source,
} from "../../../dsl/index.ts";
import { checked, type Files, report } from "./programs.ts";

/** The graph of this name in the first of the files. */
function graphOf(files: Files, name: string): Ir {
  const found = checked(files).graphs.find((ir) => ir.name === name);
  if (found === undefined) throw new Error(`no ${name}:\n${report(files)}`);
  return found;
}

/** The graph as it is read back from what it is printed as. */
function readBack({ text, programs }: PrintedPrograms, name: string): Ir | undefined {
  const others = new Map(programs.map((source) => [`./${source.file}`, source]));
  const open = (from: string): Source | undefined => others.get(from);
  const { graphs } = check(
    { file: "printed", text },
    { programs: open, allowUnreadPrograms: true },
  );
  return graphs.find((ir) => ir.name === name);
}

const LEAF = `graph Leaf(n: int = 1) returns a {
  state { a: string = "" }
  run work = f(n) writes a
  start -> work
}
`;
const TWO = `import { f } from "./f.ts"
${LEAF}
graph Middle() returns a {
  state { a: string }
  graph leaf = Leaf(2) writes a
  start -> leaf
}
graph Top() returns a {
  state { a: string }
  graph one = Middle() writes a
  graph two = Leaf() writes a
  start -> one -> two
}
`;

/** Two graphs that call each other, and one that calls itself. */
const ROUND = `graph Even(n: int) returns a {
  state { a: string = "yes" }
  graph odd = Odd(n - 1) writes a
  start -> { n > 0 -> odd, else -> end }
}
graph Odd(n: int) returns a {
  state { a: string = "no" }
  graph even = Even(n - 1) writes a
  start -> { n > 0 -> even, else -> end }
}
graph Down(n: int) returns a {
  state { a: string = "" }
  graph again = Down(n - 1) writes a
  graph even = Even(n) writes a
  start -> { n > 0 -> again, else -> even }
}
`;

describe("a graph that calls others", () => {
  test("holds them all, each once, and each is the one that stands alone", () => {
    const files = { "a.madrigal": TWO };
    const top = graphOf(files, "Top");
    expect(top.graphs?.map(({ name }) => name)).toEqual(["Middle", "Leaf"]);
    const middle = calledGraph(top, "Middle");
    expect(middle).toEqual(graphOf(files, "Middle"));
    expect(middle && calledGraph(middle, "Leaf")).toEqual(graphOf(files, "Leaf"));
    expect(calledGraph(top, "Other")).toBeUndefined();
    expect(top.hash).toBe(hashIr(top));
  });

  test("has another hash once a graph that it calls, or that this one calls, means another thing", () => {
    const hashes = [TWO, TWO.replace("n: int = 1", "n: int = 3")].map(
      (text) => graphOf({ "a.madrigal": text }, "Top").hash,
    );
    expect(new Set(hashes).size).toBe(2);
  });

  test.each(["Even", "Odd", "Down"])("may go round: %s", (name) => {
    const ir = graphOf({ "a.madrigal": ROUND }, name);
    const called = ir.calls?.map((call) => calledGraph(ir, call.name));
    expect(called?.map((one) => one?.name)).toEqual(ir.calls?.map((call) => call.name));
    for (const one of called ?? [])
      expect(one?.hash).toBe(graphOf({ "a.madrigal": ROUND }, one?.name ?? "").hash);
  });

  test("has another hash when anything in its round changes, and the same when it only moves", () => {
    const hash = (text: string) => graphOf({ "a.madrigal": text }, "Even").hash;
    expect(hash(ROUND.replace('"no"', '"nope"'))).not.toBe(hash(ROUND));
    const [even = "", odd = "", ...rest] = ROUND.split(/^(?=graph )/m);
    expect(hash([odd, ...rest, even].join(""))).toBe(hash(ROUND));
  });

  test("is not sound while one that it calls is not, and that is said once", () => {
    const text = TWO.replace("f(n) writes a", "f(n) writes b");
    expect(report({ "a.madrigal": text })).toMatchInlineSnapshot(
      `"M3101 4:26 no field is called \`b\` (declare it: \`state { b: … }\`)"`,
    );
    expect(checked({ "a.madrigal": text }).graphs).toEqual([]);
  });
});

describe("what is written fits what the graph returns", () => {
  const inner = (returns: string) => `graph Inner() returns ${returns} {
  state { a: string = ""\n b: int = 1\n c: int[] = [] }
  start -> end\n end when c.length > b && a == ""
}
graph G() returns a, b, n {
  state { a: string = ""\n b: int = 1\n n: int = 1 }
`;
  test.each([
    ["a", "graph x = Inner() writes a", ""],
    [
      "a",
      "graph x = Inner() writes n",
      "M3104 12:28 `string` does not fit `n: int` (write a value of that type, or change the type of the field) <- a.madrigal:11:2 the field",
    ],
    ["b", "graph x = Inner() writes n", ""],
    ["a, b", "graph x = Inner() writes a, b", ""],
    [
      "a, b",
      "graph x = Inner() writes n",
      "M2405 12:28 `Inner` returns no `n` (it returns `a`, `b`: write `n = result.NAME` for one of another name)",
    ],
    ["a, b", "graph x = Inner() writes a, n = result.b", ""],
    [
      "a, b",
      "graph x = Inner() writes a, n",
      "M2405 12:31 `Inner` returns no `n` (it returns `a`, `b`: write `n = result.NAME` for one of another name)",
    ],
    [
      "a",
      "graph x = Inner() writes a, b",
      "M2405 12:31 `Inner` returns no `b` (it returns `a`: write `b = result.NAME` for one of another name)",
    ],
  ])("returns %s, %s", (returns, call, expected) => {
    const text = `${inner(returns)}  ${call}\n  start -> x\n}\n`;
    const found = report({ "a.madrigal": text }).split("\n");
    expect(found.filter((line) => line !== "" && !line.startsWith("warning")).join("\n")).toBe(
      expected,
    );
  });
});

test("one field of a graph with several results takes the result of its name", () => {
  const inner =
    'graph Inner() returns a, b {\n  state { a: string = ""\n b: int = 1 }\n  start -> end\n}\n';
  const written = (writes: string) => {
    const text = `${inner}graph G() returns b, n {\n  state { b: int\n n: int = 1 }
  graph x = Inner() writes ${writes}\n  start -> x\n}\n`;
    const [, graph] = checked({ "a.madrigal": text }).graphs;
    return { hash: graph?.hash, output: graph?.nodes[0]?.output };
  };
  expect(written("b").hash).toBeDefined();
  expect(written("b")).toEqual(written("b = result.b"));
  expect(written("b, n = result.b")).toEqual(written("b = result.b, n = result.b"));
  expect(written("b?")).toEqual(written("b? = result.b"));
});

describe("a plan runs as a graph of its own", () => {
  const text = (call: string) => `model m = "openai/gpt-4o"
graph G(task: string) returns done {
  state { plan: Plan\n done: Json }
  agent plan1 { model m; prompt \`Plan \${task}.\`; writes plan }
  graph go = ${call} writes done
  start -> plan1 -> go
}
`;
  test("planGraph takes a Plan", () => {
    expect(report({ "a.madrigal": text("planGraph(plan)") })).toBe("");
    expect(
      report({ "a.madrigal": text("planGraph(plan)") }, { scope: [], allowUnreadPrograms: true }),
    ).toBe("");
    const ir = graphOf({ "a.madrigal": text("planGraph(plan)") }, "G");
    expect(ir.calls).toBeUndefined();
    expect(readBack(printPrograms(ir), "G")?.hash).toBe(ir.hash);
  });

  test("and nothing else", () => {
    expect(report({ "a.madrigal": text("planGraph(task)") })).toMatchInlineSnapshot(
      `"M3104 6:24 \`string\` does not fit \`plan: Plan\` (pass a value of that type)"`,
    );
    expect(report({ "a.madrigal": text("planGraph()") })).toMatchInlineSnapshot(
      `"M2201 6:14 \`planGraph\` needs \`plan\` (write \`planGraph(plan)\`: it is \`planGraph(plan: Plan, done?: Json)\`)"`,
    );
    expect(
      report({ "a.madrigal": text("plnGraph(plan)") }, { scope: [], allowUnreadPrograms: true }),
    ).toMatchInlineSnapshot(`"M2106 6:14 no graph is called \`plnGraph\` (there is \`G\`)"`);
  });
});

describe("M02 a graph with those that it calls reads back from its text with the same hash", () => {
  const sameNames = `import { Leaf } from "./b.madrigal"
model m = "openai/gpt-4o"
type T = { a: string }
graph Top(x: string) returns a, t {
  state { a: string\n t: T }
  agent one { model m; prompt \`Do \${x}.\`; writes t }
  graph two = Leaf(x) writes a
  start -> one -> two
}
`;
  const leafWith = (head: string, param: string) => `${head}
graph Leaf(${param}: string) returns a {
  state { a: string\n t: T = { b: 1 } }
  agent one { model m; prompt \`Do \${${param}} \${t}.\`; writes a }
  start -> one
}
`;
  test.each<[string, string, Files, number]>([
    ["of one file", "Top", { "a.madrigal": TWO }, 0],
    ["that go round", "Down", { "a.madrigal": ROUND }, 0],
    [
      "of another file, with other names",
      "Top",
      {
        "a.madrigal": sameNames.replaceAll("T", "U").replace("Uop", "Top"),
        "b.madrigal": leafWith('model m = "openai/gpt-4o"\ntype T = { b: int }', "y"),
      },
      0,
    ],
    [
      "of another file, whose type is another one",
      "Top",
      {
        "a.madrigal": sameNames,
        "b.madrigal": leafWith('model m = "openai/gpt-4o"\ntype T = { b: int }', "y"),
      },
      1,
    ],
    [
      "of another file, whose parameter is a model here",
      "Top",
      {
        "a.madrigal": sameNames.replaceAll("T", "U").replace("Uop", "Top"),
        "b.madrigal": leafWith('model other = "openai/gpt-4o"\ntype T = { b: int }', "m").replace(
          "{ model m;",
          "{ model other;",
        ),
      },
      1,
    ],
    [
      "under another name",
      "Top",
      {
        "a.madrigal": sameNames
          .replace("{ Leaf }", "{ Leaf as Own }")
          .replace("= Leaf(", "= Own(")
          .replaceAll("T", "U")
          .replace("Uop", "Top"),
        "b.madrigal": leafWith('model m = "openai/gpt-4o"\ntype T = { b: int }', "y"),
      },
      1,
    ],
    [
      "that import others in turn",
      "Top",
      {
        "a.madrigal":
          'import { Middle as Leaf } from "./b.madrigal"\ngraph Top() returns a { state { a: string }\n graph x = Leaf() writes a\n start -> x }',
        "b.madrigal": `import { Leaf } from "./c.madrigal"\nimport { f } from "./f.ts"\n${TWO.slice(TWO.indexOf("graph Middle"), TWO.indexOf("graph Top"))}`,
        "c.madrigal": `import { f } from "./f.ts"\n${LEAF}`,
      },
      1,
    ],
  ])("%s", (_title, name, files, others) => {
    const ir = graphOf(files, name);
    const printed = printPrograms(ir);
    expect(printed.programs.length).toBe(others);
    expect(readBack(printed, name)?.hash).toBe(ir.hash);
  });
});
