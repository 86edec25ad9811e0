/** An app in a browser: inputs, questions by buttons, two visitors, what the owner sees, and places that are given back. */
import { join } from "node:path";
import { type Browser, chromium, type Page } from "playwright-core";
import { afterAll, test as baseTest, beforeAll, describe, expect, test, vi } from "vitest";
import { madrigal, startMadrigal, temporaryFolder } from "../../support/child.ts";
import { CHROMIUM, missing } from "../../support/python-env.ts";
import { OWNER, servedApp, TOKEN, toldUntil } from "./serving.ts";

vi.setConfig({ testTimeout: 120_000, hookTimeout: 60_000 });

const reason = await missing("chromium");
const inBrowser = baseTest.skipIf(reason !== undefined);

const CELLS = [
  'import { input, slider } from "madrigal";\nconst k = slider({ min: 0, max: 9, value: 3 });\nk',
  "`ten times ${k.value * 10}`",
  "graph Ask(text: string) returns answer {\n  state { answer: boolean }\n  human decide { ask `Publish ${text}?`; writes answer }\n  start -> decide -> end\n}",
  'const { answer } = await Ask.run({ text: "this" }).output;\nanswer ? "it is published" : "it is kept"',
  'const who = input("Who are you?");\n`hello ${who}`',
];

let browser: Browser;

beforeAll(async () => {
  if (reason !== undefined) return;
  browser = await chromium.launch({
    executablePath: CHROMIUM,
    env: { PATH: process.env.PATH ?? "" },
  });
});
afterAll(() => browser?.close());

/** A person with a browser of their own. */
async function visit(address: string): Promise<Page> {
  const page = await (await browser.newContext()).newPage();
  page.setDefaultTimeout(60_000);
  await page.goto(address);
  return page;
}

inBrowser(
  "inputs and questions act in a visitor's page, two visitors see nothing of one another, and the owner debugs their runs",
  async () => {
    const { url } = await servedApp(CELLS);
    const address = `${url}/?token=${encodeURIComponent(TOKEN)}`;
    const one = await visit(address);
    expect(one.url()).toBe(`${url}/`);
    await one.getByRole("button", { name: "Yes" }).click();
    await one.getByText("it is published").waitFor();
    const box = one.getByRole("textbox", { name: "Who are you?" });
    await box.fill("Ada");
    await box.press("Enter");
    await one.getByText("hello Ada").waitFor();
    await one.getByRole("slider").press("ArrowRight");
    await one.getByText("ten times 40").waitFor();
    expect(await one.getByText("const k").count()).toBe(0);

    const other = await visit(address);
    await other.getByText("ten times 30").waitFor();
    await other.getByRole("button", { name: "No", exact: true }).click();
    await other.getByText("it is kept").waitFor();
    await one.getByText("it is published").waitFor();
    await one.reload();
    await one.getByText("ten times 40").waitFor();
    await one.getByRole("slider").press("ArrowRight");
    await one.getByText("ten times 50").waitFor();

    const owner = await visit(`${url}/owner?token=${encodeURIComponent(OWNER)}`);
    await owner.getByText("2 of 4 places are taken").waitFor();
    await owner.getByRole("row", { name: /^1 / }).getByRole("link", { name: /^Ask / }).click();
    await owner.getByRole("slider", { name: "place in the run" }).waitFor();
    await owner.getByRole("textbox", { name: "Debugger" }).fill("state");
    await owner.getByRole("button", { name: "Send" }).click();
    await owner.getByRole("log").getByText("true").waitFor();
    await owner.getByRole("button", { name: "Back", exact: true }).click();
    await owner.getByText("0 of 0").waitFor();

    await one.getByRole("button", { name: "Start again" }).click();
    await one.getByText("ten times 30").waitFor();
  },
);

const ASKING_CELLS = [
  'import { input, slider } from "madrigal";\nconst k = slider({ min: 0, max: 9, value: 3 });\nk',
  "const who = input(`Who wants ${k.value}?`);\n`${who} has ${k.value}`",
];

inBrowser(
  "a cell that asks asks again when an input runs it again, also one that moves while it asks",
  async () => {
    const { url } = await servedApp(ASKING_CELLS);
    const page = await visit(`${url}/?token=${encodeURIComponent(TOKEN)}`);
    const answer = async (question: string, name: string) => {
      const box = page.getByRole("textbox", { name: question });
      await box.fill(name);
      await box.press("Enter");
    };
    await page.getByRole("textbox", { name: "Who wants 3?" }).waitFor();
    await page.getByRole("slider").press("ArrowRight");
    await answer("Who wants 3?", "Ada");
    await answer("Who wants 4?", "Bea");
    await page.getByText("Bea has 4").waitFor();
    await page.getByRole("slider").press("ArrowRight");
    await answer("Who wants 5?", "Cem");
    await page.getByText("Cem has 5").waitFor();
  },
);

inBrowser(
  "a question that somebody answers elsewhere says so in the page, with who did",
  async () => {
    const { url, homes } = await servedApp(CELLS.slice(2, 4));
    const page = await visit(`${url}/?token=${encodeURIComponent(TOKEN)}`);
    await page.getByRole("button", { name: "Yes" }).waitFor();
    const home = join(homes, "visitor-1");
    const { code, stderr } = await madrigal(["answer", "last", "decide", "true"], { home });
    expect(code, stderr).toBe(0);
    await page.getByText("it is published").waitFor();
    await page.getByText(/^answered true by terminal \(cli-\d+\) at \d{4}-/).waitFor();
    expect(await page.getByRole("button", { name: "Yes" }).count()).toBe(0);
    expect(await page.getByText("elsewhere").count()).toBe(0);
  },
);

describe("places", () => {
  test("a visitor without a page loses the place, and the next one gets it", async () => {
    const { url, enter } = await servedApp(["1 + 1"], { max: 1, leaveMs: 1 });
    const first = await enter();
    await vi.waitUntil(
      async () => (await fetch(url, { headers: { cookie: first } })).status === 401,
      60_000,
    );
    const next = await enter();
    expect(next).not.toBe(first);
    expect(next).toMatch(/^madrigal-visitor/);
  });

  test("the runs of a visitor are in a folder of the visitor's own", async () => {
    const { url, enter } = await servedApp(["process.env.MADRIGAL_HOME"]);
    const homes = [await enter(), await enter()].map(
      async (cookie) =>
        /homes\/visitor-\d/.exec(
          await toldUntil(`${url}/events`, cookie, (text) => text.includes("visitor-")),
        )?.[0],
    );
    expect(await Promise.all(homes)).toEqual(["homes/visitor-1", "homes/visitor-2"]);
  });
});

test("the command tells both addresses, and ends by a signal", async () => {
  const home = temporaryFolder();
  const app = startMadrigal(["app", "notebooks/read-and-analyse.ipynb", "--port", "0"], {
    ...{ home, cwd: process.cwd() },
  });
  await app.said(/owner: http:\/\/127\.0\.0\.1:\d+\/owner\?token=/);
  app.signal("SIGTERM");
  const { code, stdout, stderr } = await app.ended;
  expect([code, stdout]).toEqual([0, expect.stringMatching(/^visitors: http:\S+\/\?token=\S+\n/)]);
  expect(stderr).toContain("the runs of visitors are kept in");
});
