/** Agents use a real browser in the shop of the notebooks: approvals, downloads, frames, tabs, pictures, replays. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openShop, type Shop } from "../../../../notebooks/shop/shop.ts";
import { createBrowserTools } from "../../../../runtime/index.ts";
import { missing } from "../../../support/python-env.ts";
import {
  browserProcesses,
  browsersEnd,
  call,
  ownBrowser,
  refOf,
  startAgent,
  TWO_TURNS,
  toldBy,
} from "./driven-browser.ts";

const reason = await missing("chromium");

let shop: Shop;
beforeAll(async () => {
  shop = await openShop();
});
afterAll(() => shop.close());

const options = () => ({ privateHosts: [shop.host] });
const visit = (path: string) => call("visit", { url: `${shop.url}${path}` });

/** The refs of a page of the shop: the same page has the same ones. */
async function refsOn(path: string) {
  const { browser, use } = ownBrowser(options());
  const shown = await use("visit", { url: `${shop.url}${path}` });
  await browser.end();
  return (text: string) => refOf(text, shown);
}

describe.skipIf(reason !== undefined)("in the shop", () => {
  test("M25 M31 [BR] an agent orders once, and a person approves the click by the element's name", async () => {
    const at = await refsOn("item/strings");
    const before = shop.orders.length;
    const { run } = startAgent({
      options: options(),
      clauses: "approve tool browser.click",
      guard: { urls: { allow: [shop.host] } },
      says: [
        visit("item/strings"),
        call("type", { ref: at("textbox"), text: "Ada" }),
        call("select", { ref: at("combobox"), values: ["Courier"] }),
        call("click", { ref: at('button "Order"') }),
        "done",
      ],
    });
    await run.settled();
    const [question] = run.interrupts;
    expect(question?.question).toBe(
      `May \`work\` call \`browser.click\`?\nThat is button "Order" on ${shop.url}item/strings.`,
    );
    expect(shop.orders).toHaveLength(before);
    await run.answer(question?.id ?? "", { kind: "approve" });
    expect(await run.output).toEqual({ answer: "done" });
    expect(shop.orders.slice(before)).toEqual([
      { item: "strings", name: "Ada", delivery: "Courier" },
    ]);
    const told = await toldBy(run);
    expect(told.at(-1)).toContain('You clicked button "Order".');
    expect(told.at(-1)).toContain('heading "Thank you"');
    await browsersEnd();
    expect(run.replay()).toMatchObject({ ok: true, status: "succeeded", state: run.state });
    expect(browserProcesses()).toEqual([]);
    expect(shop.orders).toHaveLength(before + 1);
  });

  test("M33 [BR] what a page gives to download is an artifact of the run", async () => {
    const before = shop.orders.length;
    await fetch(`${shop.url}order`, {
      method: "POST",
      body: new URLSearchParams({ item: "lute" }),
    });
    const at = await refsOn(`thanks?number=${before + 1}`);
    const { run } = startAgent({
      options: options(),
      says: [visit(`thanks?number=${before + 1}`), call("click", { ref: at("Receipt") }), "done"],
    });
    await run.output;
    expect(run.artifacts.filter(({ kind }) => kind === "file")).toMatchObject([
      { name: `receipt-${before + 1}.txt` },
    ]);
    expect((await toldBy(run)).at(-1)).toContain(`Downloaded "receipt-${before + 1}.txt"`);
  });

  test("M29 [BR] at its end an agent's browser reports its actions, what came of each, the page and a picture", async () => {
    const { run } = startAgent({
      options: options(),
      text: `model m = "scripted"
graph Work(task: string) returns answer, heard {
  state {
    answer: string
    heard:  any
  }
  agent work { model m; tools browser.*; prompt \`\${task}\`; writes answer; limit 40 turns; tell lead }
  run lead = noted(inbox) writes heard
  start -> work -> lead -> end
}`,
      scope: { noted: (inbox: unknown) => inbox },
      says: [visit("item/lute"), call("click", { ref: "e999" }), "There is a lute."],
    });
    const { answer, heard } = (await run.output) as Record<string, unknown>;
    expect(answer).toBe("There is a lute.");
    const [picture, kept] = run.artifacts;
    expect([picture, kept]).toMatchObject([
      { name: "browser-page.jpg", kind: "report", mime: "image/jpeg", producer: "work" },
      { name: "browser-report.json", kind: "report", mime: "application/json" },
    ]);
    const bytes = await run.artifact(kept?.id ?? "");
    const report = JSON.parse(Buffer.from(bytes).toString());
    expect(report).toMatchObject({
      actions: [
        { tool: "browser.visit", input: { url: `${shop.url}item/lute` } },
        { tool: "browser.click", input: { ref: "e999" } },
      ],
      page: { url: `${shop.url}item/lute`, picture: picture?.id },
    });
    const told = await toldBy(run);
    expect(report.actions.map(({ observation }: { observation: string }) => observation)).toEqual(
      told,
    );
    expect(told[1]).toContain("e999");
    expect(report.page.text).toContain("480 €");
    expect(Buffer.from(await run.artifact(picture?.id ?? "")).subarray(0, 2)).toEqual(
      Buffer.from([0xff, 0xd8]),
    );
    // The message to the next node names both; no model was told of them.
    expect(heard).toMatchObject([{ sender: "work", artifacts: [picture?.id, kept?.id] }]);
    expect(run.replay()).toMatchObject({ ok: true });
  });

  test("M26 M30 [BR] of seven wanted actions five are done, the rest in the next turn; a page is told once", async () => {
    const clicks = Array.from({ length: 6 }, () => call("keys", { keys: "Tab" }));
    const { run } = startAgent({
      options: { ...options(), actionsMax: 5 },
      text: TWO_TURNS,
      says: [
        visit(""),
        ...clicks,
        "five",
        call("keys", { keys: "Tab" }),
        call("keys", { keys: "Tab" }),
        "two",
      ],
      scope: { plusOne: (count: number) => count + 1 },
    });
    expect(await run.output).toEqual({ answer: "two" });
    const told = await toldBy(run);
    const refused = told.filter((one) => one.includes("you have acted 5 times in this turn"));
    expect([told.length, refused.length]).toEqual([9, 2]);
    expect(told[0]).toContain('link "Gut strings"');
    expect(told.slice(1).join("\n")).not.toContain('link "Gut strings"');
    expect(told[1]).toContain("[the page is as you saw it last]");
    // The next turn goes on in the same browser.
    expect(told.at(-1)).toContain(`1 (shown) ${shop.url}`);
  });

  test("M26 [BR] one action for one call of the model", async () => {
    const { run } = startAgent({ options: options(), says: [[visit(""), call("back")], "done"] });
    await run.output;
    expect((await toldBy(run))[1]).toContain("only 1 of your calls at once may act");
  });

  test("frames, and tabs that pages open", async () => {
    const { use } = ownBrowser(options());
    const item = await use("visit", { url: `${shop.url}item/lute` });
    const framed = await use("click", { ref: refOf("More on delivery", item) });
    expect(framed).toContain('You clicked button "More on delivery".');
    const terms = await use("click", { ref: refOf('link "Terms"', item) });
    let shown = terms;
    while (!shown.includes(`2 (shown) ${shop.url}terms`)) shown = await use("tabs");
    expect(await use("switch_tab", { tab: 1 })).toContain("Tab 1 is shown.");
    expect(await use("close_tab", { tab: 2 })).not.toContain("/terms");
    await expect(use("switch_tab", { tab: 2 })).rejects.toMatchObject({ code: "M8626" });
    expect(await use("read")).toContain("480 €");
  });

  test("M33 [BR] with one tab, what a page opens beside it is shown in its place", async () => {
    const { use } = ownBrowser({ ...options(), singleTab: true });
    const item = await use("visit", { url: `${shop.url}item/lute` });
    await use("click", { ref: refOf('link "Terms"', item) });
    await use("wait", { text: "What is tuned", seconds: 10 });
    expect(await use("observe")).toContain(`Tabs: 1 (shown) ${shop.url}terms\n`);
  });

  test("M28 [BR] a picture numbers what can be acted on, and names what is further down", async () => {
    const { browser, use } = ownBrowser({ ...options(), viewport: { width: 600, height: 330 } });
    await use("visit", { url: `${shop.url}item/lute` });
    const { content } = (await browser.observe({ picture: true })) as {
      readonly content: readonly { readonly text: string; readonly data: string }[];
    };
    const [text, picture] = content;
    expect(text?.text.split("\n").slice(-2)).toMatchInlineSnapshot(`
      [
        "      - button "More on delivery" [ref=f1e3]",
        "In the picture: e3 link "All goods", e9 textbox "Your name", e12 combobox "Delivery", e14 button "Order", e16 link "Terms", f1e3 button "More on delivery"",
      ]
    `);
    expect(
      Buffer.from(picture?.data ?? "", "base64")
        .subarray(0, 2)
        .toString("hex"),
    ).toBe("ffd8");
    // The marks are gone.
    expect(await use("read")).not.toContain("madrigal");
  });

  test("E79 [BR] with coordinates an agent acts on places of a picture", async () => {
    const { browser, use } = ownBrowser({ ...options(), mode: "coordinates" });
    expect(browser).not.toHaveProperty("click");
    await use("visit", { url: `${shop.url}item/lute` });
    expect(await use("move_to", { x: 10, y: 10 })).toContain("[picture]");
    await use("keys", { keys: "Tab" });
    await use("keys", { keys: "Tab" });
    expect(await use("type_text", { text: "Bea" })).toContain('textbox "Your name" [active]');
    expect(await use("click_at", { x: 700, y: 48 })).toContain("Done: click at 700, 48.");
    expect(await use("drag", { x: 300, y: 100, toX: 400, toY: 120 })).toContain("Done");
    expect(await use("observe", { picture: true })).toContain("Bea");
  });
});

test("E79 M25 [LB] the tools of both modes, with the baselines of their approvals", () => {
  const tools = (mode: "labels" | "coordinates") =>
    Object.keys(createBrowserTools({ mode })).sort();
  expect(tools("labels").join(" ")).toMatchInlineSnapshot(
    `"back click close_tab end hand_over hover keys observe open_tab options read refresh scroll search select switch_tab tabs type upload visit wait watch"`,
  );
  expect(tools("coordinates").join(" ")).toMatchInlineSnapshot(
    `"back click_at close_tab drag end hand_over keys move_to observe open_tab read refresh scroll search switch_tab tabs type_text visit wait watch"`,
  );
});
