/** The notebook in a real JupyterLab and a real browser, by mouse, keyboard and what can be seen. */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Locator } from "playwright-core";
import { afterAll, afterEach, test as baseTest, beforeAll, expect, vi } from "vitest";
import { serveSite } from "../runtime/agents/web/site.ts";
import { projectRoot } from "../support/child.ts";
import { type Lab, type Notebook, startLab } from "../support/jupyter-lab.ts";
import { missing } from "../support/python-env.ts";
import { DebuggerPanel } from "./debugger-panel.ts";

const pictures = join(projectRoot, "node_modules/.cache/madrigal/pictures");
/** Those that the documentation shows are put there when MADRIGAL_PICTURES is set; a test run changes no file of the project. */
const shown =
  process.env.MADRIGAL_PICTURES === undefined ? pictures : join(projectRoot, "notebooks/pictures");

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

const reason = (await missing("python-env")) ?? (await missing("chromium"));
const test = baseTest.skipIf(reason !== undefined);

let lab: Lab;
let notebook: Notebook;

beforeAll(async () => {
  if (reason !== undefined) return;
  mkdirSync(pictures, { recursive: true });
  lab = await startLab();
  notebook = await lab.open("notebooks/deep-search.ipynb");
});
afterAll(() => lab?.close());
afterEach(async ({ task }) => {
  if (task.result?.state !== "fail") return;
  await notebook?.screenshot(join(pictures, "failed.png"));
  console.error(
    await notebook?.page
      .locator(
        ".jp-OutputArea-output[data-mime-type*=stderr], .jp-OutputArea-output[data-mime-type*=error]",
      )
      .allTextContents(),
  );
});

test("all cells run, and their drawing, tables and charts are seen", async () => {
  await notebook.menu("Edit", "Clear Outputs of All Cells");
  await notebook.runAll();
  const { page } = notebook;
  const drawing = page.locator("svg.madrigal-drawing").first();
  await notebook.show(drawing);
  expect((await drawing.boundingBox())?.width).toBeGreaterThan(500);
  // Without the list of files there is room for the widest table.
  await page.keyboard.press("Control+b");
  await page.locator("#jp-left-stack").waitFor({ state: "hidden" });
  const title = page.getByRole("heading", { name: "A run" });
  await title.evaluate((element: { scrollIntoView(): void }) => element.scrollIntoView());
  await notebook.show(title);
  await notebook.screenshot(join(pictures, "jupyterlab.png"));
  await page.keyboard.press("Control+b");
  await page.locator("#jp-left-stack").waitFor();
  const table = page.locator(".jp-OutputArea-output table").first();
  await notebook.show(table);
  expect(await table.locator("tbody tr").count()).toBeGreaterThan(0);
  await notebook.screenshot(join(pictures, "table.png"));
  const charts = page.locator(".vega-embed canvas, .vega-embed svg.marks");
  await notebook.show(charts.first());
  expect(await charts.count()).toBe(3);
  await notebook.screenshot(join(pictures, "charts.png"));
  expect(
    await page
      .locator('.jp-OutputArea-output[data-mime-type="application/vnd.jupyter.error"]')
      .count(),
  ).toBe(0);
});

test("the report of a run is read without a network, and shows the state that it ended with", async () => {
  const cell = await notebook.run(
    'import { report } from "madrigal";\n[await report(run), run.state.report.slice(0, 40)].join("\\n")',
  );
  const said = await notebook.outputText(cell);
  const [path = ""] = /\/\S+report-[\w-]+\.html/.exec(said) ?? [];
  const context = await notebook.page.context().browser()?.newContext({ offline: true });
  if (context === undefined) throw new Error("the browser is gone");
  const page = await context.newPage();
  const asked: string[] = [];
  page.on("request", (request) => asked.push(request.url()));
  const address = pathToFileURL(path).href;
  await page.goto(address);
  expect(asked).toEqual([address]);
  await page.getByRole("heading", { name: "Final state" }).waitFor();
  const shown = String(await page.locator("main").textContent());
  expect(shown).toContain("These passages match the question best");
  expect(said).toContain("These passages match the question best");
  expect(await page.locator(".picture svg").count()).toBeGreaterThan(5);
  const step = page.locator("summary", { hasText: /^step 1: plan/ });
  await step.click();
  await page.getByRole("cell", { name: "tasks" }).first().waitFor();
  await page.screenshot({ path: join(pictures, "report.png"), fullPage: true });
  await context.close();
  await notebook.empty(cell);
});

