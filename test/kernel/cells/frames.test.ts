/** What newcomers do wrong in a cell, and the frame that each sees: in the right cell, at the right place. */
import { expect, test } from "vitest";
import { OURS } from "../../../kernel/cells/kinds/type-hint.ts";
import { CHART_TABLE } from "../../../kernel/display/chart/run-charts/chart-table.ts";
import * as madrigal from "../../../kernel/index.ts";
import { openTestNotebook, useTypes } from "./notebook.ts";

useTypes();

test.each([
  ["display(1)"],
  ["const text = await readFile('a.txt', 'utf8')"],
  ["joined('a', 'b')"],
  ["const list: number[] = [1, 2];\nlist.push('3')"],
  ["const user = { name: 'Ada' };\nconsole.log(user.nmae)"],
  ["let n = 1;\nn.toUpperCase()"],
  ["const a = [1, 2, 3;\na.length"],
  ["function f( {\n  return 1;\n}"],
  ["const data = JSON.parse('{oops');\ndata.x"],
  ["const list: string[] = [];\nlist[0]!.trim()"],
  ["for (const x of [1]) {\n  throw new Error(`bad ${x}`)\n}"],
  ["await Promise.all([1, 2].map(async (n) => {\n  if (n === 2) throw new RangeError('two')\n}))"],
  ["import { nothing } from 'node:fs';"],
  ["import x from './not-there.ts'"],
  ["graph Broken(topic string) {\n  start -> end\n}"],
  [
    "graph G(topic: string) returns word {\n  state { word: string }\n  run go = shout(topic) writes word\n  start -> go\n}",
  ],
  ["%%sql\nSELEC 1"],
  ["%%sql\nSELECT ${nobody.id}"],
  ["process.exit(1)"],
  ["print('hello')"],
])("%s", async (code) => {
  const notebook = openTestNotebook();
  await notebook.run("const ready = true");
  const said = await notebook.run(code);
  expect(said.replaceAll(process.cwd(), "CWD")).toMatchSnapshot();
  expect(said).toContain("Cell[2]");
});

test("an error in a function of an earlier cell shows that cell, also once it has run again", async () => {
  const notebook = openTestNotebook();
  const run = async (cellId: string, code: string) => {
    await notebook.reply(code, { cellId });
    return notebook.shown();
  };
  await run(
    "f",
    "// the first line\nfunction first(list: string[]) {\n  return list[0]!.trim();\n}",
  );
  await run("k", "const kept = first;");
  expect(await run("c", "\nfirst([])")).toMatchInlineSnapshot(`
    "error TypeError: Cannot read properties of undefined (reading 'trim')
    TypeError: Cannot read properties of undefined (reading 'trim')
      ┌─ Cell[1]:3:19
    3 │   return list[0]!.trim();
      │                   ^^^^
      at first (Cell[1]:3:19)
      at Cell[3]:2:6"
  `);
  await run(
    "f",
    "function first(list: string[]) {\n  if (list.length === 0) throw new Error('empty');\n  return list[0]!;\n}",
  );
  expect(await run("c", "first([])")).toContain("┌─ Cell[4]:2:");
  const old = await run("d", "kept([])");
  expect(old).toContain("┌─ Cell[1]:3:");
  expect(old).toContain("note: this is Cell[1] as it was; it has run again since, as Cell[4]");
});

test("what fails later fails in the cell that began it, with its line", async () => {
  const notebook = openTestNotebook();
  await notebook.run("const later = () => { throw new Error('too late') }");
  expect(await notebook.run("later()")).toContain("┌─ Cell[1]:1:29");
});

test("the names that hints import are there", () => {
  for (const name of OURS) expect(madrigal).toHaveProperty(name);
});

test("hints import every chart of runs", () => {
  expect(Object.keys(CHART_TABLE).filter((name) => !OURS.has(name))).toEqual([]);
});
