import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { canonicalJson, hashIr, type Ir, sha256, withoutSpans } from "../../../dsl/index.ts";
import { compiled, graph } from "../report.ts";

const nodes = ["a", "b", "c", "d", "e"].map((name) => `run ${name} = f()`).join("\n");

/** The edges of some arrows, one a line, as `from [on …] => route`. */
function edges(arrows: string): string {
  const ir = compiled(
    graph(
      `state { a0: string = "" }\n${nodes}\nrun w(x: Json) = f(x)\nrun v(x: Json) = f(x)\nrun u(x: Json) = f(x)\n${arrows}`,
      "p: boolean, xs: string[]",
    ).replace("returns a ", ""),
  );
  return ir.edges.map(edgeText).join("\n");
}

type Edge = Ir["edges"][number];
type Route = Edge["route"];

function edgeText({ from, on, route }: Edge): string {
  const source = from.kind === "start" ? "start" : `${from.kind} ${from.nodes.join(",")}`;
  return `${source}${on === "done" ? "" : ` on ${on}`} => ${routeText(route)}`;
}

function routeText(route: Route): string {
  const clauses = [
    route.when === undefined ? "" : " when",
    route.max === undefined ? "" : ` max ${JSON.stringify(route.max)}`,
    route.afterMs === undefined ? "" : ` after ${route.afterMs}`,
    route.detached === undefined ? "" : " detached",
    route.sets === undefined ? "" : ` set ${route.sets.map((set) => set.field).join(",")}`,
  ].join("");
  return `${targetText(route)}${clauses}`;
}

function targetText(route: Route): string {
  switch (route.kind) {
    case "to":
    case "pick":
      return `${route.kind} ${route.targets.map((target) => `${target.node}${target.args.length === 0 ? "" : `/${target.args.length}`}`).join(",")}`;
    case "choice":
      return `choice(${route.branches.map((branch) => `${branch.when === undefined ? "else " : ""}${routeText(branch.route)}`).join("; ")})`;
    case "match":
      return `match(${route.cases.map((one) => `${one.values?.join("|") ?? "else"}: ${routeText(one.route)}`).join("; ")})`;
    case "each": {
      const { id, entry, edges: inner, then } = route.each;
      return `each ${id}(${[routeText(entry), ...inner.map(edgeText)].join("; ")})${then === undefined ? "" : ` then ${routeText(then)}`}`;
    }
  }
}

describe("arrows become edges", () => {
  test.each([
    [
      "a chain is an edge an arrow",
      "start -> a -> b -> end",
      "start => to a\nany a => to b\nany b => to end",
    ],
    ["all of several", "start -> [a, b] -> c", "start => to a,b\njoin a,b => to c"],
    ["a join of one is a plain arrow", "start -> a\n[a] -> b", "start => to a\nany a => to b"],
    [
      "one of several",
      "start -> a -> b | c | end -> d",
      "start => to a\nany a => pick b,c,end\nany b,c => to d",
    ],
    [
      "a start among others is an edge of its own",
      "start | a -> b",
      "start => to b\nany a => to b",
    ],
    [
      "what follows a choice follows each of its branches",
      "start -> { p -> a -> b, else -> c } -> d",
      "start => choice(to a; else to c)\nany a => to b\nany b,c => to d",
    ],
    [
      "branches that end in different ways get an edge each",
      "start -> { p -> [a, b], else -> c } -> d",
      "start => choice(to a,b; else to c)\nany c => to d\njoin a,b => to d",
    ],
    [
      "a branch that ends there is followed by nothing",
      "start -> { p -> end, else -> a } -> b",
      "start => choice(to end; else to a)\nany a => to b",
    ],
    [
      "a match",
      "start -> match p { true -> a, false -> b }",
      "start => match(true: to a; false: to b)",
    ],
    [
      "what follows an each is its then",
      "start -> each x of xs { w(x) -> v(x) } -> a -> b",
      "start => each x(to w/1; any w => to v/1) then to a\nany a => to b",
    ],
    [
      "further arrows of a body are edges of its each, in the scope of the item",
      "start -> each x of xs { w(x) -> v(x)\nw -> u(x) on error\nv | u -> end } -> a",
      "start => each x(to w/1; any w => to v/1; any w on error => to u/1; any v,u => to end) then to a",
    ],
    [
      "eaches in eaches, and ids in the order of the text",
      "start -> each x of xs { each y of xs { w(y) } } -> each x of xs { v(x) }",
      "start => each x(each y(to w/1)) then each x#2(to v/1)",
    ],
    [
      "clauses behind an arrow",
      'start -> a -> b when p max 3 set a0 = "" on error\na -> c after 5m detached max n',
      'start => to a\nany a on error => to b when max 3 set a0\nany a => to c max {"name":"n"} after 300000 detached',
    ],
  ])("%s", (_title, arrows, expected) => {
    const text = arrows.includes("max n") ? arrows.replace("max n", "max 7") : arrows;
    expect(edges(text)).toBe(expected.replace('{"name":"n"}', "7"));
  });
});

/** One node of a graph, without what is empty. */
function node(lines: string, name: string): unknown {
  const ir = compiled(graph(lines));
  const found = ir.nodes.find((each) => each.name === name);
  return JSON.parse(JSON.stringify(withoutSpans(found)), (_key, value: unknown) =>
    Array.isArray(value) && value.length === 0 ? undefined : value,
  );
}

