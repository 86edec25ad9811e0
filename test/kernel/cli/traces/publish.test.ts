/** `madrigal trace publish`, and who reads what it wrote: traces of many workspaces in one folder. */
import { existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { startMadrigal, temporaryFolder } from "../../../support/child.ts";
import { document, said, workspace } from "../calling.ts";

const programOf = (graph: string) => `graph ${graph}() returns n {
  state { n: int = 0 }
  run one = made() writes n
  start -> one -> end
}
`;
const today = new Date().toISOString().slice(0, 10);

/** A workspace in which a graph has run so many times. */
async function worker(graph: string, runs: number): Promise<string> {
  const home = workspace({
    "it.madrigal": programOf(graph),
    "scope.ts": "export const made = () => 1;\n",
  });
  for (let run = 0; run < runs; run += 1)
    expect(await said(home, ["run", "it.madrigal", "--scope", "scope.ts"])).toContain("exit 0");
  return home;
}

const parquetIn = (folder: string): readonly string[] =>
  readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".parquet"))
    .sort();

const countedBy = async (home: string, args: readonly string[]) => {
  const sql =
    "SELECT graph, count(*)::INT AS runs, sum(steps)::INT AS steps FROM runs GROUP BY ALL ORDER BY graph";
  return (await document(home, ["sql", sql, ...args, "--json"])).json as unknown;
};

test("two workspaces publish to one folder, and a third asks both, by day and by graph", async () => {
  const folder = join(temporaryFolder("madrigal-published-"), "a folder");
  const [plan, review] = [await worker("Plan", 2), await worker("Review", 1)];
  expect(await said(plan, ["trace", "publish", folder])).toBe("exit 0\n2 runs published in 1 file");
  // Runs that are there already are not published again.
  expect(await said(plan, ["trace", "publish", folder])).toBe(
    "exit 0\n0 runs published in 0 files",
  );
  expect(await said(review, ["trace", "publish", folder])).toContain("1 run published");
  expect(parquetIn(folder).map((name) => name.replace(/runs-.*/, "FILE"))).toEqual([
    `day=${today}/graph=Plan/FILE`,
    `day=${today}/graph=Review/FILE`,
  ]);
  const asker = workspace({});
  const rows = (...of: readonly [string, number][]) => ({
    rows: of.map(([graph, runs]) => ({ graph, runs, steps: runs })),
  });
  expect(await countedBy(asker, ["--traces", folder])).toMatchObject(
    rows(["Plan", 2], ["Review", 1]),
  );
  expect(await countedBy(asker, ["--traces", folder, "--graph", "Review"])).toMatchObject(
    rows(["Review", 1]),
  );
  expect(
    await countedBy(asker, ["--traces", folder, "--since", "1d", "--until", today]),
  ).toMatchObject(rows(["Plan", 2], ["Review", 1]));
  expect(await countedBy(asker, ["--traces", folder, "--until", "2d"])).toMatchObject({ rows: [] });
  // A run that is both here and published counts once.
  expect(await countedBy(plan, ["--traces", folder])).toMatchObject(
    rows(["Plan", 2], ["Review", 1]),
  );
});

test("files of a day and graph are merged where they lie; the publisher knows its runs in them", async () => {
  const folder = temporaryFolder("madrigal-published-");
  const home = await worker("Plan", 1);
  expect(await said(home, ["trace", "publish", folder])).toContain("1 run published");
  expect(await said(home, ["run", "it.madrigal", "--scope", "scope.ts"])).toContain("exit 0");
  expect(await said(home, ["trace", "publish", folder])).toContain("1 run published");
  expect(parquetIn(folder)).toHaveLength(2);
  expect(await said(home, ["trace", "compact", "--published", folder])).toMatch(
    /^exit 0\n2 files \([\d,]+ bytes\) of 2 runs became 1 /,
  );
  expect(parquetIn(folder)).toEqual([expect.stringContaining(`day=${today}/graph=Plan/`)]);
  expect(await said(home, ["trace", "publish", folder])).toBe(
    "exit 0\n0 runs published in 0 files",
  );
  expect(await countedBy(workspace({}), ["--traces", folder])).toMatchObject({
    rows: [{ graph: "Plan", runs: 2 }],
  });
});

test("a published file that is damaged is left out, and stays where it is", async () => {
  const folder = temporaryFolder("madrigal-published-");
  const home = await worker("Plan", 1);
  await said(home, ["trace", "publish", folder]);
  const broken = join(folder, `day=${today}`, "graph=Plan", "broken.parquet");
  writeFileSync(broken, "PAR1 no parquet PAR1");
  expect(await countedBy(workspace({}), ["--traces", folder])).toMatchObject({
    rows: [{ graph: "Plan", runs: 1 }],
  });
  expect(existsSync(broken)).toBe(true);
});

test.each([
  [["sql", "FROM runs", "--traces", "nowhere"], "M5417"],
  [["sql", "FROM runs", "--since", "7d"], "M7102"],
  [["sql", "FROM runs", "--traces", "nowhere", "--since", "yesterday"], "M7104"],
  [["trace", "publish"], "M7103"],
  [["trace", "compact", "somewhere"], "M7103"],
  [["trace", "publish", "folder", "--every", "soon"], "M7104"],
  [["trace", "compact", "--published", "nowhere"], "M5417"],
])("%j is refused as %s", async (args, code) => {
  const text = await said(workspace({}), args);
  expect(text).not.toContain("exit 0");
  expect(text).toContain(code);
});

test("a folder that is a file is refused, and says what to do", async () => {
  const home = await worker("Plan", 1);
  const file = join(temporaryFolder("madrigal-published-"), "file");
  writeFileSync(file, "");
  const text = await said(home, ["trace", "publish", file]);
  expect(text).toContain("M5418");
  expect(text).toContain("make the folder writable");
  mkdirSync(`${file}s`);
  expect(await said(home, ["trace", "publish", `${file}s`])).toContain("1 run published");
});

test("--every publishes what ends meanwhile, until a signal ends it", async () => {
  const folder = temporaryFolder("madrigal-published-");
  const home = await worker("Plan", 1);
  const child = startMadrigal(["trace", "publish", folder, "--every", "1s"], { home });
  await child.said("published 1 run");
  await child.said("publishing; Ctrl-C ends it");
  expect(await said(home, ["run", "it.madrigal", "--scope", "scope.ts"])).toContain("exit 0");
  await child.said(/published 1 run[\s\S]*published 1 run/);
  child.signal("SIGTERM");
  expect(await child.ended).toMatchObject({ code: 0, stdout: "2 runs published in 2 files\n" });
});
