import type { LanguageModelV4 } from "@ai-sdk/provider";
import { describe, expect, test } from "vitest";
import { createAgentPerformer } from "../../../runtime/agents/agent.ts";
import type { AgentOptions } from "../../../runtime/agents/agent-loop.ts";
import { resolveModel } from "../../../runtime/agents/models/model.ts";
import { type Script, scripted } from "../../../runtime/agents/models/scripted.ts";
import type { Scope } from "../../../runtime/agents/scope/scope.ts";
import { createToolSet, tool } from "../../../runtime/agents/scope/tools.ts";
import { attemptOf, failureOf, fakeContext, stillClock } from "./fake-context.ts";

function agent(script: Script, scope: Scope = {}, options: Partial<AgentOptions> = {}) {
  return asked(scripted(script), scope, options);
}

function asked(model: LanguageModelV4, scope: Scope, options: Partial<AgentOptions> = {}) {
  const handle = resolveModel(model, { env: {} });
  return createAgentPerformer({
    model: () => handle,
    tools: createToolSet(() => scope),
    clock: stillClock(),
    ...options,
  });
}

const search = tool(({ q }: { q: string }) => ({ hits: [`about ${q}`] }), {
  effect: "none",
  description: "searches",
  input: { type: "object", properties: { q: { type: "string" } }, required: ["q"] },
});

const twoSearches: Script = [
  {
    calls: [
      { tool: "docs_search", input: { q: "a" } },
      { tool: "docs_search", input: { q: "b" } },
    ],
  },
  "done",
];

test("a text is the output of a node that writes a text, and streams as it comes", async () => {
  const context = fakeContext();
  const attempt = attemptOf({ output: { type: "string" } });
  expect(await agent(["It is a tool."]).perform(attempt, context)).toBe("It is a tool.");
  expect(context.performed).toEqual(["model scripted"]);
  expect(context.deltas).toEqual(["It ", "is ", "a ", "tool."]);
});

test("tools are called in order, each call an effect, until the model answers", async () => {
  const context = fakeContext();
  const attempt = attemptOf({ tools: [["docs", "*"]] });
  expect(await agent(twoSearches, { docs: { search } }).perform(attempt, context)).toBe("done");
  expect(context.performed).toEqual([
    "model scripted",
    "tool docs.search",
    "tool docs.search",
    "model scripted",
  ]);
  expect(context.log[1]).toMatchObject({
    toolCallId: "call-1-1",
    request: { q: "a" },
    value: { hits: ["about a"] },
    external: false,
    usage: { toolCalls: 1, modelCalls: 0 },
  });
});

test("every model call logs what it adds to the conversation, and what it cost", async () => {
  const context = fakeContext();
  await agent(twoSearches, { docs: { search } }).perform(
    attemptOf({ tools: [["docs", "search"]] }, { system: "You search." }),
    context,
  );
  expect(context.log[0]).toMatchObject({
    modelSource: "scripted",
    request: {
      from: 0,
      messages: [
        { role: "system", content: "You search." },
        { role: "user", content: [{ type: "text", text: "What is it?" }] },
      ],
      tools: [{ name: "docs_search", description: "searches" }],
    },
    value: { finish: "tool-calls", toolCalls: [{ id: "call-1-1" }, { id: "call-1-2" }] },
    usage: { modelCalls: 1, toolCalls: 0, costUsd: 0 },
  });
  expect(context.log[3]).toMatchObject({
    request: {
      from: 2,
      messages: [
        { role: "assistant" },
        {
          role: "tool",
          content: [
            { toolCallId: "call-1-1", output: { type: "json", value: { hits: ["about a"] } } },
            { toolCallId: "call-1-2", output: { type: "json", value: { hits: ["about b"] } } },
          ],
        },
      ],
    },
  });
});

test("a journal that is complete is served: no model and no tool is called", async () => {
  const first = fakeContext();
  const attempt = attemptOf({ tools: [["docs", "search"]] });
  const output = await agent(twoSearches, { docs: { search } }).perform(attempt, first);
  const second = fakeContext({ recorded: first.log });
  expect(await agent([], { docs: { search } }).perform(attempt, second)).toBe(output);
  expect(second.performed).toEqual([]);
});

