/** Each port checks, its tests pass and take every arrow, and the table of the README is what is counted. */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { madrigal } from "../support/warm/madrigal.ts";
import { countLines, portsTable, ratioOf, ratios } from "./count-lines.ts";
import { PORTS } from "./ports.ts";

const home = mkdtempSync(join(tmpdir(), "madrigal-ports-"));
afterAll(() => rmSync(home, { recursive: true, force: true }));

const cwd = import.meta.dirname;
const readme = readFileSync(join(cwd, "README.md"), "utf8");

describe("a port", () => {
  test.for(PORTS)("$program checks, with types, and no warning is new", async ({ program }) => {
    const { code, stdout, stderr } = await madrigal(["check", `${program}.madrigal`], {
      home,
      cwd,
    });
    expect(`${stdout}${stderr}`).toContain(`1 file: 0 errors, 0 warnings`);
    expect(code).toBe(0);
  });

  test.for(PORTS)("$program passes its tests, which take every arrow", async ({ program }) => {
    const { code, stdout, stderr } = await madrigal(
      ["test", `${program}.madrigal`, "--coverage", "--coverage-min", "100"],
      { home, cwd },
    );
    expect(code, stdout + stderr).toBe(0);
    expect(stdout).toMatch(/^\d+ tests?: \d+ passed, 0 failed$/m);
    expect(stdout).not.toContain("not taken");
  });

  test("stands in the form of `madrigal fmt`", async () => {
    const files = PORTS.map(({ program }) => `${program}.madrigal`);
    const { stdout, stderr } = await madrigal(["fmt", "--check", ...files], { home, cwd });
    expect(`${stdout}${stderr}`).toContain(`${files.length} files: 0 would change`);
  });
});

test("the table and the sums of the README are what is counted", () => {
  expect(readme).toContain(portsTable());
  expect(readme).toContain(ratios());
});

test("the ports have at most 45 % of the lines of their originals in LangGraph JS", () => {
  const { ours, originals } = ratioOf(
    ({ original }) => original.kind === "langgraph-js" && "lines" in original,
  );
  expect(ours / originals).toBeLessThanOrEqual(0.45);
});

test("of the ten at least six were right at the first try", () => {
  const ten = PORTS.filter(({ program }) => program.startsWith("ten/"));
  expect(ten.length).toBe(10);
  expect(ten.filter(({ tries }) => tries === 1).length).toBeGreaterThanOrEqual(6);
});

test.each([
  ["blank lines and comments are no code", "a;\n\n// b\n/* c\n d */ e;", "//", 2],
  ["a text over several lines is one line", "f(`a\n  ${b(`c`)}\nd`);\ng;", "//", 2],
  [
    "a text of Python, and its comments",
    'a = """\n# no comment\n"""\n# a comment\nb = "#"',
    "#",
    2,
  ],
  ["a long line is as many as it fills", `${"a".repeat(250)}`, "//", 3],
] as const)("%s", (_, text, comment, lines) => {
  expect(countLines(text, comment)).toBe(lines);
});
