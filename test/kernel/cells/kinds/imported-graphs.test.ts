/** A TypeScript cell imports graphs of programs as it imports functions: typed, checked, and as the file is now. */
import { utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../../support/child.ts";
import { openTestNotebook, useTypes } from "../notebook.ts";

useTypes();

const GREET = (word: string) => `import { put, Word } from "./words.ts"

type Said = { text: string, of: Word }

graph Greet(name: string, times: int = 1) returns said {
  state { said: Said }
  run look = put("${word}", name) writes said
  start -> look -> end
}

graph Other(name: string) returns text {
  state { text: string }
  start -> end set text = name
}
`;

const WORDS = `export type Word = { letters: number };
export function put(word: string, name: string) {
  return { text: word + " " + name, of: { letters: word.length } };
}
`;

const PLAIN = `graph Plain(name: string) returns text {
  state { text: string }
  start -> end set text = name
}
`;

let edits = 0;

/** A folder with the program, and cells of one notebook by name; running one again is running the same cell. */
function openFolder() {
  const folder = temporaryFolder();
  const edit = (name: string, text: string) => {
    const path = join(folder, name);
    writeFileSync(path, text);
    edits += 1;
    utimesSync(path, edits, edits);
  };
  edit("greet.madrigal", GREET("hi"));
  edit("words.ts", WORDS);
  const notebook = openTestNotebook();
  const run = async (cellId: string, code: string) => {
    await notebook.reply(code, { cellId });
    return notebook.shown().replaceAll(/[^\s`"]*madrigal-[^/\s`]+\//g, "…/");
  };
  return { run, edit, from: join(folder, "greet.madrigal") };
}

test("a graph of a program runs in the cell that imports it and in others, by the name that the cell gives it", async () => {
  const { run, from } = openFolder();
  const cell = `// A program beside the notebook.
import { Greet, Other as Echo } from "${from}";
import { basename } from "node:path";

const put = basename("/a/mine");
console.log((await Greet.run({ name: "Ann" }).output).said.text, (await Echo.run({ name: put }).output).text)`;
  expect(await run("a", cell)).toContain("hi Ann mine");
  expect(await run("b", '(await Greet.invoke({ name: "Bea" })).said.of.letters')).toContain(
    "result 2",
  );
  expect(await run("c", `import { Greet as Again } from "${from}"`)).toBe("");
  expect(
    await run("d", 'Again.ir.name + (await Again.invoke({ name: "Cy" })).said.text'),
  ).toContain("Greethi Cy");
});

test("its parameters and its output are checked, and its types take no name of the notebook", async () => {
  const { run, from } = openFolder();
  await run("a", "type Said = number; const other: Said = 1;");
  await run("b", `import { Greet } from "${from}"`);
  expect(await run("c", "await Greet.invoke({ name: 1 })")).toContain(
    "TS2322: Type 'number' is not assignable to type 'string'",
  );
  expect(await run("d", '(await Greet.invoke({ name: "Ann" })).said.txt')).toContain("TS2551");
  expect(await run("e", '(await Greet.invoke({ name: "Ann" })).said.of.length')).toContain(
    "TS2339",
  );
  expect(await run("f", "const more: Said = other + 1; more")).toBe("result 2");
});

test.each([
  ["a file that is not there", "./absent.madrigal", "Greet", "M2401"],
  ["a name that the file does not have", "", "Great", "M2402"],
  ["a type", "", "Said", "M2402"],
] as const)("%s is told at its place in the cell", async (_, path, name, code) => {
  const { run, from } = openFolder();
  const shown = await run("a", `\nimport { ${name} } from "${path || from}";\n1 + 1`);
  expect(shown).toContain(`error[${code}]`);
  expect(shown).toMatch(/Cell\[1\]:2:\d+/);
  expect(shown).not.toContain("result");
});

test("what is wrong in the file is told with its place in the file", async () => {
  const { run, edit, from } = openFolder();
  edit("greet.madrigal", GREET("hi").replace("-> look -> end", "-> lok -> end"));
  const shown = await run("a", `import { Greet } from "${from}"`);
  expect(shown).toContain("M2404");
  expect(shown).toContain("greet.madrigal:8:12");
});

test("an edited program is compiled again before the next cell, and what showed its results is marked", async () => {
  const { run, edit, from } = openFolder();
  await run("a", `import { Greet } from "${from}"`);
  const ask = 'console.log((await Greet.invoke({ name: "Ann" })).said.text)';
  expect(await run("b", ask)).toContain("hi Ann");
  edit("greet.madrigal", GREET("hello"));
  const marked = await run("c", "1 + 1");
  expect(marked).toContain("stale: `Greet` comes from `…/greet.madrigal`, which has changed");
  expect(marked).toContain("result 2");
  expect(await run("b", ask)).toContain("hello Ann");
  edit("greet.madrigal", "graph Greet(");
  expect(await run("c", "1 + 1")).toContain("can't be compiled");
  expect(await run("c", "1 + 1")).toBe("result 2");
  expect(await run("b", ask)).toContain("hello Ann");
  edit("greet.madrigal", GREET("hey"));
  expect(await run("b", ask)).toContain("hey Ann");
  edit("words.ts", WORDS.replace('word + " "', 'word + ", "'));
  expect(await run("b", ask)).toContain("hey, Ann");
});

test("a text that only looks like an import, and a cell of graphs that imports a program, stay what they are", async () => {
  const { run, edit, from } = openFolder();
  edit("greet.madrigal", PLAIN);
  const text = `const text = \`
import { Greet } from "./absent.madrigal"
\`;
text.length`;
  expect(await run("a", text)).toBe("result 43");
  const graph = `import { Plain } from "${from}"
graph Twice(name: string) returns said {
  state { said: string }
  graph once = Plain(name) writes said
  start -> once -> end
}`;
  expect(await run("b", graph)).toContain("graph Twice");
});
