/** `madrigal sql`: rows of the traces as a table, CSV, JSON and charts; what DuckDB refuses, with its place. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { madrigal } from "../../../support/child.ts";
import { document, said, workspace } from "../calling.ts";

const program = `graph Quick() returns n {
  state { n: int = 0 }
  run one = made() writes n
  run two = made() writes n
  start -> one -> two -> end
}
`;
const BY_NODE = "SELECT node, count(*) AS runs FROM node_runs GROUP BY node ORDER BY node";

test("contract: a table, CSV, JSON, a chart in words and as a picture", async () => {
  const home = workspace({
    "quick.madrigal": program,
    "scope.ts": "export const made = () => 1;\n",
  });
  expect(await said(home, ["run", "quick.madrigal", "--scope", "scope.ts"])).toContain("exit 0");
  expect(await said(home, ["sql", BY_NODE])).toMatchInlineSnapshot(`
    "exit 0
    node  runs
    one      1
    two      1
    2 rows"
  `);
  expect(await said(home, ["sql", BY_NODE, "--csv"])).toBe("exit 0\nnode,runs\none,1\ntwo,1");
  expect((await document(home, ["sql", BY_NODE, "--json"])).json).toEqual({
    version: 1,
    columns: [
      { name: "node", type: "VARCHAR" },
      { name: "runs", type: "BIGINT" },
    ],
    rows: [
      { node: "one", runs: 1 },
      { node: "two", runs: 1 },
    ],
  });
  expect(await said(home, ["sql", BY_NODE, "--chart", "bar"])).toContain("bar chart of 2 marks");
  const svg = join(home, "runs.svg");
  expect(await said(home, ["sql", BY_NODE, "--svg", svg])).toBe("exit 0");
  expect(readFileSync(svg, "utf8")).toMatch(/^<svg/);
});

test("a table has the first rows, and says how many there are; CSV refuses more than were allowed", async () => {
  const home = workspace();
  const many = "SELECT range AS n FROM range(300)";
  expect(await said(home, ["sql", many])).toContain("rows 1–100 of 300; the first 100 were read");
  expect((await said(home, ["sql", many, "--csv"])).split("\n")).toHaveLength(302);
  expect(await said(home, ["sql", many, "--csv", "--rows", "200"])).toContain("M6104");
});

test.each([
  ["an unknown view", ["sql", "SELECT *\nFROM node_runz"], "M6101", "QUERY:2:6"],
  ["no query", ["sql", " "], "M6101", "QUERY"],
  ["a query that writes", ["sql", "DELETE FROM events"], "M7630", "no query writes it"],
  ["a chart that is none", ["sql", "SELECT 1", "--chart", "pie"], "M7632", "there are bar"],
  ["no number of rows", ["sql", "SELECT 1", "--csv", "--rows", "x"], "M7104", "rows"],
])("%s is refused", async (_, words, code, shown) => {
  const text = await said(workspace(), words);
  expect(text).toMatch(/^exit 1\n/);
  expect(text).toContain(code);
  expect(text).toContain(shown);
});

test("the query comes from stdin", async () => {
  const ended = await madrigal(["sql", "-"], { home: workspace(), stdin: "SELECT 1 AS one" });
  expect(ended.stdout).toBe("one\n  1\n1 row\n");
});