test("a journal that ends in the middle is gone on with at its first missing effect", async () => {
  const first = fakeContext();
  const attempt = attemptOf({ tools: [["docs", "search"]] });
  await agent(twoSearches, { docs: { search } }).perform(attempt, first);
  const second = fakeContext({ recorded: first.log.slice(0, 2) });
  expect(await agent(["done"], { docs: { search } }).perform(attempt, second)).toBe("done");
  expect(second.performed).toEqual(["tool docs.search", "model scripted"]);
});

test("E61 [VT] calls of one turn run at once only if all of its tools say that they may", async () => {
  const running: string[] = [];
  const shared = (parallel: boolean) =>
    tool(
      async ({ q }: { q: string }) => {
        running.push(`+${q}`);
        // Each tool begins in a turn of its own.
        await new Promise((go) => setImmediate(() => setImmediate(go)));
        running.push(`-${q}`);
        return q;
      },
      { effect: "none", parallel, input: { type: "object" } },
    );
  const order = async (parallel: boolean) => {
    running.length = 0;
    const performer = agent(twoSearches, { docs: { search: shared(parallel) } });
    await performer.perform(attemptOf({ tools: [["docs", "search"]] }), fakeContext());
    return running.join(" ");
  };
  expect(await order(false)).toBe("+a -a +b -b");
  expect(await order(true)).toBe("+a +b -a -b");
  running.length = 0;
  const both = { docs: { search: shared(true), find: shared(false) } };
  const mixed: Script = [
    {
      calls: [
        { tool: "docs_search", input: { q: "a" } },
        { tool: "docs_find", input: { q: "b" } },
        { tool: "docs_search", input: { q: "c" } },
      ],
    },
    "done",
  ];
  const context = fakeContext();
  await agent(mixed, both).perform(attemptOf({ tools: [["docs", "*"]] }), context);
  expect(running.join(" ")).toBe("+a -a +b -b +c -c");
  expect(context.log.slice(1, 4).map(({ value }) => value)).toEqual(["a", "b", "c"]);
});

test("E63 a tool that does not exist is an answer to the model, with the names there are", async () => {
  const context = fakeContext();
  const script = scripted([{ calls: [{ tool: "web_find" }] }, "then not"]);
  // Like a live model, it is not told which node asks with which tools.
  const model: LanguageModelV4 = {
    ...script,
    doStream: ({ providerOptions: _, ...call }) => script.doStream(call),
  };
  const attempt = attemptOf({ tools: [["docs", "search"]] });
  expect(await asked(model, { docs: { search } }).perform(attempt, context)).toBe("then not");
  expect(context.log[1]?.failure).toMatchObject({
    class: "tool",
    code: "M8202",
    message: "there is no tool `web_find`; there are: docs_search",
  });
  expect(context.log[2]?.request).toMatchObject({
    messages: [
      { role: "assistant" },
      {
        content: [
          { output: { type: "error-text", value: expect.stringContaining("there is no tool") } },
        ],
      },
    ],
  });
});

describe("a script names the tools of its node", () => {
  const tools = [["docs", "search"]];
  const script = (tool: string): Script => [{ calls: [{ tool, input: { q: "a" } }] }, "done"];

  test.each(["docs.search", "docs_search"])(
    "as the program or the model does: %s",
    async (name) => {
      const context = fakeContext();
      await agent(script(name), { docs: { search } }).perform(attemptOf({ tools }), context);
      expect(context.log[1]).toMatchObject({ name: "docs.search", value: { hits: ["about a"] } });
    },
  );

  test.each([
    ["docs.serch", "did you mean `docs.search`?"],
    ["constructor", "it has `docs.search`"],
  ])("another name ends the run, past retries and arrows: %s", async (name, hint) => {
    const perform = agent(script(name), { docs: { search } }).perform;
    const failure = await failureOf(Promise.resolve(perform(attemptOf({ tools }), fakeContext())));
    const message = `the script calls \`${name}\`, and \`search\` has no such tool`;
    expect(failure).toEqual({ class: "aborted", code: "M8122", message, hint });
  });
});

