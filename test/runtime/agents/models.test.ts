import type { LanguageModelV4, LanguageModelV4StreamPart } from "@ai-sdk/provider";
import { describe, expect, test } from "vitest";
import { createAgentPerformer } from "../../../runtime/agents/agent.ts";
import { retryAfter } from "../../../runtime/agents/models/call-fault.ts";
import { resolveModel } from "../../../runtime/agents/models/model.ts";
import { backoffMs } from "../../../runtime/agents/models/repeat.ts";
import { type Script, scripted } from "../../../runtime/agents/models/scripted.ts";
import { rules } from "../../../runtime/agents/rules/rules.ts";
import { createToolSet } from "../../../runtime/agents/scope/tools.ts";
import { chosenModel } from "../../../runtime/attempt/models.ts";
import { createTextRedactor } from "../../../runtime/redaction/text-redactor.ts";
import { attemptOf, failureOf, fakeContext, stillClock } from "./fake-context.ts";

describe("contract: run({models}) > --model ALIAS=ID > MADRIGAL_MODEL > the declared id", () => {
  const run = { smart: "run-id" };
  const cli = { smart: "cli-id", fast: "cli-fast" };
  const env = { MADRIGAL_MODEL: "env-id" };
  test.each([
    ["smart", { run, cli, env }, "run-id"],
    ["smart", { cli, env }, "cli-id"],
    ["fast", { run, cli, env }, "cli-fast"],
    ["other", { run, cli, env }, "env-id"],
    ["smart", {}, undefined],
    ["smart", { env: { MADRIGAL_MODEL: "  " } }, undefined],
    ["constructor", { run, cli }, undefined],
  ])("%s %o", (alias, choices, expected) => {
    expect(chosenModel(alias, choices)).toBe(expected);
  });
  test("an object is a choice like an id", () => {
    const model = scripted(["hi"]);
    expect(chosenModel("smart", { run: { smart: model }, env })).toBe(model);
  });
});

describe("contract: model ids rules · scripted · cassette:PATH · PROVIDER/MODEL", () => {
  const env = {
    OPENAI_API_KEY: "sk-abcdefgh",
    OPENAI_COMPATIBLE_BASE_URL: "http://127.0.0.1:1/v1",
  };
  const own = { ...scripted([]), provider: "mine", modelId: "m" } satisfies LanguageModelV4;
  test.each([
    ["rules", "rules", "rules", { input: 0, output: 0 }],
    [" rules ", "rules", "rules", { input: 0, output: 0 }],
    [rules(), "rules", "rules", { input: 0, output: 0 }],
    [scripted([]), "scripted", "scripted", { input: 0, output: 0 }],
    ["openai/gpt-4o-mini", "openai/gpt-4o-mini", "live", { input: 0.15, output: 0.6 }],
    ["openai-compatible/org/llama:8b", "openai-compatible/org/llama:8b", "live", undefined],
    [own, "mine/m", "live", undefined],
  ])("%s", (choice, id, source, price) => {
    const handle = resolveModel(choice, { env });
    expect({ id: handle.id, source: handle.source, price: handle.price }).toMatchObject({
      id,
      source,
      price,
    });
  });
  test.each([
    ["@ai-sdk/groq", "M8103", "`@ai-sdk/groq` is not a model: the model's own name is missing"],
    ["cassette:/not/there.jsonl", "M8161", "there is no cassette /not/there.jsonl"],
    ["cassette:", "M8103", "`cassette:` is not a model: the file of the cassette is missing"],
    ["scripted", "M8103", "`scripted` has no answers when it is only named"],
    ["opanai/gpt", "M8103", "`opanai/gpt` is not a model: no provider is called `opanai`"],
    ["rule", "M8103", "`rule` is not a model: there is no such model"],
    ["gpt-4o", "M8103", "`gpt-4o` is not a model: there is no such model"],
    ["openai/", "M8103", "`openai/` is not a model: the model's own name is missing"],
    ["openai", "M8103", "`openai` is not a model: the model's own name is missing"],
    ["", "M8103", "`` is not a model: there is no such model"],
  ])("%s is refused", (id, code, message) => {
    expect(() => resolveModel(id, { env })).toThrow(expect.objectContaining({ code, message }));
  });
  test("did you mean", () => {
    const hint = (id: string) => {
      try {
        return resolveModel(id, { env }).id;
      } catch (thrown) {
        return (thrown as { hint?: string }).hint;
      }
    };
    expect(hint("opanai/gpt")).toBe("did you mean `openai/gpt`?");
    expect(hint("rule")).toBe("did you mean `rules`?");
    expect(hint("openai_compatible/m")).toBe("did you mean `openai-compatible/m`?");
  });
  test.each([[{}], [null], [3], [{ ...scripted([]), specificationVersion: "v2" }]])(
    "%o is no model",
    (value) => {
      expect(() => resolveModel(value as never, { env })).toThrow(
        expect.objectContaining({ code: "M8103" }),
      );
    },
  );
});

