/** Every example of the guide is done. After a change that is meant: the same command with `--update`, and look. */
import { spawnSync } from "node:child_process";
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { clauseWords, fileWords, graphWords } from "../../../dsl/syntax/words.ts";
import { commands } from "../../../kernel/cli/commands.ts";
import { projectNode, projectRoot } from "../../support/child.ts";
import { missing } from "../../support/python-env.ts";
import { type Chapter, chapterFolder, manual, readChapter, rendered } from "./chapter.ts";

const noSandbox = await missing("bubblewrap");
const index = readFileSync(join(manual, "README.md"), "utf8");
const chapters = readdirSync(manual)
  .filter((name) => /^\d\d-.*\.md$|^(?:cheat-sheet|reference)\.md$/.test(name))
  .sort()
  .map(readChapter);

test("the guide has its chapters, and the table of contents names each of them", () => {
  expect(chapters.length).toBeGreaterThanOrEqual(12);
  for (const { name } of chapters) expect(index).toContain(`](${name})`);
});

describe("what the guide shows is so", () => {
  // A chapter starts up to thirty processes, one after the other.
  test.for(chapters)("$name", { timeout: 300_000 }, async (chapter, { skip }) => {
    if (chapter.name === "23-code.md" && noSandbox !== undefined) skip(noSandbox);
    expect(chapter.blocks.length).toBeGreaterThan(0);
    await expect(await rendered(chapter)).toMatchFileSnapshot(join(manual, chapter.name));
  });

  test.each(chapters)(
    "$name: every block is a program, TypeScript, a command or what one of them prints",
    ({ blocks }) => {
      for (const [at, { language, file, before, text }] of blocks.entries()) {
        expect(["madrigal", "ts", "sh", "text", "ebnf"], text).toContain(language);
        if (language === "ts") expect(file, text).toMatch(/\.ts$/);
        if (language === "text") {
          const { language: shown, code } = blocks[at - 1] ?? {};
          expect(["ts", "sh", ...(code === undefined ? [] : ["madrigal"])], text).toContain(shown);
          // What stands between them would push the output away from what printed it.
          expect(before.length, text).toBeLessThan(200);
        }
      }
    },
  );
});

test("all TypeScript of the guide has the types it should", () => {
  const root = mkdtempSync(join(tmpdir(), "madrigal-guide-types-"));
  symlinkSync(join(projectRoot, "node_modules"), join(root, "node_modules"));
  for (const chapter of chapters) copyTypeScript(chapter, root);
  const options = JSON.parse(readFileSync(join(projectRoot, "tsconfig.json"), "utf8"));
  writeFileSync(
    join(root, "tsconfig.json"),
    JSON.stringify({
      compilerOptions: {
        ...options.compilerOptions,
        rootDir: "/",
        noEmit: true,
        declaration: false,
      },
      include: ["."],
    }),
  );
  const compiler = join(projectRoot, "node_modules/typescript/bin/tsc");
  const { stdout } = spawnSync(projectNode, [compiler, "-p", root], {
    cwd: root,
    encoding: "utf8",
  });
  rmSync(root, { recursive: true, force: true });
  // The project's own files are another test's.
  expect(stdout.split("\n").filter((line) => /^\d\d-|^cheat/.test(line))).toEqual([]);
});

test("every command that the guide names is there", () => {
  const texts = [index, ...chapters.map(({ name }) => readFileSync(join(manual, name), "utf8"))];
  const named = texts.flatMap((text) =>
    [...text.matchAll(/(?:npx |`)madrigal ([a-z]+)\b/g)].map(([, name = ""]) => name),
  );
  expect(new Set(named).size).toBeGreaterThan(4);
  expect([...new Set(named)].filter((name) => !(name in commands))).toEqual([]);
});

test("the cheat sheet names every word that a line begins with", () => {
  const sheet = readFileSync(join(manual, "cheat-sheet.md"), "utf8");
  const missing = [...fileWords, ...graphWords, ...clauseWords].filter(
    (word) => !new RegExp(`\\b${word}\\b`).test(sheet),
  );
  expect(missing).toEqual([]);
});

function copyTypeScript(chapter: Chapter, root: string): void {
  const folder = chapterFolder(chapter);
  const to = join(root, chapter.name.replace(".md", ""));
  mkdirSync(to);
  cpSync(join(folder, "package.json"), join(to, "package.json"));
  for (const { language, file } of chapter.blocks) {
    if (language === "ts" && file !== undefined) cpSync(join(folder, file), join(to, file));
  }
  rmSync(folder, { recursive: true, force: true });
}
