/** Values of cells as tables of SQL, in `%%sql` and in the tag. */
import { expect, onTestFinished, test, vi } from "vitest";
import { plot, sql } from "../../../kernel/index.ts";
import { openTestNotebook, useTypes } from "./notebook.ts";

useTypes();

// The cells of this test's process load a "madrigal" of their own, which has no kernel; so they are given ours.
Object.assign(globalThis, { testSql: sql, testPlot: plot });

const PEOPLE = `const people = [
  { name: "Ada", born: 1815, tags: ["maths", "code"], home: { city: "London" }, seen: new Date(0) },
  { name: "Grace", born: 1906, tags: [], home: { city: "New York" }, seen: null },
];
const scoresOf: { name: string; score: number | bigint | null }[] = [{ name: "Ada", score: 1.5 }, { name: "Ada", score: NaN }];
const words = ["a", "b", "it's"];`;

async function withPeople() {
  const notebook = openTestNotebook();
  await notebook.run(PEOPLE);
  return notebook;
}

test("an array of objects is a table, typed by its values, as it is now", async () => {
  const { run } = await withPeople();
  expect(await run("%%sql\nDESCRIBE people")).toMatchInlineSnapshot(`
    "result [text/html, text/markdown] column_name  column_type           null  key   default  extra
    name         VARCHAR               YES   NULL  NULL     NULL
    born         BIGINT                YES   NULL  NULL     NULL
    tags         VARCHAR[]             YES   NULL  NULL     NULL
    home         STRUCT(city VARCHAR)  YES   NULL  NULL     NULL
    seen         TIMESTAMP             YES   NULL  NULL     NULL
    5 rows"
  `);
  expect(
    await run("%%sql\nSELECT name, home.city AS city, len(tags) AS n, seen FROM People"),
  ).toMatchInlineSnapshot(`
    "result [text/html, text/markdown] name   city      n  seen
    Ada    London    2  1970-01-01 00:00:00
    Grace  New York  0  NULL
    2 rows"
  `);
  expect(
    await run(
      "%%sql --save both\nSELECT p.name, s.score FROM people p JOIN scoresOf s USING (name), words w WHERE w.value = 'it''s'",
    ),
  ).toMatchInlineSnapshot(`
    "result [text/html, text/markdown] name  score
    Ada     1.5
    Ada     NaN
    2 rows"
  `);
  await run("people[0]!.born = 1; people.length = 1;");
  expect(await run("%%sql\nSELECT sum(born) AS born FROM people")).toContain("1\n1 row");
  expect(await run("%%sql\nPIVOT people ON name USING sum(born)")).toContain("Ada");
  expect(
    await run("%%sql\nCREATE TEMP TABLE kept AS FROM people; SELECT * FROM kept, people"),
  ).toContain("Ada");
  expect(await run("%%sql\nWITH people AS (SELECT 42 AS n) FROM people")).toContain("\n42\n1 row");
});

test("the tag sees them too, and rows of a query are a table with the columns of the query", async () => {
  const { run } = await withPeople();
  await run(`import type { sql as Sql } from "madrigal";
const ask: typeof Sql = Reflect.get(globalThis, "testSql");
const older = await ask\`SELECT name, born FROM people WHERE born < \${1900}\`;
const none = await ask\`SELECT 1.5 AS n WHERE false\`;`);
  expect(await run("older")).toContain("Ada");
  expect(await run("%%sql\nSELECT column_name, column_type FROM (DESCRIBE none)")).toContain(
    "DECIMAL(2,1)",
  );
  expect(await run("%%sql\nFROM older")).toContain("Ada   1815");
  expect(await run("await ask`FROM poeple`")).toContain("did you mean `people`?");
  expect(await run("%%sql\nFROM poeple")).toContain("did you mean `people`?");
});

