/** `madrigal worker`, `pull` and `push`, as a person calls them, with a real Restate server. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { madrigal, startMadrigal, temporaryFolder } from "../../support/child.ts";
import { missing } from "../../support/python-env.ts";
import { startRestate } from "../../support/restate/server.ts";

const reason = await missing("restate");

const PROGRAM = `import { double } from "./tools.ts"
graph Twice(n: int) returns total {
  state { total: int = 0 via sum }
  run a = double(n) writes total
  human look { ask \`Go on?\` }
  run b = double(total) writes total
  start -> a -> look -> b
}
`;

describe.skipIf(reason !== undefined)("with a server", () => {
  test("a graph is served, started over HTTP, answered, paused, pulled, pushed back, and ends there", async () => {
    const server = await startRestate();
    onTestFinished(() => server.stop());
    const home = temporaryFolder();
    const folder = join(home, "programs");
    mkdirSync(folder);
    writeFileSync(join(folder, "twice.madrigal"), PROGRAM);
    writeFileSync(
      join(folder, "tools.ts"),
      "export const double = (n: number): number => n * 2;\n",
    );
    const blobs = join(home, "blobs");
    const of = { home, cwd: folder };
    const worker = startMadrigal(
      [
        "worker",
        "twice.madrigal",
        "--restate",
        server.ingress,
        "--admin",
        server.admin,
        "--blobs",
        blobs,
      ],
      of,
    );
    await worker.said('"event":"serving"');
    const call = async (path: string, body: unknown) => {
      const response = await fetch(`${server.ingress}/${path}`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify(body),
      });
      return JSON.parse(await response.text());
    };
    const { runId } = await call("Graph-Twice/start", { input: { n: 2 } });
    const asked = async () => {
      for (;;) {
        const { interrupts } = await call(`Run/${runId}/status`, null);
        if (interrupts.length > 0) return interrupts[0].id;
      }
    };
    const question = await asked();
    const at = ["--restate", server.ingress, "--blobs", blobs];
    expect((await madrigal(["pull", runId, ...at], of)).stderr).toContain("M5807");
    const pulled = await madrigal(["pull", runId, ...at, "--pause"], of);
    expect(pulled.stderr).toBe("");
    expect(pulled.stdout).toContain("is here: Twice, paused; Restate has it no more");
    expect((await madrigal(["show", runId], of)).stdout).toContain("status: paused");
    const pushed = await madrigal(["push", runId, ...at], of);
    expect(pushed.stderr).toBe("");
    expect(pushed.stdout).toContain("Twice goes on with Restate");
    expect(await asked()).toBe(question);
    await call(`Run/${runId}/say`, {
      verb: "answer",
      interrupt: question,
      answer: { kind: "value", value: "yes" },
    });
    expect((await call("Graph-Twice/output", runId)).output).toEqual({ total: 12 });
    expect((await madrigal(["pull", runId, ...at, "--json"], of)).stdout).toContain(
      '"status": "succeeded"',
    );
    expect((await madrigal(["replay", runId], of)).code).toBe(0);
    worker.signal("SIGTERM");
    expect((await worker.ended).stdout).toContain('"event":"stopped"');
  });
});

test.each([
  [["worker", "twice.madrigal"], "M7103"],
  [["worker", "--restate", "http://127.0.0.1:1"], "M7103"],
  [["pull", "x", "--restate", "nowhere"], "M7104"],
  [["pull", "x", "--restate", "http://127.0.0.1:1"], "M5802"],
  [["pull", "x", "--restate", "http://127.0.0.1:1", "--copy", "--forget"], "M7104"],
])("a call that can't be right: madrigal %s", async (words, code) => {
  const { stderr } = await madrigal(words, { home: temporaryFolder() });
  expect(stderr).toContain(code);
});