test("E62 ten failed calls in a row end the attempt, and each has its result in the log", async () => {
  const broken = tool(
    () => {
      throw new Error("no disk");
    },
    { effect: "none" },
  );
  const call = { calls: [{ tool: "save" }] };
  const context = fakeContext();
  const failure = await failureOf(
    agent(Array(12).fill(call), { save: broken }).perform(
      attemptOf({ tools: [["save"]] }),
      context,
    ),
  );
  expect(failure).toMatchObject({
    class: "tool",
    code: "M8203",
    message: "10 tool calls in a row failed; the last: `save` failed: no disk",
  });
  expect(context.log.filter(({ effect }) => effect === "tool")).toHaveLength(10);
  expect(context.log.every((one) => one.value !== undefined || one.failure !== undefined)).toBe(
    true,
  );
});

test("E62 a call that succeeds starts the count of failed ones again", async () => {
  let count = 0;
  const moody = tool(
    () => {
      count += 1;
      if (count !== 9) throw new Error("not now");
      return "well";
    },
    { effect: "none" },
  );
  const script = [...Array(17).fill({ calls: [{ tool: "save" }] }), "at last"];
  const attempt = attemptOf({ tools: [["save"]] });
  expect(await agent(script, { save: moody }).perform(attempt, fakeContext())).toBe("at last");
});

test("a model that asks for tools for ever is stopped after 50 calls", async () => {
  const script = Array(60).fill({ calls: [{ tool: "docs_search", input: { q: "more" } }] });
  const context = fakeContext();
  const failure = await failureOf(
    agent(script, { docs: { search } }).perform(attemptOf({ tools: [["docs", "*"]] }), context),
  );
  expect(failure).toMatchObject({ class: "model", code: "M8108" });
  expect(context.performed.filter((one) => one === "model scripted")).toHaveLength(50);
});

test("a limit that the engine reports ends the attempt; the model is not told", async () => {
  const context = fakeContext({
    recorded: [
      {
        effect: "model",
        name: "scripted",
        value: {
          text: "",
          toolCalls: [{ id: "1", name: "docs_search", input: { q: "a" } }],
          finish: "tool-calls",
        },
      },
      {
        effect: "tool",
        name: "docs.search",
        failure: { class: "limit", code: "M8202", message: "calls", limit: "calls" },
      },
    ],
  });
  const failure = await failureOf(
    agent([], { docs: { search } }).perform(attemptOf({ tools: [["docs", "*"]] }), context),
  );
  expect(failure).toMatchObject({ class: "limit", limit: "calls" });
});

test("E67 an abort ends the call at once and never becomes an answer", async () => {
  const controller = new AbortController();
  const waits = tool(() => new Promise(() => controller.abort(new Error("by hand"))), {
    effect: "none",
  });
  const context = fakeContext({ signal: controller.signal });
  const failure = await failureOf(
    agent([{ says: "partial", calls: [{ tool: "wait" }] }], { wait: waits }).perform(
      attemptOf({ tools: [["wait"]] }),
      context,
    ),
  );
  expect(failure).toMatchObject({ class: "aborted", message: "the call was cancelled: by hand" });
});

test("a model or a tool that is not there ends the attempt with its code", async () => {
  const attempt = attemptOf({ tools: [["docs", "serch"]] });
  expect(
    await failureOf(agent([], { docs: { search } }).perform(attempt, fakeContext())),
  ).toMatchObject({
    class: "tool",
    code: "M8201",
    hint: "did you mean `docs.search`?",
  });
  const noModel = agent([], {}, { model: () => resolveModel("openai/gpt", { env: {} }) });
  expect(await failureOf(noModel.perform(attemptOf(), fakeContext()))).toMatchObject({
    code: "M8101",
  });
});

test("an attempt that is aborted already starts nothing", async () => {
  const context = fakeContext({ signal: AbortSignal.abort(new Error("late")) });
  const handle = resolveModel(scripted(["never"]), { env: {} });
  let asked = false;
  const model = {
    ...handle.model,
    doStream: (options: Parameters<typeof handle.model.doStream>[0]) => {
      asked = true;
      return handle.model.doStream(options);
    },
  };
  const failure = await failureOf(
    agent([], {}, { model: () => ({ ...handle, model }) }).perform(attemptOf(), context),
  );
  expect(failure).toMatchObject({ class: "aborted", message: "the call was cancelled: late" });
  expect(asked).toBe(false);
});
