/** Each rewrite of a long form: its text before and after, and what it leaves alone. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { check, migrate, type Source } from "../../../dsl/index.ts";
import { arbitraryGraph } from "../../support/arbitrary-graph.ts";
import { programs } from "../syntax/reading.ts";

const options = { allowUnreadPrograms: true };
const toSource = (text: string): Source => ({ file: "test.madrigal", text });
const hashes = (text: string) => check(toSource(text), options).graphs.map(({ hash }) => hash);

/** A graph with these items, in which `a`, `b` and `c` are agents and `f` is a function. */
function program(items: string): string {
  return `model m = "rules"
graph G(x: int, xs: int[]) returns list, n {
  state {
    list: string[] = [] via append
    n:    int = 0
  }
  defaults { model m; prompt \`\${x} \${n}\` }
${items}
}
`;
}

const agents = 'agent a "a" { }\nagent b "b" { }\nagent c "c" { writes list }\nlimit 9 steps';

describe("a long form with the same hash", () => {
  test.each([
    ["keys", "run a = f({ x: x, y: n, n: n })\nstart -> a -> end", "{ x, y: n, n }"],
    ["comparisons", "start -> { x === 1 && n !== 2 -> end }", "x == 1 && n != 2"],
    ["in brackets too", "start -> { (x) === (1) -> end }", "(x) == (1)"],
    [
      "arrows of a body on lines of their own",
      `${agents}\nstart -> each i of xs {\n a\n a -> b when n > 1\n b -> c\n} -> end`,
      "{\n a -> b when n > 1 -> c\n}",
    ],
    [
      "the first of them",
      `${agents}\nstart -> each i of xs {\n a\n a -> b\n a -> c on error\n} -> end`,
      "{\n a -> b\n a -> c on error\n}",
    ],
    ["what is not in a list", "start -> { !(x in xs) -> end }", "{ x not in xs -> end }"],
  ])("%s", (_, items, short) => {
    const before = program(items);
    expect(hashes(before).length).toBe(1);
    const { text, rewritten } = migrate(toSource(before), options);
    expect(text).toContain(short);
    expect(hashes(text)).toEqual(hashes(before));
    expect(rewritten.every(({ isOtherHash }) => !isOtherHash)).toBe(true);
    expect(migrate(toSource(text), options)).toEqual({ text, rewritten: [] });
  });
});

describe("one arrow of several nodes", () => {
  test.each([
    [
      "the same target",
      `${agents}\nstart -> { n > 1 -> a, else -> b }\na -> c\nb -> c\nc -> end`,
      "a | b -> c\nc",
    ],
    [
      "with clauses",
      `${agents}\nstart -> a\na -> c when n > 3\nb -> c when n > 3\na -> b when n < 3\nc -> end`,
      "a | b -> c when n > 3\na -> b",
    ],
    [
      "handoffs to each other",
      `${agents}\nstart -> a\na -> b | c | end\nb -> a | c | end\nc -> a | b | end`,
      "a | b | c -> a | b | c | end",
    ],
    [
      "in the body of an each",
      `run f(t: int) = g(t)\nrun h(t: int) = g(t)\nrun k(t: int) = g(t)\nstart -> each t of xs {\nf(t) -> h(t)\nf -> k(t) on error\nh -> k(t) on error\n} -> end`,
      "f | h -> k(t) on error",
    ],
  ])("%s, and it is said that the hash is another", (_, items, short) => {
    const before = program(items);
    expect(hashes(before).length).toBe(1);
    const { text, rewritten } = migrate(toSource(before), options);
    expect(text).toContain(short);
    expect(rewritten.map(({ isOtherHash }) => isOtherHash)).toContain(true);
    expect(migrate(toSource(text), options)).toEqual({ text, rewritten: [] });
  });
});

describe("what models and people add to a list", () => {
  test("the item alone is written, and it is said that the hash is another", () => {
    const items = `agent a { writes list = [result] }\nhuman h { ask \`?\`; writes list = [result] }\nstart -> a -> h -> end`;
    const { text, rewritten } = migrate(toSource(program(items)), options);
    expect(text).toContain("agent a { writes list }\nhuman h { ask `?`; writes list }");
    const says = "`writes list` for `writes list = [result]`";
    expect(rewritten).toEqual([
      { line: 8, says, isOtherHash: true },
      { line: 9, says, isOtherHash: true },
    ]);
  });

  test.each([
    ["of a function, whose list it would be", "run a = f() writes list = [result]"],
    ["who choose", 'agent a { writes list = [result] }\nagent b "b" { }\na -> b | end'],
    [
      "who choose at the end of a chain",
      'agent a { writes list = [result] }\nagent b "b" { }\nb -> a -> b | end',
    ],
    ["a choice of a person", "human a { ask `?` from [1, 2]; writes list = [result] }"],
    ["something else of it", "agent a { writes list = [result + `!`] }"],
  ])("stays: %s", (_, items) => {
    const text = program(`${items}\nstart -> a`);
    expect(migrate(toSource(text), options)).toEqual({ text, rewritten: [] });
  });
});

test.each([
  ["a comment between two arrows", `${agents}\nstart -> [a, b]\na -> c\n// why\nb -> c\nc -> end`],
  ["arrows in another order", `${agents}\nstart -> [a, b]\na -> c\nc -> end\nb -> c`],
  ["two arrows that count", `${agents}\nstart -> [a, b]\na -> c max 3\nb -> c max 3\nc -> end`],
  ["a program with an error", "run a = f({ x: x })\nstart -> nowhere"],
])("%s stays", (_, items) => {
  const text = program(items);
  expect(migrate(toSource(text), options)).toEqual({ text, rewritten: [] });
});

test.each(programs)("$file has no long form", (source) => {
  expect(migrate(source, options).rewritten).toEqual([]);
});

test("random graphs keep their hash, and a second time changes nothing", () => {
  fc.assert(
    fc.property(arbitraryGraph({ runnable: false }), (before) => {
      const { text, rewritten } = migrate(toSource(before), options);
      if (rewritten.every(({ isOtherHash }) => !isOtherHash))
        expect(hashes(text)).toEqual(hashes(before));
      expect(migrate(toSource(text), options)).toEqual({ text, rewritten: [] });
    }),
    { numRuns: 40 },
  );
});
