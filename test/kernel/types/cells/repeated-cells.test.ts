/** Cells that are run again as they are: converted once, unless something they depend on has changed. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { temporaryFolder } from "../../../support/child.ts";
import { Notebook } from "../notebook.ts";

const notebook = new Notebook();
afterAll(() => notebook.types.close());

const run = (code: string) => notebook.run(code);

test("a cell that runs again gives what it gives now, under its new name", async () => {
  await run("let count = 1");
  expect([await run("count++"), await run("count++"), await run("count")]).toEqual([1, 2, 3]);
  const [first, again] = [await notebook.convert("count"), await notebook.convert("count")];
  const nameIn = ({ sourceMap }: typeof first) => JSON.parse(sourceMap).sources[0];
  expect({ ...again, sourceMap: "" }).toEqual({ ...first, sourceMap: "" });
  expect(nameIn(first)).not.toBe(nameIn(again));
});

test("it is checked again once a name means something else", async () => {
  await run("const given = 2");
  expect([await run("given * 2"), await run("given * 2")]).toEqual([4, 4]);
  await run('const given = "two"');
  expect(await run("given * 2")).toMatch(/^TS2362/);
});

test("it is checked again once a file has changed, also when another cell has looked since", async () => {
  const file = join(temporaryFolder(), "value.ts");
  const load = `type Value = typeof import(${JSON.stringify(file)}).value;\nvar held: Value | undefined`;
  writeFileSync(file, "export const value: number = 1;\n");
  await run(load);
  const asked = "held?.toFixed(2)";
  expect([await run(asked), await run(asked)]).toEqual([undefined, undefined]);
  writeFileSync(file, 'export const value: string = "one";\n');
  await run("1");
  expect(await run(asked)).toMatch(/^TS2551|^TS2339/);
});
