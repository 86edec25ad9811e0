/** What `npm start` says of questions, documents and models that are not as they should be: kernel/start.ts. */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { type Ended, startNode, temporaryFolder } from "../support/child.ts";
import { documents, liveModel, stored } from "./scene.ts";

vi.setConfig({ testTimeout: 120_000 });

const question = "How do I produce the next immutable state?";

function started(home: string, env: Readonly<Record<string, string>>): Promise<Ended> {
  return startNode(["kernel/start.ts", ...question.split(" ")], { home, env }).ended;
}

test("a question of one's own is answered from one's own documents", async () => {
  const home = temporaryFolder();
  const { code, stdout, stderr } = await started(home, { MADRIGAL_DOCS: documents() });
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  expect(stdout).toContain(`question: ${question}\n`);
  const quotes = [...stdout.matchAll(/^\d+\. “([^”]*)”\n +— (\S+) · (\S+) · (.+)$/gm)];
  expect(quotes[0]?.[2]).toBe("immer");
  const [run] = await stored(home).sql("SELECT status, model_source FROM runs ORDER BY ts LIMIT 1");
  expect(run).toEqual({ status: "succeeded", model_source: "rules" });
});

test("with no documents at all, it says that nothing was found, and that is no failure", async () => {
  const home = temporaryFolder();
  const docs = join(home, "none");
  mkdirSync(docs);
  const { code, stdout } = await started(home, { MADRIGAL_DOCS: docs });
  expect(code).toBe(0);
  expect(stdout).toMatch(/nothing was found/i);
});

test("with a folder of documents that is not there, it fails and names the folder", async () => {
  const home = temporaryFolder();
  const { code, stderr } = await started(home, { MADRIGAL_DOCS: join(home, "gone") });
  expect(code).toBe(1);
  expect(stderr).toMatch(/^cell 5.*M8301 .*M8403 the documents in ".*gone" cannot be read/m);
});

test("contract: a live model that is not configured is M8101, names the variable, and nothing else runs instead", async () => {
  const home = temporaryFolder();
  const { code, stdout, stderr } = await started(home, { MADRIGAL_MODEL: "openai/gpt-4o-mini" });
  expect(code).toBe(1);
  expect(stderr).toMatch(/^cell 5 .*M8101 .*`openai\/gpt-4o-mini` .*OPENAI_API_KEY is not set$/m);
  expect(stderr).toMatch(/hint: set OPENAI_API_KEY, or .*`models: \{ \w+: "rules" \}`/);
  expect(stdout).not.toContain("node plan#1 succeeded");
});

test("a step that fails ends it with code, node and hint, and the notebook is written", async () => {
  const home = temporaryFolder();
  const refusal = { status: 401, body: { error: { message: "who are you?" } } };
  const { env } = await liveModel(() => refusal);
  const { code, stdout, stderr } = await started(home, env);
  expect(code).toBe(1);
  expect(stdout).toMatch(/^ {2}node plan#1 failed \d+\.\d\ds$/m);
  expect(stderr).toMatch(/^cell 5.*M8104 .*who are you\?/m);
  expect(stderr).toMatch(/^ {2}at node `plan`, attempt 1, run \S+$/m);
  expect(stderr).toMatch(/hint: check OPENAI_COMPATIBLE_API_KEY/m);
  expect(stdout).toContain(`notebook: ${join(home, ".madrigal/out/deep-search.ipynb")}\n`);
});

test("an empty question is refused, not replaced by ours", async () => {
  const home = temporaryFolder();
  const { code, stdout, stderr } = await startNode(["kernel/start.ts", ""], { home }).ended;
  expect(code).toBe(1);
  expect(stdout).toContain("question: \n");
  expect(stderr).toMatch(/M5013 .*the question is empty; ask something$/m);
});

test("--help says what there is to say, and runs nothing", async () => {
  const home = temporaryFolder();
  const { code, stdout } = await startNode(["kernel/start.ts", "--help"], { home }).ended;
  expect(code).toBe(0);
  expect(stdout).toContain(`npm start [-- "QUESTION"]`);
  expect(stdout).not.toContain("question:");
});
