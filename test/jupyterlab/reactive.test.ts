/** Cells that run again, in a page: by the button, by themselves, and after the page was reloaded. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, test as baseTest, beforeAll, expect, vi } from "vitest";
import { type Lab, type Notebook, startLab } from "../support/jupyter-lab.ts";
import { missing } from "../support/python-env.ts";

vi.setConfig({ testTimeout: 180_000, hookTimeout: 180_000 });

const reason = (await missing("python-env")) ?? (await missing("chromium"));
const test = baseTest.skipIf(reason !== undefined);

let lab: Lab;
let notebook: Notebook;

beforeAll(async () => {
  if (reason !== undefined) return;
  lab = await startLab();
  notebook = await lab.openEmpty("reactive.ipynb");
});
afterAll(() => lab?.close());

const edit = (rate: number) =>
  writeFileSync(
    join(lab.folder, "prices.ts"),
    `export const price = (x: number) => x * ${rate};\n`,
  );

test("the button runs stale cells, a moved slider what uses it, also after a reload; variables and graphs have their places", async () => {
  edit(2);
  const imported = await notebook.run('import { price } from "./prices.ts";');
  const shown = await notebook.run("`it costs ${price(10)}`");
  edit(30);
  await imported.locator(".cm-content").click();
  await notebook.again(imported);
  await shown.getByText("stale: `price` comes from `prices.ts`, which has changed").waitFor();
  const button = notebook.page.getByRole("button", { name: "Run stale" });
  await button.click();
  await shown.getByText("it costs 300").waitFor();
  // The footer below a cell has its time.
  await imported.locator(".madrigal-spent", { hasText: / m?s$/ }).waitFor();
  await shown.getByText("stale").waitFor({ state: "detached" });

  await notebook.run("%config reactive on");
  const input = await notebook.run(
    'import { slider } from "madrigal";\nconst k = slider({ min: 0, max: 9, value: 3 });\nk',
  );
  const times = await notebook.run("`ten times ${k.value * 10}`");
  await input.getByRole("slider").press("ArrowRight");
  await times.getByText("ten times 40").waitFor();

  await notebook.page.locator('.jp-SideBar [data-id="madrigal-variables"]').click();
  const panel = notebook.page.locator("#madrigal-variables");
  await panel.getByRole("row", { name: "price function function" }).waitFor();
  await notebook.run("const fresh = 12;");
  await panel.getByRole("row", { name: "fresh number 12" }).waitFor();

  // Enter behind a brace of a graph indents by two.
  const graph = await notebook.type("graph Small(text: string) returns loud {");
  await notebook.page.keyboard.press("Enter");
  await notebook.page.keyboard.insertText("state { loud: string }");
  const lines = await graph.locator(".cm-line").allTextContents();
  expect(lines[1]).toBe("  state { loud: string }");

  await notebook.save();
  await notebook.reload();
  const [inputAgain, timesAgain] = [notebook.cell(4), notebook.cell(5)];
  await inputAgain.getByRole("slider").press("ArrowRight");
  await timesAgain.getByText("ten times 50").waitFor();
  await timesAgain.getByText("ten times 40").waitFor({ state: "detached" });
});
