/** What `npm start` runs, once everything is installed: kernel/start.ts, told for people. */
import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { type Ended, projectRoot, startNode, temporaryFolder } from "../support/child.ts";
import { documents, liveModel, stored } from "./scene.ts";

const question = "How do I produce the next immutable state?";

function started(home: string, env: Readonly<Record<string, string>>): Promise<Ended> {
  return startNode(["kernel/start.ts", ...question.split(" ")], { home, env }).ended;
}

test("it shows a line a node, the report with citations, a table, and where all of it is kept", async () => {
  const home = temporaryFolder();
  const docs = documents();
  const { code, stdout, stderr } = await started(home, { MADRIGAL_DOCS: docs });
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  expect(stdout).toContain(`question: ${question}\n`);

  const ended = [...stdout.matchAll(/^(\w+)#(\d+) succeeded \d+\.\d\ds$/gm)].map(
    ([, node]) => node,
  );
  expect(new Set(ended)).toEqual(new Set(["plan", "search", "verify", "write"]));

  const quotes = [...stdout.matchAll(/^\d+\. “([^”]*)”\n +— (\S+) · (\S+) · (.+)$/gm)];
  expect(quotes.length).toBeGreaterThan(0);
  for (const [, quote = "", name = "", file = ""] of quotes) {
    expect(file.startsWith(`${name}/`)).toBe(true);
    expect(readFileSync(join(docs, file), "utf8")).toContain(quote);
  }
  expect(quotes[0]?.[2]).toBe("immer");
  const places = [...stdout.matchAll(/^ {2}(\/\S+):(\d+) {2}\S/gm)];
  expect(places.length).toBeGreaterThan(0);
  const [, path = "", line = "0"] = places[0] ?? [];
  const [beginning = ""] = (quotes[0]?.[1] ?? "").split("\n");
  expect(path).toBe(join(docs, "immer/README.md"));
  expect(readFileSync(path, "utf8").split("\n")[Number(line) - 1]).toContain(beginning);

  const table = stdout.slice(stdout.indexOf("\nnode ")).trim().split("\n\n")[0] ?? "";
  const [head = "", ...rows] = table.split("\n").map((line) => line.split(/ {2,}/));
  expect(head).toEqual([
    "node",
    "runs",
    "time",
    "model calls",
    "tool calls",
    "tokens in",
    "tokens out",
    "cost",
    "model",
    "model source",
  ]);
  expect(rows.map((row) => [row[0], row.at(-1)])).toEqual([
    ["plan", "rules"],
    ["search", "rules"],
    ["verify", "-"],
    ["write", "rules"],
  ]);

  const { session, sql } = stored(home);
  const [run] = await sql("SELECT run_id, status, model_source FROM runs");
  expect(run).toMatchObject({ status: "succeeded", model_source: "rules" });
  const { runsFile, tracesDir } = session.workspace;
  expect(stdout.trimEnd().split("\n").slice(-3)).toEqual([
    `run: ${run?.run_id}`,
    `log: ${runsFile}`,
    `trace: ${join(tracesDir, "live-cli.duckdb")}`,
  ]);
});

test("with no documents at all, it says that nothing was found, and that is no failure", async () => {
  const home = temporaryFolder();
  const docs = join(home, "none");
  mkdirSync(docs);
  const { code, stdout, stderr } = await started(home, { MADRIGAL_DOCS: docs });
  expect(code).toBe(0);
  expect(stderr).toBe(`warning[M7209]: there are no documents in ${docs}
  hint: MADRIGAL_DOCS names the folder to read, one like node_modules with a README per package
`);
  expect(stdout).toMatch(/nothing was found/i);
  expect(stdout).toContain("Cited:\n  none\n");
});

test("with a folder of documents that is not there, it fails and names the folder", async () => {
  const home = temporaryFolder();
  const { code, stderr } = await started(home, { MADRIGAL_DOCS: join(home, "gone") });
  expect(code).toBe(1);
  expect(stderr).toMatch(/^error\[M8301\]: .*M8403 the documents in ".*gone" cannot be read/m);
  expect(stderr).toMatch(/^ {2}at node `verify`, attempt 1, .*deep-search\.madrigal:44:3$/m);
});

test("contract: a live model that is not configured is M8101, names the variable, and nothing else runs instead", async () => {
  const home = temporaryFolder();
  const { code, stdout, stderr } = await started(home, { MADRIGAL_MODEL: "openai/gpt-4o-mini" });
  expect(code).toBe(1);
  expect(stderr).toMatch(
    /^error\[M8101\]: \S*deep-search\.madrigal:3:1 `openai\/gpt-4o-mini` .*OPENAI_API_KEY is not set$/m,
  );
  expect(stderr).toMatch(/^ {2}hint: set OPENAI_API_KEY, or .*`models: \{ \w+: "rules" \}`$/m);
  expect(stdout).not.toContain("succeeded");
});

test("a step that fails ends it with code, node, place and hint", async () => {
  const home = temporaryFolder();
  const refusal = { status: 401, body: { error: { message: "who are you?" } } };
  const { env } = await liveModel(() => refusal);
  const { code, stdout, stderr } = await started(home, env);
  expect(code).toBe(1);
  expect(stdout).toMatch(/^plan#1 failed \d+\.\d\ds M8104: /m);
  expect(stderr).toMatch(/^error\[M8104\]: .*who are you\?/m);
  expect(stderr).toMatch(/^ {2}at node `plan`, attempt 1, .*deep-search\.madrigal:16:3$/m);
  expect(stderr).toMatch(/^ {2}hint: check OPENAI_COMPATIBLE_API_KEY/m);
  expect(stderr).toMatch(/^ {2}hint: .*madrigal resume \S+$/m);
});

test("an empty question is refused, not replaced by ours", async () => {
  const home = temporaryFolder();
  const { code, stdout, stderr } = await startNode(["kernel/start.ts", ""], { home }).ended;
  expect(code).toBe(1);
  expect(stdout).toContain("question: \n");
  expect(stderr).toMatch(/^error\[M5013\]: .*the question is empty; ask something$/m);
});

test("--help says what there is to say, and runs nothing", async () => {
  const home = temporaryFolder();
  const { code, stdout } = await startNode(["kernel/start.ts", "--help"], { home }).ended;
  expect(code).toBe(0);
  expect(stdout).toContain(`npm start [-- "QUESTION"]`);
  expect(stdout).not.toContain("question:");
});

test("without a question it answers one whose first quote is the answer", async () => {
  const home = temporaryFolder();
  const env = { MADRIGAL_DOCS: join(projectRoot, "node_modules") };
  const { code, stdout } = await startNode(["kernel/start.ts"], { home, env }).ended;
  expect(code).toBe(0);
  expect(stdout).toMatch(/^1\. “To avoid a `try\/catch` block, you can use the `\.safeParse\(\)`/m);
  expect(stdout).not.toContain("None of them mentions");
});

test("a question of many words is told by its beginning, in the report too", async () => {
  const home = temporaryFolder();
  const docs = join(home, "none");
  mkdirSync(docs);
  const long = "why and how ".repeat(50).trim();
  const env = { MADRIGAL_DOCS: docs };
  const { stdout } = await startNode(["kernel/start.ts", long], { home, env }).ended;
  expect(stdout).toContain(`question: ${long.slice(0, 200)}…\n`);
  expect(stdout).not.toContain(long);
});
