/** What strong agents say and do is shown below the drawing of their run, as it comes and in a bounded size. */
import { expect, test } from "vitest";
import { drawingsReady, sessionPage, toBundle } from "../../../../kernel/display/index.ts";
import {
  type DrivenRun,
  type Scope,
  type ScriptedTurn,
  scripted,
  scriptedController,
  tool,
} from "../../../../runtime/index.ts";
import { oneOperator } from "../../../runtime/operators/operators.ts";
import { bundleIn, type Followed, follow, graphOf } from "../runs.ts";

const DIFF = "--- a.ts\n+++ a.ts\n@@ -1,1 +1,2 @@\n-const a = 1;\n+const a = 2;\n+const b = <b>;\n";

const WORKING: ScriptedTurn = {
  steps: [
    { say: "I look first." },
    {
      kind: "plan_updated",
      steps: [
        { text: "look", status: "completed" },
        { text: "change", status: "in_progress" },
        { text: "test", status: "pending" },
      ],
    },
    { tool: "Bash", input: { command: "ls", note: "<i>" }, result: "a.ts" },
    {
      kind: "artifact_created",
      name: "a.ts",
      artifactKind: "patch",
      mime: "text/x-diff",
      path: "a.ts",
      text: DIFF,
    },
    { tool: "Bash", input: { command: "npm test" }, error: "1 failed" },
  ],
  says: "done",
  usage: { inputTokens: 1000, outputTokens: 400, costUsd: 0.0125 },
};

async function runOf(turn: ScriptedTurn): Promise<DrivenRun> {
  const graph = await graphOf(oneOperator(), { agent: scriptedController([turn]) });
  return graph.run({ task: "it" }) as unknown as DrivenRun;
}

/** The outputs of the display of the run's agents. */
function shownIn({ run, outputs }: Followed) {
  return outputs.filter((one) => "displayId" in one && one.displayId === `run-${run.id}-agents`);
}

function htmlOf(output: Parameters<typeof bundleIn>[0] | undefined): string {
  return output === undefined ? "" : String(bundleIn(output).data["text/html"]);
}

test("a session is one display: calls folded, differences coloured, the plan as a check list, tokens and cost", async () => {
  const followed = follow(await runOf(WORKING));
  await followed.run.output;
  await drawingsReady();
  const shown = shownIn(followed);
  expect(shown.map(({ kind }) => kind)).toEqual(["display", "update"]);
  const html = htmlOf(shown.at(-1));
  expect(html).toContain('data-status="done"');
  expect(html).toMatch(/2 calls · 1\.4k tokens · \$0\.0125/);
  expect(html).toMatch(/☑ look.*◐ change.*☐ test/);
  expect(html).toMatch(
    /<details data-key="[^"]+"[^>]*><summary[^>]*><b>Bash<\/b> <code[^>]*>ls<\/code>/,
  );
  expect(html).toMatch(/rgba\(46,160,67,.20\)">\+const a = 2;/);
  expect(html).toMatch(/rgba\(248,81,73,.20\)">-const a = 1;/);
  expect(html).not.toContain("<b>;");
  expect(html).not.toContain("<i>");
  expect(bundleIn(shown.at(-1) as never).data["text/plain"]).toMatch(
    /changed a\.ts \+2 −1\n {2}Bash npm test · failed/,
  );
});

test("a session of 10,000 events stays small, drawn no more often than time passes, old ones counted", async () => {
  const steps = Array.from({ length: 5_000 }, (_, at) => ({
    tool: "Bash",
    input: { command: `step ${at}`, text: "x".repeat(2_000) },
    result: "y".repeat(2_000),
  }));
  const followed = follow(await runOf({ steps, says: "done" }));
  await followed.run.output;
  await drawingsReady();
  const shown = shownIn(followed);
  // No time passes: it is drawn at once, and at the end.
  expect(shown.length).toBe(2);
  const html = htmlOf(shown.at(-1));
  expect(html.length).toBeLessThan(70_000);
  expect(html).toContain("step 4999");
  expect(html).toMatch(/… 4,9\d\d earlier items/);
  expect(html).toContain("5,000 calls");
});

test("a question of it stands in its session as open, then with what was answered", async () => {
  const step = { tool: "Write", input: { path: "a.ts" }, ask: "May I?", result: "written" };
  const run = await runOf({ steps: [step], says: "done" });
  const followed = follow(run);
  await run.settled();
  await drawingsReady();
  const last = () => htmlOf(shownIn(followed).at(-1));
  expect(last()).toMatch(/asks whether it may call <b>Write<\/b>.*waits for an answer/);
  const [interrupt] = run.interrupts;
  await run.answer(interrupt?.id ?? "", { kind: "deny", reason: "not now" });
  await run.output;
  await drawingsReady();
  expect(last()).toMatch(/not allowed/);
  expect(last()).not.toContain("waits for an answer");
});

test("A26 `run.session` has all of it, each thing with its place in the bytes; its page runs no script", async () => {
  const run = await runOf(WORKING);
  await run.output;
  const session = run.session("code");
  expect(session.items.map(({ kind }) => kind)).toEqual([
    ...["instruction", "text", "plan", "call", "file", "call", "text"],
  ]);
  const call = session.items.find(({ kind }) => kind === "call");
  if (call === undefined) throw new Error("no call");
  expect(JSON.parse(Buffer.from(session.raw(call)).toString())).toMatchObject({
    kind: "tool_call",
    input: { command: "ls" },
  });
  const page = sessionPage(session);
  expect(page).toContain("Content-Security-Policy");
  expect(page).toMatch(/title="bytes \d+ to \d+ of attempt 1"/);
  expect(page).not.toMatch(/<script|<i>/);
  expect((await toBundle(session)).data["text/plain"]).toContain("Bash ls · ok");
  expect(() => run.session("coder")).toThrow(/no session of `coder`/);
});

test("the session of an agent of the program's own has its texts and its calls", async () => {
  const scope: Scope = {
    files: {
      read: tool(({ path }: { path: string }) => `text of ${path}`, {
        effect: "none",
        description: "Reads a file.",
        input: { type: "object", properties: { path: { type: "string" } }, required: ["path"] },
      }),
    },
  };
  const graph = await graphOf(
    "graph Read(task: string) returns text { state { text: string } agent look { model m; tools files.read; prompt `${task}`; writes text } start -> look -> end }",
    scope,
  );
  const m = scripted([{ calls: [{ tool: "files.read", input: { path: "a.ts" } }] }, "It says a."]);
  const run = graph.run({ task: "it" }, { models: { m } });
  await run.output;
  const plain = (await toBundle(run.session("look#1"))).data["text/plain"];
  expect(plain).toMatch(/look#1 · done · .*1 call/);
  expect(plain).toMatch(/files\.read a\.ts · ok · .*\n {2}It says a\./);
});

test("what is private, or looks like a secret, is in no session that people see", async () => {
  const key = `ghp_${"a1B2".repeat(9)}`;
  const agent = scriptedController([
    {
      steps: [{ tool: "Bash", input: { command: `export KEY=${key}` }, result: key }],
      says: "4711-0815",
    },
  ]);
  const text = oneOperator("", "Private<string>");
  const run = (await graphOf(text, { agent })).run({ task: "it" }) as unknown as DrivenRun;
  const followed = follow(run);
  await run.output;
  await drawingsReady();
  const session = run.session("code");
  const shown = [htmlOf(shownIn(followed).at(-1)), sessionPage(session)].join("\n");
  expect(shown).toContain("export KEY=");
  expect(shown).not.toContain(key);
  expect(shown).not.toContain("4711-0815");
});
