/** Lines and columns from 1, columns in UTF-16 units; a line ends with a line feed, a carriage return, or both. */
import { expect, test } from "vitest";
import { positionAt } from "../../../dsl/index.ts";
import { astOf, report } from "./reading.ts";

/** Where the first thing that is wrong stands. */
function placeIn(text: string): string {
  return report(text).split(" ").slice(0, 2).join(" ");
}

test.each([
  ["a line feed", "model a = 1\nmodel b 1", "M1101 2:9"],
  ["a carriage return and a line feed", "model a = 1\r\nmodel b 1", "M1101 2:9"],
  ["a carriage return", "model a = 1\rmodel b 1", "M1101 2:9"],
  ["line ends of all kinds", "\r\n\r\r\n\n\rmodel b 1", "M1101 6:9"],
  ["a line separator in a string", 'model a = "\u2028"\nmodel b 1', "M1101 2:9"],
  ["a line separator in a prompt", "model a = `\u2028\u2029` model b 1", "M1101 1:24"],
  ["a line separator where it means nothing", "model a\u2028= 1", "M1001 1:8"],
  ["an escaped line separator", 'model a = "\\\u2028" model b 1', "M1101 1:24"],
  ["a byte order mark", "\uFEFFmodel b 1", "M1101 1:10"],
  ["a tab", "\t\tmodel b 1", "M1101 1:11"],
  ["a no-break space", "model\u00A0b 1", "M1101 1:9"],
  ["a character outside the first plane", 'model a = "\u{1F600}" model b 1', "M1101 1:24"],
  ["accents that stand alone", 'model a = "e\u0301" model b 1', "M1101 1:24"],
  ["half a character", 'model a = "\uD83D" model b 1', "M1101 1:23"],
  ["a picture where it means nothing", "model a = \u{1F600}", "M1001 1:11"],
  ["NUL", "model a = 1\n \0", "M1001 2:2"],
  ["NUL in a string", 'model a = "\0" model b 1', "M1101 1:23"],
  ["NUL in a comment", "// \0\nmodel b 1", "M1101 2:9"],
  ["a comment of many lines", "/* \r\n\n */ model b 1", "M1101 3:13"],
  ["a prompt of many lines", "model a = `\r\n\r` model b 1", "M1101 3:11"],
  ["the end of the text", "model a =", "M1101 1:10"],
  ["the end of the text behind a line end", "model a =\n", "M1101 1:10"],
  [
    "a string that is never closed, with a carriage return",
    'model a = "x\rmodel b 1',
    "M1002 1:11",
  ],
  ["nothing but a fault on the first line", "\nmodel b 1", "M1101 2:9"],
])("%s", (_what, text, place) => {
  expect(placeIn(text)).toBe(place);
});

test("an offset inside a line's end is on that line", () => {
  const source = { file: "test.madrigal", text: "a\r\nb\rc" };
  const places = [0, 1, 2, 3, 4, 5, 6].map((offset) => {
    const { line, column } = positionAt(source, offset);
    return `${line}:${column}`;
  });
  expect(places).toEqual(["1:1", "1:2", "1:3", "2:1", "2:2", "3:1", "3:2"]);
});

test("a picture in a prompt is the picture, and what follows is where it is", () => {
  const [model] = astOf("model a = `\u{1F600}${b}\u{1F600}`").items;
  expect(model).toMatchObject({
    value: {
      parts: ["\u{1F600}", { kind: "name", text: "b", span: { start: 15, end: 16 } }, "\u{1F600}"],
    },
  });
});
