/** The program `coder.madrigal` along each of its arrows, with real code in real bubblewrap. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { check, mermaid } from "../../../../dsl/index.ts";
import { createCodeTools, scripted } from "../../../../runtime/index.ts";
import { projectRoot } from "../../../support/child.ts";
import { missing } from "../../../support/python-env.ts";
import { ask } from "../../asks/asking.ts";

const reason = await missing("bubblewrap");
const sandboxed = test.skipIf(reason !== undefined);
const file = join(projectRoot, "runtime/library/coder.madrigal");
const text = readFileSync(file, "utf8").replace('"rules"', '"scripted"');

const python = (code: string) => `Here it is.\n\`\`\`py\n${code}\n\`\`\``;
const BROKEN = python("print(undefined_name)");
const WHOLE = python("open('out.csv', 'w').write('a,b\\n1,2\\n'); print(6 * 7)");

interface Script {
  readonly write: readonly string[];
  readonly tell?: readonly string[];
}

function coder(script: Script, input: Readonly<Record<string, unknown>> = {}) {
  const { run } = ask(text, {
    scope: { code: createCodeTools() },
    models: { coder: scripted({ ...script }) },
    input: { task: "Compute it.", ...input },
  });
  return run;
}

/** Says yes to each round, and returns how often it was asked. */
async function approveAll(run: ReturnType<typeof coder>): Promise<number> {
  for (let count = 0; ; count += 1) {
    await run.settled();
    const [question] = run.interrupts;
    if (question === undefined) return count;
    expect(question.kind).toBe("approval");
    await run.answer(question.id, { kind: "approve" });
  }
}

sandboxed(
  "M35 M36 what fails is mended by what it said, with an approval a round, until it ends well",
  async () => {
    const run = coder({ write: [BROKEN, WHOLE] });
    expect(await approveAll(run)).toBe(2);
    expect(await run.output).toMatchObject({
      answer: WHOLE,
      report: expect.stringContaining("Block 1 of 1 (python) ended with exit code 0:\n42"),
      outcome: { exitCode: 0, blocks: 1 },
    });
    expect(run.artifacts.map(({ name, mime }) => [name, mime])).toEqual([["out.csv", "text/csv"]]);
    const prompts: string[] = [];
    for await (const event of run.stream("events"))
      if (event.kind === "model.request") prompts.push(JSON.stringify(event));
    expect(prompts).toHaveLength(2);
    expect(prompts[1]).toContain("NameError: name 'undefined_name' is not defined");
  },
);

sandboxed("M35 after the last round the report is of what failed", async () => {
  const run = coder({ write: [BROKEN, BROKEN] }, { rounds: 1 });
  expect(await approveAll(run)).toBe(2);
  expect(await run.output).toMatchObject({
    report: expect.stringContaining("exit code 1"),
    outcome: { exitCode: 1 },
  });
});

sandboxed("an answer without code is the report", async () => {
  const run = coder({ write: ["It is 42."] });
  await approveAll(run);
  expect(await run.output).toMatchObject({ report: "It is 42.", outcome: { blocks: 0 } });
});

sandboxed("M37 a further call says what came of it", async () => {
  const run = coder({ write: [WHOLE], tell: ["It printed 42."] }, { summarize: true });
  await approveAll(run);
  expect(await run.output).toMatchObject({ report: "It printed 42." });
});

test("M39 a no is a report, and no failure", async () => {
  const run = coder({ write: [WHOLE] });
  await run.settled();
  await run.answer(run.interrupts[0]?.id ?? "", { kind: "deny" });
  expect(await run.output).toMatchObject({
    report: "The user did not approve the code execution.",
  });
  expect(run.artifacts).toEqual([]);
});

function isSleeping(seconds: string): boolean {
  return readdirSync("/proc").some((pid) => {
    try {
      return readFileSync(`/proc/${pid}/cmdline`, "utf8") === `sleep\0${seconds}\0`;
    } catch {
      return false;
    }
  });
}

sandboxed("M39 a run that is cancelled while code runs says so, and ends the code", async () => {
  const seconds = String(100_000 + process.pid);
  const run = coder({ write: [`\`\`\`sh\nsleep ${seconds}\n\`\`\``] });
  await run.settled();
  await run.answer(run.interrupts[0]?.id ?? "", { kind: "approve" });
  await vi.waitUntil(() => isSleeping(seconds), { timeout: 60_000 });
  await run.abort("enough");
  await expect(run.output).rejects.toThrow(/cancel|abort/i);
  await vi.waitUntil(() => !isSleeping(seconds), { timeout: 60_000 });
});

test("the page shows the program's drawing", () => {
  const page = readFileSync(join(projectRoot, "runtime/library/coder.md"), "utf8");
  const [graph] = check({ file, text }).graphs;
  if (graph === undefined) throw new Error("no graph");
  expect(page).toContain(`\`\`\`mermaid\n${mermaid(graph).trimEnd()}\n\`\`\``);
});
