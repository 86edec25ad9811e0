/** Values in a real JupyterLab: tables whose rows the kernel has, objects that unfold, inputs. */
import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, test as baseTest, beforeAll, expect, vi } from "vitest";
import { projectRoot } from "../support/child.ts";
import { type Lab, type Notebook, startLab } from "../support/jupyter-lab.ts";
import { missing } from "../support/python-env.ts";

const pictures = join(projectRoot, "node_modules/.cache/madrigal/pictures");

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

const reason = (await missing("python-env")) ?? (await missing("chromium"));
const test = baseTest.skipIf(reason !== undefined);

let lab: Lab;
let notebook: Notebook;

beforeAll(async () => {
  if (reason !== undefined) return;
  mkdirSync(pictures, { recursive: true });
  lab = await startLab();
  notebook = await lab.openEmpty("values.ipynb");
});
afterAll(() => lab?.close());
afterEach(async ({ task }) => {
  if (task.result?.state === "fail")
    await notebook?.screenshot(join(pictures, "values-failed.png"));
});

test("a table of a hundred thousand rows is scrolled, sorted, filtered, searched, summed up and saved", async () => {
  const { page } = notebook;
  const cell = await notebook.run(`const people = Array.from({ length: 100_000 }, (_, n) => ({
  n, name: "person " + (n % 1000), score: n % 5 === 0 ? null : n / 3, "<b>html</b>": "<img src=x onerror=alert(1)>", tags: [n, "x"],
}));
people`);
  const viewer = cell.locator(".madrigal-table-viewer");
  const status = viewer.getByRole("status");
  await status.getByText(/of 100,000$/).waitFor();
  await viewer
    .locator('[data-summary="score"]')
    .getByText("80,000 · 80,000 distinct · 20,000 NULL")
    .waitFor();
  const first = viewer.locator("tr[data-row] td").first();
  await notebook.show(viewer);
  await notebook.screenshot(join(pictures, "table-viewer.png"));
  await viewer.getByRole("button", { name: "last rows" }).click();
  await viewer.getByText("99999", { exact: true }).waitFor();
  await viewer.getByRole("button", { name: "first rows" }).click();
  await viewer.getByRole("button", { name: "sorts by n", exact: true }).click();
  await viewer.getByRole("button", { name: "sorts by n", exact: true }).click();
  await expect.poll(() => first.textContent()).toBe("99999");
  await viewer.getByLabel("filter n", { exact: true }).fill("10..19");
  await status.getByText(/of 10$/).waitFor();
  await viewer.getByLabel("search all columns").fill("person 13");
  await status.getByText(/of 1$/).waitFor();
  await viewer.locator("td[data-column='4']").click();
  await viewer.locator("pre").getByText('"x"').waitFor();
  const saved = page.waitForEvent("download");
  await viewer.getByRole("button", { name: "saves the rows as a file" }).click();
  expect(readFileSync(String(await (await saved).path()), "utf8")).toContain("13,person 13,");
  expect(await viewer.locator("img").count()).toBe(0);
  await viewer.getByLabel("search all columns").fill("");
  await viewer.getByLabel("filter n", { exact: true }).fill("");
  await status.getByText(/of 100,000$/).waitFor();
  // Each page is asked for and drawn well within a moment.
  await viewer.getByRole("region", { name: "rows" }).focus();
  await page.keyboard.press("End");
  await expect.poll(() => viewer.locator("tr[data-row='0']").count()).toBe(1);
});

test("SQL reads an array of a cell, and objects and long texts unfold", async () => {
  const sql = await notebook.run(
    "%%sql\nSELECT name, count(*) AS n FROM people GROUP BY name ORDER BY name",
  );
  await sql
    .locator(".madrigal-table-viewer")
    .getByRole("status")
    .getByText(/of 1,000$/)
    .waitFor();
  const tree = await notebook.run(
    '({ who: { name: "Ada", tags: ["a", "b"] }, html: "<img src=x>", text: "line\\n".repeat(100), list: people.slice(0, 3) })',
  );
  const who = tree.locator("summary", { hasText: /^who/ });
  expect(await tree.getByText("name: 'Ada'").isVisible()).toBe(false);
  await who.click();
  await tree.getByText("name: 'Ada'").waitFor();
  expect(await tree.locator("img").count()).toBe(0);
  await notebook.show(tree.locator("summary").first());
  await notebook.screenshot(join(pictures, "tree.png"));
});

