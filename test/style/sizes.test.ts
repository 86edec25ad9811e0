/** Holds the sizes of folders and READMEs. */
import { expect, test } from "vitest";
import { checks } from "./checks.ts";
import { compareWithExceptions } from "./findings.ts";
import { FILES_MAX, findLargeFolders, findLongReadmes, README_LINES_MAX } from "./sizes.ts";

test("a folder with a file too many is found, its neighbour is not", () => {
  const fileIn = (folder: string) => (_: unknown, at: number) => ({
    path: `dsl/${folder}/${at}.ts`,
    text: "",
  });
  const files = [
    ...Array.from({ length: FILES_MAX + 1 }, fileIn("full")),
    ...Array.from({ length: FILES_MAX }, fileIn("room")),
  ];
  expect([...findLargeFolders(files)]).toEqual([["dsl/full", FILES_MAX + 1]]);
});

test("a README with a line too many is found, another document is not", () => {
  const long = "a line\n".repeat(README_LINES_MAX + 1);
  const documents = [
    { path: "dsl/README.md", text: long },
    { path: "dsl/manual/grammar.md", text: long },
    { path: "README.md", text: long },
    { path: "runtime/README.md", text: "a line\n".repeat(README_LINES_MAX) },
  ];
  expect([...findLongReadmes(documents).keys()]).toEqual(["dsl/README.md"]);
});

test(`no folder holds more than ${FILES_MAX} source files`, () => {
  expect(compareWithExceptions("folders", checks.folders())).toEqual({ added: [], stale: [] });
});

test(`no README has more than ${README_LINES_MAX} lines`, () => {
  expect(compareWithExceptions("readmes", checks.readmes())).toEqual({ added: [], stale: [] });
});
