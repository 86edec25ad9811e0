/** The table in which a person edits the plan that a run asks about, in a real browser, checked by the kernel. */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { type Browser, chromium, type Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Plan } from "../../../dsl/index.ts";
import type { DrivenRun } from "../../../runtime/index.ts";
import { projectRoot } from "../../support/child.ts";
import { CHROMIUM, missing } from "../../support/python-env.ts";
import { openTestNotebook, useTypes } from "./notebook.ts";
import { showWidget, page as widgetPage } from "./widget-page.ts";

useTypes();

const reason = await missing("chromium");
const pictures = join(projectRoot, "node_modules/.cache/madrigal/pictures");

const TEAM = `model m = "scripted"
graph Team(given: Plan) returns isRight {
  state { plan: Plan = given  isRight: boolean  results: Json }
  agent reader(step: Step) { model m; tools shop.*; prompt \`\${step.title}\` }
  agent writer(step: Step) { model m; prompt \`\${step.title}\` }
  human review { ask "Is this plan right?"; edits plan; writes isRight }
  graph go = planGraph(plan) writes results
  start -> review -> { isRight -> go -> end, else -> end }
}
graph Around(given: Plan) returns isRight {
  state { isRight: boolean }
  graph team = Team(given) writes isRight
  start -> team -> end
}`;

const PLAN: Plan = {
  name: "Two shops",
  steps: [
    { id: "look", title: "Look", details: "at the price <b>of A</b>", agent: "reader" },
    { id: "say", title: "Say it", details: "in one line", agent: "writer", depends: ["look"] },
  ],
};

/** A cell runs `code`, and a page shows the form of the question that is asked then. */
async function asked(browser: Browser, code: string) {
  const notebook = openTestNotebook(undefined, { person: async () => undefined, isDrawing: true });
  const { open, widget } = widgetPage(notebook);
  await open();
  await notebook.run('const shop = { read: () => "30" };');
  await notebook.run(TEAM);
  await notebook.run(code);
  const run = notebook.session.open("last") as DrivenRun;
  const page = await showWidget(browser, notebook);
  return { run, page, state: () => widget("last").state };
}

const asks = `const run = Team.run({ given: ${JSON.stringify(PLAN)} }, { models: { m: "rules" } });`;

/** The plan that the run asks about; none while the answer is on its way. */
function planOf({ interrupts: [asked] }: DrivenRun): Plan {
  return (asked?.shown ?? { steps: [] }) as Plan;
}

/** The row of the step with this place, and the row of what is wrong with it. */
function rowsOf(page: Page, at: number) {
  const rows = page.locator("table tbody tr");
  const row = rows.nth(at * 2);
  const cell = (name: string) => row.getByLabel(name, { exact: true });
  return { row, cell, fault: rows.nth(at * 2 + 1) };
}

