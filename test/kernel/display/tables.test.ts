import fc from "fast-check";
import { expect, test } from "vitest";
import { queryRows, Rows, toBundle } from "../../../kernel/display/index.ts";
import { openTraces } from "../../../runtime/trace/trace-store.ts";
import { expectHarmless, HOSTILE, hostileText } from "./hostile.ts";

const shown = async (value: unknown, mime = "text/plain") =>
  String((await toBundle(value)).data[mime]);

test("a table in words: numbers to the right, times and durations readable, NULL as such", async () => {
  const rows = new Rows([
    {
      node: "plan",
      ts: "2026-03-01T12:00:00.100Z",
      dur_us: 1_234_567,
      n: 5,
      cost_usd: 0.00123456789,
      tags: ["a"],
    },
    {
      node: "search",
      ts: "2026-03-01T12:00:01.000Z",
      dur_us: 950,
      n: 12345,
      cost_usd: null,
      tags: { b: [1] },
    },
  ]);
  expect(await shown(rows)).toMatchInlineSnapshot(`
    "node    ts                        dur_us      n     cost_usd  tags
    plan    2026-03-01 12:00:00.100   1.23 s      5  $0.00123457  ["a"]
    search  2026-03-01 12:00:01      0.95 ms  12345         NULL  {"b":[1]}
    2 rows"
  `);
});

test("a table in Markdown", async () => {
  expect(
    await shown(
      new Rows([
        { a: "x|y", n: 1 },
        { a: null, n: 2.5 },
      ]),
      "text/markdown",
    ),
  ).toMatchInlineSnapshot(`
    "| a | n |
    | --- | ---: |
    | x\\|y | 1 |
    | *NULL* | 2.5 |

    2 rows"
  `);
});

test("a table in HTML: what is rounded has a title", async () => {
  const html = await shown(new Rows([{ dur_us: 1_234_567, name: null }]), "text/html");
  expect(html).toMatchInlineSnapshot(`
    "<table class="madrigal-table mathjax_ignore" cellpadding="5" style="border-collapse:collapse;color:inherit;font-variant-numeric:tabular-nums">
    <thead><tr style="border-bottom:2px solid rgba(128,128,128,.6)"><th style="text-align:right;vertical-align:bottom">dur_us</th><th style="text-align:left;vertical-align:bottom">name</th></tr></thead>
    <tbody><tr style="border-bottom:1px solid rgba(128,128,128,.35)"><td style="text-align:right;vertical-align:top;white-space:pre" title="1234567">1.23 s</td><td style="text-align:left;vertical-align:top;white-space:pre"><span style="opacity:.55;font-style:italic">NULL</span></td></tr></tbody>
    </table>
    <div class="madrigal-caption" style="opacity:.7;font-size:smaller">1 row</div>"
  `);
});

test("lines break in long cells alone", async () => {
  const html = await shown(
    new Rows([{ path: "findings[0]", text: "word ".repeat(5) }]),
    "text/html",
  );
  expect(html).toMatch(
    /white-space:pre">findings\[0\]<.*white-space:pre-wrap;overflow-wrap:anywhere">word word/,
  );
});

test("more than 100 rows are paged", async () => {
  const rows = new Rows(Array.from({ length: 2345 }, (_, n) => ({ n })));
  const first = await shown(rows);
  expect(first.split("\n")).toHaveLength(102);
  expect(first.split("\n").at(-1)).toBe("rows 1–100 of 2,345; .page(2) has the next");
  const last = await shown(rows.page(24));
  expect(last.split("\n").at(-1)).toBe("rows 2,301–2,345 of 2,345");
  expect((await shown(rows, "text/html")).match(/<tr /g)).toHaveLength(101);
  expect(() => rows.page(25)).toThrowError(
    expect.objectContaining({ code: "M7604", hint: "pages are 1 to 24" }),
  );
});

test("a long cell is cut, and its length said", async () => {
  const rows = new Rows([{ text: "x".repeat(12_345) }]);
  expect(await shown(rows, "text/html")).toContain(`${"x".repeat(500)}… (12,345 characters)`);
  expect(await shown(rows)).toContain(`${"x".repeat(60)}… (12,345 characters)`);
});

test("rows are an array, and what comes of them is one", () => {
  const rows = new Rows([{ a: 1 }, { a: 2 }]);
  expect(rows.map(({ a }) => a)).toEqual([1, 2]);
  expect(rows.filter(({ a }) => a === 2).constructor).toBe(Array);
  expect([...rows]).toEqual([{ a: 1 }, { a: 2 }]);
  expect(new Rows([{ a: 1 }])).toHaveLength(1);
});

test("DuckDB says the names and types of the columns, also of no rows", async () => {
  const traces = await openTraces("/dev/null/none", "kernel");
  const ask = (sql: string, params: readonly string[] = []) => queryRows(traces, { sql, params });
  const rows = await ask("SELECT 1::UTINYINT AS a, $1 AS b, [1.5] AS c, now() AS d WHERE false", [
    "x",
  ]);
  expect(rows.columns.map(({ name, type }) => `${name} ${type}`)).toMatchInlineSnapshot(`
    [
      "a UTINYINT",
      "b VARCHAR",
      "c DECIMAL(2,1)[]",
      "d TIMESTAMP WITH TIME ZONE",
    ]
  `);
  expect(await shown(rows)).toMatch(/^a +b +c +d\nno rows$/);
  expect((await ask("SELECT 1 AS a; SELECT 2 AS b")).columns).toEqual([
    { name: "b", type: "INTEGER" },
  ]);
  await expect(ask("SELECT nothing")).rejects.toMatchObject({ code: "M6101" });
  await traces.close();
});

test.each(HOSTILE)("%j in a cell and as a name stays text", async (text) => {
  expectHarmless(
    await toBundle(new Rows([{ [text]: text, list: [text], object: { [text]: text } }])),
  );
});

test("no text in a table acts in any of its forms", async () => {
  await fc.assert(
    fc.asyncProperty(hostileText, hostileText, async (name, text) => {
      expectHarmless(await toBundle(new Rows([{ [name]: text, json: { [text]: [name] } }])));
    }),
    { numRuns: 150 },
  );
});

test("equal rows give equal bundles", async () => {
  const rows = () => new Rows([{ a: 1.25, b: { c: [1, "x"] } }]);
  expect(JSON.stringify(await toBundle(rows()))).toBe(JSON.stringify(await toBundle(rows())));
});

test("names of columns have their types where DuckDB said them", async () => {
  const traces = await openTraces("/dev/null/none", "kernel");
  const html = await shown(
    await queryRows(traces, { sql: "SELECT 1.5 AS n;", params: [] }),
    "text/html",
  );
  expect(html).toMatch(/>n<div [^>]*>decimal\(2,1\)<\/div><\/th>/);
  await traces.close();
});

test("a statement that changes something is run once", async () => {
  const traces = await openTraces("/dev/null/none", "kernel");
  await traces.query("CREATE TEMP TABLE t (n INTEGER)");
  await queryRows(traces, {
    sql: "SELECT 1 AS n; INSERT INTO t VALUES (1) RETURNING n",
    params: [],
  });
  await queryRows(traces, { sql: "INSERT INTO t VALUES (2) RETURNING n", params: [] });
  expect(await traces.query("FROM t ORDER BY n")).toEqual([{ n: 1 }, { n: 2 }]);
  await traces.close();
});
