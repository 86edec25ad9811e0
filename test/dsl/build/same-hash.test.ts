import { readdirSync, readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  canonicalJson,
  check,
  hashIr,
  type Ir,
  print,
  type Source,
  type TestIr,
  withoutSpans,
} from "../../../dsl/index.ts";
import { arbitraryGraph } from "../../support/arbitrary-graph.ts";
import { compiled } from "../report.ts";
import { graph } from "./built.ts";
import { asWords, rebuilt } from "./rebuild.ts";

const folder = new URL("../programs/", import.meta.url);
const programs = readdirSync(folder).filter((name) => /^[1-5]-.*\.madrigal$/.test(name));

describe("text and builder give one graph", () => {
  test("there are programs", () => expect(programs).toHaveLength(5));

  test.each(programs)("A62 contract: graph(name) has the text's hash, for program %s", (name) => {
    expectSame(readFileSync(new URL(name, folder), "utf8"));
  });

  test("A62 contract: graph(name) has the text's hash, for random graphs that run", () => {
    fc.assert(fc.property(arbitraryGraph(), expectSame), { numRuns: 60 });
  });

  test("A62 contract: graph(name) has the text's hash, for random graphs with all that the language has", () => {
    fc.assert(fc.property(arbitraryGraph({ runnable: false }), expectSame), { numRuns: 40 });
  });

  test("M02 [PB] a graph is the same from its text, its JSON, its canonical text and its builder", () => {
    fc.assert(
      fc.property(arbitraryGraph({ runnable: false }), (text) => {
        const ir = compiled(text);
        const stored: Ir = JSON.parse(JSON.stringify(ir));
        const hashes = [
          hashIr(stored),
          compiled(print(stored)).hash,
          rebuilt(print(stored)).build().ir?.hash,
        ];
        expect(hashes).toEqual([ir.hash, ir.hash, ir.hash]);
      }),
      { numRuns: 30 },
    );
  });

  test("what a builder says as text reads back as its graph", () => {
    fc.assert(
      fc.property(arbitraryGraph({ runnable: false }), (text) => {
        const builder = rebuilt(text);
        expect(compiled(builder.text()).hash).toBe(builder.build().ir?.hash);
      }),
      { numRuns: 20 },
    );
  });

  test("A62 the tests of a graph stand behind it, the same as in program 6", () => {
    const graphs = readFileSync(new URL("2-plan-code-review.madrigal", folder), "utf8");
    const tests = readFileSync(new URL("6-tests.madrigal", folder), "utf8");
    const text = `${graphs}\n${tests.replace(/^import .*\n/m, "")}\n${FAILING}`;
    const programs = (from: string): Source => ({
      file: from,
      text: readFileSync(new URL(from, folder), "utf8"),
    });
    const options = { programs };
    const { tests: expected } = check({ file: "test.madrigal", text }, options);
    const { tests: built } = rebuilt(text).build(options);
    expect(built.map(meaningOfTest)).toEqual(expected.map(meaningOfTest));
    expect(built).toHaveLength(3);
  });
});

const FAILING = `test "a model that fails" of PlanCodeReview {
  given task = "x"
  plan fails "overloaded", says ["a"]
  expect status == "failed"
}`;

/** All but the places, and the text that they are places in. */
function meaningOfTest({ source: _source, line: _line, ir, ...meaning }: TestIr): unknown {
  return withoutSpans({ ...meaning, hash: ir.hash });
}

test("any text can be a prompt, with holes where they are meant", () => {
  const piece = fc.string({ unit: fc.constantFrom(..."ab $ {}\\`\n\t\"'é𝄞") });
  const hole = fc.constantFrom("n", 'n + "}"', "{ a: { b: n } }", "`a${n}}`", '"`" + n');
  fc.assert(
    fc.property(piece, hole, piece, (before, inner, behind) => {
      const words = asWords([before, { hole: inner }, behind]);
      const { ir, diagnostics } = graph("G")
        .param("n", "string")
        .model("m", "rules")
        .agent("a", { model: "m", prompt: words })
        .edge("start", "a")
        .build();
      expect(diagnostics).toEqual([]);
      const prompt = ir?.nodes[0]?.prompt;
      const parts = prompt?.kind === "template" ? prompt.parts : [];
      expect(parts.filter((part) => typeof part === "string").join("|")).toBe(
        [before, behind].filter((part) => part !== "").join("|"),
      );
      expect(parts).toHaveLength([before, inner, behind].filter((part) => part !== "").length);
    }),
    { numRuns: 300 },
  );
});

function expectSame(text: string): void {
  const ir = compiled(text);
  const { diagnostics, ir: built } = rebuilt(text).build();
  expect(diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
  const plain = (graph: object | undefined) =>
    canonicalJson(withoutSpans({ ...graph, source: undefined }));
  expect(plain(built)).toBe(plain(ir));
  expect(built?.hash).toBe(ir.hash);
}
