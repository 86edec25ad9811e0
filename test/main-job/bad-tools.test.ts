/** Tools, functions and models that misbehave: none ends a run without a word, and the process always ends. */
import { statSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, test } from "vitest";
import { Session, scripted, tool } from "../../runtime/index.ts";
import { madrigal, projectRoot, temporaryFolder } from "../support/child.ts";
import type { ServerAnswer, ServerRequest } from "../support/openai-server.ts";
import { oneCall, written } from "./program.ts";
import { deepSearch, filesBelow, liveModel, question, recordsOf, stored } from "./scene.ts";

const runtime = JSON.stringify(pathToFileURL(join(projectRoot, "runtime", "index.ts")).href);

const toolsProgram = `model m = "rules"
graph G() returns answer {
  state { answer: Record<string, string> }
  agent ask {
    model m
    tools bad.*
    prompt \`Try them all.\`
    writes answer
  }
  start -> ask
}
`;

const badTools = `
  import { tool } from ${runtime};
  const bad_ = (fn, more) => tool(fn, { effect: "none", ...more });
  const cycle = { name: "me" };
  cycle.self = cycle;
  export const bad = {
    throws: bad_(() => { throw new Error("no light"); }),
    hangs: bad_(() => new Promise(() => {}), { timeoutMs: 50 }),
    huge: bad_(() => "x".repeat(10 * 1024 * 1024)),
    cycle: bad_(() => cycle),
    bigint: bad_(() => ({ count: 10n })),
    nothing: bad_(() => undefined),
    stray: bad_(() => { void Promise.reject(new Error("left behind")); return "fine"; }),
  };
`;
const names = ["throws", "hangs", "huge", "cycle", "bigint", "nothing", "stray"];

/** Calls every tool in one turn, then answers with what it was shown of each. */
function triesAll({ body }: ServerRequest): ServerAnswer {
  const results = body.messages.filter(({ role }) => role === "tool");
  if (results.length === 0) {
    const calls = names.map((name) => ({ tool: `bad_${name}`, input: {}, id: name }));
    return { calls };
  }
  const shown = results.map(({ tool_call_id: id = "", content }) => [id, content ?? ""]);
  const answer = shown.map(([id, text = ""]) => [id, text.length > 200 ? text.slice(-60) : text]);
  return { json: Object.fromEntries([...answer, ["bytes", String(JSON.stringify(shown).length)]]) };
}

test("tools that throw, hang, return 10 MB or what is not JSON: the model is told, the run goes on", async () => {
  const { env } = await liveModel(triesAll);
  const { home, run } = written(toolsProgram, { typescript: badTools, env });
  const ended = await run("--json");
  expect(ended.code, ended.stderr).toBe(0);
  const { bytes, ...answer } = JSON.parse(ended.stdout).output.answer;
  expect(answer).toMatchInlineSnapshot(`
    {
      "bigint": "{"count":"10"}
    [\`count\` was a BigInt, which is not JSON; it is shown as text]",
      "cycle": "{"name":"me","self":"[cycle]"}
    [\`self\` was a cycle, which is not JSON; it is shown as text]",
      "hangs": "Error: \`bad_hangs\` did not answer within 0.05 s",
      "huge": "xxxxxxxxx
    [cut: the first 65536 of 10485760 bytes are shown]",
      "nothing": "(the tool returned nothing)",
      "stray": "fine",
      "throws": "Error: \`bad_throws\` failed: no light",
    }
  `);
  // What left a promise behind is named on stderr, and is no reason to end.
  expect(ended.stderr).toContain(
    "warning[M7206]: left behind, thrown in code that was not awaited",
  );

  const { sql } = stored(home);
  const calls = await sql(`
    SELECT tool, node, attempt, status, error_code
    FROM tool_calls
    WHERE status <> 'ok'
    ORDER BY tool`);
  expect(calls).toEqual([
    { tool: "bad.hangs", node: "ask", attempt: 1, status: "error", error_code: "M8202" },
    { tool: "bad.throws", node: "ask", attempt: 1, status: "error", error_code: "M8202" },
  ]);
  // 10 MB are 64 KB for the model and 256 KB in the log and the trace; `results.read` reads the whole of them, an artifact.
  expect(Number(bytes)).toBeLessThan(70_000);
  const logAndTrace = filesBelow(home).filter((file) => !file.includes("/artifacts/"));
  const sizes = logAndTrace.map((file) => statSync(file).size);
  expect(sizes.reduce((sum, size) => sum + size)).toBeLessThan(5_000_000);
});

