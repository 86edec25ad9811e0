/** Stale cells that run again: when somebody says so, or by themselves. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../../support/child.ts";
import { openTestNotebook, useTypes } from "../notebook.ts";

useTypes();

/** Cells of one notebook by name; running one again is running the same cell. */
function openCells() {
  const notebook = openTestNotebook();
  return {
    notebook,
    run: async (cellId: string, code: string) => {
      await notebook.reply(code, { cellId });
      return notebook.shown();
    },
  };
}

test("stale cells run again in the order of what they use, in place of what they showed", async () => {
  const { run } = openCells();
  await run("c", "const half = (x: number) => x / 2");
  await run("b", "const four = half(8)");
  await run("a", "`four is ${four}`");
  await run("d", "'alone'");
  await run("c", "const half = (x: number) => x / 4");
  expect(await run("z", "%cells --run")).toMatchInlineSnapshot(`
    "clear m2
    clear m3
    result 'four is 2'
    result 2 cells ran again: Cell[2], Cell[3]"
  `);
  expect(await run("z", "%cells --run")).toBe("result no cell is stale");
});

test("the drawing has the cells, what each declares and uses, and which are stale", async () => {
  const { run } = openCells();
  expect(await run("z", "%cells")).toBe("result no cell has run that declares or uses a name");
  await run("a", "const half = (x: number) => x / 2");
  await run("b", "half(8)");
  await run("a", "const half = (x: number) => x / 4");
  expect(await run("z", "%cells")).toMatchInlineSnapshot(`
    "result [image/svg+xml] Cell[4] · declares half
    Cell[3] · uses half (Cell[4]) · stale: \`half\` was declared anew in Cell[4]"
  `);
});

test("in reactive mode a change runs what depends on it, and nothing else", async () => {
  const { run } = openCells();
  await run("z", "%config reactive on");
  await run("a", "const price = 2");
  await run("b", "const total = price * 10");
  await run("c", "`total ${total}`");
  await run("d", "'alone'");
  expect(await run("a", "const price = 3")).toMatchInlineSnapshot(`
    "clear m3
    clear m4
    result 'total 30'"
  `);
  expect(await run("a", "const price = 3")).toBe("");
  expect(await run("b", "const total = price * 100")).toContain("result 'total 300'");
});

test("a cell that assigns to a name of another cell runs what depends on it, once", async () => {
  const { run } = openCells();
  await run("z", "%config reactive on");
  await run("a", "let price = 2");
  await run("b", "price * 10");
  expect(await run("c", "price = price + 1; 'set'")).toBe("result 'set'\nclear m3\nresult 30");
  await run("d", "price * 100");
  expect((await run("c", "price = price + 1; 'set'")).match(/clear/g)).toHaveLength(2);
  // A cell that assigns a name uses it, so it runs again too.
  const said = await run("a", "let price = 5");
  expect(said).toContain("result 60");
  expect(said.match(/clear/g)).toHaveLength(3);
});

test("what depends on a cell that fails is not run, and marked as stale", async () => {
  const { run } = openCells();
  await run("z", "%config reactive on");
  await run("a", "let price = 2");
  await run("b", "if (price > 5) throw new Error('too dear'); const total = price * 10");
  await run("c", "`total ${total}`");
  const said = await run("a", "let price = 7");
  expect(said).toContain("error Error: too dear");
  expect(said).toContain("⚠ stale: `price` was declared anew in Cell[5]");
  expect(said).toContain(
    "of the cells that depend on this one, Cell[3] failed; still stale: Cell[4]",
  );
  expect(await run("d", "1 + 1")).toBe("result 2");
  expect(await run("a", "let price = 1")).toContain("result 'total 10'");
});

test("after a failure the rest stays stale and is told, and running again begins with the cell that failed", async () => {
  const { run } = openCells();
  await run("a", "const f = () => 1;");
  await run("b", "const g = f() + 1; g");
  await run("c", "if (f() === 2) throw new Error('no'); const h = f() + g; `h ${h}`");
  await run("d", "`i ${h * 2}`");
  await run("e", "`j ${f() * 100}`");
  await run("a", "const f = () => 2;");
  const end = "Cell[3] failed; still stale: Cell[4], Cell[5], to be run once it is mended";
  expect(await run("z", "%cells --run")).toContain(`2 cells ran again: Cell[2], Cell[3]; ${end}`);
  const drawn = await run("y", "%cells");
  expect(drawn).toMatch(/Cell\[3\].*stale: it failed when it ran again\n/);
  expect(drawn).toMatch(/Cell\[5\].*stale: `f` was declared anew in Cell\[6\]/);
  expect(await run("z", "%cells --run")).toContain(`1 cell ran again: Cell[3]; ${end}`);
  // Another cell that is stale, and does not depend on it, is not run before it.
  await run("d", "1");
  expect(await run("z", "%cells --run")).toContain("1 cell ran again: Cell[3]; Cell[3] failed");
  await run("c", "const h = f() + g; `h ${h}`");
  expect(await run("z", "%cells --run")).toContain("1 cell ran again: Cell[5]");
  expect(await run("z", "%cells --run")).toBe("result no cell is stale");
});

