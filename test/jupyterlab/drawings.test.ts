/** Drawings, charts and questions as a part of the page: its colours, its sizes, its mouse and its keys. */
import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Locator } from "playwright-core";
import { afterAll, test as baseTest, beforeAll, expect, vi } from "vitest";
import { projectRoot } from "../support/child.ts";
import { type Lab, type Notebook, startLab } from "../support/jupyter-lab.ts";
import { missing } from "../support/python-env.ts";

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

const reason = (await missing("python-env")) ?? (await missing("chromium"));
const test = baseTest.skipIf(reason !== undefined);
const pictures = join(projectRoot, "node_modules/.cache/madrigal/pictures");
const path = "drawings.ipynb";

const HOSTILE = `<img src=x onerror="document.title='owned'">`;

let lab: Lab;
let notebook: Notebook;
let graph: Locator;
let run: Locator;

beforeAll(async () => {
  if (reason !== undefined) return;
  mkdirSync(pictures, { recursive: true });
  lab = await startLab();
  notebook = await lab.openEmpty(path);
  // The page is the notebook alone, as wide as the window.
  await notebook.page.keyboard.press("Control+b");
  await notebook.run(`const texts = (to: string) => [to, ${JSON.stringify(HOSTILE)}];
const short = (text: string) => text.slice(0, 40);
const sent = (to: string, texts: string[]) => texts.length + " sent to " + to;`);
  graph = await notebook.run(`graph Mail(to: string) returns answer {
  state {
    parts: string[]
    ready: string[] = [] via append
    answer: string
  }
  run plan "names the parts" = texts(to) writes parts { limit 1m }
  run cut(text: string) = short(text) writes ready
  run check = texts(to) writes parts
  run send = sent(to, ready) writes answer { approve before }
  start -> plan -> each text of parts { cut(text) } -> check -> send -> end
  limit 100 steps
}`);
  run = await notebook.run('const run = Mail.run({ to: "Ann" });');
  await form(run).waitFor();
});
afterAll(() => lab?.close());

const form = (cell: Locator) => cell.locator(".madrigal-question form:visible");
const drawing = (cell: Locator) => cell.locator("svg.madrigal-drawing");

interface Sized {
  readonly clientWidth: number;
  readonly scrollWidth: number;
  scrollLeft: number;
}

interface Page {
  getComputedStyle(element: unknown): Readonly<Record<string, string>>;
}

async function styleOf(what: Locator, property: string): Promise<string> {
  return await what.evaluate(
    (element, name) => (globalThis as unknown as Page).getComputedStyle(element)[name] ?? "",
    property,
  );
}

/** The heights of the texts of a drawing as they are seen, in pixels. */
async function fontSizes(cell: Locator): Promise<readonly number[]> {
  return await drawing(cell).evaluate((svg: unknown) => {
    const { querySelectorAll, getScreenCTM } = svg as {
      querySelectorAll(selector: string): Iterable<unknown>;
      getScreenCTM(): { readonly a: number };
    };
    const scale = getScreenCTM.call(svg).a;
    const page = globalThis as unknown as Page;
    return [...querySelectorAll.call(svg, "text")].map(
      (text) => Number.parseFloat(page.getComputedStyle(text).fontSize ?? "0") * scale,
    );
  });
}

async function choose(theme: "JupyterLab Light" | "JupyterLab Dark"): Promise<void> {
  const { page } = notebook;
  await page.locator(".lm-MenuBar-item", { hasText: /^Settings$/ }).click();
  await page.locator(".lm-Menu-itemLabel", { hasText: /^Theme$/ }).click();
  await page.locator(".lm-Menu-itemLabel", { hasText: new RegExp(`^${theme}$`) }).click();
  const isLight = String(theme === "JupyterLab Light");
  await page.locator(`body[data-jp-theme-light="${isLight}"]`).waitFor({ state: "attached" });
}

test("no text of a drawing is smaller than 11 pixels, however narrow the page", async () => {
  const { page } = notebook;
  for (const width of [1200, 740, 620]) {
    await page.setViewportSize({ width, height: 1000 });
    for (const cell of [graph, run]) {
      const sizes = await fontSizes(cell);
      expect(sizes.length).toBeGreaterThan(8);
      expect(Math.min(...sizes)).toBeGreaterThanOrEqual(11);
    }
    await notebook.show(graph.locator(".madrigal-drawing-lines"));
    await notebook.screenshot(join(pictures, `drawing-${width}.png`));
  }
  await page.setViewportSize({ width: 1280, height: 1000 });
});

