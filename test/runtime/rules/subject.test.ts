import { describe, expect, test } from "vitest";
import { parseSubject, readSubject } from "../../../runtime/agents/rules/subject.ts";
import { user } from "./ask.ts";

function words(message: string): string {
  const { keywords, around } = parseSubject(message);
  const list = (of: typeof keywords) => of.map(({ raw }) => raw).join(" ");
  return around.length === 0 ? list(keywords) : `${list(keywords)} | ${list(around)}`;
}

describe("the words to look for", () => {
  test.each([
    ["How do I cache the result of a slow query?", "cache result slow query"],
    ['Question: How do I search a text?\nFindings: ["search"]', "search text"],
    ["Split into at most 4 independent searches: why do tides differ?", "tides differ"],
    [
      "Search for: red pandas\nWhy: cute\nWhole question: Where do red pandas live?",
      "red pandas | red pandas live",
    ],
    ["Find evidence for useChat hooks and cite the sources.", "useChat hooks"],
    ["Summarise this and cite sources.", ""],
    ["Search?", "Search"],
    ["Question:\n\nwhat about `fooBar`?\n", "fooBar"],
    ["Question: ", ""],
    ["Question: \nFindings: []", ""],
    ["", ""],
  ])("%j: %s", (message, expected) => {
    expect(words(message)).toBe(expected);
  });

  test("names weigh more than words, words of a request less", () => {
    const weights = parseSubject("Does fast-check report a seed like Jest?").keywords;
    expect(weights.map(({ raw, weight }) => `${raw} ${weight}`)).toEqual([
      "fast-check 1.5",
      "report 0.6",
      "seed 1",
      "Jest 1.3",
    ]);
  });

  test.each([
    ["Give at most 3 ideas: tides", 3],
    ["Up to two searches, please.\nTopic: tides", 2],
    ["Topic: at most 3 retries", undefined],
  ])("the count that %j allows", (message, expected) => {
    expect(parseSubject(message).countMax).toBe(expected);
  });
});

describe("which message asks", () => {
  const answer = { role: "assistant" as const, content: [{ type: "text" as const, text: "…" }] };

  test.each([
    ["too many searches", "tides"],
    ["Your answer could not be used:\n- at `x`: expected a string", "tides"],
    ["Now explain why salt is white.", "salt white"],
    ["And the moon?", "moon"],
  ])("after an answer, %j: %s", (text, expected) => {
    const { subject } = readSubject([user("Topic: tides"), answer, user(text)]);
    expect(subject.keywords.map(({ raw }) => raw).join(" ")).toBe(expected);
  });
});
