/** What goes wrong with strong agents: silence, limits, loss, what they may not; and what they can't do at all. */
import { describe, expect, expectTypeOf, test } from "vitest";
import type { Controller, StartRequest } from "../../../runtime/agents/operator/controller.ts";
import { createOperatorPerformer } from "../../../runtime/agents/operator/operator.ts";
import { controller, type RunError, scriptedController } from "../../../runtime/index.ts";
import type { Attempt, PerformerContext } from "../../../runtime/performer.ts";
import { attemptOf, failureOf, fakeContext, stillClock } from "../agents/fake-context.ts";
import { eventsOf, graphWith, oneOperator } from "./operators.ts";

const writes = [{ field: "patch", optional: false }] as const;
const attempt = () =>
  attemptOf({
    kind: "operator",
    controller: { name: ["agent"], args: [] },
    writes,
    output: { type: "string" },
  });

test("an agent that says nothing for too long is interrupted, class timeout", async () => {
  const agent = scriptedController([{ steps: [{ say: "I begin." }, { silence: true }] }]);
  const clock = stillClock();
  const performer = createOperatorPerformer({ scope: () => ({ agent }), clock, silenceMs: 1000 });
  const context = fakeContext();
  const failed = failureOf(performer.perform(attempt(), context));
  while (context.log.length < 4) await new Promise((resolve) => setImmediate(resolve));
  clock.advance(1000);
  expect(await failed).toMatchObject({ class: "timeout", code: "M8505" });
  expect(agent.calls).toEqual(["start scripted-1", "interrupt scripted-1"]);
});

test("a limit of what it may use stops an agent in the middle of its turn", async () => {
  const steps = [1, 2, 3, 4].map((at) => ({
    kind: "message_completed" as const,
    text: `${at}`,
    usage: { inputTokens: 400, outputTokens: 100 },
  }));
  const agent = scriptedController([{ steps, says: "done" }]);
  const { graph } = graphWith(oneOperator("limit 1k tokens"), { agent });
  const run = graph.run({ task: "x" });
  const ended = await eventsOf(run.stream("events"), "session.ended");
  await expect(run.output).rejects.toMatchObject({ code: "M5010" });
  expect(run.reason).toBe("limit:tokens");
  expect(run.usage.inputTokens).toBe(800);
  expect(agent.calls).toEqual(["start scripted-1", "interrupt scripted-1", "close scripted-1"]);
  expect(ended.map(({ status }) => status)).toEqual(["interrupted"]);
});

test("a limit of tool calls counts those of the agent", async () => {
  const call = { tool: "shell", input: {} };
  const agent = scriptedController([{ steps: [call, call, call], says: "done" }]);
  const { graph } = graphWith(oneOperator("limit 2 calls"), { agent });
  const run = graph.run({ task: "x" });
  await expect(run.output).rejects.toMatchObject({ code: "M5010" });
  expect([run.reason, run.usage.toolCalls]).toEqual(["limit:calls", 2]);
});

test("a retry begins a new session", async () => {
  const fails = { class: "model", reason: "overloaded", message: "529" } as const;
  const agent = scriptedController([{ fails }, { says: "done" }]);
  const { graph } = graphWith(oneOperator("retry 1 on model"), { agent });
  expect(await graph.run({ task: "x" }).output).toEqual({ patch: "done" });
  expect(agent.calls.slice(0, 2)).toEqual(["start scripted-1", "start scripted-2"]);
});

test("an agent that dies is lost with its code, and is not tried again by itself", async () => {
  const agent = scriptedController([{ steps: [{ crash: "exit 137" }] }]);
  const { graph } = graphWith(oneOperator("retry 3"), { agent });
  const run = graph.run({ task: "x" });
  await expect(run.output).rejects.toMatchObject({ code: "M8502" });
  expect(run.failure?.class).toBe("controller_lost");
  expect(agent.calls.filter((call) => call.startsWith("start"))).toHaveLength(1);
});

test("a controller that throws what it likes is lost, and the run stands", async () => {
  const agent = controller({
    ...plain(),
    start: () => Promise.reject("a text"),
  });
  const { graph } = graphWith(oneOperator(), { agent });
  await expect(graph.run({ task: "x" }).output).rejects.toMatchObject({ code: "M8502" });
});

test("known secrets are in nothing that is kept of an agent", async () => {
  const { Session } = await import("../../../runtime/index.ts");
  const session = new Session({ store: "memory", env: { MY_API_KEY: "hush-hush-hush" } });
  const agent = scriptedController([{ steps: [{ say: "key hush-hush-hush" }], says: "done" }]);
  const graph = session.compile(oneOperator(), { scope: { agent } }).Change;
  const run = graph?.run({ task: "x" });
  await run?.output;
  const records = JSON.stringify(session.store.read(run?.id ?? ""));
  expect(records).not.toContain("hush-hush-hush");
  expect(records).toContain("⟦secret:MY_API_KEY⟧");
  await session.close();
});