test("a mistake in the graph shows its frame; put right, the graph is drawn again", async () => {
  const { page } = notebook;
  const graph = page.locator(".jp-CodeCell", { hasText: "graph DeepSearch(question" }).first();
  await graph.locator(".cm-content").click();
  await page.keyboard.press("Control+End");
  await page.keyboard.press("ArrowUp");
  await page.keyboard.press("End");
  await page.keyboard.insertText(" -> writer");
  await notebook.again(graph);
  const said = await notebook.outputText(graph);
  expect(said).toMatch(/error\[M2101\]: .*writer/);
  expect(said).toContain("-> writer");
  expect(said).toMatch(/hint: .*`write`/);
  expect(said).toMatch(/Cell\[\d+\]:\d+:\d+/);
  await notebook.show(graph.locator(".jp-OutputArea-output"));
  await notebook.screenshot(join(pictures, "mistake.png"));
  // Running a cell leaves its editor; Enter goes back to where the cursor was.
  await page.keyboard.press("Enter");
  for (const _ of " -> writer") await page.keyboard.press("Backspace");
  await notebook.again(graph);
  expect(await graph.locator("svg.madrigal-drawing").count()).toBe(1);
});

test("a type error is told at its place, before anything runs", async () => {
  const cell = await notebook.run(
    "DeepSearch.run({ question, breakpoints: 1 });\nrun.state.reprot",
  );
  const said = await notebook.outputText(cell);
  expect(said).toContain("TS2551");
  expect(said).toMatch(/Did you mean 'report'/);
});

/** The colour of the first piece of a cell's text that reads so; the cell's own where nothing is coloured. */
async function colourOf(cell: Locator, text: string): Promise<string> {
  const piece = cell.locator(".cm-line span").getByText(text, { exact: true }).first();
  await piece.waitFor();
  return await piece.evaluate(
    (element) => (globalThis as unknown as Styles).getComputedStyle(element).color,
  );
}

test("graphs, SQL and TypeScript are coloured as what they are, by our extension", async () => {
  const { page } = notebook;
  const typescript = await notebook.type("const answer: number = 42; // why");
  const keyword = await colourOf(typescript, "const");
  const comment = await colourOf(typescript, "// why");
  expect(keyword).not.toBe(comment);
  const graph = await notebook.type(`graph Coloured() returns text { // why
  state { text: string }
  agent write { prompt \`Say \${text}\`; writes text }`);
  expect(await colourOf(graph, "graph")).toBe(keyword);
  expect(await colourOf(graph, "agent")).toBe(keyword);
  expect(await colourOf(graph, "// why")).toBe(comment);
  const sql = await notebook.type("%%sql\nSELECT count(*) FROM runs -- why");
  expect(await colourOf(sql, "SELECT")).toBe(keyword);
  expect(await colourOf(sql, "-- why")).toBe(comment);
  await notebook.show(graph);
  await notebook.screenshot(join(pictures, "highlighting.png"));
  // A cell changes with its first line.
  await sql.locator(".cm-content").click();
  await page.keyboard.press("Control+a");
  await page.keyboard.insertText("const SELECT = 1;");
  expect(await colourOf(sql, "const")).toBe(keyword);
  for (const cell of [typescript, graph, sql]) await notebook.empty(cell);
});

