/** A real language model on this machine. What it says is its own; these tests hold what must be so whatever it says. */
import { execFileSync } from "node:child_process";
import { copyFileSync, readFileSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { LanguageModelV4CallOptions, LanguageModelV4StreamPart } from "@ai-sdk/provider";
import { test as baseTest, describe, expect } from "vitest";
import type { JsonSchema } from "../../../../../dsl/index.ts";
import { resolveModel } from "../../../../../runtime/agents/models/model.ts";
import { models } from "../../../../../runtime/index.ts";
import { misfits } from "../../../../../runtime/state/json-schema.ts";
import { projectNode, projectRoot, temporaryFolder } from "../../../../support/child.ts";
import { missing } from "../../../../support/python-env.ts";
import { smallModel } from "../../../../support/small-model.ts";

const reason = await missing("small-model");
const test = baseTest.skipIf(reason !== undefined);

const env = { ...smallModel, HOME: process.env.HOME };
const small = (settings = {}) => resolveModel("gguf/smollm2", { env, settings });
const user = (text: string) => ({
  role: "user" as const,
  content: [{ type: "text" as const, text }],
});
const capital = { prompt: [user("What is the capital of France?")], maxOutputTokens: 12 };

/** One answer: its parts, and its text as the deltas have it. */
async function asked(call: LanguageModelV4CallOptions, handle = small()) {
  const parts: LanguageModelV4StreamPart[] = [];
  for await (const part of (await handle.model.doStream(call)).stream) parts.push(part);
  const deltas = parts.flatMap((part) => (part.type === "text-delta" ? part.delta : []));
  const finish = parts.at(-1);
  if (finish?.type !== "finish") throw new Error("the stream has no end");
  return { parts, deltas, text: deltas.join(""), finish };
}

test("streams an answer and counts its tokens; a second call has the prompt computed already", async () => {
  const { parts, deltas, text, finish } = await asked(capital);
  const begin = ["stream-start", "response-metadata", "text-start"];
  expect(parts.map(({ type }) => type).slice(0, 3)).toEqual(begin);
  expect(deltas.length).toBeGreaterThan(2);
  expect(finish.usage.outputTokens.total).toBeGreaterThan(2);
  expect(finish.usage.outputTokens.total).toBeLessThanOrEqual(12);
  const { inputTokens } = finish.usage;
  expect(inputTokens.total).toBeGreaterThan(5);

  const whole = await small().model.doGenerate(capital);
  // Without a temperature the most likely token is taken each time.
  expect(whole.content).toEqual([{ type: "text", text }]);
  expect(whole.usage.inputTokens).toMatchObject({
    total: inputTokens.total,
    cacheRead: inputTokens.total,
    noCache: 0,
  });
});

test("W04 its own tokenizer counts texts, and its file says how many tokens it can read", async () => {
  const { tokenizer } = small();
  const texts = ["", "word", "What is the capital of France?", "日本語".repeat(50)];
  const counted = await tokenizer?.(texts);
  // Each of these words and signs is one token of its vocabulary.
  expect(counted?.tokens.slice(0, 3)).toEqual([0, 1, 7]);
  expect(counted?.tokens[3]).toBeGreaterThan(100);
  // What the file was trained for, 8,192, is also the most that is taken without `contextSize`.
  expect(counted?.contextTokens).toBe(8_192);
  expect(await small({ contextSize: 512 }).tokenizer?.(["word"])).toEqual({
    tokens: [1],
    contextTokens: 512,
  });
});

test("texts are counted while an answer is made, without waiting for it", async () => {
  const ends: string[] = [];
  const told = asked({ prompt: [user("Tell me a long story.")], maxOutputTokens: 60 });
  await Promise.all([
    told.then(() => ends.push("answered")),
    small()
      .tokenizer?.(["word"])
      .then(() => ends.push("counted")),
  ]);
  expect(ends).toEqual(["counted", "answered"]);
});

test("an answer that reaches its most tokens says so", async () => {
  const { finish } = await asked({ prompt: [user("Tell me a long story.")], maxOutputTokens: 5 });
  expect(finish.finishReason.unified).toBe("length");
  expect(finish.usage.outputTokens.total).toBe(5);
});

const text = { type: "string", maxLength: 12 };
const tree: JsonSchema = {
  type: "object",
  properties: { tree: { $ref: "#/$defs/Tree" } },
  required: ["tree"],
  $defs: {
    Tree: {
      type: "object",
      properties: { name: text, child: { anyOf: [{ type: "null" }, { $ref: "#/$defs/Tree" }] } },
      required: ["name"],
    },
  },
};

const schemas: readonly (readonly [string, JsonSchema])[] = [
  ["a choice", { enum: ["ship", "revise", 3, null] }],
  ["a constant with quotes", { const: 'a "quoted" \\ word' }],
  ["a boolean", { type: "boolean" }],
  ["a whole number or null", { type: ["integer", "null"] }],
  ["a list of two to three", { type: "array", items: text, minItems: 2, maxItems: 3 }],
  ["a list of one", { type: "array", items: { type: "boolean" }, minItems: 1, maxItems: 1 }],
  ["an empty object", { type: "object", properties: {}, additionalProperties: false }],
  [
    "a pair",
    { type: "array", prefixItems: [{ type: "boolean" }, text], items: false, minItems: 2 },
  ],
  [
    "members that may be missing",
    {
      type: "object",
      properties: { a: { type: "boolean" }, b: text, "c d": { type: "boolean" } },
      required: ["b"],
      additionalProperties: false,
    },
  ],
  ["a type that contains itself", tree],
];

describe("structured output fits its schema", () => {
  test.each(schemas)("%s", async (_, schema) => {
    const prompt = [user(`Answer with JSON of this schema: ${JSON.stringify(schema)}`)];
    const call = { prompt, maxOutputTokens: 80, seed: 1 };
    const responseFormat = { type: "json" as const, schema };
    const { text, finish } = await asked({ ...call, responseFormat });
    // Only a type that contains itself may be cut off before its end.
    if (schema === tree && finish.finishReason.unified === "length") return;
    expect(finish.finishReason.unified).toBe("stop");
    expect(misfits(JSON.parse(text), schema)).toEqual([]);
  });

  test("a keyword that the grammar leaves out is a warning", async () => {
    const schema = { type: "integer", minimum: 10 } as const;
    const { parts } = await asked({ ...capital, responseFormat: { type: "json", schema } });
    expect(parts[0]).toMatchObject({
      warnings: [{ type: "unsupported", feature: "`minimum` of a JSON schema" }],
    });
  });
});

const search = {
  type: "function" as const,
  name: "docs_search",
  description: "Searches the documents.",
  inputSchema: {
    type: "object" as const,
    properties: { query: text as { type: "string" }, limit: { type: "integer" as const } },
    required: ["query"],
    additionalProperties: false,
  },
};

describe("tools", () => {
  test("a call has the form of the tool's schema, and no text beside it", async () => {
    const { parts, deltas, finish } = await asked({
      prompt: [user("Search for rxjs.")],
      tools: [search, { ...search, name: "docs_read" }],
      toolChoice: { type: "tool", toolName: "docs_search" },
      maxOutputTokens: 80,
    });
    expect(finish.finishReason.unified).toBe("tool-calls");
    expect(deltas).toEqual([]);
    const [call] = parts.filter((part) => part.type === "tool-call");
    expect(call?.toolName).toBe("docs_search");
    expect(misfits(JSON.parse(call?.input ?? ""), search.inputSchema)).toEqual([]);
  });

  test("an answer beside tools is a text that comes as it is made", async () => {
    const { parts, deltas } = await asked({ ...capital, tools: [search], maxOutputTokens: 30 });
    const calls = parts.filter((part) => part.type === "tool-call");
    expect(calls.length === 1 ? deltas.length : -deltas.length).toBeLessThanOrEqual(0);
  });
});

test("stopped in the middle of a sentence, it says at most one piece more, and the next call is answered", async () => {
  const stop = new AbortController();
  const call = { prompt: [user("Tell me a long story.")], maxOutputTokens: 400 };
  const heard: string[] = [];
  let after = 0;
  const { stream } = await small().model.doStream({ ...call, abortSignal: stop.signal });
  const read = async () => {
    for await (const part of stream) {
      if (part.type !== "text-delta") continue;
      if (stop.signal.aborted) after += 1;
      heard.push(part.delta);
      if (heard.length === 4) stop.abort(new Error("enough"));
    }
  };
  await expect(read()).rejects.toThrow("enough");
  expect(heard.length - after).toBe(4);
  expect(after).toBeLessThanOrEqual(1);
  expect((await asked(capital)).deltas.length).toBeGreaterThan(2);
});

test("a call that waits for its turn can be stopped before it, and leaves the one before it alone", async () => {
  const stop = new AbortController();
  const first = asked(capital);
  const second = asked({ ...capital, abortSignal: stop.signal });
  const third = asked(capital);
  stop.abort(new Error("not wanted"));
  await expect(second).rejects.toThrow("not wanted");
  expect((await first).text).toBe((await third).text);
});

test("a prompt that is longer than the context is refused with both numbers", async () => {
  const long = { prompt: [user("a b c ".repeat(600))], maxOutputTokens: 5 };
  await expect(asked(long, small({ contextSize: 512 }))).rejects.toMatchObject({
    failure: {
      code: "M8145",
      class: "model",
      message: expect.stringMatching(/has \d{4} tokens, and its context holds 512$/),
    },
  });
});

test.each([
  ["cut off", (file: string) => truncateSync(file, 20_000_000), /not within the file bounds/],
  ["damaged", (file: string) => writeFileSync(file, damaged(file)), /could not be loaded: /],
])("a file that is %s is an error with the loader's words", async (_, spoil, message) => {
  const folder = temporaryFolder();
  const [{ file = "" } = {}] = models.fetchedModels(env);
  copyFileSync(file, join(folder, "mine.gguf"));
  spoil(join(folder, "mine.gguf"));
  const handle = resolveModel("gguf/mine.gguf", { env: { ...env, MADRIGAL_HOME: folder } });
  const failure = { code: "M8143", message: expect.stringMatching(message) };
  await expect(asked(capital, handle)).rejects.toMatchObject({ failure });
  await expect(handle.tokenizer?.(["word"])).rejects.toMatchObject({ failure });
  expect((await asked(capital)).deltas.length).toBeGreaterThan(2);
});

// The children of a process are read from Linux's /proc.
const onLinux = baseTest.skipIf(reason !== undefined || process.platform !== "linux");

onLinux(
  "a process that is killed while it answers is an error with a hint, and the next call starts another",
  async () => {
    const module = pathToFileURL(join(projectRoot, "runtime/agents/models/model.ts")).href;
    const script = `
    const { resolveModel } = await import(${JSON.stringify(module)});
    const { readFileSync } = await import("node:fs");
    const { model } = resolveModel("gguf/smollm2", { env: ${JSON.stringify(env)} });
    const long = { prompt: ${JSON.stringify([user("Tell me a long story.")])}, maxOutputTokens: 400 };
    const { stream } = await model.doStream(long);
    let heard = 0;
    try {
      for await (const part of stream) {
        if (part.type !== "text-delta") continue;
        heard += 1;
        const [child] = readFileSync("/proc/self/task/" + process.pid + "/children", "utf8").split(" ");
        if (heard === 3) process.kill(Number(child), "SIGKILL");
      }
    } catch (thrown) {
      const { code, message, hint } = thrown.failure;
      const { content } = await model.doGenerate(${JSON.stringify(capital)});
      console.log(JSON.stringify({ code, message, hint, next: content.length }));
    }
  `;
    const args = ["--input-type=module", "--eval", script];
    const stdout = execFileSync(projectNode, args, { encoding: "utf8", cwd: projectRoot });
    expect(JSON.parse(stdout)).toEqual({
      code: "M8146",
      message: "`gguf/smollm2` broke down: its process ended (SIGKILL)",
      hint: "the machine may have run out of memory; a smaller model or `contextSize` takes less",
      next: 1,
    });
  },
);

function damaged(file: string): Buffer {
  return readFileSync(file).fill(0xff, 2000, 4000);
}

test("a process that has asked a model ends by itself, and with it the one in which the model ran", () => {
  const module = pathToFileURL(join(projectRoot, "runtime/agents/models/model.ts")).href;
  const script = `
    const { resolveModel } = await import(${JSON.stringify(module)});
    const { model } = resolveModel("gguf/smollm2", { env: ${JSON.stringify(env)} });
    await model.doGenerate(${JSON.stringify(capital)});
    console.log(JSON.stringify(process.getActiveResourcesInfo()));
  `;
  const args = ["--input-type=module", "--eval", script];
  const stdout = execFileSync(projectNode, args, { encoding: "utf8", cwd: projectRoot });
  expect(JSON.parse(stdout)).not.toContain("ProcessWrap");
});
