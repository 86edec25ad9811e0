/** What a user gets wrong, and what goes wrong around a user: each with code, place, hint and exit code. */
import { appendFileSync, chmodSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { openTraces } from "../../runtime/trace/trace-store.ts";
import { madrigal, startMadrigal, temporaryFolder } from "../support/child.ts";
import { oneCall, written } from "./program.ts";
import { deepSearch, documents, stored } from "./scene.ts";

const works = 'export const work = () => "done";';

test.each([
  [
    "a syntax error",
    oneCall.replace("start ->", "start >"),
    { code: "M1101", line: 4, column: 9, hint: "an edge is written `a -> b`" },
  ],
  [
    "an unknown node",
    oneCall.replace("-> ask", "-> asks"),
    { code: "M2101", line: 4, column: 12, hint: "did you mean `ask`?" },
  ],
])(
  "%s is shown at its place, and nothing is run",
  async (_, text, { code, line, column, hint }) => {
    const { home, run } = written(text, { typescript: works });
    const ended = await run("--json");
    expect(ended.code).toBe(1);
    expect(ended.stderr).toContain(`error[${code}]`);
    expect(ended.stderr).toContain(`g.madrigal:${line}:${column}`);
    expect(ended.stderr).toContain(`hint: ${hint}`);
    expect(JSON.parse(ended.stdout)).toMatchObject({
      version: 1,
      run_id: null,
      status: null,
      error: { code: "M5002", line, hint: expect.stringContaining("madrigal check g.madrigal") },
    });
    expect(readdirSync(home)).not.toContain(".madrigal");
  },
);

test("an empty question fails at `plan`, with the words of its `ensure`", async () => {
  const home = temporaryFolder();
  const env = { MADRIGAL_DOCS: documents() };
  const args = ["run", deepSearch, "--input", '{"question": "  "}'];
  const ended = await madrigal(args, { home, env });
  expect(ended.code).toBe(1);
  expect(ended.stderr).toMatch(/error\[M5013\]: .*the question is empty; ask something\n/);
  expect(ended.stderr).toMatch(/at node `plan`, attempt 1, .*deep-search\.madrigal:16:3\n/);
  expect(ended.stderr).toMatch(/hint: .*madrigal resume/);
});

test("a question that no document answers: it says that nothing was found, and that is no failure", async () => {
  const home = temporaryFolder();
  const env = { MADRIGAL_DOCS: documents() };
  const input = JSON.stringify({ question: "How do I configure the zyxqueriwop interval?" });
  const ended = await madrigal(["run", deepSearch, "--input", input, "--json"], { home, env });
  const { status, output } = JSON.parse(ended.stdout);
  expect([ended.code, status, output.findings]).toEqual([0, "succeeded", []]);
  expect(output.report).toMatch(/nothing was found/i);
});

// As root every folder can be written, so somebody else tries.
const somebody = process.getuid?.() === 0 ? { uid: 65534 } : {};

test("a folder that can't be written", async () => {
  const { home } = written(oneCall, { typescript: works });
  chmodSync(home, 0o555);
  const args = ["run", "g.madrigal", "--scope", "scope.ts", "--json"];
  const ended = await startMadrigal(args, { home, ...somebody }).ended;
  chmodSync(home, 0o755);
  expect([ended.code, JSON.parse(ended.stdout)]).toMatchObject([
    1,
    {
      error: {
        code: "M5101",
        message: `\`${join(home, ".madrigal")}\` can't be written`,
        hint: "make it writable, or set MADRIGAL_HOME to a folder that is",
      },
    },
  ]);
});

test("a trace file that another process has: the run uses a second one, and says so", async () => {
  const { home, run } = written(oneCall, { typescript: works });
  const folder = join(home, ".madrigal", "traces");
  const held = await openTraces(folder, "cli");
  onTestFinished(() => held.close());
  const ended = await run();
  expect(ended.code).toBe(0);
  expect(ended.stderr).toMatch(/warning\[M6002\]: .*live-cli\.duckdb is open in .*another file/);
  expect(ended.stderr).toContain("hint: nothing is lost");
  expect(ended.stdout).toContain(`trace: ${join(folder, "live-cli-2.duckdb")}`);
});

test("a corrupt trace file is set aside, and a new one is made from the logs of all runs", async () => {
  const { home, run } = written(oneCall, { typescript: works });
  expect((await run()).code).toBe(0);
  const file = join(home, ".madrigal", "traces", "live-cli.duckdb");
  writeFileSync(file, "this was a database");
  const ended = await run();
  expect(ended.code).toBe(0);
  expect(ended.stderr).toMatch(/warning\[M6003\]: .*live-cli\.duckdb can't be used/);
  expect(ended.stderr).toContain(`hint: the old file is ${file}.corrupt-1`);
  const { sql } = stored(home);
  const rows = await sql("SELECT status, count(*)::INTEGER AS runs FROM runs GROUP BY status");
  expect(rows).toEqual([{ status: "succeeded", runs: 2 }]);
});

test("a runs.sqlite that is no database: nothing is run, and the file is left as it is", async () => {
  const { home, run, madrigal } = written(oneCall, { typescript: works });
  expect((await run()).code).toBe(0);
  const file = join(home, ".madrigal", "runs.sqlite");
  writeFileSync(file, "x");
  appendFileSync(file, "y".repeat(8191));
  const error = {
    code: "M5102",
    message: expect.stringContaining(`\`${file}\` is damaged`),
    hint: expect.stringContaining("move it"),
  };
  for (const ended of [await run("--json"), await madrigal("show", "last", "--json")]) {
    expect([ended.code, JSON.parse(ended.stdout)]).toMatchObject([1, { error }]);
  }
});
