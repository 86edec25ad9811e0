import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type ExprIr, parse, print, withoutSpans } from "../../../dsl/index.ts";
import { lowerExpression } from "../../../dsl/lower/lower-expression.ts";
import { flowScope } from "../../../dsl/names/scope.ts";
import { fileSymbols, graphSymbols } from "../../../dsl/names/symbols.ts";
import { arbitraryExpression } from "../../support/arbitrary-expression.ts";
import { arbitraryGraph } from "../../support/arbitrary-graph.ts";
import { codesOf, compiled } from "../report.ts";

const programs = [
  "1-deepsearch",
  "2-plan-code-review",
  "3-magentic",
  "4-state-routing",
  "5-eko-watch",
];

describe("reading back what is printed gives the same graph", () => {
  test.each(programs)("contract: parse(print(ir)) is ir, for program %s", (name) => {
    const text = readFileSync(new URL(`../programs/${name}.madrigal`, import.meta.url), "utf8");
    expectRoundTrip(text);
  });

  test.each(["graph Home", "graph Other"])("a type has the name of a value: %s", (head) => {
    const of = head === "graph Home" ? "other" : "Home";
    expectRoundTrip(`import { ${of} } from "./homes.ts"

type Home = { url: string }

${head}(url: string) returns found {
  state { found: Home }
  run look = ${of}(url) writes found
  start -> look -> end
}
`);
  });

  test("contract: parse(print(ir)) is ir, for random graphs that run", () => {
    fc.assert(fc.property(arbitraryGraph(), expectRoundTrip), { numRuns: 80 });
  });

  test("M02 contract: parse(print(ir)) is ir, for random graphs with all that the language has", () => {
    const graph = arbitraryGraph({ runnable: false, calls: true });
    fc.assert(fc.property(graph, expectRoundTrip), { numRuns: 80 });
  });

  test("random expressions come back as they were", () => {
    fc.assert(
      fc.property(arbitraryExpression(), (expression) => {
        expect(readBack(expression)).toEqual(expression);
      }),
      { numRuns: 300 },
    );
  });
});

test("random graphs that run have no error, not even something that is not built yet", () => {
  fc.assert(
    fc.property(arbitraryGraph(), (text) => {
      // Their loops may well allow more rounds than they ever make.
      expect(codesOf(text, {}).filter((code) => code !== "M3222")).toEqual([]);
    }),
    { numRuns: 80 },
  );
});

test("what is printed is canonical: printing what was read back changes nothing", () => {
  fc.assert(
    fc.property(arbitraryGraph({ runnable: false, calls: true }), (text) => {
      const printed = print(compiled(text));
      expect(print(compiled(printed))).toBe(printed);
    }),
    { numRuns: 40 },
  );
});

function expectRoundTrip(text: string): void {
  const ir = compiled(text);
  const back = compiled(print(ir));
  const { graphs = [], ...own } = ir;
  const { graphs: printed = [], ...read } = back;
  expect(withoutSpans({ ...read, source: undefined })).toEqual(
    withoutSpans({ ...own, source: undefined }),
  );
  // They are found by their hash; the order in which they stand says nothing.
  expect(printed.map(({ hash }) => hash).sort()).toEqual(graphs.map(({ hash }) => hash).sort());
  expect(back.hash).toBe(ir.hash);
}

/** The expression put into a graph, printed, and read; its types are of no interest here. */
function readBack(expression: ExprIr): unknown {
  const ir = compiled("graph G(n: Json) { start -> end\n end when n }");
  const { ast, findings } = parse({
    file: "test.madrigal",
    text: print({ ...ir, endWhen: [expression] }),
  });
  expect(findings).toEqual([]);
  const graph = ast.items.find((item) => item.kind === "graph");
  const end = graph?.items.find((item) => item.kind === "end-when");
  if (graph === undefined || end === undefined) return undefined;
  const scope = flowScope(graphSymbols(fileSymbols(ast, undefined), graph));
  return withoutSpans(lowerExpression(end.condition, scope));
}
