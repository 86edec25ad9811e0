/** Labels of arguments of plain functions, checked before a run, in the words of the run. */
import { expect, test } from "vitest";
import { document, workspace } from "../cli/calling.ts";

const functions = `import { tool } from "madrigal";
type Rank = (score: number, width: number) => number;
export const rank = (score: number, width = 2) => score * width;
export const typed: Rank = (points, by) => points * by;
export function bound(this: void, score: number) { return score; }
export const all = (...values: number[]) => values.length;
export const apart = ({ at }: { at: number }, n: number) => at + n;
export const helpers = { pick(from: number[], at: number) { return from[at] ?? 0; } };
export const look = tool(({ at }: { at: number }) => at, { effect: "none" });
export const pick = (n: number): "more" | "less" => (n > 1 ? "more" : "less");
`;

const program = (node: string, rest = "start -> x -> end") => `graph G(n: int) returns a {
  state { a: int = 0 }
  ${node}
  ${rest}
}
`;

const imports =
  'import { rank, typed, bound, all, apart, helpers, look, pick } from "./functions.ts"\n';

async function told(text: string, words: readonly string[] = []) {
  const home = workspace({ "functions.ts": functions, "g.madrigal": text });
  const { json } = await document(home, ["check", "g.madrigal", ...words]);
  const diagnostics = json.diagnostics as Readonly<Record<string, string & number>>[];
  return diagnostics
    .filter(({ severity }) => severity === "error")
    .map(({ code, message, line = 0, column = 0, endColumn = 0 }) => {
      const marked = text.split("\n")[line - 1]?.slice(column - 1, endColumn - 1);
      return `${code} «${marked}» ${message}`;
    });
}

const calls = [
  ["rank(score: n, width: 3)", []],
  ["rank(n, width: 3)", []],
  ["bound(score: n)", []],
  ["helpers.pick(from: [7, 8], at: 1)", []],
  // What its own text calls them only a run can know.
  ["typed(points: n, by: 2)", []],
  ["rank(width: n, score: 3)", ["M5380 «n» `width` of `rank` stands where `score` does"]],
  ["rank(score: n, witdh: 3)", ["M5380 «3» `rank` has no parameter `witdh`"]],
  ["helpers.pick(form: [7], at: 0)", ["M5380 «[7]» `helpers.pick` has no parameter `form`"]],
  ["all(values: n)", ["M5380 «n» nobody can say which parameter of `all` is `values`"]],
  ["apart({ at: 1 }, m: n)", ["M5380 «n» `apart` has no parameter `m`"]],
] as const;

test.each(calls)("run x = %s", async (call, errors) => {
  expect(await told(imports + program(`run x = ${call} writes a`))).toEqual(errors);
});

test("in an expression, of a tool node, and of what the scope file exports", async () => {
  const set = program("run x = rank(n) writes a { set a = rank(width: 1) }");
  const wrong = ["M5380 «1» `width` of `rank` stands where `score` does"];
  expect(await told(imports + set)).toEqual(wrong);
  expect(await told(set, ["--scope", "functions.ts"])).toEqual(wrong);
  expect(await told(imports + program("tool x = rank(width: 1) writes a"))).toEqual(wrong);
  expect(await told(imports + program("tool x = look(at: n) writes a"))).toEqual([]);
});

test("a run says so before it starts, in the same words", async () => {
  const home = workspace({
    "functions.ts": functions,
    "g.madrigal": imports + program("run x = rank(width: n) writes a"),
  });
  const { exit, json } = await document(home, ["run", "g.madrigal", "--input", '{"n": 1}']);
  expect({ exit, run: json.run }).toEqual({ exit: 1, run: undefined });
  expect(JSON.stringify(json)).toContain("M5380 `width` of `rank` stands where `score` does");
});

test("a name that a function gives back, and that no arrow leads to", async () => {
  const flow = "run more = rank(n) writes a\n  run lses = rank(n) writes a\n  ";
  const text = program("run x = pick(n)", `${flow}start -> x -> more | lses`);
  expect(await told(imports + text)).toEqual([
    'M3512 «pick» `"more" | "less"` is none of the names behind the arrow: `"more" | "lses"`',
  ]);
});