describe("controllers of the scope", () => {
  test("one that is not there is told before the run starts", () => {
    const { graph } = graphWith(oneOperator(), { agent: scriptedController([{ says: "" }]) });
    expect(() => graph.run({ task: "x" }, { scope: { agent: 3 } })).toThrow(
      "`agent` is no controller",
    );
  });

  test.each([
    ["codex", { codex: "gpt" }, "is no controller"],
    ["acp", { acp: undefined }, "is no controller"],
    ["claude_code", { claude_code: () => "Claude" }, "gives no controller"],
  ])("a variable `%s` is told to hide the controller of that name", async (name, scope, what) => {
    const { graph } = graphWith(oneOperator().replace("agent;", `${name}();`), scope);
    const failed = await (async () => await graph.run({ task: "x" }).output)().catch(
      (thrown: RunError) => thrown,
    );
    expect(failed).toMatchObject({
      code: "M8501",
      message: expect.stringMatching(new RegExp(`\`${name}\` ${what}: a variable .* hides it`)),
      hint: expect.stringContaining("give the variable another name"),
    });
  });

  test("a function of the scope makes one of the arguments", async () => {
    const made: unknown[] = [];
    const agent = (...args: unknown[]) => {
      made.push(args);
      return scriptedController([{ says: "done" }]);
    };
    const text = oneOperator().replace("controller agent", 'controller agent(task, effort: "low")');
    const { graph } = graphWith(text, { agent });
    expect(await graph.run({ task: "x" }).output).toEqual({ patch: "done" });
    expect(made).toEqual([["x", { effort: "low" }]]);
  });

  test("an object without a method is no controller", () => {
    const { stream: _, ...rest } = plain();
    expect(() => controller(rest as Controller)).toThrow("it has no `stream`");
  });
});

test("M19 all sessions of a run are closed at once, and what that failed with is told together", async () => {
  const closing: string[] = [];
  let both = () => {};
  const asked = new Promise<void>((resolve) => {
    both = resolve;
  });
  const scripted = scriptedController([{ says: "done" }]);
  const agent = controller({
    ...plain(),
    name: "agent",
    capabilities: { ...scripted.capabilities, snapshot: false },
    start: (request) => scripted.start(request),
    stream: (handle) => scripted.stream(handle),
    close: async ({ sessionId }) => {
      closing.push(sessionId);
      if (closing.length === 2) both();
      // Each waits for the other: one after the other would never end.
      await asked;
      throw new Error(`${sessionId} refuses`);
    },
  });
  const text = `graph Two() returns a, b {
    state { a: string = ""  b: string = "" }
    operator one { controller agent; prompt \`1\`; writes a }
    operator two { controller agent; prompt \`2\`; writes b }
    start -> [one, two]
    [one, two] -> end
  }`;
  const { graph } = graphWith(text, { agent });
  const run = graph.run({});
  expect(await run.output).toEqual({ a: "done", b: "done" });
  await expect(run.dispose()).rejects.toMatchObject({
    code: "M8510",
    message: expect.stringMatching(/scripted-1 refuses; scripted-2 refuses/),
  });
  await run.dispose();
});

test("W22 A14 nobody who performs a node is given a way to another", async () => {
  const agent = scriptedController([{ says: "done" }]);
  await graphWith(oneOperator(), { agent }).graph.run({ task: "x" }).output;
  const [request] = agent.requests;
  // A function in it could not be cloned.
  expect(structuredClone(request)).toEqual(request);
  expectTypeOf<keyof Controller>().toEqualTypeOf<
    | ("name" | "source" | "capabilities")
    | ("start" | "resume" | "stream" | "answer")
    | ("interrupt" | "detach" | "steer" | "snapshot" | "restore" | "close")
  >();
  // No member of what they get is a function, but for the ways of the context, none of which names a node.
  type Functions<T> = {
    [K in keyof T]: T[K] extends (...args: never) => unknown ? K : never;
  }[keyof T];
  expectTypeOf<Functions<Required<StartRequest>>>().toEqualTypeOf<never>();
  expectTypeOf<Functions<Required<Attempt>>>().toEqualTypeOf<"decideOn" | "recall">();
  expectTypeOf<Extract<keyof PerformerContext, "start" | "send" | "goto">>().toBeNever();
});

test("a replay comes to the same end, and asks no agent", async () => {
  const agent = scriptedController([{ steps: [{ tool: "shell", input: {} }], says: "done" }]);
  const { graph } = graphWith(oneOperator("session reuse"), { agent });
  const run = graph.run({ task: "x" });
  await run.output;
  await run.dispose();
  const before = [...agent.calls];
  expect(run.replay().divergence).toBeUndefined();
  expect(agent.calls).toEqual(before);
});

function plain(): Controller {
  const made = scriptedController([{ says: "done" }]);
  return {
    name: "plain",
    source: "scripted",
    capabilities: made.capabilities,
    start: (request) => made.start(request),
    resume: (request) => made.resume(request),
    stream: (handle) => made.stream(handle),
    answer: (handle, answer) => made.answer(handle, answer),
    interrupt: (handle, reason) => made.interrupt(handle, reason),
    snapshot: (handle) => made.snapshot(handle),
    restore: (snapshot) => made.restore(snapshot),
    close: (handle) => made.close(handle),
  };
}
