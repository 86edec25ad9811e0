/** Types and what is declared with them. */
import { expect, test } from "vitest";
import { file, graph, report, type } from "../reading.ts";

test("names and dotted names", () => {
  expect(type("string | Foo.Bar")).toMatchInlineSnapshot(`"(string | Foo.Bar)"`);
});

test("arguments", () => {
  expect(type("Map<string, Array<int>>")).toMatchInlineSnapshot(`"Map<string, Array<int>>"`);
});

test("arrays", () => {
  expect(type("string[][]")).toMatchInlineSnapshot(`"string[][]"`);
});

test("literals", () => {
  expect(type('"a" | -1 | 2.5 | true | null')).toMatchInlineSnapshot(
    `"("a" | -1 | 2.5 | true | null)"`,
  );
});

test("a union may begin with its bar", () => {
  expect(type(["", '  | "a"', '  | "b"'].join("\n"))).toMatchInlineSnapshot(`"("a" | "b")"`);
});

test("objects, with all three separators", () => {
  expect(
    type(['{ a: string, b?: int; each: "x"', "  tools: T[] }"].join("\n")),
  ).toMatchInlineSnapshot(`"{a: string, b?: int, each: "x", tools: T[]}"`);
});

test("tuples", () => {
  expect(type("[string, int[]]")).toMatchInlineSnapshot(`"[string, int[]]"`);
});

test("parentheses", () => {
  expect(type("(A | B)[]")).toMatchInlineSnapshot(`"(A | B)[]"`);
});

test("state of the run, the thread and the user", () => {
  expect(
    graph(["state { a: int }", "state thread { b: int }", "state user { c: int }"].join("\n")),
  ).toMatchInlineSnapshot(`
    "(state scope="run" fields=[(name=a type=int)])
    (state scope="thread" fields=[(name=b type=int)])
    (state scope="user" fields=[(name=c type=int)])"
  `);
});

test("a field with all its parts", () => {
  expect(graph("state { notes?: string[] = [] via union(n => n.id) }")).toMatchInlineSnapshot(
    `"(state scope="run" fields=[(name=notes optional=true type=string[] value=[] via=(name=union args=[(value=((n) => n.id))]))])"`,
  );
});

test("fields need no separator", () => {
  expect(
    graph('state { a: int b: string = "x" via: T max: int = 1 via max(x => x) }'),
  ).toMatchInlineSnapshot(
    `"(state scope="run" fields=[(name=a type=int), (name=b type=string value="x"), (name=via type=T), (name=max type=int value=1 via=(name=max args=[(value=((x) => x))]))])"`,
  );
});

test("memory in a graph and in a file", () => {
  expect(
    graph(["memory plans: { task: string } by task", "memory by: T"].join("\n")),
  ).toMatchInlineSnapshot(`
    "(memory name=plans type={task: string} by=task)
    (memory name=by type=T)"
  `);
});

test("memory of the file", () => {
  expect(file("memory plans: Plan[]")).toMatchInlineSnapshot(`"(memory name=plans type=Plan[])"`);
});

test("a memory of a scope that is none", () => {
  expect(report("memory plans users: Plan")).toMatchInlineSnapshot(
    `"M1107 1:14 \`plans\` has no type (write \`memory NAME: TYPE\`; between name and colon may stand \`user\`, \`thread\`, \`agent\` or \`workspace\`)"`,
  );
});

test("parameters", () => {
  expect(
    file("graph G(a: string, tools?: T[], n: int = 3) { start -> end }"),
  ).toMatchInlineSnapshot(
    `"(graph name=G params=[(name=a type=string), (name=tools optional=true type=T[]), (name=n type=int value=3)] items=[(flow source=(any nodes=[start]) hops=[(one-of refs=[(node=end)])])])"`,
  );
});

test("a type on the next line belongs to nobody", () => {
  expect(
    report(["graph G {", "  state {", "    tasks:", "    report: string", "  }", "}"].join("\n")),
  ).toMatchInlineSnapshot(
    `"M1107 3:10 a type is missing after \`:\` (write it on the line of the colon, for example \`string\`)"`,
  );
});

test("brackets on the next line are no array", () => {
  expect(graph(["memory m: T", "[a, b] -> c"].join("\n"))).toMatchInlineSnapshot(`
    "(memory name=m type=T)
    (flow source=(join nodes=[a, b]) hops=[(one-of refs=[(node=c)])])"
  `);
});
