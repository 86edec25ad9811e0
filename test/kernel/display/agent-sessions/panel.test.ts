/** The panel in which a person follows strong agents, tells them something and stops the run, in a real browser. */
import { type Browser, chromium, type Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { viewModule } from "../../../../kernel/widgets/view-module.ts";
import { CHROMIUM, missing } from "../../../support/python-env.ts";

const reason = await missing("chromium");

/** A model of anywidget without a kernel: what the view sends is kept in the page. */
const MODEL = `
  const listeners = [];
  window.sent = [];
  window.state = { place: "here", html: "", nodes: [], runState: "", fault: "", status: "" };
  const model = {
    get: (name) => window.state[name],
    on: (name, listener) => name === "change" && listeners.push(listener),
    off: () => {},
    send: (content) => window.sent.push(content),
  };
  window.update = (changes) => {
    Object.assign(window.state, changes);
    for (const listener of listeners) listener();
  };
  window.end = view.initialize({ model });
`;

const CALL = (result: string) =>
  `<div class="madrigal-session"><details data-key="0-1"><summary>Bash ls</summary>${result}</details></div>`;

describe.skipIf(reason !== undefined)("the panel of strong agents", () => {
  let browser: Browser;
  let page: Page;
  beforeAll(async () => {
    browser = await chromium.launch({ executablePath: CHROMIUM, args: ["--no-sandbox"] });
    page = await browser.newPage();
    page.setDefaultTimeout(10_000);
    await page.setContent(`<div class="here"><div class="madrigal-words">words</div></div>`);
    const code = viewModule("agent-sessions.js").replace("export default", "const view =");
    await page.addScriptTag({ content: `{${code}\n${MODEL}}` });
  });
  afterAll(() => browser?.close());

  const update = (changes: Readonly<Record<string, unknown>>) =>
    page.evaluate(`update(${JSON.stringify(changes)})`);
  const sent = () => page.evaluate("sent.splice(0)");

  test("[BR] keeps open what a person unfolded while more is shown", async () => {
    await update({ html: CALL("running"), nodes: ["code"], runState: "working" });
    expect(await page.locator(".madrigal-words").isVisible()).toBe(false);
    await page.locator("summary").click();
    await update({ html: CALL("a.ts") });
    expect(await page.locator("details").getAttribute("open")).toBe("");
    expect(await page.locator("details").getByText("a.ts").isVisible()).toBe(true);
  });

  test("[BR] tells a node something, stops the run, and lets it go on", async () => {
    await page.locator("input").fill("look at b.ts");
    await page.keyboard.press("Enter");
    expect(await sent()).toEqual([{ steer: "look at b.ts", to: "code" }]);
    // One agent alone needs no choice.
    expect(await page.locator("select").isVisible()).toBe(false);
    await update({ nodes: ["code", "check"] });
    await page.locator("select").selectOption("check");
    await page.locator("input").fill("go on");
    await page.getByRole("button", { name: "Tell" }).click();
    await page.getByRole("button", { name: "Stop" }).click();
    expect(await sent()).toEqual([{ steer: "go on", to: "check" }, { stop: true }]);
    await update({ runState: "paused", nodes: [] });
    expect(await page.getByRole("button", { name: "Stop" }).isVisible()).toBe(false);
    await page.getByRole("button", { name: "Go on" }).click();
    expect(await sent()).toEqual([{ go: true }]);
    await update({ runState: "over", fault: "<b>no</b>" });
    expect(await page.getByRole("alert").textContent()).toBe("<b>no</b>");
    expect(await page.getByRole("button").count()).toBe(0);
  });
});