test("a name tells what it is, by Shift+Tab", async () => {
  const { page } = notebook;
  await notebook.run("/** How many there are. */\nconst howMany = 3;");
  const cell = await notebook.type("howMany");
  const tooltip = page.locator(".jp-Tooltip");
  const told = tooltip.getByText("How many there are.").first();
  // On a busy machine a compiler that has just been started may need longer than the kernel lets a front end wait.
  await expect
    .poll(
      async () => {
        await page.keyboard.press("Shift+Tab");
        return await told.waitFor({ timeout: 6_000 }).then(
          () => true,
          () => false,
        );
      },
      { timeout: 60_000 },
    )
    .toBe(true);
  await notebook.screenshot(join(pictures, "tooltip.png"));
  await page.keyboard.press("Escape");
  await tooltip.waitFor({ state: "detached" });
  await notebook.empty(cell);
});

test("A70 [NB] what a run waits for is asked in the page, and goes on with what is typed there", async () => {
  const { page } = notebook;
  await notebook.run("const sent = (to: string) => `sent to ${to}`;");
  await notebook.run(`graph Mail(to: string) returns answer {
  state { answer: string }
  run send = sent(to) writes answer { approve before }
  start -> send -> end
}`);
  const cell = await notebook.start('await Mail.invoke({ to: "Ann" })');
  const box = cell.locator(".jp-Stdin-input");
  await box.waitFor();
  expect(await cell.locator(".jp-Stdin-prompt").textContent()).toContain("send: Start `send`?");
  await cell.locator('.madrigal-drawing [data-status="waiting"]').waitFor();
  await notebook.show(cell.locator("svg.madrigal-drawing"));
  await notebook.screenshot(join(pictures, "question-box.png"));
  await box.fill("perhaps");
  await page.keyboard.press("Enter");
  await cell.getByText("is no JSON, and no answer to").waitFor();
  await box.last().fill("approve");
  await page.keyboard.press("Enter");
  await notebook.finished();
  expect(await notebook.outputText(cell)).toContain("sent to Ann");
  await cell.locator('.madrigal-drawing [data-status="waiting"]').waitFor({ state: "detached" });
});

const HELP = `graph Help() returns name, sure, colour, tags {
  state {
    sure: boolean
    name: string
    colour: "red" | "blue"
    tags: ("new" | "old" | "sold")[]
  }
  human confirm { ask "Sell it?"; writes sure }
  human input { ask "Whose name stands on the bill?"; writes name }
  human select { ask "Which colour?"; writes colour }
  human several { ask "Which tags?"; writes tags }
  start -> confirm -> input -> select -> several -> end
}`;

test("E77 [NB] questions of a run that no cell waits for are widgets below its drawing, answered by mouse and keyboard", async () => {
  const { page } = notebook;
  await notebook.run(HELP);
  const cell = await notebook.run("const helped = Help.run({});");
  const form = cell.locator(".madrigal-question form:visible");
  await form.getByRole("button", { name: "Yes" }).waitFor();
  await notebook.show(form);
  await notebook.screenshot(join(shown, "question.png"));
  await form.getByRole("button", { name: "Yes" }).click();
  const line = form.locator("input[type=text], input:not([type])");
  await line.click();
  await page.keyboard.type("42 & <b>Sons</b>");
  await page.keyboard.press("Enter");
  await form.getByRole("button", { name: "blue" }).click();
  await form.getByLabel("new").check();
  await form.getByLabel("sold").check();
  await form.getByRole("button", { name: "Answer" }).click();
  await form.waitFor({ state: "detached" });
  const output = await notebook.run("JSON.stringify(await helped.output)");
  expect(await notebook.outputText(output)).toContain(
    '{"name":"42 & <b>Sons</b>","sure":true,"colour":"blue","tags":["new","sold"]}',
  );
  // Words are left, which a saved notebook shows everywhere.
  expect(await cell.locator(".madrigal-question").count()).toBe(0);
  expect(await notebook.outputText(cell)).toMatch(
    /several asks: Which tags\?\s+run \S+ of Help, asked at .* UTC\s+answered \["new","sold"\] by form at .* UTC/,
  );
});

