/** Rows as CSV, JSON and Parquet, in a text and in files. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { expect, onTestFinished, test } from "vitest";
import { queryRows, Rows } from "../../../kernel/display/index.ts";
import { closeSession, useSession } from "../../../kernel/session.ts";
import { Session } from "../../../runtime/index.ts";
import { temporaryFolder } from "../../support/child.ts";
import { HOSTILE } from "./hostile.ts";

async function asking() {
  const folder = temporaryFolder();
  const session = new Session({ store: "memory", env: { MADRIGAL_HOME: folder } });
  useSession(session);
  onTestFinished(closeSession);
  const traces = await session.traces();
  return {
    traces,
    file: (name: string) => join(folder, name),
    ask: (sql: string, rowsMax?: number) =>
      queryRows(traces, { sql, params: [] }, rowsMax === undefined ? {} : { rowsMax, more: "cut" }),
    read: async (path: string) => (await traces.ask(`FROM '${path}'`)).rows,
  };
}

test("the text of rows as CSV and as JSON", async () => {
  const { ask } = await asking();
  const rows = await ask(
    `SELECT 'a "b", c' AS text, 1.5 AS n, NULL AS nothing, '' AS empty, [1, 2] AS list, 'x\\x00'::BLOB AS bytes,
      'inf'::DOUBLE AS far, TIMESTAMP '2026-01-01' AS at`,
  );
  expect(rows.csv()).toMatchInlineSnapshot(`
    "text,n,nothing,empty,list,bytes,far,at
    "a ""b"", c",1.5,,"","[1,2]",x\\x00,Infinity,2026-01-01T00:00:00.000Z
    "
  `);
  expect(JSON.parse(rows.json())).toMatchInlineSnapshot(`
    [
      {
        "at": "2026-01-01T00:00:00.000Z",
        "bytes": "x\\x00",
        "empty": "",
        "far": "Infinity",
        "list": [
          1,
          2,
        ],
        "n": 1.5,
        "nothing": null,
        "text": "a "b", c",
      },
    ]
  `);
  expect((await ask("SELECT 1 AS a WHERE false")).csv()).toBe("a\n");
  expect((await ask("SELECT 1 AS a WHERE false")).json()).toBe("[]\n");
});

const FORMULAS = [
  "=cmd|' /C calc'!A0",
  "+1+cmd",
  "-2+3",
  "@SUM(A1)",
  "\t=1",
  "\r=1",
  "＝1",
  '=HYPERLINK("http://x")',
];

test("a text that a spreadsheet takes for a formula gets an apostrophe, in cells and names, unless somebody wants it raw", async () => {
  for (const text of FORMULAS) {
    const rows = new Rows([{ [text]: text, n: -2, s: "-2.5" }]);
    const guarded = rows.csv().split("\n");
    expect(guarded.join("\n")).toContain(`'${text.replaceAll('"', '""')}`);
    expect(rows.csv().replaceAll("'", "")).toBe(
      rows.csv(undefined, { formulas: true }).replaceAll("'", ""),
    );
    expect(rows.csv()).toMatch(/,-2,-2\.5\n$/);
  }
});

test("law: what CSV holds is read as it was, by DuckDB", async () => {
  const { file, traces } = await asking();
  const text = fc.oneof(
    fc.constantFrom(...HOSTILE, ...FORMULAS),
    fc.string({ unit: "binary", minLength: 1, maxLength: 20 }),
  );
  const reading = `SELECT one FROM read_csv($1, header = true, auto_detect = false, quote = '"', escape = '"',
    delim = ',', columns = {'at': 'BIGINT', 'one': 'VARCHAR'})`;
  await fc.assert(
    fc.asyncProperty(fc.array(text, { minLength: 1, maxLength: 5 }), async (texts) => {
      // Neither is text to DuckDB: half a character, and zero.
      const whole = texts.map((one) => one.toWellFormed().replaceAll("\0", "0"));
      const rows = new Rows(whole.map((one, at) => ({ at, one })));
      const path = await rows.csv(file("law.csv"), { formulas: true });
      const found = await traces.ask(reading, [path]);
      expect(found.rows.map(({ one }) => one)).toEqual(whole);
    }),
    { numRuns: 40 },
  );
});

test("a file has all rows of a question, also those that were not read", async () => {
  const { file, ask, read } = await asking();
  const rows = await ask(
    "SELECT range AS n, '=' || range AS formula, TIMESTAMP '2026-01-01 10:00:00' AS at FROM range(3000) -- all",
    10,
  );
  expect([rows.length, rows.total, rows.isCut]).toEqual([10, 3000, true]);
  expect(() => rows.csv()).toThrow(/only the first 10 rows were read/);
  expect(() => rows.json()).toThrow(/only the first 10 rows were read/);
  const csv = await rows.csv(file("it's all.csv"));
  const lines = readFileSync(csv, "utf8").trim().split("\n");
  expect(lines).toHaveLength(3001);
  expect(lines.slice(0, 2)).toEqual(["n,formula,at", "0,'=0,2026-01-01T10:00:00.000000Z"]);
  const json = await rows.json(file("all.json"));
  expect(JSON.parse(readFileSync(json, "utf8"))).toHaveLength(3000);
  const parquet = await rows.parquet(file("all.parquet"));
  expect(await read(parquet)).toHaveLength(3000);
});

test("rows that come from nowhere, or from what can't be asked twice, are written as they are", async () => {
  const { file, ask, read } = await asking();
  const own = new Rows([
    { name: "a", n: 1, list: [1] },
    { name: null, n: 2.5, list: [] },
  ]);
  expect(await read(await own.parquet(file("own.parquet")))).toEqual([
    { name: "a", n: 1, list: [1] },
    { name: null, n: 2.5, list: [] },
  ]);
  const inserted = await ask(
    "INSERT INTO scores (run_id, name, value) VALUES ('r', 'good', 1) RETURNING name, value",
  );
  expect(await read(await inserted.parquet(file("inserted.parquet")))).toEqual([
    { name: "good", value: 1 },
  ]);
  expect(await ask("SELECT count(*) AS n FROM scores")).toEqual([{ n: 1 }]);
});

test("what can't be written says why", async () => {
  const { ask } = await asking();
  const rows = await ask("SELECT 1 AS a");
  for (const write of [
    () => rows.csv("/dev/null/none/a.csv"),
    () => rows.json("/dev/null/none/a.json"),
    () => rows.parquet("/dev/null/none/a.parquet"),
    () => rows.parquet(""),
  ])
    await expect((async () => await write())()).rejects.toMatchObject({
      code: "M7631",
      message: expect.stringContaining("can't be written"),
    });
});

test("rows draw themselves: by the columns that fit, by those that are named, by a specification", async () => {
  const { ask } = await asking();
  const rows = await ask("SELECT 'a' AS node, 2 AS runs, TIMESTAMP '2026-01-01' AS at");
  const plain = async (of: { toMimeBundle(): Promise<Readonly<Record<string, unknown>>> }) =>
    String((await of.toMimeBundle())["text/plain"]).split("\n");
  expect((await plain(rows.chart())).slice(0, 3)).toEqual([
    "bar chart of 1 mark",
    "  x: node, a",
    "  y: runs, always 2",
  ]);
  expect((await plain(rows.chart("line")))[0]).toContain("line chart");
  expect((await plain(rows.chart({ x: "at", y: "runs" })))[0]).toContain("line chart");
  expect(
    (
      await plain(
        rows.chart({ mark: "point", encoding: { x: { field: "runs", type: "quantitative" } } }),
      )
    )[0],
  ).toContain("point chart");
  expect(() => rows.chart({ x: "nod" })).toThrow("the rows have no column `nod`");
  // @ts-expect-error There is no such type.
  expect(() => rows.chart("pie")).toThrow("there is no chart of type `pie`");
});
