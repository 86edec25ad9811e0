/** A sample of BFCL: the schemas of one of its sets convert, and the right answers fit. */
import { expect, test } from "vitest";
import { readBfcl } from "./bfcl.ts";
import { toJsonSchema } from "./convert-schema.ts";

test("the schemas of `simple_python` convert, right answers fit and broken ones are refused", async () => {
  const [figures, ...more] = await readBfcl((name) => name.includes("_simple_python"));
  expect(more).toEqual([]);
  expect(figures).toMatchObject({ tools: 400, converted: 400, answers: 400, fitting: 399 });
  expect(figures?.refused).toBe(399);
});

test("types of Python and Java become those of JSON Schema, at any depth", () => {
  const properties = { a: { type: "ArrayList", items: { type: "float" } }, b: { type: "any" } };
  expect(toJsonSchema({ type: "dict", properties, required: ["a"] })).toEqual({
    type: "object",
    properties: { a: { type: "array", items: { type: "number" } }, b: {} },
    required: ["a"],
  });
});
