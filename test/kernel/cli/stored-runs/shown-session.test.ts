/** `madrigal show RUN --session NODE`: all that an agent was told, said and did, as text, JSON and a page. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { stubController } from "../../../runtime/operators/stub-runs.ts";
import { temporaryFolder } from "../../../support/child.ts";
import { madrigal } from "../../../support/warm/madrigal.ts";

test("A23 the session of a strong agent is told again from the stored run, with its bytes", async () => {
  const home = temporaryFolder("madrigal-session-");
  const file = join(home, "change.madrigal");
  writeFileSync(
    file,
    `graph Change(task: string) returns done {
  state { done: { ok: boolean } }
  operator code { controller ${stubController("works")}; prompt \`\${task}\`; writes done }
  start -> code -> end
}`,
  );
  const env = { home, cwd: home };
  const ran = await madrigal(["run", file, "--input", '{"task": "add"}', "--quiet"], env);
  expect(ran.stderr + ran.stdout).toContain("true");
  const { stdout } = await madrigal(["show", "last", "--session", "code"], env);
  expect(stdout).toMatch(/^code#1 · done · claude_code · stub · .*3 calls/);
  expect(stdout).toContain("  ☑ look\n");
  expect(stdout).toMatch(/Bash npm test · failed · .*: 1 failed/);
  const json = JSON.parse(
    (await madrigal(["show", "last", "--session", "code", "--json"], env)).stdout,
  );
  const call = json.turns[0].items.find(({ kind }: { kind: string }) => kind === "call");
  expect(call).toMatchObject({
    tool: "Bash",
    attempt: 1,
    raw: [expect.any(Number), expect.any(Number)],
  });
  const out = join(home, "pages", "code.html");
  await madrigal(["show", "last", "--session", "code#1", "--out", out], env);
  expect(readFileSync(out, "utf8")).toContain("<h1>code#1 in Change</h1>");
  const missing = await madrigal(["show", "last", "--session", "coder"], env);
  expect(missing.code).toBe(1);
  expect(missing.stderr).toMatch(/M8340.*\n.*did you mean `code`/s);
});
