import fc from "fast-check";
import { expect, test } from "vitest";
import { editDistance, nearest } from "../../../dsl/names/nearest.ts";

test("a letter missing, one too many, a wrong one, two swapped: one edit each", () => {
  expect(
    ["promt", "promppt", "prampt", "porMpt".toLowerCase()].map((word) =>
      editDistance(word, "prompt"),
    ),
  ).toEqual([1, 1, 1, 1]);
});

test("the nearest word wins", () => {
  expect(nearest("wirte", ["write", "wire", "plan"])).toBe("write");
});

test("what is too far away is no suggestion", () => {
  expect(nearest("banana", ["prompt", "tools"])).toBeUndefined();
  expect(nearest("ab", ["xy", "cd"])).toBeUndefined();
});

test("case counts for nothing", () => {
  expect(nearest("DeepSerch", ["deepsearch"])).toBe("deepsearch");
});

test("distance is symmetric, and none means equal", () => {
  fc.assert(
    fc.property(fc.string({ maxLength: 8 }), fc.string({ maxLength: 8 }), (a, b) => {
      expect(editDistance(a, b)).toBe(editDistance(b, a));
      expect(editDistance(a, b) === 0).toBe(a === b);
    }),
  );
});
