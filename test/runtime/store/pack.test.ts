import fc from "fast-check";
import { expect, test } from "vitest";
import { type PackedRecord, packRecord, unpackRecords } from "../../../runtime/store/pack.ts";
import { record } from "./runs.ts";

const limit = 256 * 1024;

test("what fits stays in the text", () => {
  const { text, large } = packRecord(record(0, "x".repeat(limit - 500)));
  expect(text).toBe(JSON.stringify(record(0, "x".repeat(limit - 500))));
  expect(large).toEqual([]);
});

test("only the large part goes out, at the deepest place that has it", () => {
  const page = "é".repeat(limit);
  const { text, large } = packRecord(record(0, { page, note: "short" }));
  const [value] = large;
  expect(JSON.parse(text).value).toEqual({
    page: { $artifact: value?.hash, bytes: value?.bytes.length },
    note: "short",
  });
  expect(value?.bytes.length).toBe(2 * limit + 2);
});

test("many small parts go out as the one value they make", () => {
  const value = Array.from({ length: 50_000 }, (_, index) => ({ index }));
  const { text, large } = packRecord(record(0, value));
  expect(large).toHaveLength(1);
  expect(JSON.parse(text).value.$artifact).toBe(large[0]?.hash);
});

test("any record comes back as JSON has it, whatever is large in it or looks like a reference", () => {
  const big = fc.constantFrom("ab".repeat(limit), "é\n".repeat(limit / 2));
  const value = fc.letrec((tie) => ({
    value: fc.oneof(
      { maxDepth: 8, withCrossShrink: true },
      fc.jsonValue({ maxDepth: 2 }),
      big,
      fc.record({ $artifact: fc.oneof(fc.string(), tie("value")), bytes: fc.nat() }),
      fc.array(tie("value"), { maxLength: 3 }),
      fc.dictionary(fc.constantFrom("a", "$artifact", "__proto__", "value"), tie("value"), {
        maxKeys: 3,
      }),
    ),
  })).value;
  fc.assert(
    fc.property(value, (of) => {
      const packed = packRecord(record(7, of));
      expect(unpackRecords(`[${packed.text}]`, loadFrom(packed))).toEqual([
        JSON.parse(JSON.stringify(record(7, of))),
      ]);
    }),
    { numRuns: 60 },
  );
});

function loadFrom({ large }: PackedRecord): (hash: string) => string {
  const texts = new Map(large.map(({ hash, bytes }) => [hash, new TextDecoder().decode(bytes)]));
  return (hash) => texts.get(hash) ?? `"no ${hash}"`;
}
