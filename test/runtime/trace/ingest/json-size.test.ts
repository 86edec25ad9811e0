import fc from "fast-check";
import { expect, test } from "vitest";
import { freezeJson } from "../../../../runtime/state/json.ts";
import { jsonBytes, jsonHead, stringify } from "../../../../runtime/trace/ingest/json-size.ts";

const text = fc.string({ unit: fc.constantFrom("a", "é", "😀", "\ud800", "\\", '"', "\n", "u") });
const value = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    fc.oneof(text, fc.double(), fc.boolean(), fc.constantFrom(null, undefined, -0)),
    fc.array(tie("value"), { maxLength: 4 }),
    fc.dictionary(fc.oneof(text, fc.constant("__proto__")), tie("value"), { maxKeys: 4 }),
    fc.date({ noInvalidDate: true }),
  ),
})).value;

test("law: size and head are those of the JSON, frozen or not", () => {
  fc.assert(
    fc.property(value, fc.nat({ max: 60 }), (of, length) => {
      const json = stringify(of);
      for (const one of [of, freezeJson([of, of]), [of, { of }]]) {
        const whole = one === of ? json : stringify(one);
        expect(jsonBytes(one)).toBe(Buffer.byteLength(whole));
        expect(jsonBytes(one)).toBe(Buffer.byteLength(whole));
        expect(jsonHead(one, length)).toBe(whole.slice(0, length));
      }
    }),
  );
});
