/** The table of attacks in the guide and the files of this folder speak of the same cases. */
import { readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { expect, test } from "vitest";
import { attackRows } from "./attack-table.ts";

const CASES_MIN = 120;

const files = readdirSync(import.meta.dirname, { recursive: true, encoding: "utf8" }).filter(
  (name) => name.endsWith(".test.ts") && name !== "table.test.ts",
);

test("each file of attacks has rows in the table, and each row names a file, an attack and a defence", () => {
  const rows = attackRows();
  expect([...new Set(rows.map(({ file }) => file))].sort()).toEqual(
    files.map((path) => basename(path)).sort(),
  );
  for (const { attack, defence, cases } of rows) {
    expect(attack).toMatch(/\w+ \w+/);
    expect(defence).toMatch(/\w+ \w+/);
    expect(cases).toBeGreaterThan(0);
  }
});

test("each file holds the number of its cases against the table", () => {
  for (const file of files)
    expect(readFileSync(join(import.meta.dirname, file), "utf8"), file).toMatch(
      /\nholdCaseCount\(\);\n$/,
    );
});

test(`there are ${CASES_MIN} cases and more`, () => {
  const cases = attackRows().reduce((sum, row) => sum + row.cases, 0);
  expect(cases).toBeGreaterThanOrEqual(CASES_MIN);
});
