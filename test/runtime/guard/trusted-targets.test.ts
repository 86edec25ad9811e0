import { expect, test } from "vitest";
import { addressOf, isWithin } from "../../../runtime/scheduler/guard/addresses.ts";
import { strangeTargets } from "../../../runtime/scheduler/guard/trusted-targets.ts";

test.each([
  ["bob", "Write to Bob.", true],
  ["bob", "Write to bobby.", false],
  ["bob", "Write to bob@example.org", false],
  ["example.org", "Look at example.org.", true],
  ["example.org", "Look at example.org.evil.test", false],
  ["example.org", "Mail a@example.org", false],
  ["GB29NWBK60161331926819", "Pay to GB29NWBK60161331926819, please", true],
  ["GB29NWBK6016133192681", "Pay to GB29NWBK60161331926819", false],
  ["19", "the year 2019", false],
  ["https://example.org/a", "see https://example.org/a.", true],
  ["https://example.org/b?x=1", "see example.org", true],
  ["https://example.org/b", "see https://example.org/a", false],
  ["https://www.example.org/", "see example.org", false],
  ["https://example.org:8443/", "see https://example.org/", true],
  ["http://example.org@evil.test/", "see example.org", false],
  // A letter of another script is another letter.
  ["https://exаmple.org/", "see example.org", false],
  ["bоb", "Write to bob.", false],
  ["ＢＯＢ", "Write to bob.", true],
  [" bob ", "Write to bob.", true],
])("%s in %j: %s", (target, text, isNamed) => {
  expect(strangeTargets([target], [text]).length === 0).toBe(isNamed);
});

test("nothing stands in a text that is put together of two trusted ones", () => {
  expect(strangeTargets(["ab"], ["a", "b"])).toEqual(["ab"]);
});

test.each([
  ["https://a.example.org/x/y", "example.org", true],
  ["https://example.org/x/y", "example.org/x", true],
  ["https://example.org/xy", "example.org/x", false],
  ["https://example.org/x/../admin", "example.org/admin", true],
  ["https://example.org/%61dmin", "example.org/admin", true],
  ["https://example.org//admin", "example.org/admin", true],
  ["https://EXAMPLE.org./admin", "example.org/admin", true],
  ["http://example.org", "https://example.org", true],
  ["http://127.1/", "127.0.0.1", true],
  ["http://2130706433/", "127.0.0.1", true],
  ["http://localhost:3000/", "localhost:3000", true],
  ["http://localhost:3001/", "localhost:3000", false],
  ["https://notexample.org", "example.org", false],
  ["ht\ntps://example.org", "example.org", true],
  ["//example.org/a", "example.org", true],
])("%s within %s: %s", (text, entry, expected) => {
  const address = addressOf(text);
  expect(address !== undefined && isWithin(address, entry)).toBe(expected);
});