test("a cell that fails after it has changed a value runs nothing, and marks what depends on it", async () => {
  const { run } = openCells();
  await run("z", "%config reactive on");
  await run("a", "let price = 2");
  await run("b", "`it is ${price}`");
  const said = await run("c", "price = 7; throw new Error('no')");
  expect(said).toContain("error Error: no");
  expect(said).toContain("⚠ stale: `price` was assigned to in Cell[4]");
  expect(said).not.toContain("it is 7");
  expect(await run("y", "%cells --run")).toContain("result 'it is 7'");
});

test("cells that change what each other uses run once each", async () => {
  const { run } = openCells();
  await run("z", "%config reactive on");
  await run("a", "var left = 1; var right = 1;");
  await run("b", "var left = right + 1; console.log(`left ${left}`)");
  await run("c", "var right = left + 1; console.log(`right ${right}`)");
  const said = await run("a", "var left = 5; var right = 5;");
  expect(said.match(/stdout/g)).toHaveLength(2);
  expect(await run("d", "1 + 1")).toBe("result 2");
});

test("cells that were deleted do not run again, and neither do lines of a console", async () => {
  const { run, notebook } = openCells();
  await run("z", "%config reactive on");
  await run("a", "const price = 2");
  await run("b", "`it is ${price}`");
  await notebook.reply("`console: ${price}`");
  notebook.shown();
  await notebook.reply("const price = 3", { cellId: "a", deletedCells: ["b"] });
  expect(notebook.shown()).toBe("");
});

test("numbers, texts and namespaces of a module are those of the file once it was edited", async () => {
  const { run } = openCells();
  const folder = temporaryFolder();
  const file = join(folder, "prices.ts");
  writeFileSync(file, "export const rate = 2;\nexport default 'one';\n");
  await run("a", `import word, { rate as r } from "${file}";\nimport * as all from "${file}";`);
  await run("b", "[word, r, all.rate]");
  await run("z", "%config reactive on");
  writeFileSync(file, "export const rate = 30;\nexport default 'two';\n");
  expect(await run("y", "%reload")).toContain("read again: ");
  expect(await run("b", "[word, r, all.rate]")).toContain("result [ 'two', 30, 30 ]");
});

test("with `%reload off` an edited module stays as it was, until `%reload` reads it", async () => {
  const { run } = openCells();
  const file = join(temporaryFolder(), "tools.ts");
  writeFileSync(file, "export const rate = () => 2;\n");
  expect(await run("z", "%reload off")).toContain("reload   off");
  await run("a", `import { rate } from "${file}"; rate()`);
  writeFileSync(file, "export const rate = () => 300;\n");
  expect(await run("b", "rate()")).toBe("result 2");
  expect(await run("y", "%reload")).toContain("read again: ");
  expect(await run("b", "rate()")).toBe("result 300");
  expect(await run("y", "%reload")).toBe("result no module has changed");
  expect(await run("y", "%reload maybe")).toContain("M7513");
});

test("a cell whose name another cell has declared since does not run again, and takes nothing back", async () => {
  const { run } = openCells();
  await run("a", "const greet = (name: string) => `hello ${name}`;");
  await run("b", "greet('Ann')");
  expect(
    await run("c", "function greet(name: string) { return `good evening ${name}`; }"),
  ).not.toContain("Cell[1]");
  expect(await run("z", "%cells --run")).toContain("result 'good evening Ann'");
  expect(await run("b", "greet('Bob')")).toBe("result 'good evening Bob'");
});

test("a cell below `%%time` that runs again shows its time again", async () => {
  const { run } = openCells();
  await run("z", "%config reactive on");
  await run("a", "const price = 2");
  await run("b", "%%time\nprice * 10");
  const said = await run("a", "const price = 3");
  expect(said).toMatch(/^clear m3\nresult 30\ndisplay [\d.]+ \S+$/);
});
