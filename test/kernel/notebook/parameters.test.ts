import { expect, test } from "vitest";
import {
  hasParameterCell,
  readParameters,
  unusedParameters,
  withParameters,
} from "../../../kernel/notebook/parameters.ts";
import { cell, notebook } from "./cells.ts";

const sources = (of: ReturnType<typeof notebook>) => of.cells.map(({ source }) => source);
const tagged = notebook("'first'", cell("const n = 1;", { tags: ["parameters"] }), "n");

test("values that read as JSON are that, all others are text", () => {
  expect(
    readParameters(["n=3", "on=true", "list=[1]", "text=a=b", "empty=", 'quoted="3"']),
  ).toEqual({ n: 3, on: true, list: [1], text: "a=b", empty: "", quoted: "3" });
});

test.each(["n", "=3", "a-b=1", "a b=1", "1a=1"])("`--param %s` is refused", (text) => {
  expect(() => readParameters([text])).toThrow(/is not NAME=VALUE/);
});

test("they are set behind the tagged cell, and again in place of the earlier ones", () => {
  const once = withParameters(tagged, { n: 2, text: "it's" });
  const injected = '// Parameters\nlet n = 2;\nlet text = "it\'s";';
  expect(sources(once)).toEqual(["'first'", "const n = 1;", injected, "n"]);
  expect(sources(withParameters(once, { n: 3 }))[2]).toBe("// Parameters\nlet n = 3;");
  expect(once.cells).toHaveLength(4);
});

test("without a tagged cell they are set before the first one", () => {
  const plain = notebook("n");
  expect(hasParameterCell(plain)).toBe(false);
  expect(sources(withParameters(plain, { n: 2 }))).toEqual(["// Parameters\nlet n = 2;", "n"]);
  expect(withParameters(plain, {})).toBe(plain);
});

test("a name that no cell has is told, with the parameter that is like it", () => {
  const book = notebook(cell("const topic = 1, n = 2;", { tags: ["parameters"] }), "topic + depth");
  expect(unusedParameters(book, ["topic", "topci", "depth", "xyz"])).toEqual([
    { name: "topci", meant: "topic" },
    { name: "xyz", meant: undefined },
  ]);
});
