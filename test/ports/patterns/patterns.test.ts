/** Each workflow pattern is played, its test says the path, and the guide has the table. */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { projectRoot } from "../../support/child.ts";
import { madrigal } from "../../support/warm/madrigal.ts";
import { expectedPath, PATTERNS, patternsTable } from "./patterns.ts";

const home = mkdtempSync(join(tmpdir(), "madrigal-patterns-"));
afterAll(() => rmSync(home, { recursive: true, force: true }));

const cwd = import.meta.dirname;
const files = [...new Set(PATTERNS.flatMap(({ program }) => program.split("#")[0] ?? []))];
const textOfFile = (file: string) => readFileSync(join(cwd, `${file}.madrigal`), "utf8");

test.for(files)(
  "%s.madrigal checks, with types, and each run takes the path that its test says",
  async (file) => {
    const checked = await madrigal(["check", `${file}.madrigal`], { home, cwd });
    expect(checked.stdout + checked.stderr).toContain("1 file: 0 errors, 0 warnings");
    const { code, stdout, stderr } = await madrigal(["test", `${file}.madrigal`], { home, cwd });
    expect(code, stdout + stderr).toBe(0);
    expect(stdout).toMatch(/^\d+ tests: \d+ passed, 0 failed$/m);
  },
);

test("the 43 patterns are there, each with a program whose test expects a path", () => {
  expect(PATTERNS.map(({ number }) => number)).toEqual(
    Array.from({ length: 43 }, (_, at) => at + 1),
  );
  for (const { number, program } of PATTERNS) {
    const [file = "", graph = ""] = program.split("#");
    expect(textOfFile(file)).toContain(`graph ${graph}(`);
    expect(textOfFile(file)).toMatch(new RegExp(`^test "${number} [^"]*" of ${graph} `, "m"));
    expect(expectedPath(textOfFile(file), number), program).not.toEqual([]);
  }
});

test("the guide has the table", () => {
  const chapter = readFileSync(join(projectRoot, "dsl/manual/25-patterns.md"), "utf8");
  expect(chapter).toContain(patternsTable());
});
