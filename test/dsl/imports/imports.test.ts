import { describe, expect, test } from "vitest";
import { besideOuter } from "../../../dsl/imports/specifier.ts";
import { calledGraph, print, withoutSpans } from "../../../dsl/index.ts";
import { checked, type Files, report } from "./programs.ts";

const MODELS = `model smart = "openai/gpt-4o"
mcp browser = "npx -y browser"
type Verdict = "ship" | "revise"
type Review = { verdict: Verdict, notes: string }
memory plans: { task: string, review: Review } by task
config { tries: 2 + more, more: 1 }
graph Judge(text: string, strict: boolean = true) returns review {
  state { review: Review }
  agent judge { model smart; prompt \`Judge \${text} \${strict}.\`; writes review }
  start -> judge
}
test "it judges" of Judge {
  given text = "x"
  judge says { verdict: "ship", notes: "" }
  expect path judge
}
`;

const USE = `import { smart, browser, Review, plans, tries, Judge as J } from "./models.madrigal"
graph G(task: string) returns review {
  state { review: Review }
  agent write { model smart; tools browser.*; recall plans top 3; prompt \`\${task} \${plans}\`; retry tries; writes review }
  graph judge = J(task) writes review
  start -> write -> judge
}
`;

test("models, servers, types, memories, settings and graphs come from another program", () => {
  expect(report({ "use.madrigal": USE, "models.madrigal": MODELS })).toBe("");
});

/** A graph with a model, as the rest of a file. */
const graphWith = (lines: string) => `graph G() returns a {
  state { a: string }
  ${lines}
}
`;
const WRITE = graphWith("agent write { model smart; prompt `Write.`; writes a }\n  start -> write");

describe("what is wrong with an import is said at the import, and once", () => {
  test.each<[string, Files]>([
    ["no file", { "a.madrigal": `import { smart } from "./modles.madrigal"\n${WRITE}` }],
    [
      "no such name",
      {
        "a.madrigal": `import { smrt as smart } from "./models.madrigal"\n${WRITE}`,
        "models.madrigal": MODELS,
      },
    ],
    [
      "a name that is far from all",
      {
        "a.madrigal": `import { other as smart } from "./b.madrigal"\n${WRITE}`,
        "b.madrigal": 'model x = "openai/a"',
      },
    ],
    [
      "what that file imports itself",
      {
        "a.madrigal": `import { smart } from "./b.madrigal"\n${WRITE}`,
        "b.madrigal": 'import { smart } from "./models.madrigal"\nmodel x = "openai/a"',
        "models.madrigal": MODELS,
      },
    ],
    [
      "a test",
      {
        "a.madrigal": `import { works as smart } from "./b.madrigal"\n${WRITE}`,
        "b.madrigal": 'graph H() { start -> end }\ntest "works" of H { expect path start -> end }',
      },
    ],
    ["itself", { "a.madrigal": `import { smart } from "./a.madrigal"\n${WRITE}` }],
    [
      "a circle",
      {
        "a.madrigal": `import { smart } from "./b.madrigal"\n${WRITE}`,
        "b.madrigal": 'import { x } from "./c.madrigal"\nmodel smart = "openai/a"',
        "c.madrigal": 'import { smart } from "./a.madrigal"\nmodel x = "openai/a"',
      },
    ],
    [
      "a circle of others",
      {
        "a.madrigal": `import { smart } from "./b.madrigal"\n${WRITE}`,
        "b.madrigal": 'import { x } from "./c.madrigal"\nmodel smart = "openai/a"',
        "c.madrigal": 'import { smart } from "./b.madrigal"\nmodel x = "openai/a"',
      },
    ],
    [
      "a file with errors",
      {
        "a.madrigal": `import { smart } from "./b.madrigal"\n${WRITE}`,
        "b.madrigal": 'model smart = "openai/a"\nmodel smart = "openai/b"',
      },
    ],
    [
      "a file that can't be read",
      {
        "a.madrigal": `import { smart } from "./b.madrigal"\n${WRITE}`,
        "b.madrigal": "model smart = = 3",
      },
    ],
    [
      "an import that nothing uses",
      {
        "a.madrigal": `import { smart, Review, plans, Judge } from "./models.madrigal"\n${WRITE}`,
        "models.madrigal": MODELS,
      },
    ],
    [
      "a name that is declared here too",
      {
        "a.madrigal": `import { smart } from "./models.madrigal"\nmodel smart = "openai/b"\n${WRITE}`,
        "models.madrigal": MODELS,
      },
    ],
    [
      "a type that is not imported",
      {
        "a.madrigal": `import { smart, Review } from "./models.madrigal"\n${graphWith("state { v: Verdict\n r: Review }\n agent write { model smart; prompt `Write ${v} ${r}.`; writes a, v, r }\n  start -> write")}`,
        "models.madrigal": MODELS,
      },
    ],
    [
      "arguments of a graph",
      {
        "a.madrigal": `import { Judge } from "./models.madrigal"\n${graphWith("graph one = Judge(3) writes a\n graph two = Judge() writes a\n graph three = Judge(a, true, a) writes a\n start -> one -> two -> three")}`,
        "models.madrigal": MODELS,
      },
    ],
  ])("%s", (_title, files) => {
    expect(report(files)).toMatchSnapshot();
  });
});