const LOGIN = `<style>* { margin: 0; padding: 0 }</style>
<input id="name" style="position:absolute;left:0;top:0;width:400px;height:100px">
<button onclick="who.textContent = 'Hello ' + document.getElementById('name').value"
  style="position:absolute;left:0;top:200px;width:400px;height:100px">Go</button>
<p id="who" style="position:absolute;top:400px">nobody</p>`;

test("the browser of an agent is taken over in the page, used by mouse and keyboard, and handed back", async () => {
  const { page } = notebook;
  const { host, url } = await serveSite({ "/": LOGIN });
  await notebook.run(`import { createBrowserTools, scripted } from "madrigal";
const browser = createBrowserTools({ privateHosts: [${JSON.stringify(host)}] });
const act = (tool: string, input: Record<string, string>) => ({ calls: [{ tool: \`browser.\${tool}\`, input }] });`);
  await notebook.run(`model shopper = "scripted"
graph Enter(task: string) returns report {
  state { report: string }
  agent work { model shopper; tools browser.*; prompt \`\${task}\`; writes report; limit 9 turns }
  start -> work -> end
}`);
  const cell =
    await notebook.run(`const entered = Enter.run({ task: "Log in." }, { models: { shopper: scripted([
  act("visit", { url: ${JSON.stringify(url("/"))} }), act("hand_over", { why: "log in" }), "Done.",
]) } });`);
  const panel = cell.locator(".madrigal-live-page");
  const form = cell.locator(".madrigal-question form:visible");
  await form.getByRole("button", { name: "it is done" }).waitFor();
  await panel.getByRole("button", { name: "Take over" }).click();
  const handBack = panel.getByRole("button", { name: "Hand back" });
  await handBack.waitFor();
  const picture = panel.locator("img");
  const shown = async () => await picture.getAttribute("src");
  const at = async (x: number, y: number) => {
    const { width } = (await picture.boundingBox()) ?? { width: 1440 };
    const before = await shown();
    await picture.click({ position: { x: (x * width) / 1440, y: (y * width) / 1440 } });
    await vi.waitUntil(async () => (await shown()) !== before, { timeout: 30_000, interval: 50 });
  };
  await at(200, 50);
  await page.keyboard.type("Adax");
  await page.keyboard.press("Backspace");
  await at(200, 250);
  await notebook.show(panel);
  await notebook.screenshot(join(pictures, "taken-over.png"));
  await handBack.click();
  await panel.getByRole("button", { name: "Take over" }).waitFor();
  await form.getByRole("button", { name: "it is done" }).click();
  const output = await notebook.run(
    'await entered.output; const told: string[] = []; entered.events$.subscribe((event) => { if (event.kind === "tool.result") told.push(JSON.stringify(event.value)); }); told.at(-1)',
  );
  expect(await notebook.outputText(output)).toContain("Hello Ada");
  expect(await notebook.outputText(output)).toContain("A person used the browser meanwhile.");
});

const WALK = `graph Walk(topic: string) returns notes {
  state {
    draft: string = "none"
    notes: string[] = [] via append
  }
  run plan = planned(topic) writes draft
  run look = seen(draft) writes notes
  run again = seen(draft) writes notes
  start -> plan -> look -> again -> end
}`;