test("a function that hangs and hears no signal: its limit ends the run, and the process", async () => {
  const limited = oneCall.replace("writes answer\n", "writes answer { limit 50ms }\n");
  const typescript =
    "export const work = () => new Promise<string>(() => setInterval(() => {}, 1000));";
  const { run } = written(limited, { typescript });
  const ended = await run("--json");
  expect(ended.code).toBe(1);
  const { status, reason, error } = JSON.parse(ended.stdout);
  expect({ status, reason, error }).toEqual({
    status: "failed",
    reason: "limit:time",
    error: {
      code: "M5010",
      message: "`ask` has reached its limit of time",
      node: "ask",
      attempt: 1,
      line: 3,
      hint: "raise the limit in the graph and resume the run",
    },
  });
  expect(ended.stderr).toContain("at node `ask`, attempt 1, g.madrigal:3:3");
});

test("a tool that hangs and hears no signal: the limit of its node ends the run", async () => {
  const session = new Session({ store: "memory", env: {} });
  const { promise: begun, resolve } = Promise.withResolvers<void>();
  const hang = () => {
    resolve();
    return new Promise(() => {});
  };
  const text = toolsProgram.replace("writes answer", "writes answer\n    limit 300ms");
  const scope = { bad: { hangs: tool(hang, { effect: "none" }) } };
  const model = scripted([{ calls: [{ tool: "bad_hangs" }] }]);
  const run = session.compile(text, { scope }).G?.run({}, { models: { m: model } });
  await begun;
  await run?.settled();
  await session.close();
  expect([run?.status, run?.reason]).toEqual(["failed", "limit:time"]);
  expect(run?.failure).toMatchObject({ code: "M5010", hint: expect.stringContaining("limit") });
});

test("a model that answers nonsense is told so twice, then the run fails with its place", async () => {
  const home = temporaryFolder();
  const { server, env } = await liveModel(() => ({ text: "I would rather not." }));
  const input = JSON.stringify({ question });
  const ended = await madrigal(["run", deepSearch, "--input", input, "--json"], { home, env });
  expect(ended.code).toBe(1);
  const { status, reason, error } = JSON.parse(ended.stdout);
  expect({ status, reason, error }).toEqual({
    status: "failed",
    reason: "error",
    error: {
      code: "M8120",
      message: expect.stringContaining("it holds no JSON: I would rather not."),
      node: "plan",
      attempt: 3,
      line: 16,
      hint: expect.stringContaining("the field the node writes"),
    },
  });
  expect(ended.stderr).toMatch(/at node `plan`, attempt 3, .*deep-search\.madrigal:16:3/);
  expect(server.requests).toHaveLength(3);
  const reasons = recordsOf(stored(home).records(), "start").map(({ reason }) => reason);
  expect(reasons).toEqual(["first", "repair", "repair"]);
});

const ends = `
  import { setImmediate as turn } from "node:timers/promises";
  export async function work() {
    switch (process.env.TEST_HOW) {
      case "exit":
        process.exit(0);
      case "throw":
        setImmediate(() => { throw new Error("left behind"); });
        await turn();
        await turn();
    }
    return "done";
  }
`;

test("a function that calls process.exit(0): told with code 1, and the run goes on in a new process", async () => {
  const { home, run } = written(oneCall, { typescript: ends, env: { TEST_HOW: "exit" } });
  const ended = await run("--json");
  expect(ended.code).toBe(1);
  const { version, status, error } = JSON.parse(ended.stdout);
  expect([version, status, error.code]).toEqual([1, "running", "M7207"]);
  expect(ended.stderr).toMatch(
    /error\[M7207\]: .*process\.exit\(0\).*\n {2}hint: .*madrigal resume/,
  );
  const before = stored(home);
  expect(before.session.store.find("last")).toMatchObject({ status: "running" });
  await before.session.close();
  const resumed = await madrigal(["resume", "last", "--json"], { home });
  expect(JSON.parse(resumed.stdout)).toMatchObject({
    status: "succeeded",
    output: { answer: "done" },
  });
});

test("an exception in a timer that a function left behind: the run is paused, and says how to go on", async () => {
  const { run } = written(oneCall, { typescript: ends, env: { TEST_HOW: "throw" } });
  const ended = await run("--json");
  expect(ended.code).toBe(1);
  expect(JSON.parse(ended.stdout)).toMatchObject({ status: "paused", reason: "uncaughtException" });
  expect(ended.stderr).toMatch(/^error\[M7206\]: left behind, .*\n {4}at .*scope\.ts/m);
  expect(ended.stderr).toMatch(/\npaused: madrigal resume \S+\n$/);
});
