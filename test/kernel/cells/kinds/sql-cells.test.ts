import { expect, test } from "vitest";
import { openTestNotebook, useTypes } from "../notebook.ts";

useTypes();

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
    "rows 1–100 of 100,000,000; to read on, name them: `%%sql --save rows`, then `rows.page(2)` in a cell; the first 10,000 were read: let SQL add up, or say LIMIT and OFFSET",
  );
  expect(await notebook.run("%%sql\nSELECT 2 AS two; SELECT 3 AS three")).toContain("three");
});

test("a table that is not there is guessed among tables and views, never among DuckDB's own, unless one of those was begun", async () => {
  const notebook = openTestNotebook();
  await notebook.run("%%sql\nCREATE TEMP TABLE people AS SELECT 'Ada' AS name");
  await notebook.run("%%sql\nCREATE TEMP VIEW cities AS SELECT 'Rome' AS name");
  expect(await notebook.run("%%sql\nFROM peple")).toContain("hint: did you mean `people`?");
  expect(await notebook.run("%%sql\nFROM citis")).toContain("hint: did you mean `cities`?");
  expect(await notebook.run("%%sql\nFROM gen_missing")).toContain(
    "hint: `SHOW TABLES` lists the tables and views",
  );
  expect(await notebook.run("%%sql\nFROM pg_setings")).toContain("`pg_settings`");
});

test("a table that is longer than a page says how the rest is read", async () => {
  const notebook = openTestNotebook();
  expect(await notebook.run("%%sql\nFROM range(150)")).toContain(
    "rows 1–100 of 150; to read on, name them: `%%sql --save rows`, then `rows.page(2)` in a cell",
  );
});

test("constants that hold rows of `sql` have the types of their columns in later cells", async () => {
  const notebook = openTestNotebook();
  await notebook.run('import { type Row, type Rows, sql } from "madrigal";');
  await notebook.run(`const rows = await sql\`SELECT 'plan' AS node, 2 AS cost, NULL::DOUBLE AS usd\`;
const [one, two] = await Promise.all([sql\`SELECT 1 AS a\`, sql\`SELECT [1] AS b\`]);`);
  expect(await notebook.run("rows[0]!.node.toUpperCase() + (rows[0]!.cost + 1)")).toBe(
    "result 'PLAN3'",
  );
  expect(await notebook.run("rows[0]!.cos")).toMatchInlineSnapshot(`
    "error TS2551: Property 'cos' does not exist on type '{ readonly node: string; readonly cost: number; readonly usd: number | null; }'. Did you mean 'cost'?
    error[TS2551]: Property 'cos' does not exist on type '{ readonly node: string; readonly cost: number; readonly usd: number | null; }'. Did you mean 'cost'?
      ┌─ Cell[4]:1:10
    1 │ rows[0]!.cos
      │          ^^^"
  `);
  expect(await notebook.run("(rows[0]!.usd as number | null) === null && one[0]!.a + 1")).toBe(
    "result 2",
  );
  expect(await notebook.run("two[0]!.a")).toContain("TS2339");
  // They are still rows for whoever takes any.
  expect(await notebook.run("const count = (any: Rows) => any.length;\ncount(rows)")).toBe(
    "result 1",
  );
  expect(await notebook.run("rows = two")).toContain("TS2588");
});

test("rows keep the type that somebody wrote, and a variable may hold other rows later", async () => {
  const notebook = openTestNotebook();
  await notebook.run('import { type Row, type Rows, sql } from "madrigal";');
  await notebook.run(`const written = await sql<Row>\`SELECT 1 AS n\`;
const annotated: Rows = await sql\`SELECT 1 AS n\`;
const cast = (await sql\`SELECT 1 AS n\`) as Rows;
const typed = await sql<{ n: number; m?: string }>\`SELECT 1 AS n\`;
let changing = await sql\`SELECT 1 AS n\`;`);
  for (const name of ["written", "annotated", "cast", "changing"])
    expect(await notebook.run(`${name}[0]!.other`)).toBe("");
  expect(await notebook.run("typed[0]!.m?.length")).toBe("");
  expect(await notebook.run("changing = await sql`SELECT 2 AS other`;\nchanging[0]!.other")).toBe(
    "result 2",
  );
});

test("rows that are asked for anew have the columns of the new query, also where there are no rows", async () => {
  const notebook = openTestNotebook();
  await notebook.run('import { sql } from "madrigal";');
  await notebook.run("const rows = await sql`SELECT 1 AS cost`;");
  await notebook.run("const rows = await sql`SELECT 'a' AS price WHERE false`;");
  expect(await notebook.run("rows[0]?.cost")).toContain("TS2339");
  expect(await notebook.run("rows[0]?.price.length")).toBe("");
  expect(await notebook.complete("rows[0]!.▮")).toEqual(["price"]);
});
