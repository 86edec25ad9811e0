/** Every expression of a program stands in the TypeScript that is made of it, and is found again from there. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { type CodePage, check, codes } from "../../../dsl/index.ts";
import { checkSource } from "../../../kernel/programs/check-source.ts";
import { programsBeside } from "../../../kernel/programs/programs-beside.ts";
import { expressionsIn } from "../../../kernel/types/graphs/generator/expressions-in.ts";
import { writeProgram } from "../../../kernel/types/graphs/generator/write-program.ts";
import { readNames } from "../../../kernel/types/named/program-names.ts";
import { arbitraryGraph } from "../../support/arbitrary-graph.ts";
import { program, ROWS } from "./constructs.ts";

const FOLDER = join(import.meta.dirname, "../../dsl/programs");

/** The expressions of a program that no piece of its TypeScript stands for. */
function unmapped(text: string, path = join(FOLDER, "program.madrigal")): readonly string[] {
  const source = { file: path, text };
  const options = { programs: programsBeside({ source, path }).open, allowUnreadPrograms: true };
  const { graphs, tests } = check(source, options);
  const { segments } = writeProgram({
    source,
    names: readNames(source),
    graphs,
    tests,
    isOpen: true,
  });
  const places = new Set(segments.map(({ span }) => `${span?.start} ${span?.end}`));
  const parts = [...graphs, ...tests.map(({ ir: _, ...test }) => test)];
  return expressionsIn(parts)
    .filter(({ span }) => span !== undefined && !places.has(`${span[0]} ${span[1]}`))
    .map(({ kind, span: [start, end] = [0, 0] }) => `${kind} ${text.slice(start, end)}`);
}

test.each(readdirSync(FOLDER).filter((name) => name.endsWith(".madrigal")))("%s", (name) => {
  const path = join(FOLDER, name);
  expect(unmapped(readFileSync(path, "utf8"), path)).toEqual([]);
});

test.each(ROWS)("%s", (_what, right, wrong) => {
  expect(unmapped(program(right))).toEqual([]);
  expect(unmapped(program(wrong))).toEqual([]);
});

test("programs of any shape", () => {
  fc.assert(
    fc.property(arbitraryGraph({ runnable: false, calls: true }), (text) => {
      expect(unmapped(text)).toEqual([]);
    }),
    { numRuns: 60 },
  );
});

test("the programs of the pages of all codes", () => {
  const pages: readonly CodePage[] = Object.values(codes);
  const programs = pages.flatMap(({ bad = "", good = "" }) => [bad, good]);
  expect(programs.flatMap((text) => unmapped(text))).toEqual([]);
});

test("TypeScript finds nothing wrong in the good programs of all pages", async () => {
  const path = join(FOLDER, "program.madrigal");
  const pages: readonly CodePage[] = Object.values(codes);
  const said: string[] = [];
  for (const { good: text = "" } of pages) {
    const options = { allowUnreadPrograms: true };
    const of = { source: { file: path, text }, path, types: "checked", options } as const;
    const { diagnostics } = await checkSource(of);
    const ofTypes = diagnostics.filter(({ code }) => /^M(35|9)/.test(code));
    // The files that pages import are not there.
    const wrong = ofTypes.filter(({ code }) => code !== "M3511");
    said.push(...wrong.map(({ code, message }) => `${code} ${message}\n${text}`));
  }
  expect(said).toEqual([]);
});
