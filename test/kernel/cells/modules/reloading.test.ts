/** Modules beside the notebook that somebody edits while it is open. */
import { mkdirSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../../support/child.ts";
import { openTestNotebook, useTypes } from "../notebook.ts";

useTypes();

let edits = 0;

/** A folder of modules, how cells import one of it, and an editor. */
function files(texts: Readonly<Record<string, string>>) {
  const folder = temporaryFolder();
  const edit = (name: string, text: string) => {
    const path = join(folder, name);
    writeFileSync(path, text);
    edits += 1;
    // No file system is so coarse that it takes two edits for one.
    utimesSync(path, edits, edits);
  };
  for (const [name, text] of Object.entries(texts)) edit(name, text);
  const from = (name: string) => `./${relative(process.cwd(), join(folder, name))}`;
  const said = (text: string) => text.replaceAll(from("").slice(2), "");
  const replaceByFolder = (name: string) => {
    rmSync(join(folder, name));
    mkdirSync(join(folder, name));
  };
  return { edit, replaceByFolder, from, said };
}

/** Cells of one notebook by name; running one again is running the same cell. */
function openCells(said: (text: string) => string) {
  const notebook = openTestNotebook();
  return async (cellId: string, code: string) => {
    await notebook.reply(code, { cellId });
    return said(notebook.shown());
  };
}

const greet = (word: string) => `export const greet = (name: string) => \`${word} \${name}\`;\n`;

test("a cell that runs again has the file as it is now, and what other cells show of it is marked", async () => {
  const { edit, from, said } = files({ "mytools.ts": greet("hi") });
  const run = openCells(said);
  const cell = `import { greet } from "${from("mytools.ts")}"; greet("Ann")`;
  expect(await run("a", cell)).toBe("result 'hi Ann'");
  expect(await run("b", 'greet("Bob")')).toBe("result 'hi Bob'");
  edit("mytools.ts", greet("hello"));
  expect(await run("a", cell)).toMatchInlineSnapshot(`
    "display [text/html] ⚠ stale: \`greet\` comes from \`/mytools.ts\`, which has changed; run this cell again
    display [text/html] ⚠ stale: Cell[2] shows results of the earlier \`greet\`; run it again
    result 'hello Ann'"
  `);
  expect(await run("b", 'greet("Bob")')).toBe("result 'hello Bob'");
  edit("mytools.ts", greet("hey"));
  expect(await run("b", 'greet("Bob")')).toContain("result 'hey Bob'");
  expect(await run("c", "1 + 1")).toBe("result 2");
});

test("a module that can't be read any more stays as it was, and no cell fails", async () => {
  const { edit, replaceByFolder, from, said } = files({ "mytools.ts": greet("hi") });
  const run = openCells(said);
  expect(await run("a", `import { greet } from "${from("mytools.ts")}"; greet("Ann")`)).toBe(
    "result 'hi Ann'",
  );
  replaceByFolder("mytools.ts");
  expect(await run("b", 'greet("Bob")')).toBe("result 'hi Bob'");
  rmSync(from("mytools.ts"), { recursive: true });
  edit("mytools.ts", greet("hello"));
  expect(await run("b", 'greet("Bob")')).toContain("result 'hello Bob'");
});

test("types are those of the file too", async () => {
  const { edit, from, said } = files({ "mytools.ts": greet("hi") });
  const run = openCells(said);
  const cell = `import { greet } from "${from("mytools.ts")}"; greet("Ann")`;
  await run("a", cell);
  edit("mytools.ts", "export const greet = (count: number) => count + 1;\n");
  expect(await run("a", cell)).toContain("TS2345");
  expect(await run("b", "greet(1)")).toContain("result 2");
});

test("what the module imports is loaded again with it; a module beside it keeps its state", async () => {
  const { edit, from, said } = files({
    "outer.ts":
      'import { word } from "./inner.ts";\nexport { bump } from "./count.cjs";\nexport const say = () => word;\n',
    "inner.ts": 'export const word = "one";\n',
    "count.cjs": "let count = 0;\nexports.bump = () => (count += 1);\n",
    "count.d.cts": "export function bump(): number;\n",
  });
  const run = openCells(said);
  const cell = `import { bump, say } from "${from("outer.ts")}"; [say(), bump()]`;
  expect(await run("a", cell)).toBe("result [ 'one', 1 ]");
  edit("inner.ts", 'export const word = "two";\n');
  expect(await run("a", cell)).toBe("result [ 'two', 2 ]");
  edit("count.cjs", "let count = 10;\nexports.bump = () => (count += 1);\n");
  expect(await run("a", cell)).toBe("result [ 'two', 11 ]");
});

test("a graph calls the new function at its next run, whether its cell imports it or another one does", async () => {
  const { edit, from, said } = files({ "mytools.ts": greet("hi"), "more.ts": greet("oh") });
  const run = openCells(said);
  const graph = (name: string, head: string, call: string) => `%%graph\n${head}
graph ${name}(name: string) returns said {
  state { said: string = "" }
  run say = ${call}(name) writes said
  start -> say
}`;
  await run("a", `import { greet } from "${from("mytools.ts")}"`);
  await run("b", graph("One", "", "greet"));
  await run("c", graph("Two", `import { greet as other } from "${from("more.ts")}"`, "other"));
  const both =
    '[(await One.run({ name: "Ann" }).output).said, (await Two.run({ name: "Ann" }).output).said]';
  expect(await run("d", both)).toContain("result [ 'hi Ann', 'oh Ann' ]");
  expect(await run("e", '(await Two.run({ name: "Bob" }).output).said')).toContain("'oh Bob'");
  edit("mytools.ts", greet("hello"));
  edit("more.ts", greet("ah"));
  const again = await run("d", both);
  expect(again).toContain("result [ 'hello Ann', 'ah Ann' ]");
  expect(again).toContain("stale: Cell[5] shows results of the earlier `Two`");
});

test("a file that can't be loaded any more is told; its earlier version stays in use until it can", async () => {
  const { edit, from, said } = files({ "mytools.ts": greet("hi") });
  const run = openCells(said);
  const cell = `import { greet } from "${from("mytools.ts")}"; greet("Ann")`;
  await run("a", cell);
  edit("mytools.ts", `throw new RangeError("not now");\n${greet("oh")}`);
  expect(await run("b", 'greet("Bob")')).toMatchInlineSnapshot(`
    "display [text/html] ⚠ \`/mytools.ts\` has changed and can't be loaded: not now; its earlier version stays in use
    result 'hi Bob'"
  `);
  expect(await run("a", cell)).toContain("RangeError: not now");
  edit("mytools.ts", `import { x } from "./later.ts";\n${greet("oh")}`);
  await run("b", "1");
  edit("later.ts", "export const x = 1;\n");
  expect(await run("a", cell)).toBe("result 'oh Ann'");
});

test("a stack names the file by its own name", async () => {
  const { edit, from, said } = files({ "mytools.ts": greet("hi") });
  const run = openCells(said);
  await run("a", `import { greet } from "${from("mytools.ts")}"; greet("Ann")`);
  edit(
    "mytools.ts",
    "export const greet = (name: string): string => { throw new Error(name); };\n",
  );
  const error = await run("b", 'greet("Ann")');
  expect(error).toContain("mytools.ts:1:");
  expect(error).not.toContain("?madrigal");
});
