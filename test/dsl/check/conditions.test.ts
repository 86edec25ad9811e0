/** What may stand where yes or no is asked for. */
import { expect, test } from "vitest";
import { report, reportGraph } from "../report.ts";

const head = "n: int, xs: T[], s: string, b: boolean, maybe: boolean | null, j: Json";

/** What is said about `start -> { CONDITION -> x, else -> end }`. */
function condition(text: string): string {
  return report(
    `type T = { name: string, ok: boolean }
graph G(${head}) returns r {
  state { r: int = n  unset?: boolean }
  run x = f(xs, s, b, maybe, j, unset) writes r
  start -> {
${text} -> x, else -> end }
}`,
  ).replaceAll(/\b6:/g, "");
}

test.each([
  [
    "n",
    "M3218 1 a condition must be true or false, `n` is a number (write for example `n > 0` or `n != null`)",
  ],
  [
    "n + 1",
    "M3218 1 a condition must be true or false, `n + 1` is a number (write for example `n + 1 > 0`)",
  ],
  [
    "s",
    'M3218 1 a condition must be true or false, `s` is a string (write for example `s != ""` or `s != null`)',
  ],
  [
    "xs",
    "M3218 1 a condition must be true or false, `xs` is a list (write for example `xs.length > 0` or `xs != null`)",
  ],
  [
    "xs.length",
    "M3218 1 a condition must be true or false, `xs.length` is a number (write for example `xs.length > 0`)",
  ],
  [
    "xs[0]",
    "M3218 1 a condition must be true or false, `xs[0]` is an object (write for example `xs[0] != null`)",
  ],
  [
    "s.trim()",
    'M3218 1 a condition must be true or false, `s.trim()` is a string (write for example `s.trim() != ""`)',
  ],
  [
    "b && n",
    "M3218 6 a condition must be true or false, `n` is a number (write for example `n > 0` or `n != null`)",
  ],
  [
    "n ?? 0",
    "M3218 1 a condition must be true or false, `n` is a number (write for example `n > 0` or `n != null`)",
  ],
  [
    "b ? b : s",
    'M3218 9 a condition must be true or false, `s` is a string (write for example `s != ""` or `s != null`)',
  ],
  [
    "`${s}`",
    "M3218 1 a condition must be true or false, this is a string (compare it with something, for example `n > 0`)",
  ],
])("wrong: %s", (text, said) => {
  expect(condition(text)).toBe(said);
});

test.each([
  "b",
  "maybe",
  "unset",
  "!n",
  "!xs",
  "n > 0",
  "s == null",
  "b && maybe",
  "b || unset",
  "unset ?? false",
  "xs && xs.length > 0",
  'b ? b : s == ""',
  's.includes("x")',
  's.startsWith("x") || s.endsWith("x")',
  "xs.some(x => x.ok)",
  "xs.every(x => x.name)",
  "xs.find(x => x.ok).ok",
  "xs[0].ok",
  "state.unset",
])("right: %s", (text) => {
  expect(condition(text)).toBe("");
});

test.each(["j", "j.a", "result", "g(n)", "null"])("nobody knows: %s", (text) => {
  expect(condition(text)).not.toMatch("M3218");
});

test("everywhere a condition stands", () => {
  expect(
    reportGraph(
      `state { a: string[] = [topic] via append }
run x = f() writes a { ensure a "x" }
run y(w: string) = f(w) writes a
agent z { model m; prompt \`z\`; writes a; approve before \`z\` when topic }
start -> x -> z when topic
z -> each w of a when w parallel 1 { y(w) }
approve before x \`?\` when a
break before x when topic
end when a`,
    ).replaceAll(/ a condition must be true or false,| \(.*\)/g, ""),
  ).toMatchInlineSnapshot(`
    "M3218 2:31 \`a\` is a list
    M3218 4:66 \`topic\` is a string
    M3218 5:22 \`topic\` is a string
    M3218 6:23 \`w\` is a string
    M3218 7:27 \`a\` is a list
    M3218 8:21 \`topic\` is a string
    M3218 9:10 \`a\` is a list"
  `);
});

test("half of a condition that could not be read is one fault", () => {
  expect(
    reportGraph(
      `state { a: string = topic }\nrun x = f() writes a { ensure (topic) = 3 }\nstart -> x when topic = 3`,
    ),
  ).toMatchInlineSnapshot(`
    "M1101 2:39 \`=\` cannot follow \`)\` (did you mean \`==\`?)
    M1101 3:23 \`=\` cannot follow \`topic\` (did you mean \`==\`?)"
  `);
});
