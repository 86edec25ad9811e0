/** What stands at the top of a file, and in a graph beside edges. */
import { expect, test } from "vitest";
import { file, graph } from "../reading.ts";

test("imports", () => {
  expect(file('import { a, model as b } from "./x.ts"')).toMatchInlineSnapshot(
    `"(import names=[(name=a), (name=model as=b)] from="./x.ts")"`,
  );
});

test("models", () => {
  expect(
    file(['model smart = "m"', 'model fast = openai("x") { temperature: 0.2 }'].join("\n")),
  ).toMatchInlineSnapshot(`
    "(model name=smart value="m")
    (model name=fast value=openai("x") options={temperature: 0.2})"
  `);
});

test("mcp servers", () => {
  expect(
    file(
      [
        'mcp a = "npx a"',
        'mcp b = "npx b" { env: { A: "1" } } optional',
        'mcp c = url("x") optional',
        'openapi d = "d.yaml" { url: "https://a.b" } optional',
      ].join("\n"),
    ),
  ).toMatchInlineSnapshot(`
    "(mcp name=a value="npx a")
    (mcp name=b value="npx b" options={env: {A: "1"}} optional=true)
    (mcp name=c value=url("x") optional=true)
    (mcp protocol="openapi" name=d value="d.yaml" options={url: "https://a.b"} optional=true)"
  `);
});

test("types", () => {
  expect(file("type T = { a: string }")).toMatchInlineSnapshot(`"(type name=T type={a: string})"`);
});

test("config", () => {
  expect(file('config { retries: 3, "a-b": true }')).toMatchInlineSnapshot(
    `"(config value={retries: 3, a-b: true})"`,
  );
});

test("a graph with all its parts", () => {
  expect(file('graph G(a: string) returns b, c "does it" { start -> end }')).toMatchInlineSnapshot(
    `"(graph name=G params=[(name=a type=string)] returns=[b, c] description="does it" items=[(flow source=(any nodes=[start]) hops=[(one-of refs=[(node=end)])])])"`,
  );
});

test("a graph with nothing", () => {
  expect(file("graph G {}")).toMatchInlineSnapshot(`"(graph name=G)"`);
});

test("nodes of four kinds", () => {
  expect(
    graph(
      [
        "agent a { }",
        "operator b(x: T) { }",
        'human c "asks" { }',
        'router d(x: T) "picks" { }',
      ].join("\n"),
    ),
  ).toMatchInlineSnapshot(`
    "(node word="agent" name=a)
    (node word="operator" name=b params=[(name=x type=T)])
    (node word="human" name=c description="asks")
    (node word="router" name=d params=[(name=x type=T)] description="picks")"
  `);
});

test("calls of four kinds", () => {
  expect(
    graph(
      [
        "run a = f()",
        "tool b = m.g(x, k: 1) writes y",
        "reduce c(p: T) = h(p) writes y via append { retry 1 }",
        "graph d = sub(a)",
        'graph e "says why" = sub(a) writes y',
      ].join("\n"),
    ),
  ).toMatchInlineSnapshot(`
    "(run word="run" name=a callee=f)
    (tool word="tool" name=b callee=m.g args=[(value=x), (label=k value=1)] writes=(writes writes=[(field=y)]))
    (reduce word="reduce" name=c params=[(name=p type=T)] callee=h args=[(value=p)] writes=(writes writes=[(field=y via=(name=append))]) clauses=[(retry rules=[(count=1)])])
    (graph word="graph" name=d callee=sub args=[(value=a)])
    (graph word="graph" name=e description="says why" callee=sub args=[(value=a)] writes=(writes writes=[(field=y)]))"
  `);
});

test("defaults", () => {
  expect(graph("defaults { model m; retry 2 }")).toMatchInlineSnapshot(
    `"(defaults clauses=[(model value=m), (retry rules=[(count=2)])])"`,
  );
});

test("limits of a graph", () => {
  expect(
    graph(["limit 3m, $2, 40k tokens, 60 steps", "limit 1 turns else ask"].join("\n")),
  ).toMatchInlineSnapshot(`
    "(limit quantities=[180000ms, $2, 40000 tokens, 60 steps])
    (limit quantities=[1 turns] elseAsk=true)"
  `);
});

test("approval of nodes", () => {
  expect(
    graph(
      [
        "approve after plan, code `Go on with ${x}?` when a > 1 by boss within 1h",
        "approve before plan",
      ].join("\n"),
    ),
  ).toMatchInlineSnapshot(`
    "(approve when="after" nodes=[plan, code] consent=(text=\`Go on with \${x}?\` when=(a > 1) by=boss withinMs=3600000))
    (approve when="before" nodes=[plan] consent=())"
  `);
});

test("breakpoints", () => {
  expect(
    graph(["break before a, b when x > 1", "break after c"].join("\n")),
  ).toMatchInlineSnapshot(`
    "(break when="before" nodes=[a, b] condition=(x > 1))
    (break when="after" nodes=[c])"
  `);
});

test("the end of a run", () => {
  expect(graph("end when done && n > 3")).toMatchInlineSnapshot(
    `"(end-when condition=(done && (n > 3)))"`,
  );
});

test("comments are skipped", () => {
  expect(graph(["// one", "/* two", " three */ a -> b // four"].join("\n"))).toMatchInlineSnapshot(
    `"(flow source=(any nodes=[a]) hops=[(one-of refs=[(node=b)])])"`,
  );
});
