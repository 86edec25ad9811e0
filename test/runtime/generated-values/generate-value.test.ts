/** Values by chance fit their schema; smaller draws are smaller. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { type JsonSchema, type TypeIr, toJsonSchema } from "../../../dsl/index.ts";
import { drawsOf, isSmaller, smallerDraws } from "../../../runtime/generated-values/draws.ts";
import { generateValue } from "../../../runtime/generated-values/generate-value.ts";
import { misfits } from "../../../runtime/state/json-schema.ts";

const named = (name: string, args: TypeIr[] = []): TypeIr => ({ kind: "named", name, args });

const { type: anyType } = fc.letrec<{ type: TypeIr }>((tie) => ({
  type: fc.oneof(
    { maxDepth: 4 },
    fc
      .constantFrom("string", "int", "number", "boolean", "Json", "Tree")
      .map((name) => named(name)),
    fc.constantFrom("a", 1, true, null).map((value): TypeIr => ({ kind: "literal", value })),
    tie("type").map((of): TypeIr => ({ kind: "array", of })),
    tie("type").map((of) => named("Record", [named("string"), of])),
    fc
      .array(tie("type"), { minLength: 1, maxLength: 3 })
      .map((types): TypeIr => ({ kind: "union", types })),
    fc.array(tie("type"), { maxLength: 3 }).map((types): TypeIr => ({ kind: "tuple", types })),
    fc.array(fc.tuple(fc.boolean(), tie("type")), { maxLength: 3 }).map(
      (members): TypeIr => ({
        kind: "object",
        members: members.map(([optional, type], at) => ({ name: `m${at}`, optional, type })),
      }),
    ),
  ),
}));

const TREE: TypeIr = {
  kind: "object",
  members: [
    { name: "value", optional: false, type: named("int") },
    { name: "left", optional: true, type: named("Tree") },
    { name: "kids", optional: false, type: { kind: "array", of: named("Tree") } },
  ],
};
const types = new Map([["Tree", TREE]]);

test("a value of any type of the language fits its schema", () => {
  fc.assert(
    fc.property(anyType, fc.array(fc.nat()), (type, numbers) => {
      const { schema } = toJsonSchema(type, types);
      const generated = generateValue(schema, drawsOf(numbers, Math.random));
      expect(generated && misfits(generated.value, schema)).toEqual([]);
    }),
  );
});

test.each<readonly [string, JsonSchema]>([
  ["whole numbers within bounds", { type: "integer", minimum: 3, maximum: 5 }],
  ["whole numbers from a bound on", { type: "integer", exclusiveMinimum: 10 }],
  ["whole numbers up to a bound", { type: "integer", maximum: -4 }],
  ["texts of a length", { type: "string", minLength: 2, maxLength: 3 }],
  ["lists of a length", { type: "array", items: { type: "null" }, minItems: 2, maxItems: 3 }],
  ["one of several types", { type: ["string", "null"] }],
])("%s", (_title, schema) => {
  fc.assert(
    fc.property(fc.array(fc.nat()), (numbers) => {
      const generated = generateValue(schema, drawsOf(numbers));
      expect(generated && misfits(generated.value, schema)).toEqual([]);
    }),
  );
});

test("a text with a pattern is given up rather than generated wrong", () => {
  expect(generateValue({ type: "string", pattern: "^[0-9]{9}$" }, drawsOf([]))).toBeUndefined();
});

test("without draws a value is the simplest of its type", () => {
  const simplest = (type: TypeIr) =>
    generateValue(toJsonSchema(type, types).schema, drawsOf([]))?.value;
  expect(["string", "int", "boolean", "Json", "Tree"].map((name) => simplest(named(name)))).toEqual(
    ["", 0, false, null, { value: 0, kids: [] }],
  );
});

test("the same draws generate the same value", () => {
  fc.assert(
    fc.property(anyType, fc.array(fc.nat()), (type, numbers) => {
      const { schema } = toJsonSchema(type, types);
      const draws = drawsOf(numbers, Math.random);
      const value = generateValue(schema, draws);
      expect(generateValue(schema, drawsOf(draws.drawn))).toEqual(value);
    }),
  );
});

test("all smaller draws are smaller, so that the search ends", () => {
  fc.assert(
    fc.property(fc.array(fc.nat(9), { maxLength: 12 }), (drawn) => {
      for (const next of smallerDraws(drawn)) expect(isSmaller(next, drawn)).toBe(true);
      expect(isSmaller(drawn, drawn)).toBe(false);
    }),
  );
});
