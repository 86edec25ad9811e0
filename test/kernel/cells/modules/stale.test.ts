import { expect, test } from "vitest";
import { openTestNotebook, useTypes } from "../notebook.ts";

useTypes();

/** Cells of one notebook by name; running one again is running the same cell. */
function openCells() {
  const notebook = openTestNotebook();
  return async (cellId: string, code: string) => {
    await notebook.reply(code, { cellId });
    return notebook.shown();
  };
}

const MARK = "display [text/html] ⚠ stale: `";

test("what an older function made is marked where it stands, and named where the function is declared anew", async () => {
  const run = openCells();
  await run("a", "function half(x: number) { return x / 2 }");
  await run("b", "half(8)");
  await run("c", "const other = 3; other");
  expect(await run("a", "function half(x: number) { return x / 2 + 1 }")).toMatchInlineSnapshot(`
    "display [text/html] ⚠ stale: \`half\` was declared anew in Cell[4]; run this cell again
    display [text/html] ⚠ stale: Cell[2] shows results of the earlier \`half\`; run it again"
  `);
  // Marked once: the next time the mark is replaced.
  expect(await run("a", "function half(x: number) { return x / 3 }")).toContain(
    "update [text/html] ⚠ stale: `half` was declared anew in Cell[5]",
  );
  expect(await run("b", "half(9)")).toBe("result 3");
  expect(await run("a", "function half(x: number) { return x / 4 }")).toContain(MARK);
});

test("the same text again makes nothing stale, and neither does another value", async () => {
  const run = openCells();
  await run("a", "const half = (x: number) => x / 2; let count = 1;");
  await run("b", "half(8) + count");
  expect(await run("a", "const half = (x: number) => x / 2; let count = 2;")).toBe("");
});

test("what comes of it through other names and cells is stale too, and nothing else", async () => {
  const run = openCells();
  await run("a", "const rate = () => 2");
  await run("b", "const price = (x: number) => x * rate(); const free = 0;");
  await run("c", "const total = price(4)");
  await run("d", "total");
  await run("e", "free");
  const said = await run("a", "const rate = () => 3");
  expect(said).toContain("stale: Cell[4] shows results of the earlier `rate`; run it again");
  expect(said.match(/⚠ stale: `/g)).toHaveLength(1);
});

test("a name that has another meaning since leads nowhere", async () => {
  const run = openCells();
  await run("a", "const rate = () => 2");
  await run("b", "const total = rate() * 2");
  await run("c", "const total = 5");
  await run("d", "total");
  expect(await run("a", "const rate = () => 3")).toBe("");
});

test("a call that no longer fits is told with its place", async () => {
  const run = openCells();
  await run("a", "function half(x: number) { return x / 2 }");
  await run("b", "const eight = 8;\nhalf(eight)");
  const said = await run("a", "function half(x: string) { return x.length / 2 }");
  expect(said).toContain("it would fail with TS2345 2:6 Argument of type 'number'");
  expect(said).toContain("Cell[2]: TS2345 2:6");
});

const graph = (name: string, call: string) => `graph ${name}(topic: string) returns word {
  state { word: string = "" }
  ${call} writes word
  start -> go
}`;

test("runs of a graph are stale when it, its functions or the graphs that it calls are others", async () => {
  const run = openCells();
  await run("f", "const loud = (topic: string) => topic.toUpperCase()");
  await run("g", graph("Inner", "run go = loud(topic)"));
  await run("h", graph("Outer", "graph go = Inner(topic)"));
  await run("i", 'console.log((await Outer.run({ topic: "a" }).output).word)');
  await run("j", "%%sql\nSELECT ${Outer.name} AS name");
  const changed = await run("f", "const loud = (topic: string) => topic + topic");
  expect(changed).toContain(
    "stale: Cell[4], Cell[5] show results of the earlier `loud`; run them again",
  );
  expect(await run("h", `${graph("Outer", "graph go = Inner(topic)")} // again`)).not.toContain(
    "stale",
  );
  expect(await run("h", graph("Outer", "run go = loud(topic)"))).toContain(
    "stale: Cell[4], Cell[5] show results of the earlier `Outer`",
  );
});

test("a graph that calls another one is told what no longer fits", async () => {
  const run = openCells();
  await run("f", "const loud = (topic: string) => topic.toUpperCase()");
  await run("g", graph("Inner", "run go = loud(topic)"));
  await run("h", graph("Outer", "graph go = Inner(topic)"));
  const said = await run(
    "g",
    graph("Inner", "run go = loud(topic)").replace("topic:", "subject: string, topic:"),
  );
  expect(said).toMatch(
    /stale: Cell\[3\] shows results of the earlier `Inner`; run it again\n {2}Cell\[3\]: M\d{4} /,
  );
});
