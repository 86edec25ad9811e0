import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { sentencesOf } from "../../../runtime/agents/rules/sentences.ts";

function show(text: string): string[] {
  return sentencesOf(text).map((one) => `${one.isCode ? "code" : "text"}: ${one.text}`);
}

describe("what can be quoted", () => {
  test("sentences, over line ends, and not at the dots of e.g.", () => {
    expect(show("Tides rise, e.g. In spring. They\nfall again! Is that so?\n")).toEqual([
      "text: Tides rise, e.g. In spring.",
      "text: They\nfall again!",
      "text: Is that so?",
    ]);
  });

  test("list items without their marks, no headings, tables, tags or badges", () => {
    const markdown =
      "# A title of it\n\n- first item here\n- second item here\n\n| a | table row |\n<img src=x>\n[![badge one two](x)](y)\n";
    expect(show(markdown)).toEqual(["text: first item here", "text: second item here"]);
  });

  test("lines of code one by one, with or without their fence", () => {
    expect(show("Do it so:\n\n```ts\nconst tide = moon();\n```\n")).toEqual([
      "text: Do it so:",
      "code: const tide = moon();",
    ]);
    expect(show("const tide = moon();\nreturn tide + sun;\n")).toEqual([
      "code: const tide = moon();",
      "code: return tide + sun;",
    ]);
  });

  test("every quote is a literal part of its text", () => {
    const line = fc.constantFrom(
      "# Head",
      "- item of a list",
      "One. Two three four! ",
      "```",
      "| a b c |",
      "",
      "  code(1);",
      "> said by you",
      "e.g. This\r",
    );
    fc.assert(
      fc.property(fc.array(fc.oneof(line, fc.string())), (lines) => {
        const text = lines.join("\n");
        for (const { text: quote } of sentencesOf(text)) expect(text).toContain(quote);
      }),
    );
  });
});
