/** The page of the server in a browser: the runs, one of them drawn as it goes on, its question, its steps. */
import { type Browser, chromium, type Page } from "playwright-core";
import { afterAll, test as baseTest, beforeAll, expect, vi } from "vitest";
import { CHROMIUM, missing } from "../../support/python-env.ts";
import { served, type TestRole, TOKENS } from "./serving.ts";

vi.setConfig({ testTimeout: 120_000, hookTimeout: 60_000 });

const reason = await missing("chromium");
const inBrowser = baseTest.skipIf(reason !== undefined);

let browser: Browser;

beforeAll(async () => {
  if (reason !== undefined) return;
  browser = await chromium.launch({
    executablePath: CHROMIUM,
    env: { PATH: process.env.PATH ?? "" },
  });
});
afterAll(() => browser?.close());

async function visit(url: string, role: TestRole): Promise<Page> {
  const page = await (await browser.newContext()).newPage();
  page.setDefaultTimeout(60_000);
  await page.goto(`${url}/?token=${encodeURIComponent(TOKENS[role])}`);
  return page;
}

inBrowser("a run is opened, drawn, answered in the page, and looked at step by step", async () => {
  const { url, ask } = await served();
  const { json: run } = await ask("/graphs/Check/runs?wait=30", {
    body: { input: { what: "it" } },
  });
  await ask("/graphs/Shout/runs?wait=30", { body: { input: { text: "la" } } });
  const page = await visit(url, "answer");
  expect(page.url()).toBe(`${url}/`);
  await page.getByRole("link", { name: run.run_id.slice(-8) }).click();
  const line = page.getByRole("textbox", { name: "Is it right?" });
  await line.fill("indeed");
  await line.press("Enter");
  await page.getByRole("heading", { name: /Check .*: succeeded/ }).waitFor();
  await page.getByText('"said": "indeed"').first().waitFor();
  await page.getByRole("img", { name: "Check: succeeded" }).waitFor();
  expect(
    await page
      .locator("#drawing img")
      .evaluate((one) => (one as unknown as { naturalWidth: number }).naturalWidth),
  ).toBeGreaterThan(50);
  expect(await page.locator("#timeline li").allTextContents()).toEqual(
    expect.arrayContaining([
      expect.stringMatching("person#1 asks: Is it right?"),
      expect.stringMatching("person#1 was answered"),
      expect.stringMatching("count#1 is step 2"),
    ]),
  );
  await page.getByRole("slider").fill("1");
  await page.locator("#state-at").getByText('"said": "indeed"').waitFor();
  await page.getByRole("combobox", { name: "Status" }).selectOption("failed");
  await page.getByText("no runs").waitFor();
});

inBrowser(
  "who may only look is told so, and a run that goes on is drawn as it goes on",
  async () => {
    const { url, ask, begun, release } = await served();
    const { json: run } = await ask("/graphs/Hang/runs", { body: { input: {} } });
    await begun;
    const page = await visit(url, "read");
    await page.getByRole("link", { name: run.run_id.slice(-8) }).click();
    await page.getByRole("img", { name: "Hang: running" }).waitFor();
    await page.getByRole("button", { name: "Cancel" }).click();
    await page.getByText("M7778 the role `read` may not do this").waitFor();
    release();
    await page.getByRole("img", { name: "Hang: succeeded" }).waitFor();
    await page.getByText("after#1 is step 2").waitFor();
  },
);

inBrowser("what a run says is text in the page, and no script of it runs", async () => {
  const { url, ask } = await served();
  const evil = '<img src=x onerror="document.title=1">';
  const { json: run } = await ask("/graphs/Check/runs?wait=30", {
    body: { input: { what: evil } },
  });
  const page = await visit(url, "answer");
  await page.getByRole("link", { name: run.run_id.slice(-8) }).click();
  await page.getByRole("textbox", { name: `Is ${evil} right?` }).waitFor();
  expect(await page.title()).toBe("Madrigal: runs");
});
