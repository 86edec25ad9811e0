import { afterAll, describe, expect, test } from "vitest";
import { startTypes } from "../../../../kernel/types/client.ts";
import { Notebook, originOf } from "../notebook.ts";

const types = startTypes();
afterAll(() => types.close());

/** Cells of one notebook, and what the last of them gives. */
const VALUES: readonly (readonly [title: string, cells: readonly string[], value: unknown])[] = [
  ["the last expression is the value", ["const a = 1; a + 1"], 2],
  ["a declaration gives nothing", ["const a = 1"], undefined],
  ["an enum is no expression", ["enum Colour { red }"], undefined],
  ["a text alone is a value", ['"abc"'], "abc"],
  ["a name of an earlier cell", ["let a = 1", "a + 1"], 2],
  [
    "an assignment is seen by the cell that declared",
    ["let a = 1; const get = () => a", "a = 5", "get()"],
    5,
  ],
  ["shorthand properties", ["let a = 1", "({ a })"], { a: 1 }],
  ["shorthand in a pattern", ["let a = 1", "({ a } = { a: 9 }); a"], 9],
  ["shorthand with a default", ["let a = 1", "({ a = 7 } = {}); a"], 7],
  [
    "a property of an earlier cell's object is no name",
    ["const o = { x: 4 }; let x = 1", "const { x: y } = o; y"],
    4,
  ],
  [
    "patterns",
    ["const { a, ...rest } = { a: 1, b: 2 }; const [c = 3] = []", "[a, rest, c]"],
    [1, { b: 2 }, 3],
  ],
  ["`export` says nothing", ["export const a = 1; export default a + 1"], 2],
  ["names after `export` stay", ["const a = 1;\nexport { a }", "a"], 1],
  ["a cell declares a name anew", ["const a = 1", 'const a = "x"', "a.length"], 1],
  [
    "a type and a value of one name",
    ["const T = 1", "type T = string", "const s: T = 'x'; T + s.length"],
    2,
  ],
  ["top-level await", ["const a = await Promise.resolve(3); a"], 3],
  ["top-level for await", ["let sum = 0; for await (const n of [1, 2]) sum += n; sum"], 3],
  [
    "`using` is disposed of",
    ["let gone = 0; { using r = { [Symbol.dispose]: () => { gone += 1 } } }; gone"],
    1,
  ],
  ["`import.meta`", ["import.meta.url"], "file:///cell.ts"],
  [
    "an import is seen by later cells",
    ['import { basename } from "node:path"', 'basename("/a/b")'],
    "b",
  ],
  ["imports come first", ['basename("/a/b"); import { basename } from "node:path"'], "b"],
  ["a namespace import", ['import * as path from "node:path"', "path.sep"], "/"],
  [
    "an ES module",
    ['import { produce } from "immer"; produce({ n: 1 }, (d) => { d.n = 2 })'],
    { n: 2 },
  ],
  ["a dynamic import", ['const { sep } = await import("node:path"); sep'], "/"],
  ["`require`", ['require("node:path").sep'], "/"],
  [
    "a function is called without `this`",
    ["function me(this: unknown) { return this }", "me() === undefined"],
    true,
  ],
  [
    "classes, and their instances",
    ["class C { #n = 1; get n() { return this.#n } }", "new C().n"],
    1,
  ],
  ["enums and namespaces", ["enum E { a = 4 } namespace N { export const v = 3 }", "E.a + N.v"], 7],
  ["`var` in a block belongs to the cell", ["if (true) { var deep = 6 }", "deep"], 6],
  ["labels are no names", ["let out = 1", "out: for (;;) { break out } out"], 1],
  ["own names hide earlier ones", ["const a = 1", "((a: number) => a)(2)"], 2],
  ["the name of the last expression may be taken", ["const tsLastExpr = 4; tsLastExpr"], 4],
  [
    "a function has the name of its variable",
    ["const named = () => 1, other = class {}", "named.name + other.name"],
    "namedother",
  ],
  [
    "patterns with defaults and computed names",
    [
      "const key = 'k'; const { [key]: x = 1, n: { m: [y, z = x] } } = { n: { m: [2] } } as any",
      "[x, y, z]",
    ],
    [1, 2, 1],
  ],
  [
    "a loop's variable is seen by closures and later cells",
    [
      "for (var i = 0, j = 5; i < 3; i++); for (var o of [7]); for (var k in { q: 1 });",
      "[i, j, o, k]",
    ],
    [3, 5, 7, "q"],
  ],
  [
    "a variable of a loop alone",
    ["let n = 0; for (const n of [1, 2]) n; for (let i = 0; i < 2; i++) n += i", "n"],
    1,
  ],
  [
    "a default import of CommonJS",
    ['import picomatch, * as all from "picomatch"; typeof picomatch + typeof all.default'],
    "functionfunction",
  ],
  [
    "a function of a parameter's name",
    ["let p = 1; function own(p: number) { p += 1; return p }", "own(5) + p"],
    7,
  ],
  [
    "statements without semicolons",
    ["const one = 1\nconst { two } = { two: 2 }\nconst [three] = [3]\none + two + three"],
    6,
  ],
  [
    "a parameter property and a decorator",
    [
      "const seen: string[] = []; function mark(_: unknown, c: ClassMethodDecoratorContext) { seen.push(String(c.name)) }\nclass P { constructor(readonly n: number) {} @mark go() { return this.n } }",
      "new P(3).go() + seen.join()",
    ],
    "3go",
  ],
  ["the notebook's own package", ['import { rules } from "madrigal"; typeof rules'], "function"],
];

