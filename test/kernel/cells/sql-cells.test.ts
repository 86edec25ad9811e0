import { expect, test } from "vitest";
import { openTestNotebook } from "./notebook.ts";

test("the rows of a query are a table", async () => {
  const notebook = openTestNotebook();
  expect(await notebook.run("%%sql\nSELECT 1 AS one, 'a' AS two")).toMatchInlineSnapshot(`
    "result [text/html, text/markdown] one  two
      1  a
    1 row"
  `);
});

test("what DuckDB finds wrong is shown at its place in the cell", async () => {
  const notebook = openTestNotebook();
  expect(await notebook.run("%%sql\nSELECT node\nFROM nod_runs")).toMatchInlineSnapshot(`
    "error M6101: Table with name nod_runs does not exist!
    error[M6101]: Table with name nod_runs does not exist!
      ┌─ Cell[1]:3:6
    3 │ FROM nod_runs
      │      ^^^^^^^^
      hint: did you mean \`node_runs\`?"
  `);
});

test("an empty query and an unknown option are said", async () => {
  const notebook = openTestNotebook();
  expect(await notebook.run("%%sql\n  ")).toMatchInlineSnapshot(`
    "error M7505: there is no query below \`%%sql\`
    error[M7505]: there is no query below \`%%sql\`
      hint: for example: SELECT node, sum(dur_us) FROM node_runs GROUP BY node"
  `);
  expect(await notebook.run("%%sql --charts bar\nSELECT 1")).toMatchInlineSnapshot(`
    "error M7504: \`%%sql\` has no option \`--charts\`
    error[M7504]: \`%%sql\` has no option \`--charts\`
      ┌─ Cell[2]:1:7
    1 │ %%sql --charts bar
      │       ^^^^^^^^
      hint: did you mean \`--chart\`?"
  `);
});

test("a query that goes on for ever is cancelled, and the next one answers", async () => {
  const notebook = openTestNotebook();
  await notebook.run("%%sql\nSELECT 1");
  const endless = notebook.run(
    "%%sql\nSELECT sum(a.range * b.range) FROM range(100000000) a, range(100000000) b",
  );
  notebook.cancel();
  expect(await endless).toMatchInlineSnapshot(`
    "error Cancelled: M7501 the cell was cancelled; what it declared so far is kept
    Cancelled: M7501 the cell was cancelled; what it declared so far is kept"
  `);
  expect(await notebook.run("%%sql\nSELECT 2 AS two")).toContain("two");
});

test("of a query with more rows than memory the first ones are read, and the table says so", async () => {
  const notebook = openTestNotebook();
  const shown = await notebook.run("%%sql\nSELECT * FROM range(100000000)");
  expect(shown.split("\n").at(-1)).toBe(
    "rows 1–100 of 100,000,000; .page(2) has the next; the first 10,000 were read: let SQL add up, or say LIMIT and OFFSET",
  );
  expect(await notebook.run("%%sql\nSELECT 2 AS two; SELECT 3 AS three")).toContain("three");
});
