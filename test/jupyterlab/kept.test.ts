/** What a notebook keeps of runs, and what a page shows of it that was reloaded or opened later. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Locator } from "playwright-core";
import { afterAll, afterEach, test as baseTest, beforeAll, expect, vi } from "vitest";
import { madrigal } from "../support/child.ts";
import { type Lab, type Notebook, startLab } from "../support/jupyter-lab.ts";
import { missing } from "../support/python-env.ts";

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

const reason = (await missing("python-env")) ?? (await missing("chromium"));
const test = baseTest.skipIf(reason !== undefined);

let lab: Lab;
let notebook: Notebook;
let count = 0;
let path = "";

beforeAll(async () => {
  if (reason === undefined) lab = await startLab();
});
afterAll(() => lab?.close());
afterEach(() => notebook?.page.close());

/** A new notebook with a graph that asks before it sends. */
async function mailing(): Promise<Notebook> {
  count += 1;
  path = `kept-${count}.ipynb`;
  notebook = await lab.openEmpty(path);
  await notebook.run("const sent = (to: string) => `sent to ${to}`;");
  await notebook.run(`graph Mail(to: string) returns answer {
  state { answer: string }
  run send = sent(to) writes answer { approve before }
  start -> send -> end
}`);
  return notebook;
}

async function reopened(): Promise<Notebook> {
  await notebook.save();
  await notebook.shutDown();
  notebook = await lab.open(path);
  return notebook;
}

const file = () => readFileSync(join(lab.folder, path), "utf8");
const drawing = (cell: Locator, status: string) =>
  cell.locator(`.madrigal-drawing [data-status="${status}"]`);
const form = (cell: Locator) => cell.locator(".madrigal-question form:visible");
const run = 'const run = Mail.run({ to: "Ann" });';

test("an answered question and a timeline are read in a notebook that was opened later", async () => {
  await mailing();
  const cell = await notebook.run(run);
  await form(cell).getByRole("button", { name: "Approve" }).click();
  await cell.getByText(/^answered approve by form at \d{4}-/).waitFor();
  const timeline = await notebook.run("run.timeline()");
  await timeline.getByRole("slider").waitFor();
  await reopened();
  const [asked, walked] = [notebook.cell(3), notebook.cell(4)];
  await asked.getByText(/^answered approve by form at \d{4}-/).waitFor();
  await asked.getByRole("row", { name: "to Ann" }).waitFor();
  await walked.getByRole("cell", { name: "step 1: send#1" }).waitFor();
  await notebook.run("1");
  expect(await notebook.page.getByText("Error displaying widget").count()).toBe(0);
  expect(await notebook.page.locator(".madrigal-question, .madrigal-timeline").count()).toBe(0);
});

test("a question that was open when it was saved says so, and how to answer it", async () => {
  await mailing();
  await form(await notebook.run(run)).waitFor();
  await reopened();
  const cell = notebook.cell(3);
  await cell.getByText(/^not answered when this was shown: await run\.answer/).waitFor();
  await cell.getByText(/^run \S+ of Mail, asked at \d{4}-/).waitFor();
  await notebook.run("1");
  expect(await notebook.page.getByText("Error displaying widget").count()).toBe(0);
  expect(file()).toMatch(/waiting as of \d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC/);
});

test("after a reload the form is there, and drawing and question follow the run, also in the file", async () => {
  await mailing();
  await form(await notebook.run(run)).waitFor();
  await notebook.save();
  await notebook.reload();
  const cell = notebook.cell(3);
  await drawing(cell, "waiting").waitFor();
  await form(cell).getByRole("button", { name: "Approve" }).click();
  await drawing(cell, "succeeded").waitFor();
  await cell.getByText(/^answered approve by form at \d{4}-/).waitFor();
  await notebook.save();
  expect(file()).toContain("· succeeded ·");
  expect(file()).not.toContain("waiting as of");
});

test("what happened while no page was open is there when it is opened again", async () => {
  await mailing();
  await notebook.run(run);
  await form(notebook.cell(3)).waitFor();
  await notebook.save();
  await notebook.page.close();
  const { code } = await madrigal(["answer", "last", "send", "approve"], { home: lab.folder });
  expect(code).toBe(0);
  notebook = await lab.open(path);
  await drawing(notebook.cell(3), "succeeded").waitFor();
  await notebook
    .cell(3)
    .getByText(/^answered approve by terminal/)
    .waitFor();
});

test("a run that is shown again asks there, too", async () => {
  await mailing();
  await notebook.run(run);
  await notebook.page.close();
  // Nothing was saved: the page knows of no cell.
  notebook = await lab.open(path);
  const cell = await notebook.run("run");
  await form(cell).getByRole("button", { name: "Approve" }).click();
  await drawing(cell, "succeeded").waitFor();
});

test("the drawing of a run that was stopped follows it when another cell resumes it", async () => {
  await mailing();
  const cell = await notebook.start('const run = Mail.run({ to: "Ann" });\nawait run.output');
  await form(cell).waitFor();
  await notebook.interrupt();
  await notebook.finished();
  await cell.getByText("M7501").first().waitFor();
  const other = await notebook.start("await run.resume();\nawait run.output");
  await form(other).getByRole("button", { name: "Approve" }).click();
  await notebook.finished();
  await drawing(other, "succeeded").waitFor();
  await drawing(cell, "succeeded").waitFor();
});

test("a chart that is only looked at does not change its notebook", async () => {
  await mailing();
  await notebook.run("%%sql --chart bar\nSELECT 'a' AS name, 1 AS n UNION ALL SELECT 'b', 2");
  await notebook.cell(3).locator(".vega-embed canvas, .vega-embed svg.marks").waitFor();
  await notebook.save();
  expect(file()).not.toContain("image/png");
  await notebook.page.close();
  notebook = await lab.open(path);
  await notebook.cell(3).locator(".vega-embed canvas, .vega-embed svg.marks").waitFor();
  await notebook.show(notebook.cell(3).locator(".vega-embed"));
  expect(await notebook.isChanged()).toBe(false);
});