describe('contract: a declared provider without configuration is M8101, which names the variable and models: { …: "rules" }', () => {
  test.each([
    ["openai/gpt", {}, "OPENAI_API_KEY"],
    ["openai/gpt", { OPENAI_API_KEY: " " }, "OPENAI_API_KEY"],
    ["openai-compatible/m", {}, "OPENAI_COMPATIBLE_BASE_URL"],
    ["openai-compatible/m", { OPENAI_API_KEY: "sk-abcdefgh" }, "OPENAI_COMPATIBLE_BASE_URL"],
  ])("%s with %o", (id, env, variable) => {
    expect(() => resolveModel(id, { env, alias: "fast", isCommand: true })).toThrow(
      expect.objectContaining({
        code: "M8101",
        message: expect.stringContaining(`${variable} is not set`),
        hint: expect.stringMatching(
          new RegExp(
            `^set ${variable}.*\`--model fast=rules\` or \`models: \\{ fast: "rules" \\}\`$`,
          ),
        ),
      }),
    );
  });
  test("an address that is none is M8101 too", () => {
    const env = { OPENAI_COMPATIBLE_BASE_URL: "localhost:11434" };
    expect(() => resolveModel("openai-compatible/m", { env })).toThrow(
      expect.objectContaining({
        code: "M8101",
        message: expect.stringContaining("OPENAI_COMPATIBLE_BASE_URL is not an http(s) address"),
      }),
    );
  });
});

describe("where a live model is asked", () => {
  const asked = async (id: string, env: Record<string, string>) => {
    const calls: { url: string; key: string | null; body: unknown }[] = [];
    const fetch: typeof globalThis.fetch = async (url, init) => {
      const headers = new Headers(init?.headers);
      calls.push({
        url: String(url),
        key: headers.get("authorization"),
        body: JSON.parse(String(init?.body)),
      });
      return new Response("{}", { status: 400 });
    };
    const handle = resolveModel(id, { env, fetch });
    const settings = { maxOutputTokens: 9, temperature: 0 };
    const performer = createAgentPerformer({
      model: () => ({ ...handle, settings }),
      tools: createToolSet(() => ({})),
      clock: stillClock(),
    });
    await failureOf(performer.perform(attemptOf(), fakeContext()));
    return calls;
  };
  test("openai: the Responses API, and nothing stored there", async () => {
    expect(await asked("openai/gpt", { OPENAI_API_KEY: "sk-abcdefgh" })).toMatchObject([
      {
        url: "https://api.openai.com/v1/responses",
        key: "Bearer sk-abcdefgh",
        body: { model: "gpt", temperature: 0, max_output_tokens: 9, store: false },
      },
    ]);
  });
  test("openai-chat: the chat protocol", async () => {
    expect(await asked("openai-chat/gpt", { OPENAI_API_KEY: "sk-abcdefgh" })).toMatchObject([
      {
        url: "https://api.openai.com/v1/chat/completions",
        key: "Bearer sk-abcdefgh",
        body: { model: "gpt", temperature: 0, max_tokens: 9 },
      },
    ]);
  });
  test("openai-compatible: its own variables, without a key if there is none", async () => {
    const env = {
      OPENAI_COMPATIBLE_BASE_URL: "http://a.test/v1/",
      OPENAI_BASE_URL: "http://b.test",
      OPENAI_API_KEY: "sk-abcdefgh",
    };
    expect(await asked("openai-compatible/org/m", env)).toMatchObject([
      {
        url: "http://a.test/v1/chat/completions",
        key: null,
        body: { model: "org/m", max_tokens: 9 },
      },
    ]);
  });
  test("openai-compatible: else OPENAI_BASE_URL with the key that belongs to it", async () => {
    const env = { OPENAI_BASE_URL: "http://b.test/v1", OPENAI_API_KEY: "sk-abcdefgh" };
    expect(await asked("openai-compatible/m", env)).toMatchObject([
      { url: "http://b.test/v1/chat/completions", key: "Bearer sk-abcdefgh" },
    ]);
  });
});

