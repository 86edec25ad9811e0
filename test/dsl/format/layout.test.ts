/** Too long lines are broken at the defined places of each construct. */
import { describe, expect, test } from "vitest";
import { formatted, inGraph, inNode } from "./formatting.ts";

const long = (word: string) => `${word}_${"x".repeat(40)}`;
const [a, b, c] = [long("a"), long("b"), long("c")];

describe("a line of more than 100 columns", () => {
  test.each([
    ["imports", `import { ${a}, ${b}, ${c} } from "./x.ts"`],
    ["a list", `model m = ["${a}", "${b}", "${c}"]`],
    ["settings", `model m = "x" { ${a}: 1, ${b}: { c: 2 }, ${c}: 3 }`],
    ["an object type", `type T = { ${a}: string, ${b}?: { c: int }; ${c}: int }`],
    ["a union", `type T = "${a}" | "${b}" | "${c}"`],
    ["a union of objects", `type T = { k: "${a}" } | { k: "${b}" } | { k: "c", n: int }`],
    ["parameters", `graph G(${a}: string, ${b}: int = 4) returns x, y { start -> end }`],
    ["results", `graph G returns ${a}, ${b}, ${c} { start -> end }`],
    [
      "a path of a test",
      `test "x" of G { expect path ${Array.from({ length: 30 }, (_, i) => `n${i}`).join(" -> ")} }`,
    ],
    ["what a node says", `test "x" of G { a says "${a}", { b: "${b}" }, fails "${c}" }`],
  ])("%s", (_, text) => {
    expect(formatted(text)).toMatchSnapshot();
  });

  test.each([
    ["arrows", `start -> ${a} -> ${b} -> ${c} -> end`],
    ["conditions and writes", `${a} -> ${b} when ${c} > 3 max 2 set x = ${b}, y = 2`],
    ["a choice", `a -> { ${a} -> b set x = 1, y = 2, -${b} -> c, ${c} -> d, else -> end } -> e`],
    ["a match", `a -> match x { "${a}" | "y" -> b, "${b}" -> c, else -> end }`],
    ["an each", `a -> each t of ${a} parallel 4 when ${b} on error skip { f(t) -> g(t) } -> b`],
    ["a join", `[${a}, b] need 2 -> each t of ${b} parallel 3 when ${c}.d { f(t) } -> g`],
    ["a call", `run x = f({ a: ${a}, b: [${b}, 1] }, ${c}) writes y { retry 2; limit 3m }`],
    ["a call that writes", `run x = f(${a}) writes y = { ${b}: 1, ${c}: 2 }`],
    ["fields", `state { ${a}: string = f(${b}) via union(x => x.${c}); y: int }`.replace(";", "")],
    ["consent", `approve before ${a}, ${b} \`sure?\` when ${c} by y within 1h`],
  ])("%s", (_, text) => {
    expect(inGraph(text)).toMatchSnapshot();
  });

  test.each([
    ["a few clauses", `model m; prompt \`${a} ${b} ${c}\`; writes x`],
    ["names", `tools ${a}.*, ${b}, ${c}`],
    ["writes", `writes x, y? = ${a} + ${b} + ${c} via f, z`],
    ["a conditional", `set x = ${a} ? ${b} : ${c} ? d : e`],
    ["operators, the weakest first", `ensure ${a} == 1 && ${b} > 2 || !${c} "hint"`],
    ["arguments", `set x = f(${a}, ${b}.map(y => y + 1), [${c}])`],
    ["a prompt that can't be broken", `prompt \`${a} ${b} ${c}\``],
    ["prompts that are added", `prompt \`${a} ${b}\` + \`${c}\``],
  ])("in a node: %s", (_, text) => {
    expect(inNode(text)).toMatchSnapshot();
  });
});

describe("what stands on several lines in any case", () => {
  test.each([
    ["more clauses than three", "model m; prompt `x`; writes y; retry 2", 4],
    ["a prompt of several lines", "prompt `x\ny`", 2],
    ["a comment", "model m // c\nprompt `x`", 2],
  ])("a body with %s", (_, clauses, count) => {
    expect(inNode(clauses).split("\n").length).toBe(count);
  });

  test("two fields, and a graph; one field stands beside its word", () => {
    expect(formatted("graph G { state { a: int b: int } state user { c: int } }")).toBe(
      "graph G {\n  state {\n    a: int\n    b: int\n  }\n  state user { c: int }\n}\n",
    );
  });
});

test("comments break what they stand in, and stay beside what they stand beside", () => {
  expect(
    formatted(
      "graph G {\nagent a { model m // which\n; writes x /* last */ }\nrun b = f({ a: 1, // one\n b: 2 })\nstart -> { x -> a, // first\n// second\nelse -> end }\n}",
    ),
  ).toMatchSnapshot();
});
