import { expect, test } from "vitest";
import { languageWords, parse, wordPage } from "../../../dsl/index.ts";

test.each(languageWords.map((word) => [word]))("`%s` is used in its own example", (word) => {
  const { usage, says } = wordPage(word) ?? { usage: "", says: "" };
  expect(` ${usage} `).toMatch(new RegExp(`[^\\w]${word}[^\\w]`));
  expect(says).toMatch(/^.+\.$/);
});

/** Examples are pieces: each stands where it belongs, and is read without a mistake of syntax. */
const PLACES = [
  (usage: string) => usage,
  (usage: string) => `graph G() {\n${usage}\n}`,
  (usage: string) => `graph G() {\nagent a {\n${usage}\n}\n}`,
  (usage: string) => `graph G() {\nstart -> a\n a -> b ${usage}\n}`,
  (usage: string) => `graph G() {\nstart -> ${usage} -> end\n}`,
  (usage: string) => `graph G() {\n state { ${usage} }\n}`,
  (usage: string) => `graph G() {\n start -> a when ${usage}\n}`,
  (usage: string) => `test "t" of G {\n${usage}\n}`,
  (usage: string) => `graph G() {\nstart -> each x of xs { a } ${usage}\n}`,
];

test.each(languageWords.map((word) => [word]))("the example of `%s` is of the language", (word) => {
  const usage = (wordPage(word)?.usage ?? "").replaceAll("…", "");
  const errors = PLACES.map((place) => parse({ file: "x", text: place(usage) }).findings.length);
  expect(Math.min(...errors), usage).toBe(0);
});

test("no other word has a page", () => {
  expect(wordPage("constructor")).toBeUndefined();
});
