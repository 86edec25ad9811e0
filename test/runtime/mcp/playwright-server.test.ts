/** Playwright's MCP server gives a graph a real browser: it orders in a shop on loopback, once somebody has approved the click. */
import { readdirSync, readFileSync } from "node:fs";
import { expect, onTestFinished, test, vi } from "vitest";
import { openShop } from "../../../notebooks/shop/shop.ts";
import { npmScript } from "../../support/npm/npm-programs.ts";
import { CHROMIUM, missing } from "../../support/python-env.ts";
import { failureOf, newSession, runWith } from "../scoped-run.ts";
import { calling, testFolder } from "./servers.ts";

const reason = (await missing("playwright-mcp")) ?? (await missing("chromium"));

/** The processes that were started for a folder: it stands in their command lines, since the browser's profile lies there. */
function processesFor(folder: string): readonly string[] {
  return readdirSync("/proc").filter((name) => {
    try {
      return /^\d+$/.test(name) && readFileSync(`/proc/${name}/cmdline`, "utf8").includes(folder);
    } catch {
      // It has ended meanwhile.
      return false;
    }
  });
}

/** The folder of a run, its shop, and the start of a program whose server drives the installed Chromium. */
async function scene() {
  const folder = testFolder();
  const shop = await openShop();
  onTestFinished(() => shop.close());
  const words = [process.execPath, npmScript("playwright-mcp"), "--headless", "--isolated"];
  const chromium = ["--no-sandbox", "--executable-path", CHROMIUM, "--output-dir", folder];
  const command = [...words, ...chromium].map((word) => `"${word}"`).join(" ");
  const { PATH = "" } = process.env;
  const env = { PATH, HOME: folder, TMPDIR: folder, LANG: "C.UTF-8", MADRIGAL_HOME: folder };
  const server = `mcp web = stdio(${JSON.stringify(command)}) { startWithin: 10m, callWithin: 10m }`;
  return { folder, shop, server, session: newSession({ env, cwd: folder }) };
}

test.skipIf(reason !== undefined)(
  "M43 an agent orders by Playwright's server, and a person approves the click; the browser ends with the run",
  async () => {
    const { folder, shop, server, session } = await scene();
    const text = `model m = "scripted"
${server}
graph Order(page: string) returns a, seen { state { a: string  seen: string }
  agent work { model m; tools web; approve tool web.browser_click; prompt \`Order at \${page}.\`; writes a }
  tool look = web.browser_snapshot() writes seen
  start -> work -> look -> end }`;
    const models = calling(
      "work",
      ["web.browser_navigate", { url: `${shop.url}item/strings` }],
      ["web.browser_type", { target: "role=textbox", text: "Ada" }],
      ["web.browser_select_option", { target: "role=combobox", values: ["Courier"] }],
      ["web.browser_click", { target: 'role=button[name="Order"]' }],
    );
    const { run } = runWith(text, {}, { session, models, input: { page: shop.url } });
    await run.settled();
    const [question] = run.interrupts;
    expect([question?.tool, question?.shown, shop.orders]).toEqual([
      "web.browser_click",
      { target: 'role=button[name="Order"]' },
      [],
    ]);
    expect(processesFor(folder)).not.toEqual([]);
    await run.answer(question?.id ?? "", { kind: "approve" });
    const { a, seen } = await run.output;
    expect([a, shop.orders]).toEqual([
      "done",
      [{ item: "strings", name: "Ada", delivery: "Courier" }],
    ]);
    expect(seen).toContain(`Page URL: ${shop.url}thanks?number=1`);
    await vi.waitUntil(() => processesFor(folder).length === 0, { timeout: 60_000, interval: 50 });
  },
);

test.skipIf(reason !== undefined)(
  "M44 a picture of the page is a picture of the run, and an error of the server fails a node",
  async () => {
    const { shop, server, session } = await scene();
    const text = `${server}
graph Look(page: string) returns shot { state { went: string  shot: Json  clicked: string }
  tool go = web.browser_navigate({ url: page }) writes went
  tool shoot = web.browser_take_screenshot({ scale: "css" }) writes shot
  tool click = web.browser_click({ target: "role=button[name='No such']" }) writes clicked
  start -> go -> shoot -> click -> end }`;
    const { run, records } = runWith(text, {}, { session, input: { page: shop.url } });
    expect(await failureOf({ run })).toMatchObject({
      code: "M8202",
      message: expect.stringContaining("No such"),
    });
    const outcomes = records().flatMap((one) => (one.kind === "outcome" ? [one] : []));
    expect(
      outcomes.find(({ name }) => name === "web.browser_take_screenshot")?.value,
    ).toMatchObject({
      content: expect.arrayContaining([
        expect.objectContaining({ type: "image", mimeType: "image/png" }),
      ]),
    });
  },
);
