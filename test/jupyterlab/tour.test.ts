/** The tour in a real JupyterLab: every cell runs, and what the README's first picture shows is there. */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { afterAll, test as baseTest, beforeAll, expect, vi } from "vitest";
import { projectRoot } from "../support/child.ts";
import { type Lab, startLab } from "../support/jupyter-lab.ts";
import { missing } from "../support/python-env.ts";

const pictures = join(projectRoot, "node_modules/.cache/madrigal/pictures");
/** As in notebook.test.ts: a test run changes no file of the project. */
const shown =
  process.env.MADRIGAL_PICTURES === undefined ? pictures : join(projectRoot, "notebooks/pictures");

vi.setConfig({ testTimeout: 180_000, hookTimeout: 120_000 });

const reason = (await missing("python-env")) ?? (await missing("chromium"));
const test = baseTest.skipIf(reason !== undefined);

let lab: Lab;

beforeAll(async () => {
  if (reason !== undefined) return;
  mkdirSync(pictures, { recursive: true });
  lab = await startLab();
});
afterAll(() => lab?.close());

test("the tour runs, and shows a graph, its run and the rows of its trace", async () => {
  const notebook = await lab.open("notebooks/tour.ipynb");
  const { page } = notebook;
  await notebook.menu("Edit", "Clear Outputs of All Cells");
  // The cell behind this heading gives a function of the graph another text.
  await page.getByRole("heading", { name: "What is stale" }).click();
  await notebook.menu("Run", "Run All Above Selected Cell");
  await notebook.finished();
  await page.keyboard.press("Control+b");
  await page.locator("#jp-left-stack").waitFor({ state: "hidden" });
  const title = page.getByRole("heading", { name: "A graph" });
  await title.evaluate((element: { scrollIntoView(): void }) => element.scrollIntoView());
  await notebook.show(title);
  await page.getByText("'HELLO, ADA!'").first().waitFor();
  await notebook.screenshot(join(shown, "tour.png"));
  await notebook.runAll();
  expect(await page.locator(".jp-OutputArea-output[data-mime-type*=error]").count()).toBe(0);
});
