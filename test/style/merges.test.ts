/** Holds that no document keeps the lines by which git marks a conflict of a merge. */
import { expect, test } from "vitest";
import { documents, type SourceFile } from "./sources.ts";

/** The files of which some lines are those that git writes around two versions of a text. */
function findConflicts(files: readonly SourceFile[]): readonly string[] {
  return files.filter(({ text }) => /^(?:<{7}|>{7}) /m.test(text)).map(({ path }) => path);
}

test.each(["<", ">"])("seven of `%s` before a name mark a conflict", (mark) => {
  const text = `one\n${mark.repeat(7)} HEAD\ntwo\n`;
  expect(findConflicts([{ path: "a.md", text }])).toEqual(["a.md"]);
});

test.each(["a <<<<<<< b", "> quoted", "======="])("%s marks none", (text) => {
  expect(findConflicts([{ path: "a.md", text }])).toEqual([]);
});

test("no document has a conflict of a merge", () => {
  expect(findConflicts(documents)).toEqual([]);
});