test("names of arrays are completed where a table stands, and their keys as its columns", async () => {
  const { run, complete } = await withPeople();
  await run("const other = { a: 1 }, total = 3;");
  const tables = await complete("%%sql\nSELECT * FROM ▮");
  expect(tables).toEqual(expect.arrayContaining(["people", "scoresOf", "words", "runs"]));
  expect(tables.filter((name) => name === "other" || name === "total")).toEqual([]);
  expect(await complete("%%sql\nSELECT * FROM run▮")).toContain("runs");
  expect(await complete("%%sql\nSELECT p.▮ FROM people p")).toEqual([
    "born",
    "home",
    "name",
    "seen",
    "tags",
  ]);
});

test.each([
  ["const one = 3;", "one", "M7840", "`one` is no table: it is no array"],
  ["const none: { a: number }[] = [];", "none", "M7840", "it is empty"],
  ["const mixed = [{ a: 1 }, 2];", "mixed", "M7840", "item 1 of it is no plain object"],
  [
    "const holed: { a: number }[] = [{ a: 1 }]; holed[2] = { a: 1 };",
    "holed",
    "M7840",
    "item 1 of it",
  ],
  [
    "const round: { self?: unknown }[] = [{}]; round[0]!.self = round;",
    "round",
    "M7841",
    "it is no JSON",
  ],
  [
    "const thrown = [{ get a(): number { throw new Error('no'); } }];",
    "thrown",
    "M7841",
    "item 0 of it throws: no",
  ],
  ["const bare = [{}];", "bare", "M7841", "its objects are empty"],
])("%s is no table, and the query says why at its place", async (code, name, error, why) => {
  const { run } = openTestNotebook();
  await run(code);
  const shown = await run(`%%sql\nSELECT 1;\nFROM ${name}`);
  expect(shown).toContain(error);
  expect(shown).toContain(why);
  expect(shown).toMatch(/Cell\[2\]:3:6/);
  // Nobody is hindered who does not ask it.
  expect(await run(`%%sql\nSELECT 1 AS ${name}`)).toContain("1 row");
});

test("names and values that SQL, JSON or a table take for something else are themselves", async () => {
  const { run } = openTestNotebook();
  await run(`const odd = [
  { "": 1, a: 2, A: "<b>", 'q"; DROP TABLE runs; --': "\\ud800\\u0000", big: 2n ** 70n, deep: { a: 1, A: 2 }, mixed: 1 },
  { mixed: "x", deep: {}, big: 1, "\\udfff": Infinity, f: () => 1, s: new Uint8Array([97, 0]), m: new Map() },
];`);
  expect(
    await run("%%sql\nSELECT column_name, column_type FROM (DESCRIBE odd)"),
  ).toMatchInlineSnapshot(`
    "result [text/html, text/markdown] column_name              column_type
    column                   BIGINT
    a                        BIGINT
    A_1                      VARCHAR
    q"; DROP TABLE runs; --  VARCHAR
    big                      HUGEINT
    deep                     JSON
    mixed                    JSON
    �                        DOUBLE
    f                        JSON
    s                        JSON
    m                        JSON
    11 rows"
  `);
  expect(await run("%%sql --save same\nFROM odd")).toContain("2 rows");
  expect(await run("JSON.stringify(same)")).toMatchInlineSnapshot(
    `"result '[{"column":1,"a":2,"A_1":"<b>","q\\\\"; DROP TABLE runs; --":"�\\\\u0000","big":"1180591620717411303424","deep":{"a":1,"A":2},"mixed":1,"�":null,"f":null,"s":null,"m":null},{"column":null,"a":null,"A_1":null,"q\\\\"; DROP TABLE runs; --":null,"big":1,"deep":{},"mixed":"x","�":null,"f":null,"s":"a\\\\\\\\x00","m":{}}]'"`,
  );
});

test("a hundred thousand rows are read in parts", async () => {
  const { run } = openTestNotebook();
  await run("const many = Array.from({ length: 100_001 }, (_, n) => ({ n, text: `t${n % 7}` }));");
  const sum =
    "%%sql --save total\nSELECT count(*) AS n, sum(n) AS total, count(DISTINCT text) AS texts FROM many";
  expect(await run(sum)).toMatch(/100001 +5000050000 +7/);
});

