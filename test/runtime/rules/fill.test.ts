import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { misfits } from "../../../runtime/state/json-schema.ts";
import { askJson, object } from "./ask.ts";

const text = { type: "string" };
const number = { type: "number" };
const list = (items: object, more = {}) => ({ type: "array", items, ...more });

const notes = JSON.stringify([
  {
    who: "Ada",
    place: "Rome",
    url: "https://a.example/1",
    remark: "The tide is high at noon.",
    score: 3,
  },
  { who: "Bo", place: "Oslo", url: "https://a.example/2", remark: "Salt is white.", score: 9 },
]);
const prompt = `Question: When is the tide high?\nNotes: ${notes}`;

describe("a schema is filled by names, types and descriptions", () => {
  test.each([
    ["a quote", object({ quote: text }), { quote: "The tide is high at noon." }],
    [
      "what stands beside it",
      object({ fact: text, who: text, score: number }),
      { fact: "The tide is high at noon.", who: "Ada", score: 3 },
    ],
    [
      "a link of another name",
      object({ evidence: text, link: text }),
      { evidence: "The tide is high at noon.", link: "https://a.example/1" },
    ],
    [
      "a list, only of what matches",
      object({ facts: list(object({ text, place: text })) }),
      { facts: [{ text: "The tide is high at noon.", place: "Rome" }] },
    ],
    ["a list of strings", object({ lines: list(text) }), { lines: ["The tide is high at noon."] }],
    [
      "by description",
      object({ x: { type: "string", description: "the literal sentence" } }),
      { x: "The tide is high at noon." },
    ],
    [
      "whether and how many",
      object({ found: { type: "boolean" }, count: { type: "integer" } }),
      { found: true, count: 1 },
    ],
    ["one of several values", object({ kind: { enum: ["low", "high"] } }), { kind: "high" }],
    ["a constant", object({ version: { const: 1 } }), { version: 1 }],
    [
      "a definition",
      { $ref: "#/$defs/n", $defs: { n: object({ quote: text }) } },
      { quote: "The tide is high at noon." },
    ],
    [
      "an optional member that nothing is known for",
      { type: "object", properties: { quote: text, colour: text }, required: ["quote"] },
      { quote: "The tide is high at noon." },
    ],
    ["a range", object({ relevance: { type: "number", maximum: 0.5 } }), { relevance: 0.5 }],
  ])("%s", async (_, schema, expected) => {
    expect(await askJson(prompt, schema.type === undefined ? { ...schema } : schema)).toMatchObject(
      expected,
    );
  });

  test.each([
    ["a list", object({ facts: list(object({ quote: text })) }), { facts: [] }],
    [
      "null where it is allowed",
      object({ fact: { anyOf: [object({ quote: text }), { type: "null" }] } }),
      { fact: null },
    ],
    [
      "a text",
      object({ answer: text }),
      { answer: "Nothing was found that answers this: Why do cats purr?" },
    ],
    ["a flag", object({ found: { type: "boolean" } }), { found: false }],
  ])("when nothing is found: %s", async (_, schema, expected) => {
    expect(await askJson(`Question: Why do cats purr?\nNotes: ${notes}`, schema)).toEqual(expected);
  });
});

describe("a plan", () => {
  const plan = object({ searches: list(object({ query: text, reason: text })) });
  const question = "How do magnetic tapes and optical discs keep their data for a hundred years?";

  test("has all words first, then the phrases, at most as many as allowed", async () => {
    expect(await askJson(`Give at most 3 searches.\nQuestion: ${question}`, plan)).toEqual({
      searches: [
        {
          query: "magnetic tapes optical discs data hundred years",
          reason: `the whole question: ${question}`,
        },
        {
          query: "magnetic tapes",
          reason: `“magnetic tapes” is a part of the question: ${question}`,
        },
        {
          query: "optical discs",
          reason: `“optical discs” is a part of the question: ${question}`,
        },
      ],
    });
  });

  test.each([
    ["Give at most 1 search.\nQuestion: tides at noon", 1],
    ["Give at most 3 searches.\nQuestion: tides", 1],
    ["Give at most 3 searches.\nQuestion: ", 0],
    ["Give at most 0 searches.\nQuestion: tides", 0],
  ])("%j: %i", async (message, count) => {
    expect(await askJson(message, plan)).toHaveProperty("searches.length", count);
  });

  test("may build on what is known, and is then still a plan", async () => {
    const message = `Known: ${notes}\nQuestion: Why do cats purr?`;
    expect(await askJson(message, plan)).toHaveProperty("searches.0.query", "cats purr");
  });
});

test("what it fills in always fits the schema", async () => {
  const leaf = fc.constantFrom<object>(
    text,
    number,
    { type: "integer", minimum: 2 },
    { type: "boolean" },
    { enum: ["a", "b"] },
    { const: null },
    { type: ["string", "null"] },
  );
  const name = fc.constantFrom("quote", "score", "who", "query", "why", "url", "items", "x");
  const { schema } = fc.letrec<{ schema: object }>((tie) => ({
    schema: fc.oneof(
      { maxDepth: 4 },
      leaf,
      tie("schema").map((items) => list(items, { maxItems: 3 })),
      tie("schema").map((one) => ({ anyOf: [one, { type: "null" }] })),
      fc.dictionary(name, tie("schema"), { maxKeys: 4 }).map(object),
    ),
  }));
  await fc.assert(
    fc.asyncProperty(
      schema,
      fc.constantFrom(prompt, "Question: cats", ""),
      async (inner, message) => {
        const whole = object({ value: inner });
        expect(misfits(await askJson(message, whole), whole)).toEqual([]);
      },
    ),
  );
});
