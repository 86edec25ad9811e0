import fc from "fast-check";
import { expect, test } from "vitest";
import { jsonLength } from "../../../runtime/agents/models/json-length.ts";

const text = fc.string({ maxLength: 400 }).map((short) => short.replaceAll(/[\b\f]/g, ""));
const marked = fc.array(fc.constantFrom("a", '"', "\\", "\n", "\t", "é", "😀"), { maxLength: 400 });

test("a value is as long as its JSON, short texts and long ones", () => {
  const value = fc.letrec((tie) => ({
    any: fc.oneof(
      { maxDepth: 4 },
      fc.constant(null),
      fc.boolean(),
      fc.integer(),
      fc.double({ noNaN: true, noDefaultInfinity: true }),
      text,
      marked.map((parts) => parts.join("")),
      fc.array(tie("any")),
      fc.dictionary(fc.string(), fc.option(tie("any"), { nil: undefined })),
    ),
  })).any;
  fc.assert(
    fc.property(value, (one) => {
      expect(jsonLength(one)).toBe(JSON.stringify(one).length);
    }),
  );
});

test("a mark in a long text is as long as it is written", () => {
  const long = `${"x".repeat(5000)}"\n${"y".repeat(5000)}`;
  expect(jsonLength({ a: [long] })).toBe(JSON.stringify({ a: [long] }).length);
});