test("one's own arrays are drawn, by the columns that fit or those that are named", async () => {
  const { run } = openTestNotebook();
  await run(`import type { plot as Plot } from "madrigal";
const plot: typeof Plot = Reflect.get(globalThis, "testPlot");
const visits = [{ "a b": "x", n: 1 }, { "a b": "y", n: 2 }];`);
  const kinds = async (code: string) => {
    await run(`const drawn = await (${code}).drawing();`);
    return await run(
      "JSON.stringify([(drawn.spec as any).mark, Object.keys((drawn.spec as any).encoding)])",
    );
  };
  expect(await kinds("plot(visits)")).toContain('["bar",["x","y","tooltip"]]');
  expect(await kinds('plot(visits, { type: "arc", y: "n" })')).toContain(
    '["arc",["theta","color","tooltip"]]',
  );
  expect(await kinds("plot([3, 1, 2])")).toContain('"type":"line"');
  expect(await kinds('plot("SELECT n, \\"a b\\" FROM visits WHERE n > 1", "bar")')).toContain(
    '["bar"',
  );
  expect(await run("plot(12 as never)")).toContain("M7632");
  expect(await run('plot(visits, { x: "m" })')).toContain("they have a b, n");
});

test("a temporary table that is made of an array under its name stays, and goes before the array", async () => {
  const { run } = await withPeople();
  await run("%%sql\nCREATE TEMP TABLE people AS SELECT name, born FROM people WHERE born < 1900");
  await run("people.length = 0");
  expect(await run("%%sql\nFROM people")).toMatch(/Ada +1815\n1 row$/);
  expect(
    await run(
      '%%sql\ncreate temporary table "words" as from words; DROP TABLE temp.words; FROM words',
    ),
  ).toContain("it's");
});

test("a plot of nothing says so", async () => {
  const { run } = openTestNotebook();
  expect(await run('Reflect.get(globalThis, "testPlot")([])')).toBe("result no values to draw");
});

test("a tag of that name of another library is left as it is", async () => {
  const { run } = openTestNotebook();
  await run("const sql = (parts: TemplateStringsArray) => parts.join('|');");
  expect(await run("sql`SELECT 1 AS a`.toUpperCase()")).toBe("result 'SELECT 1 AS A'");
});

test("a query whose columns DuckDB does not tell in time is left untyped, which is told once", async () => {
  const { run } = openTestNotebook();
  await run(
    'import type * as Madrigal from "madrigal";\nconst sql = Reflect.get(globalThis, "testSql") as typeof Madrigal.sql;',
  );
  // In place of a file that is far away.
  vi.spyOn(AbortSignal, "timeout").mockImplementation(() => AbortSignal.abort());
  onTestFinished(() => void vi.restoreAllMocks());
  const first = await run("const one = await sql`SELECT 1 AS n`;\none.length");
  expect(first).toContain("rows of `sql` have no types here: DuckDB did not say within 5");
  expect(first).toContain("result 1");
  expect(await run("const two = await sql`SELECT 2 AS n`;\ntwo.length")).toBe("result 1");
});

test("rows of the tag have the columns of their query already in the cell that asks", async () => {
  const { run } = openTestNotebook();
  await run(
    'import type * as Madrigal from "madrigal";\nconst sql = Reflect.get(globalThis, "testSql") as typeof Madrigal.sql;\nconst people = [{ name: "Ada", born: 1815 }];',
  );
  const ask = "const found = await sql`SELECT name, born + ${1} AS later FROM people`;";
  const typo = await run(`${ask}\nfound[0]?.laterr`);
  expect(typo).toMatch(/TS2551[\s\S]*Cell\[2\]:2:11/);
  expect(typo).toContain("laterr");
  // Each column has a type, and may be NULL.
  expect(await run(`${ask}\n(found[0]?.name ?? "").toUpperCase() + found.length`)).not.toContain(
    "TS",
  );
  expect(await run(`${ask}\nfound[0]?.later.toFixed(1)`)).toMatch(/TS(?:2531|18047)/);
  // Later cells know what came.
  expect(await run("found.columns.length")).toBe("result 2");
  expect(await run("found[0]?.born")).toContain("TS");
  expect(await run("const none = await sql`SELECT * FROM nowhere`; none[0]?.x")).toContain(
    "nowhere",
  );
});
