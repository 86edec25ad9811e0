/** The form in which a person chooses files for a question, in a real browser, which sends them to the kernel. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Browser, chromium } from "playwright-core";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import type { DrivenRun } from "../../../runtime/index.ts";
import { CHROMIUM, missing } from "../../support/python-env.ts";
import { openTestNotebook, useTypes } from "./notebook.ts";
import { showWidget, page as widgetPage } from "./widget-page.ts";

useTypes();

const reason = await missing("chromium");

const UPLOAD = `graph Upload() returns papers {
  state { papers: Artifact[] = [] }
  human ask { ask "Which papers?"; writes papers }
  start -> ask -> end
}`;

/** Opens a page with the form of a question for files, beside a folder with these files. */
async function asked(browser: Browser, files: Readonly<Record<string, string>>) {
  const folder = mkdtempSync(join(tmpdir(), "madrigal-picker-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const paths = Object.entries(files).map(([name, text]) => {
    writeFileSync(join(folder, name), text);
    return join(folder, name);
  });
  const notebook = openTestNotebook(undefined, { person: async () => undefined, isDrawing: true });
  await widgetPage(notebook).open();
  await notebook.run(UPLOAD);
  await notebook.run("const run = Upload.run({});");
  const run = notebook.session.open("last") as DrivenRun;
  const page = await showWidget(browser, notebook);
  return { run, page, paths };
}

describe.skipIf(reason !== undefined)("the form for files", () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await chromium.launch({ executablePath: CHROMIUM, args: ["--no-sandbox"] });
  });
  afterAll(() => browser?.close());

  test("[BR] files of several pieces are chosen and sent", async () => {
    const long = "0123456789".repeat(150_000);
    const { run, page, paths } = await asked(browser, { "long.txt": long, "b.csv": "a,b" });
    await page.getByRole("button", { name: "Answer" }).click();
    await page.getByText("Choose a file first").waitFor();
    await page.getByLabel("files").setInputFiles(paths);
    await page.getByText("long.txt (1.4 MB), b.csv (3 bytes)").waitFor();
    await page.getByRole("button", { name: "Answer" }).click();
    await page.getByText("answered").waitFor();
    const { papers } = (await run.output) as { papers: readonly { readonly id: string }[] };
    expect(papers).toMatchObject([{ name: "long.txt" }, { name: "b.csv", mime: "text/csv" }]);
    expect(Buffer.from(run.artifact(papers[0]?.id ?? "")).toString()).toBe(long);
    await page.close();
  });

  test("[BR] an empty file and more than 25 MB are told with their code, and the form stays", async () => {
    const { run, page, paths } = await asked(browser, {
      "empty.txt": "",
      "huge.txt": "x".repeat(25 * 1024 * 1024 + 1),
    });
    const [empty = "", huge = ""] = paths;
    for (const [path, words] of [
      [empty, "`empty.txt` is empty"],
      [huge, "M5317: 25.0 MB are too much"],
    ] as const) {
      await page.getByLabel("files").setInputFiles([path]);
      await page.getByRole("button", { name: "Answer" }).click();
      await page.getByText(words).waitFor();
    }
    expect(run.interrupts).toHaveLength(1);
    await page.close();
  });
});
