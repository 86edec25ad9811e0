/** Labels of arguments that functions of TypeScript get, and names of the scope that are not there. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parameterNames } from "../../../runtime/agents/scope/parameter-names.ts";
import { tool } from "../../../runtime/index.ts";
import { newSession, runWith } from "../scoped-run.ts";

const scope = {
  rank: (score: number, width = 2) => score * width,
  all: (...values: number[]) => values.length,
  helpers: { pick: (from: number[], at: number) => from[at] ?? 0 },
  LIMITS: { most: 3 },
  STEPS: [1, 2],
  look: tool(({ at }: { at: number }) => at, {
    effect: "none",
    input: { type: "object", properties: { at: { type: "number" } } },
  }),
};

const graph = (lines: string) => `graph G(n: int = 5) returns a {
  state { a: int = 0 }
  ${lines}
  start -> x
}`;

const labelled = (call: string) => graph(`run x = ${call} writes a`);
const inside = (call: string) => graph(`run x = rank(n, 2) writes a { set a = ${call} }`);

describe("a label says which parameter it is, and must be right", () => {
  test.each([
    ["in their order", labelled("rank(score: n, width: 3)"), 15],
    ["some of them", labelled("rank(n, width: 3)"), 15],
    ["in an expression", inside("helpers.pick(from: [7, 8], at: 1)"), 8],
    ["of a tool: members of its input", graph("tool x = look(at: n) writes a"), 5],
  ])("%s", async (_, text, a) => {
    expect(await runWith(text, scope).run.output).toEqual({ a });
  });

  test.each([
    [
      "another's",
      labelled("rank(width: n, score: 3)"),
      "`width` of `rank` stands where `score` does",
    ],
    ["nobody's", labelled("rank(score: n, witdh: 3)"), "`rank` has no parameter `witdh`"],
    ["in an expression", inside("helpers.pick(form: [7], at: 0)"), "no parameter `form`"],
    ["of a rest", labelled("all(values: n)"), "nobody can say which parameter of `all`"],
  ])("M5380: %s", (_, text, message) => {
    expect(() => runWith(text, scope)).toThrow(
      expect.objectContaining({ code: "M5380", message: expect.stringContaining(message) }),
    );
  });

  test("the names are those of the function, however it is written", () => {
    const functions: readonly [(...args: never[]) => unknown, readonly (string | undefined)[]][] = [
      [(a: number) => a, ["a"]],
      [async (a: number, b = "x,y)") => `${a}${b}`, ["a", "b"]],
      [({ a }: { a: number }, b: number) => a + b, [undefined, "b"]],
      [(a = [1, 2], /* c, */ b = { d: ")" }) => [a, b], ["a", "b"]],
      [
        function named(...rest: number[]) {
          return rest;
        },
        [undefined],
      ],
      [{ method: (a: number, $b: number) => a + $b }.method, ["a", "$b"]],
      [() => 1, []],
    ];
    for (const [fn, names] of functions) expect(parameterNames(fn)).toEqual(names);
    expect(parameterNames(((a: number) => a).bind(null))).toBeUndefined();
  });

  test("any list of names is read back", () => {
    const name = fc.stringMatching(/^[a-z$_][a-z0-9$_]{4,8}$/);
    fc.assert(
      fc.property(fc.uniqueArray(name, { maxLength: 6 }), (names) => {
        const text = names.map((one, at) => (at % 2 === 0 ? one : `${one} = f(",)", [1, 2])`));
        const fn = new Function("f", `return (${text.join(", ")}) => 1`)() as () => unknown;
        expect(parameterNames(fn)).toEqual(names);
      }),
      { numRuns: 50 },
    );
  });
});

describe("what is not in the scope is found by the check", () => {
  test.each([
    ["a function", inside("rnk(n)"), "M2106", "no function is called `rnk`"],
    ["one of a group", inside("helpers.pik([1], 0)"), "M2106", "`helpers.pik`"],
    ["a constant", inside("LIMTS.most"), "M2103", "`LIMTS`"],
    ["a member of one", inside("LIMITS.mots"), "M2110", "`LIMITS.mots`"],
  ])("%s", (_, text, code, message) => {
    const compile = () => newSession().compile(text, { scope });
    expect(compile).toThrow(expect.objectContaining({ code: "M5002" }));
    expect(compile).toThrow(expect.objectContaining({ message: expect.stringContaining(code) }));
    expect(compile).toThrow(expect.objectContaining({ message: expect.stringContaining(message) }));
  });

  test("constants and their members are there", async () => {
    const { run } = runWith(inside("LIMITS.most + STEPS.length"), scope);
    expect(await run.output).toEqual({ a: 5 });
  });
});
