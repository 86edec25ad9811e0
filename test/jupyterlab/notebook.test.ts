/** The notebook in a real JupyterLab and a real browser, by mouse, keyboard and what can be seen. */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { projectRoot } from "../support/child.ts";
import { type Lab, type Notebook, startLab } from "../support/jupyter-lab.ts";

const pictures = join(projectRoot, "node_modules/.cache/madrigal/pictures");

let lab: Lab;
let notebook: Notebook;

beforeAll(async () => {
  mkdirSync(pictures, { recursive: true });
  lab = await startLab();
  notebook = await lab.open("notebooks/deep-search.ipynb");
});
afterAll(() => lab?.close());
afterEach(async ({ task }) => {
  if (task.result?.state !== "fail") return;
  await notebook?.screenshot(join(pictures, "failed.png"));
  console.error(
    await notebook?.page
      .locator(
        ".jp-OutputArea-output[data-mime-type*=stderr], .jp-OutputArea-output[data-mime-type*=error]",
      )
      .allTextContents(),
  );
});

test("all cells run, and their drawing, tables and charts are seen", async () => {
  await notebook.menu("Edit", "Clear Outputs of All Cells");
  await notebook.runAll();
  const { page } = notebook;
  const drawing = page.locator(".jp-RenderedSVG img").first();
  await drawing.scrollIntoViewIfNeeded();
  expect((await drawing.boundingBox())?.width).toBeGreaterThan(600);
  await notebook.screenshot(join(pictures, "drawing.png"));
  const table = page.locator(".jp-OutputArea-output table").first();
  await table.scrollIntoViewIfNeeded();
  expect(await table.locator("tbody tr").count()).toBeGreaterThan(0);
  await notebook.screenshot(join(pictures, "table.png"));
  const charts = page.locator(".vega-embed canvas, .vega-embed svg.marks");
  await charts.first().scrollIntoViewIfNeeded();
  expect(await charts.count()).toBe(3);
  await notebook.screenshot(join(pictures, "charts.png"));
  expect(
    await page
      .locator('.jp-OutputArea-output[data-mime-type="application/vnd.jupyter.error"]')
      .count(),
  ).toBe(0);
});

test("a mistake in the graph shows its frame; put right, the graph is drawn again", async () => {
  const { page } = notebook;
  const graph = page.locator(".jp-CodeCell", { hasText: "graph DeepSearch(question" }).first();
  await graph.locator(".cm-content").click();
  await page.keyboard.press("Control+End");
  await page.keyboard.press("ArrowUp");
  await page.keyboard.press("End");
  await page.keyboard.insertText(" -> writer");
  await notebook.again(graph);
  const said = await notebook.outputText(graph);
  expect(said).toMatch(/error\[M2101\]: .*writer/);
  expect(said).toContain("-> writer");
  expect(said).toMatch(/hint: .*`write`/);
  expect(said).toMatch(/Cell\[\d+\]:\d+:\d+/);
  await graph.locator(".jp-OutputArea-output").scrollIntoViewIfNeeded();
  await notebook.screenshot(join(pictures, "mistake.png"));
  for (const _ of " -> writer") await page.keyboard.press("Backspace");
  await notebook.again(graph);
  expect(await graph.locator(".jp-RenderedSVG img").count()).toBe(1);
});

test("a type error is told at its place, before anything runs", async () => {
  const cell = await notebook.run(
    "DeepSearch.run({ question, breakpoints: 1 });\nrun.state.reprot",
  );
  const said = await notebook.outputText(cell);
  expect(said).toContain("TS2551");
  expect(said).toMatch(/Did you mean 'report'/);
});

test("completion of a graph's types, by the Tab key", async () => {
  const { page } = notebook;
  const cell = await notebook.type("run.state.fin");
  await page.keyboard.press("Tab");
  await page.locator(".jp-Completer-match", { hasText: "findings" }).click();
  await cell.locator(".cm-line", { hasText: "run.state.findings" }).waitFor();
  await page.keyboard.press("Control+a");
  await page.keyboard.press("Delete");
});

test.each([
  ["a synchronous loop", "let turns = 0;\nwhile (true) turns += 1;"],
  [
    "a loop after an await",
    "let later = 0;\nawait null;\nawait new Promise((go) => setTimeout(go, 1));\nwhile (true) later += 1;",
  ],
  ["a cell that awaits for ever", "await new Promise(() => {});"],
])("the stop button stops %s, and what was declared is kept", async (_, code) => {
  const kept = `kept_${code.length}`;
  await notebook.run(`const ${kept} = 42;`);
  const cell = await notebook.start(code);
  await notebook.busy();
  await notebook.interrupt();
  await notebook.finished();
  expect(await notebook.outputText(cell)).toContain("M7501");
  const next = await notebook.run(`${kept} + 1`);
  expect(await notebook.outputText(next)).toContain("43");
});

const patience = `graph Patience() returns answer {
  state { answer: string }
  run first = quick() writes answer
  run last = slow(answer) writes answer
  start -> first -> last -> end
}`;

test("interrupting a cell that awaits a run pauses the run; after a restart it is resumed where it was", async () => {
  await notebook.run(`let calls = 0;
const quick = () => { calls += 1; return "quick"; };
const slow = (answer: string) => new Promise<string>(() => {});`);
  await notebook.run(patience);
  const cell = await notebook.start("const patient = Patience.run({});\nawait patient.output");
  await cell.locator('.jp-RenderedSVG img[src*="succeeded"]').waitFor();
  await notebook.interrupt();
  await notebook.finished();
  expect(await notebook.outputText(cell)).toMatch(/M7501.*\bpaused\b/s);
  await notebook.restart();
  await notebook.run(`let calls = 0;
const quick = () => { calls += 1; return "quick"; };
const slow = async (answer: string) => answer + ", then slow";`);
  await notebook.run(patience);
  const resumed = await notebook.run(`import { runs } from "madrigal";
const again = runs.last("Patience");
await again.resume();
console.log((await again.output).answer, calls);`);
  expect(await notebook.outputText(resumed)).toContain("quick, then slow 0");
  await resumed.scrollIntoViewIfNeeded();
  await notebook.screenshot(join(pictures, "resumed.png"));
});
