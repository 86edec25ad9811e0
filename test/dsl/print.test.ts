import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type ExprIr, parse, print, withoutSpans } from "../../dsl/index.ts";
import { lowerExpression } from "../../dsl/lower/lower-expression.ts";
import { flowScope } from "../../dsl/scope.ts";
import { fileSymbols, graphSymbols } from "../../dsl/symbols.ts";
import { arbitraryExpression } from "../support/arbitrary-expression.ts";
import { arbitraryGraph } from "../support/arbitrary-graph.ts";
import { compiled, report } from "./report.ts";

const programs = [
  "1-deepsearch",
  "2-plan-code-review",
  "3-magentic",
  "4-state-routing",
  "5-eko-watch",
];

describe("reading back what is printed gives the same graph", () => {
  test.each(programs)("contract: parse(print(ir)) is ir, for program %s", (name) => {
    const text = readFileSync(new URL(`programs/${name}.madrigal`, import.meta.url), "utf8");
    expectRoundTrip(text);
  });

  test("contract: parse(print(ir)) is ir, for random graphs that run", () => {
    fc.assert(fc.property(arbitraryGraph(), expectRoundTrip), { numRuns: 80 });
  });

  test("contract: parse(print(ir)) is ir, for random graphs with all that the language has", () => {
    fc.assert(fc.property(arbitraryGraph({ runnable: false }), expectRoundTrip), { numRuns: 40 });
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
      expect(report(text, {})).toBe("");
    }),
    { numRuns: 80 },
  );
});

test("what is printed is canonical: printing what was read back changes nothing", () => {
  fc.assert(
    fc.property(arbitraryGraph({ runnable: false }), (text) => {
      const printed = print(compiled(text));
      expect(print(compiled(printed))).toBe(printed);
    }),
    { numRuns: 40 },
  );
});

function expectRoundTrip(text: string): void {
  const ir = compiled(text);
  const back = compiled(print(ir));
  expect(withoutSpans({ ...back, source: undefined })).toEqual(
    withoutSpans({ ...ir, source: undefined }),
  );
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