describe("a cell runs", () => {
  test.each(VALUES)("%s", async (_title, cells, value) => {
    const notebook = new Notebook(types);
    const values: unknown[] = [];
    for (const cell of cells) values.push(await notebook.run(cell));
    expect(values.at(-1)).toEqual(value);
  });
});

/** Cells of one notebook, and the errors of the last. */
const ERRORS: readonly (readonly [title: string, cells: readonly string[], errors: string])[] = [
  [
    "a wrong type",
    ["\n  const n: number = 'x'"],
    "TS2322 2:9-2:10 Type 'string' is not assignable to type 'number'.",
  ],
  [
    "strict",
    ["const n: string = null"],
    "TS2322 1:7-1:8 Type 'null' is not assignable to type 'string'.",
  ],
  [
    "an unknown name",
    ["let counted = 1", "counte"],
    "TS2552 1:1-1:7 Cannot find name 'counte'. Did you mean 'counted'?",
  ],
  [
    "a constant of another cell",
    ["const a = 1", "a = 2"],
    "TS2588 1:1-1:2 Cannot assign to 'a' because it is a constant.",
  ],
  ["syntax", ["const a = ;"], "TS1109 1:11-1:12 Expression expected."],
  ["an open bracket is at the end of the text", ["f({"], "TS1005 1:4-1:4 '}' expected."],
  [
    "a package that is not there",
    ['import "./nowhere.ts"; import { a } from "no-such-package"; a'],
    "TS2307 1:42-1:59 Cannot find module 'no-such-package' or its corresponding type declarations.",
  ],
  [
    "the type of a redeclared name",
    ["const a = 1", 'let a = "x"', "a.getDate()"],
    "TS2339 1:3-1:10 Property 'getDate' does not exist on type 'string'.",
  ],
];

describe("a cell with errors does not run", () => {
  test.each(ERRORS)("%s", async (_title, cells, errors) => {
    const notebook = new Notebook(types);
    const found: unknown[] = [];
    for (const cell of cells) found.push(await notebook.run(cell));
    expect(found.at(-1)).toBe(errors);
  });
});

test("a cell with errors declares nothing", async () => {
  const notebook = new Notebook(types);
  await notebook.run("const kept = 1");
  await notebook.run('const kept = "x"; const n: number = kept');
  expect(await notebook.run("kept.toFixed()")).toBe("1");
});

test("the source map leads from JavaScript to the cell's own text", async () => {
  const notebook = new Notebook(types);
  await notebook.run("const before = { x: 1 }");
  const converted = await notebook.convert(
    "interface A { a: number }\n\nconst x = before.x;\nfunction f(v: A) {\n  const o = { x, v }; throw new Error('deep');\n}\nf({ a: 1 })",
  );
  expect(originOf(converted, "throw new")).toBe("Cell[2] 5:23");
  expect(originOf(converted, "f({ a: 1")).toBe("Cell[2] 7:1");
});

test("a cell says what it imports and whether it awaits", async () => {
  const notebook = new Notebook(types);
  const cell = 'import { type Stats, statSync } from "node:fs"; import "node:path"; statSync';
  const { imports, hasTopLevelAwait } = await notebook.convert(cell);
  expect(imports).toEqual(["node:fs", "node:path"]);
  expect(hasTopLevelAwait).toBe(false);
  const inner = await notebook.convert("const f = async () => { await 1 }");
  expect(inner.hasTopLevelAwait).toBe(false);
});

test("types that can't be written down leave their names known", async () => {
  const notebook = new Notebook(types);
  await notebook.run(
    "class Hidden { private secret = 1 } const make = () => class extends Hidden { protected p = 1 }",
  );
  expect(await notebook.run("new (make())() instanceof Object")).toBe(true);
});

test("sixty cells in a row, each with names of those before", async () => {
  const notebook = new Notebook(types);
  await notebook.run("const n0 = 1");
  for (let index = 1; index < 60; index += 1)
    await notebook.run(
      `const n${index} = n${index - 1} + 1; function f${index}() { return n${index} }`,
    );
  expect(await notebook.run("[n59, f7(), n0]")).toEqual([60, 8, 1]);
});

describe("completion and inspection", () => {
  const notebook = new Notebook(types);

  test("members of an earlier cell's value", async () => {
    await notebook.run('/** Who it is. */ const person = { name: "x", age: 1 }');
    expect(await notebook.complete("person.▮")).toEqual(["age", "name"]);
    expect(await notebook.complete("person.na▮")).toEqual(["name"]);
  });

  test("literals of a union", async () => {
    await notebook.run('type Side = "left" | "right"');
    expect(await notebook.complete('const side: Side = "▮"')).toEqual(["left", "right"]);
  });

  test("what a name is", async () => {
    expect(await notebook.inspect("per▮son")).toContain("const person: {");
    expect(await notebook.inspect("person▮")).toContain("Who it is.");
    expect(await notebook.inspect("▮  ")).toBeUndefined();
  });

  test.each([
    ["of Node", "process.cwd▮", "returns the current working directory"],
    ["of the language", "[1].flatMap▮", "Calls a defined callback function on each element"],
    ["of a module's", 'import { join } from "node:path"; join▮', "Join all arguments together"],
    ["of another name", 'import { join as put } from "node:path"; put▮', "Join all arguments"],
    [
      "of what it inherits from",
      'import { Readable } from "node:stream"; class B extends Readable { override read() { return 1 } } new B().read▮',
      "The `readable.read()` method reads data out of the internal buffer",
    ],
  ])("comments %s", async (_what, code, said) => {
    expect(await notebook.inspect(code)).toContain(said);
  });
});
