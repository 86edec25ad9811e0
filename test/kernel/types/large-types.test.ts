/** Types of TypeScript that have too many parts to be spelled out are told, in programs, in cells and of tools. */
import { afterAll, expect, test } from "vitest";
import { startTypes } from "../../../kernel/types/client.ts";
import { document, workspace } from "../cli/calling.ts";
import { Notebook } from "./notebook.ts";

const types = startTypes();
afterAll(() => types.close());

/** Ten parts a level: four levels are more than 10,000, three 1,111. */
const declarations = `type Ten<T> = { a: T; b: T; c: T; d: T; e: T; f: T; g: T; h: T; i: T; j: T };
export type Large = Ten<Ten<Ten<string>>>;
export type Huge = Ten<Large>;
`;

const program = (type: string) => `graph G(n: int) returns out {
  state { out: ${type} }
  run x = make(n) writes out
  start -> x -> end
}
`;

const told =
  "`Huge` has more than 5000 parts when it is spelled out, so it has no schema: " +
  "no model or person can be asked for it, and input of it is not checked";
const hint = 'name a type of what the graph needs of it: `type Needed = Pick<Huge, "title">`';

test("a program that names one is warned, at its first place; one below the limit is not", async () => {
  const imported = (type: string) => `import { make, ${type} } from "./types.ts"\n${program(type)}`;
  const home = workspace({
    "types.ts": `${declarations}export const make = (_: number): any => ({});\n`,
    "huge.madrigal": imported("Huge"),
    "large.madrigal": imported("Large"),
  });
  const { exit, json } = await document(home, ["check", "huge.madrigal", "large.madrigal"]);
  expect(exit).toBe(0);
  const place = { file: "huge.madrigal", line: 3, column: 16, endLine: 3, endColumn: 20 };
  expect(json.diagnostics).toEqual([
    { code: "M3515", severity: "warning", message: told, hint, ...place },
  ]);
});

test("a cell of graphs is warned, and declared", async () => {
  const notebook = new Notebook(types);
  await notebook.run(`${declarations}const make = (_: number): any => ({});`);
  expect(await notebook.graph(program("Huge"), ["make"])).toBe(`M3515 «Huge» ${told} (${hint})`);
  expect(await notebook.run("const n: number = G.name")).toContain("TS2322");
});

test("a tool that takes one says so", async () => {
  const home = workspace({
    "types.ts": `import { tool } from "madrigal";
${declarations}export const keep = tool((all: Huge, n: number) => [all, n].length, { effect: "none" });\n`,
    "tools.madrigal": `import { keep } from "./types.ts"
model m = "rules"
graph G() returns out {
  state { out: string }
  agent ask { model m; tools keep; prompt \`Ask.\`; writes out }
  start -> ask -> end
}
`,
  });
  const { json } = await document(home, ["check", "tools.madrigal"]);
  expect(json.diagnostics).toMatchObject([
    {
      code: "M4109",
      message:
        "no model can be told what `keep` takes: its parameter `all` has more than 5000 parts when its type is spelled out",
    },
  ]);
});