test("a node that is clicked tells its program, its last input, output and changes, as texts; a breakpoint there holds the run", async () => {
  const { page } = notebook;
  const cut = run.locator('[data-node="cut"]');
  const panel = run.locator(".madrigal-node");
  await cut.click();
  await panel.getByText("run cut(text: string) = short(text) writes ready").waitFor();
  await panel.getByText(/^step \d+: cut#2$/).waitFor();
  await panel.getByText("onerror=").first().waitFor();
  await panel.getByRole("cell", { name: "ready[1]" }).waitFor();
  expect(await panel.locator("img, script").count()).toBe(0);
  expect(await page.title()).not.toContain("owned");
  await notebook.screenshot(join(pictures, "node-panel.png"));
  await page.keyboard.press("Escape");
  await cut.press("Enter");
  await panel
    .getByRole("button", { name: "Close" })
    .or(panel.locator('button[title="Close"]'))
    .click();
  await panel.waitFor({ state: "hidden" });
  // A graph that has not run tells its program.
  await graph.locator('[data-node="plan"]').click();
  await graph.locator(".madrigal-node").getByText("limit 1m").waitFor();
  await graph.locator('[data-node="plan"]').click();
  const held = await notebook.run('const held = Mail.debug({ to: "Bo" });\nawait held.step();');
  await held.locator('[data-node="check"]').click();
  const button = held.locator(".madrigal-node").getByRole("button", { name: "breakpoint" });
  expect(await button.getAttribute("aria-pressed")).toBe("false");
  await button.click();
  await held.locator('.madrigal-node button[aria-pressed="true"]').waitFor();
  const stop = await notebook.run(
    "const stop = await held.continue();\n[stop.kind, held.steps.length].join(' ')",
  );
  expect(await notebook.outputText(stop)).toContain("breakpoint 3");
});

test("a drawing is enlarged by Ctrl and the wheel and by buttons, and moved by the mouse", async () => {
  const { page } = notebook;
  const widthOf = async () => (await drawing(graph).boundingBox())?.width ?? 0;
  const before = await widthOf();
  await notebook.show(drawing(graph));
  await drawing(graph).hover();
  await page.keyboard.down("Control");
  for (let turn = 0; turn < 5; turn++) await page.mouse.wheel(0, -100);
  await page.keyboard.up("Control");
  await expect.poll(widthOf).toBeGreaterThan(2 * before);
  const pane = graph.locator(".madrigal-drawing-pane");
  const scrolled = () =>
    pane.evaluate((element: { readonly scrollLeft: number }) => element.scrollLeft);
  const from = await scrolled();
  const box = await pane.boundingBox();
  const [x, y] = [(box?.x ?? 0) + 400, (box?.y ?? 0) + 200];
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.mouse.move(x - 120, y, { steps: 4 });
  await page.mouse.up();
  expect(await scrolled()).toBe(from + 120);
  // That was no click.
  expect(await graph.locator(".madrigal-node").isVisible()).toBe(false);
  await graph.getByRole("button", { name: "Original size" }).click();
  expect(await widthOf()).toBe(before);
});

test("a drawing that is wider than its cell shows its start, stays where it was moved, and is seen whole when it is zoomed out", async () => {
  const { page } = notebook;
  const wide = await notebook.run('import { Magentic } from "madrigal/library";\nMagentic');
  const pane = wide.locator(".madrigal-drawing-pane");
  await notebook.show(pane);
  const sizes = () =>
    pane.evaluate((element: Sized) => [
      element.scrollWidth,
      element.clientWidth,
      element.scrollLeft,
    ]);
  const centreOf = async (what: Locator) => {
    const { x, width } = (await what.boundingBox()) ?? { x: 0, width: 0 };
    return x + width / 2;
  };
  const fromMiddle = async () =>
    Math.abs((await centreOf(wide.locator("[data-start]"))) - (await centreOf(pane)));
  const [drawn = 0, seen = 0] = await sizes();
  expect(drawn).toBeGreaterThan(seen + 100);
  await expect.poll(fromMiddle).toBeLessThan(20);
  await pane.evaluate((element: Sized) => {
    element.scrollLeft = 60;
  });
  await expect.poll(async () => (await sizes())[2]).toBe(60);
  // Far enough that JupyterLab takes the cell out of the page.
  for (let n = 0; n < 12; n++) await notebook.run("await null;");
  await notebook.show(graph);
  await notebook.show(pane);
  await expect.poll(async () => (await sizes())[2]).toBe(60);
  await pane.hover();
  const out = wide.getByRole("button", { name: "Zoom out" });
  for (let n = 0; n < 8; n++) await out.click();
  const [whole = 0, room = 0] = await sizes();
  expect(whole).toBeLessThanOrEqual(room);
  await notebook.screenshot(join(pictures, "drawing-whole.png"));
  await wide.getByRole("button", { name: "Original size" }).click();
  expect((await sizes())[0]).toBe(drawn);
  await page.mouse.move(0, 0);
});

test("drawings and charts take the colours of the theme, at once", async () => {
  const chart = await notebook.run(
    "%%sql --chart bar\nSELECT 'a' AS name, 1 AS n UNION ALL SELECT 'b', 2",
  );
  const ground = run.locator("svg.madrigal-drawing > rect");
  const colours = async () => ({
    page: await styleOf(notebook.page.locator(".jp-Notebook:visible"), "backgroundColor"),
    drawing: await styleOf(ground, "fill"),
    text: await styleOf(run.locator('[data-node="plan"] text').first(), "fill"),
    chart: await styleOf(
      chart.locator(".vega-embed svg.marks, .vega-embed canvas"),
      "backgroundColor",
    ),
  });
  await chart.locator(".vega-embed canvas, .vega-embed svg.marks").waitFor();
  const light = await colours();
  expect(light.drawing).toBe("rgb(255, 255, 255)");
  await choose("JupyterLab Dark");
  await vi.waitUntil(async () => (await colours()).drawing !== light.drawing);
  const dark = await colours();
  expect(dark.drawing).toBe("rgb(17, 17, 17)");
  expect(dark.text).toBe("rgb(230, 237, 243)");
  await notebook.show(run.locator(".madrigal-question"));
  await notebook.screenshot(join(pictures, "drawing-dark.png"));
  await notebook.show(chart.locator(".vega-embed"));
  await notebook.screenshot(join(pictures, "chart-dark.png"));
  await choose("JupyterLab Light");
  await vi.waitUntil(async () => (await colours()).drawing === light.drawing);
});

test("a chart is drawn as wide as its cell, and not shrunk with its texts", async () => {
  const { page } = notebook;
  const chart = await notebook.run('import { waterfall } from "madrigal";\nwaterfall(run)');
  const canvas = chart.locator(".vega-embed canvas");
  const widths = () =>
    canvas.evaluate((element: { readonly width: number; readonly clientWidth: number }) => [
      element.width / (globalThis as unknown as { devicePixelRatio: number }).devicePixelRatio,
      element.clientWidth,
    ]);
  await canvas.waitFor();
  expect((await widths())[0]).toBe(700);
  await page.setViewportSize({ width: 620, height: 1000 });
  await expect.poll(async () => (await widths())[0]).toBeLessThan(560);
  await expect
    .poll(async () => {
      const [drawn, seen] = await widths();
      return drawn === seen;
    })
    .toBe(true);
  await page.setViewportSize({ width: 1280, height: 1000 });
  await expect.poll(async () => (await widths())[0]).toBe(700);
});

test("a question shows its arguments by name, and its value can be edited where it stands; Ctrl+S saves meanwhile", async () => {
  const { page } = notebook;
  await run.getByRole("row", { name: "to Ann" }).waitFor();
  await run.getByRole("row", { name: /^ready / }).waitFor();
  // Once, and not in the drawing, the question and the box.
  expect(await run.getByText("Start send?", { exact: false }).count()).toBe(1);
  await run
    .locator(".madrigal-drawing-lines")
    .getByText("Start `send`?")
    .waitFor({ state: "detached" });
  await form(run).getByRole("button", { name: "Edit …" }).click();
  const editor = form(run).getByRole("textbox", { name: "the value as JSON" });
  expect(JSON.parse(await editor.inputValue())).toEqual(["Ann", ["Ann", HOSTILE.slice(0, 40)]]);
  await notebook.screenshot(join(pictures, "question-editor.png"));
  await page.keyboard.press("Control+s");
  await notebook.unchanged();
  expect(readFileSync(join(lab.folder, path), "utf8")).toContain("waiting as of");
  await editor.fill('["Bea", []]');
  await form(run).getByRole("button", { name: "Send this value" }).click();
  await run.getByText(/^answered edit \["Bea",\[\]\] by form at \d{4}-/).waitFor();
  const output = await notebook.run("(await run.output).answer");
  expect(await notebook.outputText(output)).toContain("0 sent to Bea");
});

test("a loop of runs draws five, and counts the others in one line", async () => {
  await notebook.run(`graph Tiny(n: int) returns answer {
  state { answer: string }
  run only = short(\`\${n}\`) writes answer
  start -> only -> end
}`);
  const cell = await notebook.run("for (let n = 0; n < 12; n++) await Tiny.invoke({ n });");
  await cell.getByText("7 more runs, not drawn: 7 succeeded").waitFor();
  expect(await drawing(cell).count()).toBe(5);
});

test("the page asked nobody but the server on this machine, and nothing of the texts acted", async () => {
  expect(notebook.asked.filter((host) => host !== "127.0.0.1")).toEqual([]);
  expect(notebook.dialogs).toEqual([]);
  expect(await notebook.page.title()).not.toContain("owned");
});
