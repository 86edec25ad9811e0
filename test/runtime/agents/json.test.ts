import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import type { JsonSchema } from "../../../dsl/index.ts";
import { jsonCandidates } from "../../../runtime/agents/conversation/output.ts";
import { showResult, stored, toolResult } from "../../../runtime/agents/tools/tool-result.ts";
import { toJson } from "../../../runtime/agents/values/json.ts";
import { byteLength, headOf } from "../../../runtime/agents/values/text-size.ts";
import { describeMisfit, misfits } from "../../../runtime/state/json-schema.ts";

describe("misfits", () => {
  const report = (value: unknown, schema: JsonSchema) => misfits(value, schema).map(describeMisfit);
  test.each<[unknown, JsonSchema, string[]]>([
    [{ a: 1 }, {}, []],
    [1, { type: ["string", "null"] }, ["expected a string or null, found the number 1"]],
    [1.5, { type: "integer" }, ["expected an integer, found the number 1.5"]],
    ["b", { const: "a" }, ['expected "a", found the string "b"']],
    [{ k: [1] }, { const: { k: [1] } }, []],
    [
      [1, "a"],
      {
        type: "array",
        prefixItems: [{ type: "number" }, { type: "string" }],
        items: false,
        minItems: 2,
      },
      [],
    ],
    [
      [1, "a", 2],
      { prefixItems: [{ type: "number" }, { type: "string" }], items: false },
      ["at `[2]`: expected nothing here, found the number 2"],
    ],
    [[1], { type: "array", minItems: 2 }, ["expected at least 2 items, found a list of 1"]],
    [
      { "a b": { c: 1 } },
      { additionalProperties: { properties: { c: { type: "string" } } } },
      ['at `["a b"].c`: expected a string, found the number 1'],
    ],
    [{}, { required: ["toString"] }, ["at `toString`: expected a value, found nothing"]],
    [
      null,
      { anyOf: [{ type: "string" }, { type: "number" }] },
      ["expected a string or a number, found null"],
    ],
    [
      { query: 1 },
      { anyOf: [{ type: "null" }, { type: "object", properties: { query: { type: "string" } } }] },
      ["at `query`: expected a string, found the number 1"],
    ],
    [
      "x",
      { allOf: [{ type: "string" }, { minLength: 2 }] },
      ['expected at least 2 characters, found the string "x"'],
    ],
    ["😀", { maxLength: 1 }, []],
    ["ab", { pattern: "^b" }, ['expected a text that matches ^b, found the string "ab"']],
    ["ab", { pattern: "(" }, []],
    [3, { exclusiveMinimum: 3 }, ["expected more than 3, found the number 3"]],
    [4, { maximum: 3 }, ["expected at most 3, found the number 4"]],
    [
      { a: {} },
      {
        $ref: "#/$defs/T",
        $defs: { T: { properties: { a: { $ref: "#/$defs/T" } }, required: ["a"] } },
      },
      ["at `a.a`: expected a value, found nothing"],
    ],
    [1, { $ref: "#" }, []],
  ])("%j against %j", (value, schema, expected) => {
    expect(report(value, schema)).toEqual(expected);
  });

  test("it accepts and refuses what zod's reading of the same schema does", () => {
    const leaf = fc.constantFrom<JsonSchema>(
      { type: "string" },
      { type: "number" },
      { type: "boolean" },
      { type: "null" },
      { enum: ["a", "b", 1] },
    );
    const schema = fc.letrec<{ schema: JsonSchema }>((tie) => ({
      schema: fc.oneof(
        { maxDepth: 3 },
        leaf,
        tie("schema").map((items) => ({ type: "array", items })),
        fc.tuple(tie("schema"), tie("schema")).map((anyOf) => ({ anyOf })),
        fc.tuple(tie("schema"), tie("schema"), fc.boolean()).map(([a, b, optional]) => ({
          type: "object",
          properties: { a, b },
          required: optional ? ["a"] : ["a", "b"],
          additionalProperties: false,
        })),
      ),
    })).schema;
    const value = fc.letrec<{ value: unknown }>((tie) => ({
      value: fc.oneof(
        { maxDepth: 3 },
        fc.constantFrom("a", "b", "c", 1, 2.5, true, null),
        fc.array(tie("value"), { maxLength: 2 }),
        fc.record({ a: tie("value"), b: tie("value") }, { requiredKeys: [] }),
      ),
    })).value;
    fc.assert(
      fc.property(schema, value, (one, candidate) => {
        const oracle = z.fromJSONSchema(one as Parameters<typeof z.fromJSONSchema>[0]);
        expect(misfits(candidate, one).length === 0).toBe(oracle.safeParse(candidate).success);
      }),
      { numRuns: 400 },
    );
  });
});

test("JSON is found in any prose that holds no brackets of its own", () => {
  const words = fc.stringMatching(/^[a-z ,.:\n]{0,20}$/);
  fc.assert(
    fc.property(
      words,
      fc.oneof(fc.dictionary(fc.string(), fc.jsonValue()), fc.array(fc.jsonValue())),
      words,
      (before, value, after) => {
        const json = JSON.stringify(value);
        expect(jsonCandidates(`${before}${json}${after}`)).toContainEqual(JSON.parse(json));
      },
    ),
  );
});

test("any text is read without a throw", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (text) => Array.isArray(jsonCandidates(text))),
  );
});

test("JSON passes toJson as it is; anything passes as JSON", () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      expect(toJson(JSON.parse(JSON.stringify(value)))).toEqual({
        value: JSON.parse(JSON.stringify(value)),
        faults: [],
      });
    }),
  );
  fc.assert(
    fc.property(
      fc.anything({
        withBigInt: true,
        withDate: true,
        withMap: true,
        withSet: true,
        withTypedArray: true,
        withNullPrototype: true,
      }),
      (value) => {
        const { value: json } = toJson(value);
        expect(JSON.parse(JSON.stringify(json))).toEqual(json);
      },
    ),
  );
});

test("a value nested too deeply for JSON is cut at its depth", () => {
  let value: unknown = 1;
  for (let depth = 0; depth < 2000; depth += 1) value = [value];
  expect(toJson(value).faults).toMatchObject([{ found: "nested too deeply" }]);
});

test("the head of a text has at most so many bytes, and never half a character", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme" }), fc.nat(40), (text, bytes) => {
      const head = headOf(text, bytes);
      expect(text.startsWith(head)).toBe(true);
      expect(byteLength(head)).toBeLessThanOrEqual(bytes);
      const next = [...text.slice(head.length)][0];
      if (next !== undefined) expect(byteLength(head + next)).toBeGreaterThan(bytes);
    }),
  );
});

test("what a model is shown of a result does not change when the result has been through the log", () => {
  fc.assert(
    fc.property(fc.anything({ withBigInt: true, withDate: true }), (value) => {
      const kept = stored(toolResult(value));
      expect(showResult(JSON.parse(JSON.stringify(kept)))).toEqual(showResult(kept));
    }),
  );
});
