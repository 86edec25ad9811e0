/** Edges. */
import { expect, test } from "vitest";
import { file, graph, report } from "../reading.ts";

test("a chain", () => {
  expect(graph("start -> a -> b -> end")).toMatchInlineSnapshot(
    `"(flow source=(any nodes=[start]) hops=[(one-of refs=[(node=a)]), (one-of refs=[(node=b)]), (one-of refs=[(node=end)])])"`,
  );
});

test("from whoever arrives", () => {
  expect(graph("a | b | c -> d")).toMatchInlineSnapshot(
    `"(flow source=(any nodes=[a, b, c]) hops=[(one-of refs=[(node=d)])])"`,
  );
});

test("a join and a quorum", () => {
  expect(
    graph(["[a, b] -> c", "[a, b] need 2 -> c", "[a, b] need n -> c"].join("\n")),
  ).toMatchInlineSnapshot(`
    "(flow source=(join nodes=[a, b]) hops=[(one-of refs=[(node=c)])])
    (flow source=(join nodes=[a, b] need=2) hops=[(one-of refs=[(node=c)])])
    (flow source=(join nodes=[a, b] need=n) hops=[(one-of refs=[(node=c)])])"
  `);
});

test("all of and one of", () => {
  expect(graph(['a -> [b, c(x) "label"]', "a -> b | c | end"].join("\n"))).toMatchInlineSnapshot(`
    "(flow source=(any nodes=[a]) hops=[(all-of refs=[(node=b), (node=c args=[(value=x)] label="label")])])
    (flow source=(any nodes=[a]) hops=[(one-of refs=[(node=b), (node=c), (node=end)])])"
  `);
});

test("labels and arguments of a target", () => {
  expect(graph('a -> work(task, mode: "fast") "when there is work"')).toMatchInlineSnapshot(
    `"(flow source=(any nodes=[a]) hops=[(one-of refs=[(node=work args=[(value=task), (label=mode value="fast")] label="when there is work")])])"`,
  );
});

test("all clauses of an edge", () => {
  expect(
    graph("a -> b when x > 1 max 2 after 5m on error detached set n = n + 1, m = 2"),
  ).toMatchInlineSnapshot(
    `"(flow source=(any nodes=[a]) hops=[(one-of refs=[(node=b)] clauses=[(when condition=(x > 1)), (max count=2), (after ms=300000), (on what=error), (detached), (set assigns=[(field=n value=(n + 1)), (field=m value=2)])])])"`,
  );
});

test("a count may be a parameter", () => {
  expect(graph("a -> b max tries")).toMatchInlineSnapshot(
    `"(flow source=(any nodes=[a]) hops=[(one-of refs=[(node=b)] clauses=[(max count=tries)])])"`,
  );
});

test("clauses may stand on the next line", () => {
  expect(graph(["a -> b", "  when x", "  max 2", "  detached"].join("\n"))).toMatchInlineSnapshot(
    `"(flow source=(any nodes=[a]) hops=[(one-of refs=[(node=b)] clauses=[(when condition=x), (max count=2), (detached)])])"`,
  );
});

test("a choice", () => {
  expect(graph("a -> { x > 1 -> b -> c, !y -> d else -> end }")).toMatchInlineSnapshot(
    `"(flow source=(any nodes=[a]) hops=[(choice branches=[(condition=(x > 1) hops=[(one-of refs=[(node=b)]), (one-of refs=[(node=c)])]), (condition=(!y) hops=[(one-of refs=[(node=d)])]), (hops=[(one-of refs=[(node=end)])])])])"`,
  );
});

test("a choice line by line", () => {
  expect(
    graph(
      [
        "a -> {",
        "  done -> finish -> end",
        "  n + 1 >= max -> b max 3 set n = 0, m = 1",
        "  else -> c",
        "}",
      ].join("\n"),
    ),
  ).toMatchInlineSnapshot(
    `"(flow source=(any nodes=[a]) hops=[(choice branches=[(condition=done hops=[(one-of refs=[(node=finish)]), (one-of refs=[(node=end)])]), (condition=((n + 1) >= max) hops=[(one-of refs=[(node=b)] clauses=[(max count=3), (set assigns=[(field=n value=0), (field=m value=1)])])]), (hops=[(one-of refs=[(node=c)])])])])"`,
  );
});

test("a comma behind set goes on to the next branch", () => {
  expect(graph("a -> { x -> b set n = 1, y > 2 -> c }")).toMatchInlineSnapshot(
    `"(flow source=(any nodes=[a]) hops=[(choice branches=[(condition=x hops=[(one-of refs=[(node=b)] clauses=[(set assigns=[(field=n value=1)])])]), (condition=(y > 2) hops=[(one-of refs=[(node=c)])])])])"`,
  );
});