test("a timeline is walked through by keyboard, and its buttons move the run, back and on", async () => {
  const { page } = notebook;
  await notebook.run(`const planned = (topic: string) => "plan " + topic + "<img src=x>";
const seen = (draft: string) => ["saw " + draft];`);
  await notebook.run(WALK);
  const cell = await notebook.run(
    'const walked = Walk.debug({ topic: "pears" });\nawait walked.step();\nawait walked.step();\nwalked.timeline()',
  );
  const panel = cell.locator(".madrigal-timeline");
  const slider = panel.getByRole("slider", { name: "place in the run" });
  const place = panel.locator("[data-place]");
  await place.filter({ hasText: "step 2: look#1" }).waitFor();
  // What stands there for readers without widgets is not seen beside it.
  expect(await cell.locator(".madrigal-timeline-static").isVisible()).toBe(false);
  // In the middle of three places.
  await slider.click();
  await place.filter({ hasText: "step 1: plan#1" }).waitFor();
  await panel.getByRole("cell", { name: '"plan pears<img src=x>"' }).waitFor();
  await expect.poll(() => slider.getAttribute("aria-valuetext")).toBe("step 1: plan#1");
  await page.keyboard.press("Home");
  await place.filter({ hasText: /^start$/ }).waitFor();
  await panel.getByRole("button", { name: "Step" }).click();
  await place.filter({ hasText: "step 3: again#1" }).waitFor();
  await panel.getByText('["saw plan pears<img src=x>"]').waitFor();
  await notebook.show(panel.locator("svg"));
  await notebook.screenshot(join(shown, "timeline.png"));
  await slider.press("ArrowLeft");
  await place.filter({ hasText: "step 2: look#1" }).waitFor();
  await slider.press("ArrowLeft");
  await place.filter({ hasText: "step 1: plan#1" }).waitFor();
  await panel.getByRole("button", { name: "Rewind here" }).press("Enter");
  await panel.getByText("· paused · 1 step").waitFor();
  await expect.poll(() => slider.getAttribute("max")).toBe("1");
  await panel.getByRole("button", { name: "Fork here" }).click();
  await panel.first().getByText("forked at step 1: run").waitFor();
  await expect.poll(() => cell.locator(".madrigal-timeline").count()).toBe(2);
  expect(await notebook.outputText(await notebook.run("walked.steps.length"))).toBe("1");
});

test("completion of a graph's types, by the Tab key", async () => {
  const { page } = notebook;
  const cell = await notebook.type("run.state.fin");
  await page.keyboard.press("Tab");
  const found = page.locator(".jp-Completer-match", { hasText: "findings" });
  await found.waitFor();
  await notebook.screenshot(join(shown, "completion.png"));
  await found.click();
  await cell.locator(".cm-line", { hasText: "run.state.findings" }).waitFor();
  await page.keyboard.press("Control+a");
  await page.keyboard.press("Delete");
});

test.each([
  ["a synchronous loop", "let turns = 0;\nwhile (true) turns += 1;"],
  [
    "a loop after an await",
    "let later = 0;\nawait null;\nawait new Promise((go) => setTimeout(go, 1));\nwhile (true) later += 1;",
  ],
  ["a cell that awaits for ever", "await new Promise(() => {});"],
])("the stop button stops %s, and what was declared is kept", async (_, code) => {
  const kept = `kept_${code.length}`;
  await notebook.run(`const ${kept} = 42;`);
  const cell = await notebook.start(code);
  await notebook.busy();
  await notebook.interrupt();
  await notebook.finished();
  expect(await notebook.outputText(cell)).toContain("M7501");
  const next = await notebook.run(`${kept} + 1`);
  expect(await notebook.outputText(next)).toBe("43");
});

test("the stop button stops an endless function of a run, pauses the run, and the next cell works", async () => {
  await notebook.run("const spin = (): string => { console.log('spinning'); while (true) {} };");
  await notebook.run(`graph Spinning() returns answer {
  state { answer: string }
  run only = spin() writes answer
  start -> only -> end
}`);
  const cell = await notebook.start("await Spinning.invoke({})");
  // The drawing's text may have it, too.
  await cell.locator(".jp-RenderedText", { hasText: "spinning" }).waitFor();
  await notebook.interrupt();
  await notebook.finished();
  expect(await notebook.outputText(cell)).toMatch(/M7501.*\bpaused\b/s);
  expect(await notebook.outputText(await notebook.run("6 * 7"))).toBe("42");
});

