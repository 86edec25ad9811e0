/** What people write who come from other languages: what is said, and what to write instead. */
import { expect, test } from "vitest";
import { check, type Diagnostic } from "../../../../dsl/index.ts";

function said(text: string): readonly string[] {
  const { diagnostics } = check({ file: "g.madrigal", text });
  const errors = diagnostics.filter(({ severity }) => severity === "error");
  return errors.map(({ code, message, hint = "" }: Diagnostic) => `${code} ${message} (${hint})`);
}

const setting = (value: string) => `graph G(l: string[], s: string, o: Json) returns v {
  state { v: Json = null }
  run a = echo("x") { set v = ${value} }
  start -> a -> end
}
`;

test("an operator that expressions do not have", () => {
  const values = ["typeof s", "s and s", "f(s or s)", "...l"];
  const all = values.map((value) => [value, said(setting(value))]);
  expect(Object.fromEntries(all)).toMatchInlineSnapshot(`
    {
      "...l": [
        "M1101 \`...\` stands in a list or an object (write \`[...a, b]\` or \`{ ...a, b: 1 }\`; the arguments of a node stand one by one)",
      ],
      "f(s or s)": [
        "M1101 expressions have no operator \`or\` (write \`||\`)",
      ],
      "s and s": [
        "M1101 expressions have no operator \`and\` (write \`&&\`)",
      ],
      "typeof s": [
        "M1101 expressions have no operator \`typeof\` (compare the value itself, or call a function of TypeScript that looks at it)",
      ],
    }
  `);
});

test("behind an arrow's `when`", () => {
  const text = setting("s").replace("a -> end", "a -> end when s and s");
  expect(said(text)).toMatchInlineSnapshot(`
    [
      "M1101 expected \`->\` after \`s\`, found \`and\` (an edge is written \`a -> b\`)",
    ]
  `);
});

test("a method that is not called", () => {
  expect(said(setting("l.join"))).toMatchInlineSnapshot(`
    [
      "M2110 \`join\` is a method of \`string[]\`, and is not called (write \`join(…)\`)",
    ]
  `);
});

test("a description at a node that calls a function", () => {
  expect(said(setting("s").replace("run a =", 'run a "echoes" ='))).toEqual(said(setting("s")));
});

test("two givens on one line: the comma is missing, and nothing that follows from it is said", () => {
  const text = `graph G(a: int, b: int) returns v {
  state { v: int = 0 }
  run x = f(a, b) writes v
  start -> x -> end
}
test "t" of G {
  given a = 1 b = 2
  x says 3
  expect v == 3
}
`;
  expect(said(text)).toMatchInlineSnapshot(`
    [
      "M1103 a comma is missing between \`1\` and \`b\` ()",
    ]
  `);
  expect(said(text.replace("1 b", "1, b"))).toEqual([]);
});
