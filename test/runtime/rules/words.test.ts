import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { isSpecial } from "../../../runtime/agents/words/common-words.ts";
import { isIdentifier, stem, termsOf, tokensOf } from "../../../runtime/agents/words/words.ts";

describe("words are compared without their endings", () => {
  test.each([
    ["retry", "retries", "retried", "retrying"],
    ["cache", "caches", "cached", "caching"],
    ["run", "runs", "running"],
    ["stop", "stopped", "stopping"],
    ["class", "classes"],
    ["box", "boxes"],
    ["user's", "users", "User’s"],
  ])("%s", (...forms) => {
    expect(new Set(forms.map(stem)).size).toBe(1);
  });

  test.each([
    ["string", "str"],
    ["status", "statu"],
    ["bed", "b"],
    ["need", "ne"],
    ["this", "thi"],
  ])("but %s is not %s", (word, other) => {
    expect(stem(word)).not.toBe(other);
  });

  test("a stem is its own stem's word: case and apostrophes never matter", () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[a-z]{1,12}$/), (word) => {
        expect(stem(word.toUpperCase())).toBe(stem(word));
        expect(stem(`${word}'s`)).toBe(stem(word));
      }),
    );
  });
});

test.each([
  ["fast-check", ["fast-check", "fast", "check"]],
  ["useSaltChat", ["usesaltchat", "salt", "chat"]],
  ["@duckdb/node-api", ["duckdb/node-api", "duckdb", "node", "api"]],
  ["HTTPServer", ["httpserver", "http", "server"]],
  ["sha256", ["sha256", "sha", "256"]],
  ["tide", ["tide"]],
])("%s is found by itself and its parts", (text, terms) => {
  expect(tokensOf(text).flatMap(termsOf)).toEqual(terms);
});

test.each([
  ["useChat", true, true],
  ["utf8", true, true],
  ["fast-check", true, true],
  ["quuxblat", false, true],
  ["timeout", false, false],
  ["Paris", false, true],
  ["42", false, true],
])("%s: an identifier %s, special %s", (word, identifier, special) => {
  expect([isIdentifier(word), isSpecial(word)]).toEqual([identifier, special]);
});