test("inputs are changed by mouse and keyboard, and their values are there at once", async () => {
  const cell =
    await notebook.run(`import { checkbox, date, display, dropdown, form, number, pickRows, slider, text } from "madrigal";
const k = slider({ min: 0, max: 10, value: 3 });
const seen: number[] = [];
k.value$.subscribe((value) => seen.push(value));
const colour = dropdown(["red", "blue"]);
const who = pickRows(people.slice(0, 20), { several: true });
const search = form({ word: text({ value: "a" }), n: number({ value: 2 }), day: date(), exact: checkbox() }, { submit: "Find" });
for (const one of [k, colour, who, search]) await display(one);`);
  const range = cell.getByRole("slider", { name: "k" });
  // In the middle.
  await range.click();
  await range.press("ArrowRight");
  await cell.getByRole("combobox", { name: "colour" }).selectOption("blue");
  await cell.getByRole("checkbox", { name: "row 2", exact: true }).check();
  await cell.getByRole("checkbox", { name: "row 3", exact: true }).check();
  await cell.getByRole("textbox", { name: "word" }).fill("b<i>");
  await cell.getByRole("checkbox", { name: "exact" }).check();
  await cell.getByLabel("day", { exact: true }).fill("2026-02-03");
  await notebook.show(range);
  await notebook.screenshot(join(pictures, "inputs.png"));
  await cell.getByRole("button", { name: "Find" }).click();
  const values = await notebook.run(
    "JSON.stringify([k.value, seen, colour.value, who.value.map(({ n }) => n), search.value])",
  );
  expect(await notebook.outputText(values)).toContain(
    '[6,[3,5,6],"blue",[1,2],{"word":"b<i>","n":2,"day":"2026-02-03","exact":true}]',
  );
  await notebook.run("k.value = 7;");
  await expect.poll(() => range.inputValue()).toBe("7");
});

test("on the dark theme they can be read, and a saved notebook shows them without a kernel", async () => {
  const { page } = notebook;
  await page.locator(".lm-MenuBar-item", { hasText: /^Settings$/ }).click();
  await page.locator(".lm-Menu-itemLabel", { hasText: /^Theme$/ }).click();
  await page.locator(".lm-Menu-itemLabel", { hasText: /^JupyterLab Dark$/ }).click();
  await page.locator('body[data-jp-theme-light="false"]').waitFor({ state: "attached" });
  await notebook.show(notebook.cell(1).locator(".madrigal-table-viewer"));
  await notebook.screenshot(join(pictures, "table-viewer-dark.png"));
  const inputs = notebook.cell(4);
  await notebook.show(inputs.getByRole("slider"));
  await notebook.screenshot(join(pictures, "inputs-dark.png"));
  await notebook.save();
  await notebook.shutDown();
  notebook = await lab.open("values.ipynb");
  await notebook.cell(1).getByText("rows 1–100 of 100,000").waitFor();
  await notebook.cell(3).locator("summary", { hasText: /^who/ }).click();
  await notebook.cell(3).getByText("name: 'Ada'").waitFor();
  await notebook.cell(4).getByText("k: 7", { exact: true }).waitFor();
  await notebook
    .cell(4)
    .getByText(/^who: 2 rows, 1, 2$/)
    .waitFor();
  await notebook.cell(4).getByText("word b<i>, n 2, day 2026-02-03, exact true").waitFor();
  expect(notebook.asked.filter((host) => host !== "127.0.0.1")).toEqual([]);
  expect(notebook.dialogs).toEqual([]);
});
