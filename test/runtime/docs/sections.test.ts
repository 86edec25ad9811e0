import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { splitSections } from "../../../runtime/agents/built-in-tools/docs-sections.ts";

function show(text: string): string[] {
  return splitSections(text).map(
    ({ heading, text: body, line }) => `${line} ${heading}: ${body.trim()}`,
  );
}

describe("a document in sections", () => {
  test.each([
    [
      "headings nest",
      "# A\none\n## B\ntwo\n# C\nthree",
      ["2 A: one", "4 A > B: two", "6 C: three"],
    ],
    ["text before the first heading", "zero\n# A\none", ["1 (beginning): zero", "3 A: one"]],
    ["underlined headings", "A\n===\none\n\nB\n---\ntwo", ["3 A: one", "7 A > B: two"]],
    [
      "no heading in a fence",
      "# A\n```sh\n# not one\n```\n## B\n",
      ["2 A: ```sh\n# not one\n```", "6 A > B: "],
    ],
    [
      "a fence in a longer fence",
      "# A\n````\n```\n# no\n````\n# B\n",
      ["2 A: ````\n```\n# no\n````", "7 B: "],
    ],
    [
      "a level left out",
      "# A\n### B\ntwo\n## C\nthree",
      ["2 A: ", "3 A > B: two", "5 A > C: three"],
    ],
    ["front matter is no text", "---\ntitle: X\n---\n# A\none", ["5 A: one"]],
    [
      "headings without markup",
      "# <img src=x> [The `A`](https://a.example) ##\none",
      ["2 The A: one"],
    ],
    ["no rule taken for a heading", "- item\n---\none", ["1 (beginning): - item\n---\none"]],
    ["Windows line ends", "# A\r\none\r\n", ["2 A: one"]],
    ["an empty document", "", []],
  ])("%s", (_, text, expected) => {
    expect(show(text)).toEqual(expected);
  });

  test("the text of a section is literal, and its line is where it begins", () => {
    const line = fc.constantFrom(
      "# A",
      "## B",
      "text",
      "",
      "```",
      "A",
      "===",
      "---",
      "| a |",
      "\r",
    );
    fc.assert(
      fc.property(fc.array(line), (lines) => {
        const text = lines.join("\n");
        for (const section of splitSections(text)) {
          expect(text).toContain(section.text);
          expect(
            lines
              .slice(section.line - 1)
              .join("\n")
              .startsWith(section.text),
          ).toBe(true);
        }
      }),
    );
  });
});
