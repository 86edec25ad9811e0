/** The tables of requirement rows: how they are made, and that what they name is still there. */
import { existsSync, globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { projectRoot } from "../support/child.ts";
import { provedRows } from "../support/rows/proved-rows.ts";
import {
  notProved,
  readRequirements,
  requirementsOf,
  SYSTEMS,
  systemTable,
} from "../support/rows/system-rows.ts";
import type { TestResult } from "../support/tally.ts";

const passed = (title: string): TestResult => ({ title, file: "test/a.test.ts", status: "passed" });

test("a table names for each row the tests that passed; a row without one is told", () => {
  const requirements = {
    S02: { requirement: "Second.", where: "`b`" },
    S01: { requirement: "First.", where: "`a`" },
    S03: { requirement: "Third.", where: "", instead: "nobody can" },
    E01: { requirement: "Of another system.", where: "" },
  };
  const proved = provedRows([
    passed("S01 [TY] a | b"),
    passed("S01 S02 two rows"),
    { ...passed("S02 it"), status: "failed" },
    passed("M2101 a code, and no row"),
  ]);
  const table = systemTable("shared-state", requirements, proved);
  expect(table.text.split("\n").slice(-4)).toEqual([
    "| S01 | First. | `a` | `test/a.test.ts`: a \\| b<br>`test/a.test.ts`: two rows |",
    "| S02 | Second. | `b` | `test/a.test.ts`: two rows |",
    "| S03 | Third. |  | nobody can |",
    "",
  ]);
  expect(table).toMatchObject({ rows: 3, proved: 2, missing: [] });
  expect(systemTable("shared-state", requirements, []).missing).toEqual(["S01", "S02"]);
  expect(notProved(requirements)).toContain("- **S03**, Third.: nobody can");
});

const folder = join(projectRoot, "notebooks/systems");
const written = Object.keys(SYSTEMS).filter((system) =>
  existsSync(join(folder, system, "ROWS.md")),
);

describe.each(written)("the table of %s", (system) => {
  const text = readFileSync(join(folder, system, "ROWS.md"), "utf8");
  const lines = text.split("\n").filter((line) => /^\| [A-Z]\d/.test(line));

  test("has each requirement of the system in its words", () => {
    const wanted = requirementsOf(system, readRequirements());
    const begins = wanted.map(
      ([id, { requirement, where }]) => `| ${id} | ${requirement} | ${where} | `,
    );
    expect(lines.map((line, at) => line.slice(0, begins[at]?.length))).toEqual(begins);
  });

  test("names files that have a test of that row", () => {
    for (const line of lines) {
      const [, id = ""] = line.split(" ");
      const files = [...line.matchAll(/`(test\/[^`]+\.test\.ts)`: /g)].map(([, file = ""]) => file);
      for (const file of files) {
        // The titles of some tests stand in a table beside them, or in the contract of an interface.
        const texts = globSync([`${dirname(file)}/*.ts`, "test/contract/**/*.ts"], {
          cwd: projectRoot,
        }).map((name) => readFileSync(join(projectRoot, name), "utf8"));
        expect(existsSync(join(projectRoot, file)), file).toBe(true);
        expect(texts.join("\n"), `${file} has no test of ${id}`).toMatch(
          new RegExp(`["'\`]([WMASE]\\d{2,3} )*${id}[ "]`),
        );
      }
    }
  });
});

test("the list of what is not proved is that of the requirements", () => {
  const file = join(folder, "rows-not-proved.md");
  expect(readFileSync(file, "utf8")).toBe(notProved(readRequirements()));
});