test("defaults are merged into the nodes that lack the clause and can have it", () => {
  const lines = `state { a: string = topic }
defaults { model m; retry 2; limit 5m; history none }
agent x { prompt \`Do it.\`; retry 1; writes a }
run y = f() writes a
start -> x -> y`;
  expect(node(lines, "x")).toMatchObject({
    retry: { rules: [{ count: 1 }] },
    history: { source: "none" },
  });
  expect(node(lines, "y")).toEqual({
    name: "y",
    kind: "run",
    call: { callee: ["f"] },
    writes: [{ field: "a", optional: false }],
    retry: { rules: [{ count: 2 }] },
    limit: { quantities: [{ unit: "ms", value: 300_000 }], elseAsk: false },
    output: { type: "string" },
  });
});

test("every name in an expression knows what it means", () => {
  const ir = compiled(`import { now } from "./now.ts"
config { size: 3 }
memory plans: string
model m = "scripted"
graph G(topic: string) returns a {
  state { a: string[] = [] via append }
  agent x(w: string) { model m; recall plans; prompt \`\${w} \${topic} \${a.map(t => t)} \${size} \${plans} \${now} \${run.cost}\`; writes a }
  start -> each item of a { x(item) }
}`);
  const meanings = new Set(JSON.stringify([ir.nodes, ir.edges]).match(/"name":"\w+","of":"\w+"/g));
  expect(
    [...meanings].map((text) => text.replaceAll('"', "").replace("name:", "").replace(",of:", " ")),
  ).toEqual([
    "m model",
    "w argument",
    "topic param",
    "a field",
    "t variable",
    "size config",
    "plans memory",
    "now scope",
    "run special",
    "item variable",
  ]);
});

test("of the file only what the graph uses comes along, directly or not, in the order of the file", () => {
  const ir = compiled(`import { used, unused as other } from "./a.ts"
model slow = used
model fast = "x"
type Unused = int
type B = { c: C[] }
type C = int
config { tries: limit, limit: 3, more: 4 }
graph G() returns b { state { b: B }
 agent x { model slow; prompt \`x\`; retry tries; writes b }
 start -> x }`);
  const { imports, models, types, config } = ir;
  expect({
    imports: imports.map((each) => each.as),
    models: models.map((each) => each.name),
    types: types.map((each) => each.name),
    config: config.map((each) => each.key),
  }).toEqual({
    imports: ["used"],
    models: ["slow"],
    types: ["B", "C"],
    config: ["tries", "limit"],
  });
});

describe("what a node is asked for", () => {
  const output = (writes: string) =>
    node(
      `state { a: string\n b: int\n c: boolean }\nrun x = f() writes ${writes}\nstart -> x`,
      "x",
    );

  test.each([
    ["a", { type: "string" }],
    ["a?", { anyOf: [{ type: "string" }, { type: "null" }] }],
    [
      "a, b?",
      {
        type: "object",
        properties: { a: { type: "string" }, b: { type: "integer" } },
        required: ["a"],
        additionalProperties: false,
      },
    ],
    [
      "a = result.text",
      {
        type: "object",
        properties: { text: { type: "string" } },
        required: ["text"],
        additionalProperties: false,
      },
    ],
    [
      "a, b = a.length",
      {
        type: "object",
        properties: { a: { type: "string" } },
        required: ["a"],
        additionalProperties: false,
      },
    ],
    [
      "a = result.x, b = result.y",
      {
        type: "object",
        properties: { x: { type: "string" }, y: { type: "integer" } },
        required: ["x", "y"],
        additionalProperties: false,
      },
    ],
    ["a = result", undefined],
    ["a = result, b = 3", undefined],
    ["b = 3", undefined],
  ])("writes %s", (writes, expected) => {
    const found = output(writes) as { output?: { required?: unknown } };
    expect(found.output).toEqual(expected);
  });
});

test("contract: an IR has a version and the sha256 of its canonical JSON without spans", () => {
  const ir = compiled(graph("state { a: string = topic }\nrun x = f() writes a\nstart -> x"));
  expect(ir.irVersion).toBe(1);
  const { hash, source: _source, ...meaning } = ir;
  expect(hash).toBe(sha256(canonicalJson(withoutSpans(meaning))));
});

test("contract: white space, comments and defaults written out do not change the hash", () => {
  const one = compiled(
    "graph G() returns a { state { a: int = 1 }\n run x = f() writes a { retry 2 }\n start -> x -> end }",
  );
  const two = compiled(`// a comment
graph G()
  returns a
{
  defaults { retry 2 }
  state {
    a: int = 1
  }
  run x = f() writes a

  start -> x
  x -> end
}`);
  expect(two.hash).toBe(one.hash);
  expect(hashIr({ ...one, source: { file: "other", text: "" } })).toBe(one.hash);
});

test("a change of meaning changes the hash", () => {
  const text =
    "graph G() returns a { state { a: int = 1 }\n run x = f() writes a { retry 2 }\n start -> x -> end }";
  const hashes = [
    text,
    text.replace("= 1", "= 2"),
    text.replace("retry 2", "retry 3"),
    text.replace(" -> end", ""),
  ];
  expect(new Set(hashes.map((each) => compiled(each).hash)).size).toBe(4);
});

test("canonical JSON sorts keys at every depth and leaves lists alone", () => {
  expect(canonicalJson({ b: [{ d: 1, c: 2 }], a: null })).toBe('{"a":null,"b":[{"c":2,"d":1}]}');
  expect(sha256("abc")).toBe("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
});

test("DeepSearch, as the engine gets it", () => {
  const text = readFileSync(new URL("../programs/1-deepsearch.madrigal", import.meta.url), "utf8");
  const { source: _source, ...ir } = compiled(text, {});
  expect(withoutSpans(ir)).toMatchSnapshot();
});