describe.skipIf(reason !== undefined)("the table of a plan", () => {
  let browser: Browser;
  beforeAll(async () => {
    mkdirSync(pictures, { recursive: true });
    browser = await chromium.launch({ executablePath: CHROMIUM, args: ["--no-sandbox"] });
  });
  afterAll(() => browser?.close());

  test("[BR] steps are edited, added, moved and removed, and what is sent is shown again by the run", async () => {
    const { run, page } = await asked(browser, asks);
    await page.getByRole("button", { name: "Edit the steps …" }).click();
    const first = rowsOf(page, 0);
    expect(await first.cell("details").inputValue()).toBe("at the price <b>of A</b>");
    expect(await page.locator("b").count()).toBe(0);
    await page.getByText("2 steps, and nothing is wrong").waitFor();
    await page.getByRole("img", { name: "Plan of 2 steps" }).waitFor();
    // The steps that wait for this one wait for it under its new id.
    await first.cell("id").fill("price");
    expect(await rowsOf(page, 1).cell("after").inputValue()).toBe("price");
    await page.getByRole("button", { name: "Add a step" }).click();
    const third = rowsOf(page, 2);
    await third.cell("step").fill("Compare");
    await third.cell("details").fill("with B");
    await third.cell("who").fill("shop.read");
    await third.cell("after").fill("price");
    await third.cell("when").fill('price != ""');
    await third.cell("repeat").fill("3 times");
    await third.row.getByRole("button", { name: "moves the step up" }).click();
    await page.getByText("3 steps, and nothing is wrong").waitFor();
    await page.screenshot({ path: join(pictures, "plan-editor.png") });
    await page.getByRole("button", { name: "Add a step" }).click();
    await rowsOf(page, 3).row.getByRole("button", { name: "removes the step" }).click();
    await page.getByRole("button", { name: "Send this plan" }).click();
    await expect.poll(() => planOf(run).steps.length).toBe(3);
    expect(run.interrupts[0]?.question).toBe("Is this plan right?");
    const [look, compare, say] = planOf(run).steps;
    expect(look).toEqual({ ...PLAN.steps[0], id: "price" });
    expect(compare).toEqual({
      ...{ id: "step3", title: "Compare", details: "with B", tool: "shop.read" },
      ...{ depends: ["price"], when: 'price != ""', repeat: "3 times" },
    });
    expect(say).toEqual({ ...PLAN.steps[1], depends: ["price"] });
    expect(planOf(run).name).toBe("Two shops");
  });

  test("[BR] what is wrong stands below its row, before anything is sent", async () => {
    const { run, page } = await asked(browser, asks);
    await page.getByRole("button", { name: "Edit the steps …" }).click();
    const [first, second] = [rowsOf(page, 0), rowsOf(page, 1)];
    await first.cell("who").fill("raeder");
    await second.cell("who").fill("shops.read");
    await second.cell("when").fill("nothing > 1");
    await second.cell("repeat").fill("now and then");
    await page.getByRole("button", { name: "Send this plan" }).click();
    await page.getByText("2 steps; 4 things are wrong").waitFor();
    expect(await first.fault.textContent()).toContain("M5036: step `look` is for `raeder`");
    expect(await first.cell("who").getAttribute("aria-invalid")).toBe("true");
    expect(await first.cell("after").getAttribute("aria-invalid")).toBe("false");
    const said = await second.fault.textContent();
    for (const code of ["M5037", "M5038", "M5060"]) expect(said).toContain(code);
    await page.screenshot({ path: join(pictures, "plan-editor-faults.png") });
    await first.cell("who").fill("reader");
    for (const name of ["who", "when", "repeat"]) await second.cell(name).fill("");
    await second.cell("who").fill("writer");
    await first.cell("after").fill("say");
    await first.cell("after").press("Enter");
    await page.getByText("2 steps; 1 thing is wrong").waitFor();
    expect(await first.fault.textContent()).toContain("M5035: steps wait for each other");
    await first.cell("after").fill("shop");
    await first.cell("after").press("Enter");
    await first.fault.getByText("M5034").waitFor();
    await second.cell("id").fill("look");
    await second.cell("id").press("Enter");
    await first.fault.getByText("M5033").waitFor();
    expect(planOf(run)).toEqual(PLAN);
    // A table without a step sends nothing.
    for (const _ of PLAN.steps)
      await rowsOf(page, 0).row.getByRole("button", { name: "removes the step" }).click();
    await page.getByText("a plan has at least one step").waitFor();
    expect(await page.getByRole("button", { name: "Send this plan" }).isDisabled()).toBe(true);
  });

  test("[BR] the plan goes from the table into JSON and back; a called graph offers its own agents", async () => {
    const { run, page, state } = await asked(browser, asks.replace("Team", "Around"));
    expect(state().plan).toEqual({ agents: ["reader", "writer"], tools: ["shop.*"] });
    await page.getByRole("button", { name: "Edit the steps …" }).click();
    await rowsOf(page, 0).cell("step").fill("Look twice");
    await page.getByRole("button", { name: "Edit …", exact: true }).click();
    const json = page.getByRole("textbox", { name: "the value as JSON" });
    const plan = JSON.parse(await json.inputValue()) as Plan;
    expect(plan.steps[0]?.title).toBe("Look twice");
    await json.fill(JSON.stringify({ ...plan, name: "One shop", steps: plan.steps.slice(0, 1) }));
    await page.getByRole("button", { name: "Edit the steps …" }).click();
    await page.getByText("1 step, and nothing is wrong").waitFor();
    await page.getByRole("button", { name: "Send this plan" }).click();
    await expect.poll(() => planOf(run).name).toBe("One shop");
  });
});

test("a question about anything else has no table, nor has a plan of more steps than a table", async () => {
  const notebook = openTestNotebook(undefined, { person: async () => undefined, isDrawing: true });
  const { open, widget } = widgetPage(notebook);
  await open();
  await notebook.run(`graph Any(given: Json) returns value {
  state { value: Json = given }
  human look { ask "Right?"; edits value }
  start -> look -> end
}`);
  const steps = Array.from({ length: 201 }, (_, n) => ({ id: `s${n}`, title: "t", details: "d" }));
  for (const [at, value] of [{ a: 1 }, { steps }].entries()) {
    await notebook.run(`const run${at} = Any.run({ given: ${JSON.stringify(value)} });`);
    await expect.poll(() => widget("last").count).toBe(at + 1);
    expect(widget("last").state).toMatchObject({ plan: null, edited: expect.stringMatching(/^{/) });
  }
});
