import fc from "fast-check";
import { expect, test } from "vitest";
import type { LogRecord } from "../../../../runtime/records/records.ts";
import { type LargeValue, SegmentPacker, segmentText } from "../../../../runtime/store/log/pack.ts";
import { unpackRecords } from "../../../../runtime/store/log/unpack.ts";
import { record } from "../runs.ts";

const limit = 256 * 1024;

test("what fits and comes once stays in the text", () => {
  const { text, large } = packed(record(0, "x".repeat(limit - 500)));
  expect(text).toBe(`{"records":[${JSON.stringify(record(0, "x".repeat(limit - 500)))}]}`);
  expect(large).toEqual([]);
});

test("only the large part goes out, at the deepest place that has it", () => {
  const page = "é".repeat(limit);
  const { text, large } = packed(record(0, { page, note: "short" }));
  const [value] = large;
  expect(JSON.parse(text).records[0].value).toEqual({
    page: { $artifact: value?.hash, bytes: value?.bytes.length },
    note: "short",
  });
  expect(value?.bytes.length).toBe(2 * limit + 2);
});

test("many small parts go out as the one value they make", () => {
  const value = Array.from({ length: 50_000 }, (_, index) => ({ index }));
  const { text, large } = packed(record(0, value));
  expect(large).toHaveLength(1);
  expect(JSON.parse(text).records[0].value.$artifact).toBe(large[0]?.hash);
});

test("an object or a long text that comes again stands for where it was", () => {
  const shared = { list: Array.from({ length: 100 }, (_, index) => index) };
  const said = "word ".repeat(300);
  const records = [
    record(0, { shared, said }),
    record(1, [shared, [shared], `${"word ".repeat(299)}word `]),
  ];
  const { text } = packed(...records);
  const [, second] = JSON.parse(text).records;
  expect(second.value).toEqual([
    { $same: [0, "value", "shared"] },
    [{ $same: [0, "value", "shared"] }],
    { $same: [0, "value", "said"] },
  ]);
  expect(unpackRecords(text, () => "null")).toEqual(records);
});

test("what stood in a value that went out is found in there", () => {
  const shared = { text: "t".repeat(200) };
  const records = [
    record(0, { many: [...Array.from({ length: 50_000 }, (_, index) => [index]), shared] }),
    record(1, [shared, "x".repeat(2_000)]),
  ];
  const { text, large } = packed(...records);
  expect(large).toHaveLength(1);
  expect(text).toContain('{"$same":[0,"value","many",50000]}');
  expect(unpackRecords(text, loadFrom(large))).toEqual(records);
  // Gone: everything else can still be read.
  expect(unpackRecords(text, () => "null")[1]).toEqual(record(1, [undefined, "x".repeat(2_000)]));
});

test("a segment written before the fifth layout says nothing of what is the same", () => {
  const old = JSON.stringify([record(0, { $same: [0, "value"] })]);
  expect(unpackRecords(old, () => "null")).toEqual([record(0, { $same: [0, "value"] })]);
});

test("law: any records come back as JSON has them, whatever they share or looks like a reference", () => {
  const big = fc.constantFrom("ab".repeat(limit), "é\n".repeat(limit / 2));
  const long = fc.constantFrom("long ".repeat(60), "länger ".repeat(50), "s".repeat(900));
  const value = fc.letrec((tie) => ({
    value: fc.oneof(
      { maxDepth: 11, withCrossShrink: true },
      fc.jsonValue({ maxDepth: 2 }),
      fc.oneof({ arbitrary: big, weight: 1 }, { arbitrary: long, weight: 4 }),
      fc.record({ $artifact: fc.oneof(fc.string(), tie("value")), bytes: fc.nat() }),
      fc.record({ $same: fc.oneof(fc.constant([0]), tie("value")) }),
      fc.array(tie("value"), { maxLength: 3 }),
      fc.dictionary(
        fc.constantFrom("a", "$artifact", "$same", "__proto__", "value", "toJSON"),
        tie("value"),
        { maxKeys: 3 },
      ),
    ),
  })).value;
  // Parts by their numbers, so that one object stands in several places and depths.
  const parts = fc.array(value, { minLength: 1, maxLength: 3 });
  const places = fc.array(fc.array(fc.nat({ max: 9 }), { maxLength: 4 }), {
    minLength: 1,
    maxLength: 4,
  });
  fc.assert(
    fc.property(parts, places, fc.nat({ max: 7 }), (of, chosen, depth) => {
      const records = chosen.map((numbers, seq) => {
        const values = numbers.map((number) => of[number % of.length]);
        return record(seq, [values, nested(values, depth), "x".repeat(1_000 * (seq % 2))]);
      });
      const { text, large } = packed(...records);
      expect(unpackRecords(text, loadFrom(large))).toEqual(JSON.parse(JSON.stringify(records)));
    }),
    { numRuns: 150 },
  );
});

function nested(value: unknown, depth: number): unknown {
  return depth === 0 ? value : { in: nested(value, depth - 1) };
}

function packed(...records: readonly LogRecord[]) {
  const packer = new SegmentPacker();
  const all = records.map((one) => packer.add(one));
  return {
    text: segmentText(all.map(({ text }) => text)),
    large: all.flatMap(({ large }) => large),
  };
}

function loadFrom(large: readonly LargeValue[]): (hash: string) => string {
  const texts = new Map(large.map(({ hash, bytes }) => [hash, new TextDecoder().decode(bytes)]));
  return (hash) => texts.get(hash) ?? `"no ${hash}"`;
}