test("a match", () => {
  expect(
    graph(
      'a -> match r.verdict { "ship" | "hold" -> b, -1 -> c, true -> d, null -> e, else -> end }',
    ),
  ).toMatchInlineSnapshot(
    `"(flow source=(any nodes=[a]) hops=[(match subject=r.verdict cases=[(values=["ship", "hold"] hops=[(one-of refs=[(node=b)])]), (values=[-1] hops=[(one-of refs=[(node=c)])]), (values=[true] hops=[(one-of refs=[(node=d)])]), (values=[null] hops=[(one-of refs=[(node=e)])]), (hops=[(one-of refs=[(node=end)])])])])"`,
  );
});

test("a match line by line: a string there is a case, not a label", () => {
  expect(
    graph(["a -> match v {", '  "x" -> b', '  "y" -> c', "}"].join("\n")),
  ).toMatchInlineSnapshot(
    `"(flow source=(any nodes=[a]) hops=[(match subject=v cases=[(values=["x"] hops=[(one-of refs=[(node=b)])]), (values=["y"] hops=[(one-of refs=[(node=c)])])])])"`,
  );
});

test("choices nest and go on", () => {
  expect(graph('a -> match v { "x" -> { p -> b, else -> c } } -> d max 2')).toMatchInlineSnapshot(
    `"(flow source=(any nodes=[a]) hops=[(match subject=v cases=[(values=["x"] hops=[(choice branches=[(condition=p hops=[(one-of refs=[(node=b)])]), (hops=[(one-of refs=[(node=c)])])])])]), (one-of refs=[(node=d)] clauses=[(max count=2)])])"`,
  );
});

test("each with all its options", () => {
  expect(
    graph("a -> each t of xs parallel 4 need n when t.ok on error skip { work(t) -> check } -> b"),
  ).toMatchInlineSnapshot(
    `"(flow source=(any nodes=[a]) hops=[(each variable=t items=xs onErrorSkip=true parallel=4 need=n when=t.ok body=[(one-of refs=[(node=work args=[(value=t)])]), (one-of refs=[(node=check)])]), (one-of refs=[(node=b)])])"`,
  );
});

test("each with nothing", () => {
  expect(graph("a -> each t of f(xs) { work(t) }")).toMatchInlineSnapshot(
    `"(flow source=(any nodes=[a]) hops=[(each variable=t items=f(xs) body=[(one-of refs=[(node=work args=[(value=t)])])])])"`,
  );
});

test("an option of each said twice", () => {
  expect(
    report(["graph G {", "  a -> each t of xs need 1 need 2 { w(t) }", "}"].join("\n")),
  ).toMatchInlineSnapshot(`"M1110 2:28 \`need\` is written twice (remove one of them)"`);
});

test("nodes named like clauses of edges", () => {
  expect(
    graph(
      [
        "a -> max",
        "max -> on",
        "on | set -> detached",
        "detached -> after",
        "after -> by",
        "by -> within",
      ].join("\n"),
    ),
  ).toMatchInlineSnapshot(`
    "(flow source=(any nodes=[a]) hops=[(one-of refs=[(node=max)])])
    (flow source=(any nodes=[max]) hops=[(one-of refs=[(node=on)])])
    (flow source=(any nodes=[on, set]) hops=[(one-of refs=[(node=detached)])])
    (flow source=(any nodes=[detached]) hops=[(one-of refs=[(node=after)])])
    (flow source=(any nodes=[after]) hops=[(one-of refs=[(node=by)])])
    (flow source=(any nodes=[by]) hops=[(one-of refs=[(node=within)])])"
  `);
});

test("a test of a graph", () => {
  expect(
    file(
      [
        'test "it works" of G {',
        "  given a = 1, b = [2]",
        '  plan says 1, 2, fails "down", "still"',
        '  plan fails "x", says 3',
        "  expect path plan -> code -> end",
        "  expect visits(code) == 3 && cost <= $0.10",
        "}",
      ].join("\n"),
    ),
  ).toMatchInlineSnapshot(
    `"(test title="it works" of=G items=[(given assigns=[(field=a value=1), (field=b value=[2])]), (script node=plan lines=[(how="says" value=1), (how="says" value=2), (how="fails" value="down"), (how="fails" value="still")]), (script node=plan lines=[(how="fails" value="x"), (how="says" value=3)]), (expect-path path=[plan, code, end]), (expect condition=((visits(code) == 3) && (cost <= $0.1)))])"`,
  );
});

test("nodes and fields named like the words of a test", () => {
  expect(
    file(
      [
        'test "it works" of G {',
        "  given says 1",
        '  expect says "x"',
        "  expect path.length > 1",
        "  expect says == fails",
        "  says says 1",
        "}",
      ].join("\n"),
    ),
  ).toMatchInlineSnapshot(
    `"(test title="it works" of=G items=[(script node=given lines=[(how="says" value=1)]), (script node=expect lines=[(how="says" value="x")]), (expect condition=(path.length > 1)), (expect condition=(says == fails)), (script node=says lines=[(how="says" value=1)])])"`,
  );
});
