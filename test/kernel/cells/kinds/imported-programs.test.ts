/** A program that a cell imports keeps what it imports itself, whatever names the cells of the notebook declare. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../../support/child.ts";
import { openTestNotebook, useTypes } from "../notebook.ts";

useTypes();

const FILES = {
  "finding.ts": `export function search(word: string): string { return "of the file: " + word; }\n`,
  "finding.madrigal": `import { search } from "./finding.ts"
graph Find(word: string) returns found {
  state { found: string }
  run look = search(word) writes found
  start -> look -> end
}
`,
};

const calls = (folder: string) => `import { Find } from "${join(folder, "finding.madrigal")}"
graph Ask(word: string) returns answer {
  state { answer: string }
  graph find = Find(word) writes answer
  start -> find -> end
}`;

test.each([
  ["before the cell that imports it", ["search", "graph"]],
  ["behind it", ["graph", "search"]],
] as const)("a name that a cell declares %s hides nothing of the program", async (_, order) => {
  const cwd = temporaryFolder("madrigal-imported-");
  for (const [name, text] of Object.entries(FILES)) writeFileSync(join(cwd, name), text);
  const notebook = openTestNotebook();
  const cells = { search: "const search = (count: number) => count * 2;", graph: calls(cwd) };
  for (const name of order) await notebook.run(cells[name]);
  const shown = await notebook.run('console.log((await Ask.run({ word: "lamp" }).output).answer)');
  expect(shown).toContain("of the file: lamp");
});