test("the rules model runs behind the same performer, and is called what it is", async () => {
  const respond = ({ messages }: { messages: readonly { role: string }[] }) =>
    `I saw ${messages.map(({ role }) => role).join(" and ")}.`;
  const handle = resolveModel(rules(respond), { env: {} });
  const performer = createAgentPerformer({
    model: () => handle,
    tools: createToolSet(() => ({})),
    clock: stillClock(),
  });
  const context = fakeContext();
  expect(await performer.perform(attemptOf(), context)).toBe("I saw system and user.");
  expect(context.log[0]).toMatchObject({
    name: "rules",
    modelSource: "rules",
    usage: { costUsd: 0 },
  });
});

test("a model of this process that throws is class model, with its stack, and is not asked again", async () => {
  let asked = 0;
  const handle = resolveModel(
    rules(() => {
      asked += 1;
      throw new Error("no rule");
    }),
    { env: {} },
  );
  const performer = createAgentPerformer({
    model: () => handle,
    tools: createToolSet(() => ({})),
    clock: stillClock(),
  });
  const failure = await failureOf(performer.perform(attemptOf(), fakeContext()));
  expect(failure).toMatchObject({
    class: "model",
    code: "M8110",
    message: "the model `rules` threw: no rule",
  });
  expect(failure.stack).toContain("models.test.ts");
  expect(asked).toBe(1);
});

// ── scripted ────────────────────────────────────────────────────────────────────────────────────