test("what could not be had is wrong once, whatever it is used as", () => {
  const files = { "use.madrigal": USE, "models.madrigal": `${MODELS}\nmodel smart = "openai/b"` };
  expect(
    report(files)
      .split("\n")
      .map((line) => line.slice(0, 10)),
  ).toEqual(["M2404 1:66"]);
});

test("without a way to other programs their names are taken to exist where the graph is only looked at", () => {
  const text = `import { smart } from "./models.madrigal"\n${WRITE}`;
  expect(report({ "a.madrigal": text }, { allowUnreadPrograms: true, programs: undefined })).toBe(
    "",
  );
  expect(report({ "a.madrigal": text }, { programs: undefined })).toMatchInlineSnapshot(
    `"M2401 1:23 there is no program \`./models.madrigal\` (a text without a file has no folder to import from; check it from a file, or pass \`programs\`)"`,
  );
});

describe("the IR holds what it uses of other files", () => {
  const [ir] = checked({ "use.madrigal": USE, "models.madrigal": MODELS }).graphs;

  test("in its own names, with what that needs", () => {
    const { imports, models, mcps, types, config, memories } = ir ?? {};
    expect(withoutSpans({ imports, models, mcps, types, config, memories })).toMatchSnapshot();
  });

  test("a graph that is called is the one that its own file gives", () => {
    const [judge] = checked({ "models.madrigal": MODELS }).graphs;
    expect(ir?.calls).toEqual([{ name: "J", hash: judge?.hash }]);
    expect(ir === undefined ? ir : calledGraph(ir, "J")).toEqual(judge);
  });

  test("so that the hash depends on what is imported, not on where it stands", () => {
    const moved = USE.replace("./models.madrigal", "./other.madrigal");
    const [same] = checked({ "use.madrigal": moved, "other.madrigal": MODELS }).graphs;
    expect(same?.hash).toBe(ir?.hash);
    const changed = MODELS.replace("npx -y browser", "npx -y other");
    const [other] = checked({ "use.madrigal": USE, "models.madrigal": changed }).graphs;
    expect(other?.hash).not.toBe(ir?.hash);
    const inside = MODELS.replace("Judge ${text}", "Rate ${text}");
    expect(checked({ "use.madrigal": USE, "models.madrigal": inside }).graphs[0]?.hash).not.toBe(
      ir?.hash,
    );
  });
});

