/** Asks cassettes in each mode, and what they say when something is missing. */
import { appendFileSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { LanguageModelV4, LanguageModelV4CallOptions } from "@ai-sdk/provider";
import { describe, expect, test, vi } from "vitest";
import { check } from "../../../../../dsl/index.ts";
import { CassetteFile } from "../../../../../runtime/agents/models/cassette/cassette-file.ts";
import { hideSecrets } from "../../../../../runtime/agents/models/cassette/cassette-handle.ts";
import { playingModel } from "../../../../../runtime/agents/models/cassette/play.ts";
import {
  fillingModel,
  recordingModel,
} from "../../../../../runtime/agents/models/cassette/record.ts";
import { createLimiter } from "../../../../../runtime/agents/models/limiter.ts";
import { resolveModel } from "../../../../../runtime/agents/models/model.ts";
import type { ModelHandle } from "../../../../../runtime/agents/models/model-handle.ts";
import { askModel } from "../../../../../runtime/agents/models/model-step.ts";
import { Cancellation } from "../../../../../runtime/cancellation.ts";
import { cassette, scripted } from "../../../../../runtime/index.ts";
import { temporaryFolder } from "../../../../support/child.ts";
import { failureOf, fastClock } from "../../fake-context.ts";
import { type Talker, type Turn, talker } from "./talker.ts";

const price = { input: 3, output: 15, source: "program" } as const;
const clock = fastClock();

function ask(handle: Pick<ModelHandle, "model"> & Partial<ModelHandle>, call: Asked) {
  return askModel(callOf(call), {
    handle: { id: "test/talker", source: "live", ...handle },
    limiter: createLimiter(clock),
    clock,
    cancellation: new Cancellation(),
    delta: () => {},
  });
}

interface Asked extends Partial<Omit<LanguageModelV4CallOptions, "prompt">> {
  readonly says: string;
  readonly system?: string;
}

function callOf({ says, system = "You help.", ...call }: Asked): LanguageModelV4CallOptions {
  return {
    ...call,
    prompt: [
      { role: "system", content: system },
      { role: "user", content: [{ type: "text", text: says }] },
    ],
  };
}

function tapeIn(path: string, env = {}) {
  return { id: "cassette:calls.jsonl", file: new CassetteFile(path), hide: hideSecrets(env) };
}

function handleOf(model: LanguageModelV4): ModelHandle {
  return { id: "test/talker", source: "live", model, price };
}

/** A cassette with the answers of these turns to these questions. */
async function recorded(
  turns: readonly Turn[],
  asked: readonly Asked[],
  env = {},
): Promise<string> {
  const path = join(temporaryFolder(), "calls.jsonl");
  const model = recordingModel(handleOf(talker(turns)), tapeIn(path, env));
  for (const call of asked) await ask({ model, price }, call).catch(() => {});
  return path;
}

const hello: Turn = { reasoning: "think", says: ["hel", "lo"] };

describe("a cassette serves what was recorded", () => {
  test("with the usage, the cost and the finish of then, and says so", async () => {
    const path = await recorded([hello], [{ says: "Hi" }]);
    const answer = await ask({ model: playingModel(tapeIn(path)) }, { says: "Hi" });
    expect(answer).toMatchObject({
      value: { text: "hello", reasoning: "think", finish: "stop", model: "talker-1" },
      usage: { inputTokens: 101, outputTokens: 6, cachedTokens: 10, costUsd: 0.000393 },
      modelSource: "cassette",
    });
  });

  test("a failure that another try would meet too, but no lost connection, wrong key or empty purse", async () => {
    const turns = [
      { status: 400 },
      { status: 503 },
      { says: ["after a pause"] },
      { status: 401 },
      { status: 429, body: "insufficient_quota" },
    ];
    const path = await recorded(turns, [
      { says: "a" },
      { says: "b" },
      { says: "c" },
      { says: "d" },
    ]);
    const model = playingModel(tapeIn(path));
    expect((await failureOf(ask({ model }, { says: "a" }))).code).toBe("M8105");
    expect((await ask({ model }, { says: "b" })).value.text).toBe("after a pause");
    expect((await failureOf(ask({ model }, { says: "c" }))).code).toBe("M8160");
    expect((await failureOf(ask({ model }, { says: "d" }))).code).toBe("M8160");
  });

  test("equal requests in the order in which they were asked, then the last answer again", async () => {
    const path = join(temporaryFolder(), "calls.jsonl");
    const tape = tapeIn(path);
    const model = recordingModel(handleOf(talker([{ says: ["1"] }, { says: ["2"] }])), tape);
    const both = [ask({ model }, { says: "Hi" }), ask({ model }, { says: "Hi" })];
    await Promise.all(both);
    const again = playingModel(tapeIn(path));
    const texts = [];
    for (let turn = 0; turn < 3; turn += 1)
      texts.push((await ask({ model: again }, { says: "Hi" })).value.text);
    expect(texts).toEqual(["1", "2", "2"]);
  });

  test("whatever the ids of tool calls, the headers and the options of a provider are", async () => {
    const path = await recorded([hello], [{ says: "Hi", headers: { "idempotency-key": "1" } }]);
    const options = { providerOptions: { test: { x: 1 } }, headers: { "idempotency-key": "2" } };
    const model = playingModel(tapeIn(path));
    expect((await ask({ model }, { says: "Hi", ...options })).value.text).toBe("hello");
  });

  test("as a model of the AI SDK, which also asks without a stream", async () => {
    const path = await recorded([hello], [{ says: "Hi" }]);
    const { content, finishReason } = await cassette(path).doGenerate(callOf({ says: "Hi" }));
    expect(content.map((part) => (part.type === "text" ? part.text : part.type))).toEqual([
      "reasoning",
      "hello",
    ]);
    expect(finishReason.unified).toBe("stop");
  });

  test("and a test can demand that each answer is used", async () => {
    const path = await recorded([hello, hello], [{ says: "Hi" }, { says: "Ho" }]);
    const model = cassette(path);
    await ask({ model: resolveModel(model, { env: {} }).model }, { says: "Hi" });
    expect(model.unused()).toEqual([{ line: 2, model: "test/talker", asked: "Ho" }]);
  });
});

describe("what is not recorded is M8160, which names the nearest request and its difference", () => {
  const search = {
    type: "function" as const,
    name: "search",
    inputSchema: { type: "object" as const },
  };
  const question = { says: "How do I boost one field over another when I rank results?" };
  test.each<[string, Asked, string]>([
    [
      "a text",
      { says: "How do I boost two fields over another when I rank results?" },
      'line 1, differs in message 2 (user), which was "How do I boost one field over another when I rank results?" and is "How do I boost two fields over another when I rank results?"',
    ],
    [
      "the system's text",
      { ...question, system: "You do not help." },
      'in message 1 (system), which was "You help." and is "You do not help."',
    ],
    ["a tool", { ...question, tools: [] }, "in the tools: `search` is not offered any more"],
    [
      "the schema of a tool",
      { ...question, tools: [{ ...search, inputSchema: { type: "string" } }] },
      'in the tool `search` (input.type), which was "object" and is "string"',
    ],
    [
      "a setting",
      { ...question, tools: [search], temperature: 0.7 },
      'in the settings (temperature), which was "0.2" and is "0.7"',
    ],
    [
      "the form of the answer",
      { ...question, tools: [search], temperature: 0.2, responseFormat: { type: "json" } },
      'in the schema of the answer, which was absent and is "true"',
    ],
  ])("%s", async (_, asked, difference) => {
    const other = { says: "Something else entirely" };
    const path = await recorded(
      [hello, hello],
      [{ ...question, tools: [search], temperature: 0.2 }, other],
    );
    const {
      code,
      message,
      class: kind,
    } = await failureOf(
      ask({ model: playingModel(tapeIn(path)) }, { tools: [search], temperature: 0.2, ...asked }),
    );
    expect({ code, kind }).toEqual({ code: "M8160", kind: "aborted" });
    expect(message).toContain(difference);
  });

  test("with no call at all", async () => {
    const path = join(temporaryFolder(), "empty.jsonl");
    writeFileSync(path, "");
    const { message } = await failureOf(ask({ model: playingModel(tapeIn(path)) }, { says: "Hi" }));
    expect(message).toContain("it has none at all");
  });
});

describe("the modes", () => {
  test("record asks each time, and replaces the answers of before", async () => {
    const path = await recorded([{ says: ["old"] }, { says: ["older"] }], [{ says: "Hi" }]);
    const again = recordingModel(handleOf(talker([{ says: ["new"] }])), tapeIn(path));
    expect((await ask({ model: again }, { says: "Hi" })).value.text).toBe("new");
    expect((await ask({ model: playingModel(tapeIn(path)) }, { says: "Hi" })).value.text).toBe(
      "new",
    );
    // An answer that was replaced is not one that nobody asked for.
    expect(new CassetteFile(path).unused().length).toBe(1);
  });

  test("auto serves what is there, asks for the rest and records it", async () => {
    const path = await recorded([hello], [{ says: "Hi" }]);
    const of: Talker = talker([{ says: ["asked"] }, { says: ["twice"] }]);
    const model = fillingModel(handleOf(of), tapeIn(path));
    const answers = [];
    for (const says of ["Hi", "Ho", "Hi"]) answers.push(await ask({ model, price }, { says }));
    expect(answers.map(({ value }) => value.text)).toEqual(["hello", "asked", "twice"]);
    expect(answers.map(({ modelSource }) => modelSource)).toEqual([
      "cassette",
      undefined,
      undefined,
    ]);
    expect(of.asked.length).toBe(2);
    const whole = playingModel(tapeIn(path));
    const texts = [];
    for (const says of ["Hi", "Ho", "Hi"])
      texts.push((await ask({ model: whole }, { says })).value.text);
    expect(texts).toEqual(["hello", "asked", "twice"]);
  });

  test("auto needs no key while nothing is missing, and then says why it does not ask", async () => {
    const path = await recorded([hello], [{ says: "Hi" }]);
    const settings = { mode: "auto", of: "openai/gpt-5" };
    const id = `cassette:${path}`;
    const named = readFileSync(path, "utf8").replace("test/talker", "openai/gpt-5");
    writeFileSync(path, named);
    const handle = resolveModel(id, { env: {}, settings });
    expect((await ask(handle, { says: "Hi" })).value.text).toBe("hello");
    const { code, hint } = await failureOf(ask(handle, { says: "Ho" }));
    expect(code).toBe("M8160");
    expect(hint).toContain("M8101");
    expect(hint).toContain("OPENAI_API_KEY");
  });

  test("a replay has its file, record and auto have a model, and there is no fourth mode", () => {
    const id = `cassette:${join(temporaryFolder(), "calls.jsonl")}`;
    const codeOf = (settings?: { mode?: string; of?: string }) => {
      try {
        return resolveModel(id, { env: {}, ...(settings === undefined ? {} : { settings }) })
          .source;
      } catch (thrown) {
        return (thrown as { code: string }).code;
      }
    };
    expect(codeOf()).toBe("M8161");
    expect(codeOf({ mode: "record" })).toBe("M8164");
    expect(codeOf({ mode: "auto" })).toBe("M8164");
    expect(codeOf({ mode: "play", of: "rules" })).toBe("M8164");
    expect(codeOf({ mode: "record", of: "rules" })).toBe("rules");
    expect(codeOf({ mode: "auto", of: "rules" })).toBe("rules");
  });

  test("paths start from the folder of the program", async () => {
    const path = await recorded([hello], [{ says: "Hi" }]);
    const folder = join(path, "..");
    const handle = resolveModel("cassette:calls.jsonl", { env: {}, folder });
    // Limits on cost are estimated by the price of then.
    expect(handle).toMatchObject({ id: "cassette:calls.jsonl", source: "cassette", price });
    expect((await ask(handle, { says: "Hi" })).value.text).toBe("hello");
  });

  test("two models may share a file: `of` takes the answers of one of them", async () => {
    const path = join(temporaryFolder(), "calls.jsonl");
    const tape = tapeIn(path);
    for (const name of ["small", "big"]) {
      const of = { ...handleOf(talker([{ says: [name] }])), id: `test/${name}` };
      await ask({ model: recordingModel(of, tape) }, { says: "Hi" });
    }
    const texts = async (of?: string) => {
      const handle = resolveModel(`cassette:${path}`, { env: {}, ...(of && { settings: { of } }) });
      return (await ask(handle, { says: "Hi" })).value.text;
    };
    expect(await texts("test/big")).toBe("big");
    expect(await texts("test/small")).toBe("small");
    expect(await texts()).toBe("small");
  });

  test("what a script said is marked as a script's", async () => {
    const path = join(temporaryFolder(), "calls.jsonl");
    const handle = resolveModel(scripted(["hi"]), { env: {} });
    await ask({ ...handle, model: recordingModel(handle, tapeIn(path)) }, { says: "Hi" });
    expect(JSON.parse(readFileSync(path, "utf8"))).toMatchObject({
      v: 1,
      origin: "scripted",
      model: "scripted",
    });
  });
});

test.each([
  ['"cassette:a.jsonl" { mode: "auto", of: "openai/x", region: "eu" }', []],
  ['"cassette:a.jsonl" { mode: "play" }', ["M2116"]],
  ['"openai/x" { mode: "auto" }', ["M2116"]],
])("the settings of %s are checked", (declared, codes) => {
  const text = `model m = ${declared}\ngraph G() returns a {\n  state { a: string }\n  agent b { model m; prompt "B."; writes a }\n  start -> b\n}\n`;
  const { diagnostics } = check({ file: "test", text });
  expect(diagnostics.map(({ code }) => code)).toEqual(codes);
});

describe("the file", () => {
  test("half a line at its end is passed over with a warning, and what comes next stands on a line of its own", async () => {
    const path = await recorded([hello], [{ says: "Hi" }]);
    appendFileSync(path, readFileSync(path, "utf8").slice(0, 100));
    const warn = vi.spyOn(process, "emitWarning").mockImplementation(() => {});
    const model = recordingModel(handleOf(talker([{ says: ["more"] }])), tapeIn(path));
    await ask({ model }, { says: "Ho" });
    const play = playingModel(tapeIn(path));
    expect((await ask({ model: play }, { says: "Hi" })).value.text).toBe("hello");
    expect((await ask({ model: play }, { says: "Ho" })).value.text).toBe("more");
    expect(warn).toHaveBeenCalledExactlyOnceWith(
      expect.stringContaining("line 2 of"),
      expect.objectContaining({ code: "M8162" }),
    );
    warn.mockRestore();
  });

  test("one that can't be written ends the attempt with M8163", async () => {
    const folder = temporaryFolder();
    const tape = tapeIn(folder);
    const { code, class: kind } = await failureOf(
      ask({ model: recordingModel(handleOf(talker([hello])), tape) }, { says: "Hi" }),
    );
    expect({ code, kind }).toEqual({ code: "M8163", kind: "aborted" });
  });

  test("an answer that broke off is not recorded", async () => {
    const path = join(temporaryFolder(), "calls.jsonl");
    const broken: LanguageModelV4 = {
      ...talker([]),
      doStream: async () => ({
        stream: ReadableStream.from([{ type: "text-delta" as const, id: "t", delta: "hel" }]),
      }),
    };
    await failureOf(ask({ model: recordingModel(handleOf(broken), tapeIn(path)) }, { says: "Hi" }));
    expect(existsSync(path)).toBe(false);
  });
});

describe("no key enters a cassette", () => {
  const known = "k-3f9a61e2d7b84c05";
  const form = "sk-proj-abcdefghijklmnopqrstuvwxyz012345";
  const hostile: Turn = {
    reasoning: `I know ${known}`,
    says: ["the key is k-3f9a", "61e2d7b84c05, or sk-proj-abcdefghij", "klmnopqrstuvwxyz012345 !"],
    calls: [{ tool: form, input: { note: `use ${known}`, password: "hunter2hunter2" } }],
  };
  test("neither one of the environment nor what has the form of one, in pieces, requests or failures", async () => {
    const refused = { status: 400, body: `bad key ${known} and ${form}` };
    const path = await recorded(
      [hostile, refused],
      [{ says: `Is it ${known}?`, headers: { authorization: `Bearer ${known}` } }, { says: "b" }],
      { MY_API_KEY: known },
    );
    const text = readFileSync(path, "utf8");
    expect(text.split("\n").length).toBe(3);
    for (const secret of [known, form, "hunter2hunter2", "61e2d7b84c05", "klmnopqrst"])
      expect(text).not.toContain(secret);
    expect(text).toContain("⟦secret:MY_API_KEY⟧");
  });

  test("and the request that holds the hidden text is found again", async () => {
    const env = { MY_API_KEY: known };
    const path = await recorded([hello], [{ says: `Is it ${known} or ${form}?` }], env);
    const play = (says: string) => ask({ model: playingModel(tapeIn(path, env)) }, { says });
    expect((await play(`Is it ${known} or ${form}?`)).value.text).toBe("hello");
    expect((await play("Is it ⟦secret:MY_API_KEY⟧ or ⟦secret:token⟧?")).value.text).toBe("hello");
  });
});
