/** Tables that cells and real pandas, polars and pyarrow give to each other. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test as baseTest, expect, onTestFinished, vi } from "vitest";
import { temporaryFolder } from "../../../support/child.ts";
import { missing } from "../../../support/python-env.ts";
import { pythonWithTables } from "../../../support/python-tables.ts";
import { openTestNotebook, useTypes } from "../notebook.ts";

useTypes();

const test = baseTest.skipIf((await missing("python-tables")) !== undefined);

/** A Python that has only these of the three libraries. */
function only(...names: readonly string[]): void {
  const folder = temporaryFolder();
  for (const name of ["pandas", "polars", "pyarrow"].filter((one) => !names.includes(one)))
    writeFileSync(join(folder, `${name}.py`), "raise ImportError('not installed')");
  vi.stubEnv("MADRIGAL_PYTHON", pythonWithTables());
  vi.stubEnv("PYTHONPATH", folder);
}

const VALUES = `const people = [
  { name: "Ada", born: new Date("1815-12-10T12:00:00Z"), n: 1, big: 2n ** 70n, mid: 9007199254740993n, ok: true, tags: ["a"], home: { zip: 12 } },
  { name: "Grace", born: null, n: null, big: null, mid: null, ok: null, tags: null, home: null },
];`;
const FACTS = `%%sql --save facts
SELECT DATE '2024-02-29' AS day, 12.340::DECIMAL(10,3) AS price, sum(i) AS total, TIMESTAMPTZ '2024-01-01 00:00:00Z' AS at,
  TIME '10:20:30' AS time, INTERVAL 3 DAY AS lasts, '0198f5a2-7c31-7000-8000-0123456789ab'::UUID AS id, 'x'::BLOB AS bytes,
  [1, NULL, 3] AS list, {'a': {'b': DATE '2024-01-01'}} AS deep, 18446744073709551615::UBIGINT AS u
FROM range(3) r(i) UNION ALL SELECT NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL`;
const TYPES_OF = (name: string) => `%%sql\nSELECT column_name, column_type FROM (DESCRIBE ${name})`;

test.each([
  ["pandas.DataFrame", ["pandas", "pyarrow"]],
  ["polars.dataframe.frame.DataFrame", ["polars"]],
  ["pyarrow.lib.Table", ["pyarrow"]],
] as const)("as %s, values keep their types on both ways", async (kind, libraries) => {
  const { run } = openTestNotebook();
  // The process of the test before has other libraries.
  await run("%%python\nimport os\nos._exit(0)");
  only(...libraries);
  onTestFinished(() => void vi.unstubAllEnvs());
  await run(VALUES);
  await run(FACTS);
  expect(await run("%%python --save people2\npeople2 = people\nprint(type(people))")).toContain(
    `stdout <class '${kind}'>`,
  );
  await run("%%python --save facts2\nfacts2 = facts");
  expect(await run("people2")).toMatchSnapshot("people");
  expect(await run("facts2")).toMatchSnapshot("facts");
  expect(await run(TYPES_OF("people2"))).toMatchSnapshot("types of people");
  expect(await run(TYPES_OF("facts2"))).toMatchSnapshot("types of facts");
  const rows =
    "%%python --save rows\nimport datetime, decimal\nrows = [{'d': datetime.date(2024, 2, 29), 'p': decimal.Decimal('1.25'), 'big': 2**70, 'f': float('nan')}, {'extra': [5], 'd': None}]";
  await run(rows);
  expect(await run("rows")).toMatchSnapshot("rows");
  await run("%%python\nimport os\nos._exit(0)");
});

test("what can't be a table is told, and a frame's labels are no column unless they have a name", async () => {
  const { run } = openTestNotebook();
  await run("%%python\nimport os\nos._exit(0)");
  only("pandas", "pyarrow");
  onTestFinished(() => void vi.unstubAllEnvs());
  await run(VALUES);
  await run("%%python --save grace\ngrace = people[people['name'] == 'Grace'][['name']]");
  expect(await run("grace")).toContain("name\nGrace\n1 row");
  await run("%%python --save sums\nsums = people.groupby('name')[['n']].sum()");
  expect(await run("sums")).toMatch(/name +n\nAda +1/);
  expect(
    await run(
      "%%python --save mixed\nimport pandas\nmixed = pandas.DataFrame({'a': [1, 'x', object()]})",
    ),
  ).toContain("TypeError: column 'a' has no type that a table can have");
  expect(await run("%%python --save none\nnone = []")).toContain("this list is empty");
  await run("%%python\nimport os\nos._exit(0)");
});