const patience = `graph Patience() returns answer {
  state { answer: string }
  run first = quick() writes answer
  run last = slow(answer) writes answer
  start -> first -> last -> end
}`;

test("A29 [NB] interrupting a cell that awaits a run pauses the run; after a restart it is resumed where it was", async () => {
  await notebook.run(`let calls = 0;
const quick = () => { calls += 1; return "quick"; };
const slow = (answer: string) => new Promise<string>(() => {});`);
  await notebook.run(patience);
  const cell = await notebook.start("const patient = Patience.run({});\nawait patient.output");
  await cell.locator('.madrigal-drawing [data-status="succeeded"]').waitFor();
  await notebook.show(cell.locator("svg.madrigal-drawing"));
  await notebook.screenshot(join(shown, "live-run.png"));
  await notebook.interrupt();
  await notebook.finished();
  expect(await notebook.outputText(cell)).toMatch(/M7501.*\bpaused\b/s);
  await notebook.restart();
  await notebook.run(`let calls = 0;
const quick = () => { calls += 1; return "quick"; };
const slow = async (answer: string) => answer + ", then slow";`);
  await notebook.run(patience);
  const resumed = await notebook.run(`import { runs } from "madrigal";
const again = runs.last("Patience");
await again.resume();
console.log((await again.output).answer, calls);`);
  expect(await notebook.outputText(resumed)).toContain("quick, then slow 0");
  await notebook.show(resumed);
  await notebook.screenshot(join(pictures, "resumed.png"));
});

interface Styles {
  getComputedStyle(element: unknown): { readonly color: string };
}

const hostile = `const html = '<img src=x onerror="alert(document.title=\\'owned\\')"><script>document.title="owned"</script>';
const ansi = "\\u001b]0;owned\\u0007\\u001b[31mred";
const link = "[click](javascript:document.title='owned')";
const says = () => html + ansi + link;`;

test("hostile text in a state, a table and an error is shown as text, and nothing of it runs", async () => {
  const { page } = notebook;
  await notebook.run(hostile);
  await notebook.run(`graph Hostile() returns said {
  state { said: string }
  run speak = says() writes said
  start -> speak -> end
}`);
  const output = await notebook.run("await Hostile.invoke({})");
  expect(await notebook.outputText(output)).toContain("<script>document.title=");
  const table = await notebook.run(
    "%%sql\nSELECT ${html} AS html, ${ansi} AS ansi, ${link} AS link",
  );
  expect(await notebook.outputText(table)).toContain("<img src=x onerror=");
  const step = await notebook.run("await Hostile.debug({}).step()");
  expect(await notebook.outputText(step)).toContain("<script>document.title=");
  const chart = await notebook.run(
    'import { sql } from "madrigal";\n(await sql`SELECT ${html} AS name, ${link} AS "a\\"": b", 2 AS n`).chart({ title: html })',
  );
  await chart.locator(".vega-embed canvas, .vega-embed svg.marks").first().waitFor();
  const columns = await notebook.run(
    "%%sql --chart bar\nPIVOT (SELECT ${html} AS name, 1 AS n UNION ALL SELECT ${link}, 2) ON name USING sum(n)",
  );
  const error = await notebook.run("throw new Error(says())");
  expect(await notebook.outputText(error)).toContain("<script>document.title=");
  for (const cell of [output, table, step, chart, columns, error]) {
    expect(
      await cell.locator(".jp-OutputArea script, .jp-OutputArea a[href^=javascript]").count(),
    ).toBe(0);
    expect(await cell.locator('.jp-OutputArea img[src="x"]').count()).toBe(0);
    expect(await notebook.outputText(cell)).not.toContain("\u001b");
  }
  expect(notebook.dialogs).toEqual([]);
  expect(await page.title()).not.toContain("owned");
});

