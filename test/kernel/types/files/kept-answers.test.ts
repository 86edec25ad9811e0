/** What the compiler said is asked of it again only when a file that it read has changed. */
import { randomUUID } from "node:crypto";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { expect, test } from "vitest";
import { answeringFiles, keptAnswer } from "../../../../kernel/types/files/kept-answers.ts";
import { projectRoot, temporaryFolder } from "../../../support/child.ts";

/** Asks about a program in `folder` that reads `a.ts`; says whether the compiler was asked. */
function asksAnew(folder: string, parts: readonly unknown[], more: object = {}): boolean {
  let isAsked = false;
  keptAnswer({ path: join(folder, "g.madrigal"), parts }, () => {
    isAsked = true;
    return { answer: ["fine"], files: [join(folder, "a.ts")], isLasting: true, ...more };
  });
  return isAsked;
}

function folderWith(text: string): string {
  const folder = join(temporaryFolder(), randomUUID());
  mkdirSync(folder);
  writeFileSync(join(folder, "a.ts"), text);
  return folder;
}

test("the same question of the same files is answered from what is kept, in any folder", () => {
  const question = [randomUUID()];
  const folder = folderWith("export const a = 1;");
  expect(asksAnew(folder, question)).toBe(true);
  expect(asksAnew(folder, question)).toBe(false);
  expect(asksAnew(folderWith("export const a = 1;"), question)).toBe(false);
  expect(asksAnew(folder, [randomUUID()])).toBe(true);
});

test("an edited or a missing file is asked about again", () => {
  const question = [randomUUID()];
  const folder = folderWith("export const a = 1;");
  asksAnew(folder, question);
  writeFileSync(join(folder, "a.ts"), "export const a = 2;");
  expect(asksAnew(folder, question)).toBe(true);
  rmSync(join(folder, "a.ts"));
  expect(asksAnew(folder, question, { files: [] })).toBe(true);
});

test("what may not stay so, or names its folder, is not kept", () => {
  const folder = folderWith("export const a = 1;");
  for (const more of [{ isLasting: false }, { answer: [`in ${folder}/a.ts`] }]) {
    const question = [randomUUID()];
    asksAnew(folder, question, more);
    expect(asksAnew(folder, question, more)).toBe(true);
  }
});

test("an edit of what works out the answers has them asked anew", () => {
  const files = answeringFiles().map((file) => relative(projectRoot, file));
  expect(files).toEqual(
    expect.arrayContaining([
      "kernel/types/files/check-program.ts",
      "kernel/types/compiler/type-diagnostics.ts",
      "kernel/types/named/to-type.ts",
      "dsl/ir/json-schema.ts",
      "runtime/agents/scope/tools.ts",
    ]),
  );
});
