/** Holds that no source and no document sends its reader to a file outside the repository. */
import { expect, test } from "vitest";
import { findOutsideReferences } from "./outside-references.ts";
import { documents, sourceFiles } from "./sources.ts";

// Written in pieces, so that this file holds no reference itself.
test.each([
  ["/** As ", "DESIGN", ".md has it. */"],
  ["// the laws of ", "DESIGN", " §3.8"],
  ["the grammar of ", "LANGUAGE", ".md"],
  ["medians, ", "reference", "/peers.md"],
  ["see ../", "shared", "/reviews/house.md"],
])("%s%s%s is a reference to the outside", (...pieces) => {
  expect(findOutsideReferences([{ path: "dsl/a.ts", text: pieces.join("") }])).toHaveLength(1);
});

test.each(["see dsl/manual/reference.md", "the LANGUAGE of models", "[state](../README.md)"])(
  "%s is none",
  (text) => {
    expect(findOutsideReferences([{ path: "dsl/a.ts", text }])).toEqual([]);
  },
);

test("nothing refers to a document outside the repository", () => {
  expect(findOutsideReferences([...sourceFiles, ...documents])).toEqual([]);
});
