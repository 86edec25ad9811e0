/** A program that a cell imports keeps what it imports itself and the built-in tools, whatever names the notebook has. */
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

const READING = {
  "reading.madrigal": `graph Read() returns found {
  state { found: Json }
  tool list = folder.list({ path: "." }) writes found
  start -> list -> end
}
`,
  "own.ts": `export const folder = "of the importing program";\n`,
};

const reads = (folder: string, own = "") => `${own}
import { Read } from "${join(folder, "reading.madrigal")}"
graph Ask() returns answer {
  state { answer: Json }
  graph read = Read() writes answer
  start -> read -> end
}`;

test.each([
  ["a variable of a cell", (cwd: string) => [`const folder = "mine";`, reads(cwd)]],
  ["a variable of a later cell", (cwd: string) => [reads(cwd), `const folder = "mine";`]],
  [
    "an import of the graph's cell",
    (cwd: string) => [reads(cwd, `import { folder } from "${join(cwd, "own.ts")}"`)],
  ],
] as const)(
  "%s called `folder` hides no built-in tool of a program that a cell imports",
  async (_, cells) => {
    const cwd = temporaryFolder("madrigal-imported-");
    for (const [name, text] of Object.entries(READING)) writeFileSync(join(cwd, name), text);
    const notebook = openTestNotebook();
    for (const cell of cells(cwd)) await notebook.run(cell);
    const shown = await notebook.run(
      "console.log(JSON.stringify((await Ask.run({}).output).answer))",
    );
    expect(shown).toContain('"kind":"folder"');
  },
);

test("a run may still be given other tools in the place of built-in ones", async () => {
  const cwd = temporaryFolder("madrigal-imported-");
  for (const [name, text] of Object.entries(READING)) writeFileSync(join(cwd, name), text);
  const notebook = openTestNotebook();
  await notebook.run(reads(cwd));
  const shown = await notebook.run(
    'const other = { list: async () => "of the run" };\nconsole.log((await Ask.run({}, { scope: { folder: other } }).output).answer)',
  );
  expect(shown).toContain("of the run");
});

const WORDS = {
  "words.ts": `export type Word = { letters: number };
export const put = (name: string) => ({ text: "hi " + name, of: { letters: name.length } });
`,
  "other.ts": `export type Word = { of: "the cell" };\n`,
  "greet.madrigal": `import { put, Word } from "./words.ts"
type Said = { text: string, of: Word }
graph Greet(name: string, before: Word) returns said {
  state { said: Said }
  run look = put(\`\${name} \${before.letters}\`) writes said
  start -> look
}
`,
};

const greets = (folder: string, letters: string, own = "") => `${own}
import { Greet } from "${join(folder, "greet.madrigal")}"
graph Ask(name: string${own && ", mine: Word"}) returns answer {
  state { answer: { text: string, of: { letters: int } } }
  graph said = Greet(${own ? "mine.of" : "name"}, { letters: ${letters} }) writes answer
  start -> said
}`;

test.each([
  ["of its own", () => ""],
  [
    "beside a type of the cell with the same name",
    (folder: string) => `import { Word } from "${join(folder, "other.ts")}"`,
  ],
] as const)(
  "a graph cell calls a graph whose program names types of TypeScript, %s",
  async (_, own) => {
    const cwd = temporaryFolder("madrigal-imported-");
    for (const [name, text] of Object.entries(WORDS)) writeFileSync(join(cwd, name), text);
    const notebook = openTestNotebook();
    expect(await notebook.run(greets(cwd, '"3"', own(cwd)))).toMatch(
      /error\[M3503\]: `string` does not fit `number`\n.*Cell\[1\]:5:\d+/,
    );
    await notebook.run(greets(cwd, "3", own(cwd)));
    const isMine = own(cwd) !== "";
    const input = isMine ? '{ name: "Ann", mine: { of: "the cell" } }' : '{ name: "Ann" }';
    const shown = await notebook.run(`console.log((await Ask.run(${input}).output).answer.text)`);
    expect(shown).toContain(isMine ? "hi the cell 3" : "hi Ann 3");
  },
);
