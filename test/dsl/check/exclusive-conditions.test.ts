/** Which arrows can't be taken together, by their conditions. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { areExclusive } from "../../../dsl/check/concurrency/exclusive-conditions.ts";
import type { ExprIr } from "../../../dsl/index.ts";
import { codesOf, graph } from "../report.ts";

/** What is found in two writers of one field behind two conditional arrows. */
function found(first: string, second: string): readonly string[] {
  const lines = `state { a: string }
agent one { model m; prompt \`one \${n} \${s} \${ok}\`; writes a }
agent two { model m; prompt \`two\`; writes a }
start -> one when ${first}
start -> two when ${second}`;
  return codesOf(graph(lines, "n: int, s: string, ok: boolean"));
}

test.each([
  ["n < 3", "n >= 3"],
  ["n < 3", "n > 5"],
  ["n < 3", "n > 3"],
  ["3 > n", "n >= 3"],
  ["n <= -1", "0 < n"],
  ["n == 2", "n > 5"],
  ['"x" == s', '"y" == s'],
  ['"x" == s', 's == "y"'],
  ["ok && n < 3", "n >= 3"],
  ["ok && n < 3", "!ok"],
  ["!(n < 3)", "n < 2"],
  ["!(n < 3 || ok)", "n == 1"],
  ["n < 1 || n > 5", "n == 3"],
  ["n == 2 && ok", "n != 2"],
])("one of two: %s, %s", (first, second) => {
  expect(found(first, second)).not.toContain("M3301");
  expect(found(second, first)).not.toContain("M3301");
});

test.each([
  ["n < 3", "n < 5"],
  ["n <= 3", "n >= 3"],
  ["n < 3", "n != 4"],
  ["n < 3 || ok", "n >= 3"],
  ['s == "x"', '"x" == s'],
  ["n < 3", "n + 1 > 5"],
])("both: %s, %s", (first, second) => {
  expect(found(first, second)).toContain("M3301");
});

type Value = number | null;

interface Condition {
  readonly expr: ExprIr;
  readonly holds: (values: readonly [Value, Value]) => boolean;
}

const COMPARE = {
  "==": (a: Value, b: number) => a === b,
  "!=": (a: Value, b: number) => a !== b,
  "<": (a: Value, b: number) => a !== null && a < b,
  "<=": (a: Value, b: number) => a !== null && a <= b,
  ">": (a: Value, b: number) => a !== null && a > b,
  ">=": (a: Value, b: number) => a !== null && a >= b,
} as const;
const MIRRORED = { "==": "==", "!=": "!=", "<": ">", "<=": ">=", ">": "<", ">=": "<=" } as const;

const comparison = fc
  .record({
    at: fc.constantFrom(0 as const, 1 as const),
    op: fc.constantFrom(
      "==" as const,
      "!=" as const,
      "<" as const,
      "<=" as const,
      ">" as const,
      ">=" as const,
    ),
    value: fc.integer({ min: -2, max: 2 }),
    isMirrored: fc.boolean(),
  })
  .map(({ at, op, value, isMirrored }): Condition => {
    const name: ExprIr = { kind: "name", of: "field", name: at === 0 ? "n" : "k" };
    const literal: ExprIr = { kind: "literal", value };
    return {
      expr: isMirrored
        ? { kind: "binary", op: MIRRORED[op], left: literal, right: name }
        : { kind: "binary", op, left: name, right: literal },
      holds: (values) => COMPARE[op](values[at], value),
    };
  });

const { condition } = fc.letrec<{ condition: Condition }>((tie) => ({
  condition: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    comparison,
    tie("condition").map(
      ({ expr, holds }): Condition => ({
        expr: { kind: "unary", op: "!", operand: expr },
        holds: (values) => !holds(values),
      }),
    ),
    fc.tuple(fc.constantFrom("&&" as const, "||" as const), tie("condition"), tie("condition")).map(
      ([op, left, right]): Condition => ({
        expr: { kind: "binary", op, left: left.expr, right: right.expr },
        holds: (values) =>
          op === "&&"
            ? left.holds(values) && right.holds(values)
            : left.holds(values) || right.holds(values),
      }),
    ),
  ),
}));

const VALUES: readonly Value[] = [null, ...[-3, -2, -1, 0, 1, 2, 3].flatMap((n) => [n, n + 0.5])];
const PAIRS = VALUES.flatMap((n) => VALUES.map((k) => [n, k] as const));

test("law: no value satisfies two conditions of which the check says that they exclude each other", () => {
  let exclusive = 0;
  fc.assert(
    fc.property(condition, condition, (a, b) => {
      if (!areExclusive(a.expr, b.expr)) return;
      exclusive += 1;
      expect(PAIRS.filter((pair) => a.holds(pair) && b.holds(pair))).toEqual([]);
    }),
    { numRuns: 3000 },
  );
  expect(exclusive).toBeGreaterThan(100);
});
