/** `fmt`: what is written, what is only listed, what is left alone. */
import { spawnSync } from "node:child_process";
import { chmodSync, linkSync, readdirSync, readFileSync, statSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readNotebook } from "../../../../kernel/notebook/read-notebook.ts";
import { writeNotebook } from "../../../../kernel/notebook/write-notebook.ts";
import { projectNode, projectRoot } from "../../../support/child.ts";
import { document, said, workspace } from "../calling.ts";

const ragged = "type  A={a:string}\n\n\n\ntype B=int";
const straight = "type A = { a: string }\n\ntype B = int\n";
const open = "model m = `never\ntype A=int\n";

test("fmt writes what it changes, and says which; what is right already is not touched", async () => {
  const home = workspace({ "a.madrigal": ragged, "b.madrigal": straight });
  const before = statSync(join(home, "b.madrigal"));
  expect(await said(home, ["fmt", "a.madrigal", "b.madrigal"])).toMatchInlineSnapshot(`
    "exit 0
    a.madrigal
    2 files: 1 changed"
  `);
  expect(text(home, "a.madrigal")).toBe(straight);
  expect(statSync(join(home, "b.madrigal")).ino).toBe(before.ino);
  expect(readdirSync(home).filter((name) => name.includes("madrigal."))).toEqual([]);
});

test("fmt --check lists what would change and writes nothing", async () => {
  const home = workspace({ "a.madrigal": ragged, "b.madrigal": straight });
  expect(await said(home, ["fmt", "--check", "a.madrigal", "b.madrigal"])).toMatchInlineSnapshot(`
    "exit 1
    a.madrigal
    2 files: 1 would change"
  `);
  expect(text(home, "a.madrigal")).toBe(ragged);
  expect(await said(home, ["fmt", "--check", "b.madrigal"])).toMatchInlineSnapshot(`
    "exit 0
    1 file: 0 would change"
  `);
});

test("a text that can't be formatted is shown and left as it is; the others are formatted", async () => {
  const home = workspace({ "a.madrigal": ragged, "open.madrigal": open, "notes.md": "# a  b\n" });
  const words = ["fmt", "open.madrigal", "notes.md", "a.madrigal", "gone.madrigal"];
  expect(await said(home, words)).toMatchInlineSnapshot(`
    "exit 2
    a.madrigal
    4 files: 1 changed, 3 left alone
    ! error[M1003]: this prompt is never closed
    !   ┌─ open.madrigal:1:11
    ! 1 │ model m = \`never
    !   │           ^
    !   hint: add the closing backtick
    ! error[M7902]: \`notes.md\` is not named like a program
    !   at notes.md
    !   hint: programs end in \`.madrigal\`, notebooks in \`.ipynb\`; \`madrigal fmt - < FILE\` formats any text
    ! error[M7201]: there is no file \`gone.madrigal\`
    !   at gone.madrigal
    !   hint: the working folder is HOME"
  `);
  expect([text(home, "open.madrigal"), text(home, "notes.md")]).toEqual([open, "# a  b\n"]);
  expect(text(home, "a.madrigal")).toBe(straight);
});

test("fmt --json", async () => {
  const home = workspace({ "a.madrigal": ragged, "open.madrigal": open });
  expect(await document(home, ["fmt", "a.madrigal", "open.madrigal"])).toMatchInlineSnapshot(`
    {
      "exit": 1,
      "json": {
        "changed": [
          "a.madrigal",
        ],
        "diagnostics": [
          {
            "code": "M1003",
            "column": 11,
            "endColumn": 12,
            "endLine": 1,
            "file": "open.madrigal",
            "hint": "add the closing backtick",
            "line": 1,
            "message": "this prompt is never closed",
            "severity": "error",
          },
        ],
        "files": 2,
        "version": 1,
      },
    }
  `);
});

test("links and permissions, the byte order mark and the line breaks stay", async () => {
  const home = workspace({ "real.madrigal": `\uFEFF${ragged.replaceAll("\n", "\r\n")}` });
  symlinkSync("real.madrigal", join(home, "link.madrigal"));
  chmodSync(join(home, "real.madrigal"), 0o640);
  await said(home, ["fmt", "link.madrigal"]);
  expect(text(home, "real.madrigal")).toBe(`\uFEFF${straight.replaceAll("\n", "\r\n")}`);
  expect(readFileSync(join(home, "link.madrigal"))).toEqual(
    readFileSync(join(home, "real.madrigal")),
  );
  expect(statSync(join(home, "real.madrigal")).mode & 0o777).toBe(0o640);
});

test("a file of two names keeps both; one that may not be written is left alone", async () => {
  const home = workspace({ "a.madrigal": ragged, "kept.madrigal": ragged });
  linkSync(join(home, "a.madrigal"), join(home, "b.madrigal"));
  await said(home, ["fmt", "a.madrigal"]);
  expect(text(home, "b.madrigal")).toBe(straight);
  chmodSync(join(home, "kept.madrigal"), 0o444);
  chmodSync(home, 0o777);
  const code = `import { replaceFile } from "${new URL("../../../../kernel/cli/commands/write-programs/replace-file.ts", import.meta.url)}";
    // The superuser may write everything.
    if (process.getuid?.() === 0) process.setuid?.(65534);
    try { replaceFile("kept.madrigal", "type B = int\\n"); } catch ({ code }) { console.log(code); }`;
  const words = ["--input-type=module", "--eval", code];
  const { stdout } = spawnSync(projectNode, words, { cwd: home, encoding: "utf8" });
  expect([stdout, text(home, "kept.madrigal")]).toEqual(["M7208\n", ragged]);
});