describe("what comes along", () => {
  const graphOf = (files: Files) => {
    const [ir] = checked(files).graphs;
    if (ir === undefined) throw new Error(report(files));
    return ir;
  };

  test("has its TypeScript from beside its own file, under a name that nobody else has", () => {
    const files = {
      "a.madrigal": `import { size, Box } from "./lib/b.madrigal"
import { pick } from "./own.ts"
graph G(box: Box) returns n {
  state { n: int = size }
  run x = pick(box) writes n
  start -> x
}
`,
      "lib/b.madrigal": `import { pick, lib } from "./far.ts"
import { other } from "../c.madrigal"
config { size: pick(other) }
type Box = lib.Box
`,
      "../c.madrigal": 'import { one } from "../deep/d.ts"\nconfig { other: one }',
    };
    const ir = graphOf(files);
    expect(ir.imports).toEqual([
      { name: "one", as: "one", from: "../deep/d.ts" },
      { name: "pick", as: "pick_2", from: "./lib/far.ts" },
      { name: "lib", as: "lib", from: "./lib/far.ts" },
      { name: "pick", as: "pick", from: "./own.ts" },
    ]);
    expect(checked(files).imports.map(({ as, from, file }) => [as, from, file])).toEqual([
      ["one", "../deep/d.ts", "../c.madrigal"],
      ["pick_2", "./far.ts", "lib/b.madrigal"],
      ["lib", "./far.ts", "lib/b.madrigal"],
      ["pick", "./own.ts", "a.madrigal"],
    ]);
  });

  test("is one thing, by how many ways it may come", () => {
    const ir = graphOf({
      "a.madrigal": `import { Left } from "./l.madrigal"
import { Right } from "./r.madrigal"
import { Base as Ground } from "./base.madrigal"
graph G(l: Left, r: Right, g: Ground) { run x = f(l, r, g)
  start -> x }
import { f } from "./f.ts"
`,
      "l.madrigal": 'import { Base } from "./base.madrigal"\ntype Left = { base: Base }',
      "r.madrigal": 'import { Base as B } from "./base.madrigal"\ntype Right = { base: B }',
      "base.madrigal": "type Leaf = int\ntype Base = { leaf: Leaf, kids: Base[] }",
    });
    const text = print(ir);
    expect(text.split("\n").filter((line) => line.startsWith("type"))).toMatchInlineSnapshot(`
      [
        "type Leaf = int",
        "type Ground = { leaf: Leaf, kids: Ground[] }",
        "type Left = { base: Ground }",
        "type Right = { base: Ground }",
      ]
    `);
  });

  test("is called as it was if the text has no other use for that name", () => {
    const ir = graphOf({
      "a.madrigal": `import { Outer } from "./b.madrigal"
graph G(o: Outer, inner: string) { run Inner2 = f(o, inner)
  start -> Inner2 }
import { f } from "./f.ts"
`,
      "b.madrigal":
        "type Inner2 = int\ntype Inner3 = string\ntype Outer = { a: Inner2, b: Inner3 }",
    });
    expect(ir.types.map(({ name }) => name)).toEqual(["Inner2_2", "Inner3", "Outer"]);
  });
});

test.each([
  ["./models.madrigal", "./f.ts", "./f.ts"],
  ["./lib/models.madrigal", "./f.ts", "./lib/f.ts"],
  ["./lib/models.madrigal", "../f.ts", "./f.ts"],
  ["../lib/models.madrigal", "./f.ts", "../lib/f.ts"],
  ["./models.madrigal", "../f.ts", "../f.ts"],
  ["../models.madrigal", "../f.ts", "../../f.ts"],
  ["../../a/b.madrigal", "../../f.ts", "../../../f.ts"],
  ["/abs/lib/models.madrigal", "../f.ts", "/abs/f.ts"],
  ["pkg/lib/models.madrigal", "./f.ts", "pkg/lib/f.ts"],
  ["@scope/pkg/models.madrigal", "./f.ts", "@scope/pkg/f.ts"],
  ["./lib/models.madrigal", "zod", "zod"],
])("what %s imports as %s is %s from here", (outer, inner, expected) => {
  expect(besideOuter(outer, inner)).toBe(expected);
});