test("a graph cell is debugged in the page: breakpoint, values, step, expression, edit, fork", async () => {
  await notebook.run(`const outline = (topic: string) => [topic + " I", topic + " II"];
const compose = (steps: string) => steps.toUpperCase();`);
  const graph = await notebook.run(`%%graph
graph Essay(topic: string) returns text {
  state {
    steps: string[] = []
    text: string
  }
  run plan = outline(topic)
    writes steps
  run write = compose(steps.join(", "))
    writes text
  start -> plan -> write -> end
}`);
  const panel = new DebuggerPanel(notebook);
  await panel.open();
  await panel.breakAt(graph, 7);
  const cell = await notebook.start('(await Essay.invoke({ topic: "Bees" })).text');
  await panel.stoppedAt("plan#1");
  await panel.shows("topic", '"Bees"');
  await panel.press("next");
  await panel.shows("steps", '["Bees I", "Bees II"]');
  await panel.toggleConsole();
  await panel.say("steps.length + 40", "42");
  await panel.say(':set steps = ["mine"]', 'steps = ["mine"]');
  await panel.shows("steps", '["mine"]');
  await panel.say(':fork 1 steps = ["other"]', /^run 2: /);
  await panel.shows("steps", '["other"]');
  await notebook.screenshot(join(shown, "debugger.png"));
  await panel.say("stps", /M5450: `stps` can't be read.*did you mean `steps`/s);
  // The branch goes on to its end, and the run that it was made of is shown again.
  await panel.press("continue");
  await panel.shows("steps", '["mine"]');
  await panel.press("continue");
  await notebook.finished();
  expect(await notebook.outputText(cell)).toContain("'MINE'");
  await panel.toggleConsole();
  await panel.close();
});

test("a TypeScript cell is debugged in the page: breakpoint, values, steps, expression, another value", async () => {
  const cell = await notebook.type(`let total = 0;
for (const price of [2, 3]) {
  total += price * 2;
}
total`);
  const panel = new DebuggerPanel(notebook);
  await panel.open();
  await panel.breakAt(cell, 3);
  await cell.locator(".cm-content").click();
  await notebook.page.keyboard.press("Control+Enter");
  await panel.stoppedAt(/Cell\[\d+\]/);
  await panel.shows("price", "2");
  await panel.press("continue");
  await panel.shows("price", "3");
  await panel.toggleConsole();
  await panel.say("total + price", "7");
  await panel.say("total = 40", "40");
  await panel.shows("price", "3");
  await notebook.show(cell);
  await notebook.screenshot(join(shown, "debugger-typescript.png"));
  await panel.press("next");
  await panel.scope("Notebook");
  await panel.shows("total", "46");
  await panel.press("continue");
  await notebook.finished();
  expect(await notebook.outputText(cell)).toBe("46");
  await panel.toggleConsole();
  await panel.close();
});

test("on the dark theme, too, drawing, table and chart can be read", async () => {
  const { page } = notebook;
  await page.locator(".lm-MenuBar-item", { hasText: /^Settings$/ }).click();
  await page.locator(".lm-Menu-itemLabel", { hasText: /^Theme$/ }).click();
  await page.locator(".lm-Menu-itemLabel", { hasText: /^JupyterLab Dark$/ }).click();
  await page.locator('body[data-jp-theme-light="false"]').waitFor({ state: "attached" });
  for (const [name, seen] of [
    ["dark-drawing", "svg.madrigal-drawing"],
    ["dark-table", ".jp-OutputArea-output table"],
    ["dark-chart", ".vega-embed"],
  ] as const) {
    await notebook.show(page.locator(seen).first());
    await notebook.screenshot(join(pictures, `${name}.png`));
  }
  const cell = page.locator(".jp-OutputArea-output td").first();
  const colour = await cell.evaluate(
    (element) => (globalThis as unknown as Styles).getComputedStyle(element).color,
  );
  // Text as light as the theme's own.
  expect(Number(/\d+/.exec(colour)?.[0])).toBeGreaterThan(150);
});

test("the page asked nobody but the server on this machine", () => {
  expect(notebook.asked.filter((host) => host !== "127.0.0.1")).toEqual([]);
});
