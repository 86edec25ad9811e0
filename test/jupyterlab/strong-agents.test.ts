/** A person beside strong agents in JupyterLab: follows them, answers, stops them, lets them go on and tells them something. */
import type { Locator } from "playwright-core";
import { afterAll, test as baseTest, beforeAll, expect, vi } from "vitest";
import { stubCommand } from "../support/agents/agent-stubs.ts";
import { type Lab, type Notebook, startLab } from "../support/jupyter-lab.ts";
import { missing } from "../support/python-env.ts";

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

const reason = (await missing("python-env")) ?? (await missing("chromium"));
const test = baseTest.skipIf(reason !== undefined);

let lab: Lab;
let notebook: Notebook;

beforeAll(async () => {
  if (reason !== undefined) return;
  lab = await startLab();
  notebook = await lab.openEmpty("strong-agents.ipynb");
});
afterAll(() => lab?.close());

const agent = (scene: string) =>
  `controller claude_code(command: ${JSON.stringify(stubCommand("claude_code"))}, set: { STUB_SCENE: "${scene}" })`;

const PROGRAM = `graph Change(task: string) returns note, said {
  state { note: string  said: string }
  operator coder "writes a note" { ${agent("asks")}; prompt \`\${task}\`; writes note }
  operator critic "reads it" { ${agent("steered")}; prompt \`Read it.\`; writes said }
  start -> coder -> critic -> end
}`;

test("[BR] agents are followed, answered, stopped, let go on and told something in their cell", async () => {
  await notebook.run(PROGRAM);
  const cell = await notebook.start(
    'const change = Change.run({ task: "Write a note." });\nawait change.output',
  );
  const panel = cell.locator(".madrigal-agent-sessions:visible");
  await panel.getByText(/^Write note.txt running/).waitFor();
  await answer(cell);
  await panel.getByText("I wait for a word.").waitFor();
  await panel.getByRole("button", { name: "Stop" }).click();
  await panel.getByRole("button", { name: "Go on" }).click();
  await answer(cell);
  await panel.getByPlaceholder("Tell it something").fill("be kind");
  await notebook.page.keyboard.press("Enter");
  await notebook.finished();
  await panel.getByText("told: be kind").first().waitFor();
  expect(await panel.getByRole("button", { name: /Stop|Go on|Tell/ }).count()).toBe(0);
  expect(await notebook.outputText(cell)).toContain("2 of 2 node runs done");
});

/** Says yes in the form that is open. */
async function answer(cell: Locator): Promise<void> {
  const form = cell.locator(".madrigal-question form:visible");
  await form.getByRole("button", { name: "Approve" }).click();
  await form.waitFor({ state: "detached" });
}
