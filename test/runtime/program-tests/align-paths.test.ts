import fc from "fast-check";
import { expect, test } from "vitest";
import { alignedPaths } from "../../../runtime/program-tests/expectations.ts";

const words = (text: string) => text.split(" ").filter((word) => word !== "");

test("a path that goes on elsewhere", () => {
  expect(
    alignedPaths(
      words("plan code check critic signoff end"),
      words("plan code check critic code check critic signoff end"),
    ),
  ).toMatchInlineSnapshot(`
    "expected  plan -> code -> check -> critic -> ·    -> ·     -> ·      -> signoff -> end
    actual    plan -> code -> check -> critic -> code -> check -> critic -> signoff -> end
                                                 ^^^^    ^^^^^    ^^^^^^"
  `);
});

test("a node in place of another one", () => {
  expect(alignedPaths(words("plan write end"), words("plan search end"))).toMatchInlineSnapshot(`
    "expected  plan -> write  -> end
    actual    plan -> search -> end
                      ^^^^^^"
  `);
});

test("both paths stand in their lines, whole and in order; no mark where they agree", () => {
  const path = fc.array(fc.constantFrom("a", "bb", "ccc"), { maxLength: 8 });
  fc.assert(
    fc.property(path, path, (expected, actual) => {
      const [first = "", second = "", marks = ""] = alignedPaths(expected, actual).split("\n");
      const names = (line: string) =>
        words(line.slice(10)).filter((word) => word !== "->" && word !== "·");
      expect([names(first), names(second)]).toEqual([expected, actual]);
      if (expected.join() === actual.join()) expect(marks.trim()).toBe("");
      else expect(marks).toContain("^");
    }),
  );
});