test("`-` takes stdin to stdout; what is refused comes out as it went in", () => {
  expect(piped(["-"], ragged)).toEqual({ code: 0, out: straight });
  expect(piped(["-"], `\uFEFF${ragged.replaceAll("\n", "\r\n")}`)).toEqual({
    code: 0,
    out: `\uFEFF${straight.replaceAll("\n", "\r\n")}`,
  });
  expect(piped(["-"], open)).toEqual({ code: 1, out: open });
  expect(piped(["-", "--check"], ragged)).toEqual({ code: 1, out: "1 file: 1 would change\n" });
  const { out } = piped(["-", "--json"], ragged);
  expect(JSON.parse(out)).toMatchObject({ files: 1, changed: ["-"], text: straight });
});

function text(home: string, file: string): string {
  return readFileSync(join(home, file), "utf8");
}

function piped(words: readonly string[], input: string): { code: number | null; out: string } {
  const home = workspace();
  const { status, stdout } = spawnSync(projectNode, ["kernel/madrigal.js", "fmt", ...words], {
    cwd: projectRoot,
    env: { PATH: process.env.PATH ?? "", HOME: home, MADRIGAL_HOME: home },
    input,
    encoding: "utf8",
  });
  return { code: status, out: stdout };
}

test("a program with something that can't be read is an error, and left as it is", async () => {
  const cut = "graph   G() returns a {\n  state { a: string }\n";
  const home = workspace({ "cut.madrigal": cut });
  expect(await said(home, ["fmt", "cut.madrigal"])).toMatchInlineSnapshot(`
    "exit 1
    1 file: 0 changed, 1 left alone
    ! error[M1104]: this \`{\` is never closed
    !   ┌─ cut.madrigal:1:23
    ! 1 │ graph   G() returns a {
    !   │                       ^
    !   hint: add a \`}\`"
  `);
  expect(text(home, "cut.madrigal")).toBe(cut);
});

test("what can't be read on stdin comes out as it went in, with exit 1", () => {
  const cut = "graph   G() returns a {\n";
  expect(piped(["-"], cut)).toEqual({ code: 1, out: cut });
});

const cells = (graph: string) =>
  writeNotebook({
    metadata: { kernelspec: { name: "madrigal" } },
    cells: [
      { cell_type: "markdown", id: "a", metadata: {}, source: "graph   G() { }" },
      { cell_type: "code", id: "b", metadata: {}, source: "const  a = 1", ...empty },
      { cell_type: "code", id: "c", metadata: {}, source: `%%graph\n${graph}`, ...empty },
      { cell_type: "code", id: "d", metadata: {}, source: "model  m=`x`", ...empty },
    ],
  });
const empty = { execution_count: null, outputs: [] };

test("the cells of a notebook that hold graphs are formatted, all others stay", async () => {
  const home = workspace({ "n.ipynb": cells("type  T={a:int}\n\n\n") });
  expect(await said(home, ["fmt", "--check", "n.ipynb"])).toMatch(/^exit 1/);
  expect(await said(home, ["fmt", "n.ipynb"])).toBe("exit 0\nn.ipynb\n1 file: 1 changed");
  const once = text(home, "n.ipynb");
  expect(readNotebook(once, "n.ipynb").cells.map(({ source }) => source)).toEqual([
    "graph   G() { }",
    "const  a = 1",
    "%%graph\ntype T = { a: int }",
    "model m = `x`",
  ]);
  expect(await said(home, ["fmt", "n.ipynb"])).toBe("exit 0\n1 file: 0 changed");
  expect(text(home, "n.ipynb")).toBe(once);
});

test("a cell with a graph that can't be read is left as it is and named, the others are formatted", async () => {
  const home = workspace({ "n.ipynb": cells("graph   G() {") });
  expect(await said(home, ["fmt", "n.ipynb"])).toMatchInlineSnapshot(`
    "exit 1
    n.ipynb
    1 file: 1 changed, 1 cell left alone
    ! error[M1104]: this \`{\` is never closed
    !   ┌─ n.ipynb cell 3:1:13
    ! 1 │ graph   G() {
    !   │             ^
    !   hint: add a \`}\`"
  `);
  const once = readNotebook(text(home, "n.ipynb"), "n.ipynb").cells.map(({ source }) => source);
  expect(once.slice(2)).toEqual(["%%graph\ngraph   G() {", "model m = `x`"]);
  expect(await said(home, ["fmt", "n.ipynb"])).toContain("exit 1\n1 file: 0 changed, 1 left alone");
});

test("fmt --migrate writes long forms the short way and lists them; errors keep a file as it is", async () => {
  const long = "graph G(x: int) returns y {\n  state { y: int }\n  run a = f({ x: x }) writes y\n";
  const right = `${long}  start -> a -> end\n}\n`;
  const wrong = `${long}  start -> b -> end\n}\n`;
  const home = workspace({ "right.madrigal": right, "wrong.madrigal": wrong });
  expect(await said(home, ["fmt", "--migrate", "right.madrigal"])).toMatchInlineSnapshot(`
    "exit 0
    right.madrigal
    right.madrigal:3: \`{ a }\` for \`{ a: a }\`
    1 file: 1 changed"
  `);
  expect(text(home, "right.madrigal")).toContain("f({ x })");
  expect(await said(home, ["fmt", "--migrate", "wrong.madrigal"])).toMatch(/^exit 1[\s\S]*M2101/);
  expect(text(home, "wrong.madrigal")).toBe(wrong);
  expect(await document(home, ["fmt", "--migrate", "right.madrigal"])).toMatchObject({
    json: { changed: [], rewritten: [] },
  });
});