describe("scripted", () => {
  const conversation = (script: Script) => {
    const handle = resolveModel(scripted(script), { env: {} });
    const performer = createAgentPerformer({
      model: () => handle,
      tools: createToolSet(() => ({})),
      clock: stillClock(),
    });
    return (node: string, prompt = "go") =>
      performer.perform(attemptOf({ name: node }, { prompt }), fakeContext());
  };
  test("a list is said in order, to whoever asks", async () => {
    const ask = conversation(["one", { verdict: "ship" }, [1, 2], 3, true, null, { says: "" }]);
    const said: unknown[] = [];
    for (const node of "abcdefg") said.push(await ask(node));
    expect(said).toEqual(["one", '{"verdict":"ship"}', "[1,2]", "3", "true", "null", ""]);
  });
  test("an object is by node", async () => {
    const ask = conversation({ plan: [["a", "b"]], write: ["first", "second"], check: "fine" });
    expect(await ask("write")).toBe("first");
    expect(await ask("plan")).toBe('["a","b"]');
    expect(await ask("check")).toBe("fine");
    expect(await ask("write")).toBe("second");
  });
  test("an answer may be for certain prompts only", async () => {
    const ask = conversation([
      { when: "Rome", says: "hot" },
      { when: /^weather .* Bern$/, says: "mild" },
      "whatever",
    ]);
    expect(await ask("a", "weather in Bern")).toBe("mild");
    expect(await ask("a", "weather in Oslo")).toBe("whatever");
    expect(await ask("a", "weather in Rome")).toBe("hot");
  });
  test("an object that has other members too is said as it is", async () => {
    const ask = conversation([{ says: "x", who: "y" }, { when: "now" }]);
    expect(await ask("a")).toBe('{"says":"x","who":"y"}');
    expect(await ask("a")).toBe('{"when":"now"}');
  });
  test("it can fail as a model does", async () => {
    expect(await failureOf(conversation([{ fails: "the model is down" }])("a"))).toMatchObject({
      class: "model",
      code: "M8110",
      message: "the model is down",
    });
  });
  test("a script without an answer left is M8109", async () => {
    expect(await failureOf(conversation([])("a", "why?"))).toMatchObject({
      class: "model",
      code: "M8109",
      message: "the scripted model has no answer left for `a`; it was asked: why?",
    });
    expect(await failureOf(conversation({ plan: "x" })("write"))).toMatchObject({
      message: "the scripted model has no answer left for `write`; it was asked: go",
    });
    expect(await failureOf(conversation([{ when: "Rome", says: "hot" }])("a"))).toMatchObject({
      message: "none of the scripted model's 1 answers left for `a` is for this prompt: go",
    });
  });
  test("generated and streamed are the same", async () => {
    const call = {
      prompt: [{ role: "user" as const, content: [{ type: "text" as const, text: "go" }] }],
    };
    const script: Script = [{ says: "two words", calls: [{ tool: "t", input: { a: 1 } }] }];
    const whole = await scripted(script).doGenerate(call);
    const { stream } = await scripted(script).doStream(call);
    const parts: LanguageModelV4StreamPart[] = [];
    for await (const part of stream) parts.push(part);
    expect(whole.content).toEqual([
      { type: "text", text: "two words" },
      { type: "tool-call", toolCallId: "call-1-1", toolName: "t", input: '{"a":1}' },
    ]);
    expect(parts.flatMap((part) => (part.type === "text-delta" ? part.delta : [])).join("")).toBe(
      "two words",
    );
    expect(parts.filter(({ type }) => type === "tool-call")).toEqual(whole.content.slice(1));
    expect(parts.at(-1)).toEqual({
      type: "finish",
      finishReason: whole.finishReason,
      usage: whole.usage,
    });
  });
});

// ── small things ────────────────────────────────────────────────────────────────────────────────

test("waits double from half a second and stop growing at twenty", () => {
  expect([1, 2, 3, 4, 5, 6, 7, 8].map(backoffMs)).toEqual([
    500, 1000, 2000, 4000, 8000, 16_000, 20_000, 20_000,
  ]);
});

test.each([
  [{}, undefined],
  [{ "retry-after": "0" }, 0],
  [{ "retry-after": "1.5" }, 1500],
  [{ "retry-after": "soon" }, undefined],
  [{ "retry-after": "-3" }, undefined],
  [{ "retry-after": new Date(10_000).toUTCString() }, 5000],
  [{ "retry-after": new Date(1000).toUTCString() }, 0],
  [{ "retry-after-ms": "70" }, 70],
])("Retry-After %o", (headers, expected) => {
  expect(retryAfter(headers as Record<string, string>, 5000)).toBe(expected);
});

test.each([
  ["the key k3y-0123 is wrong", "the key [hidden] is wrong"],
  ["Authorization: Bearer abc.def-123456", "Authorization: Bearer [hidden]"],
  ['{"api_key":"abcdef123456"}', '{"api_key":"[hidden]"}'],
  ["sk-proj-abcdefgh12345 was refused", "[hidden] was refused"],
  ["a task-oriented skill", "a task-oriented skill"],
])("%s is shown as %s", (text, expected) => {
  expect(createTextRedactor(["k3y-0123", "", "abc"])(text)).toBe(expected);
});
