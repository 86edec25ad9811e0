/** A list of models: which failures lead to the next one, and how long a silent one is waited for. */
import { setImmediate } from "node:timers/promises";
import { afterEach, describe, expect, test } from "vitest";
import { createAgentPerformer } from "../../../runtime/agents/agent.ts";
import { ModelTurns } from "../../../runtime/agents/models/fallback.ts";
import { resolveModel } from "../../../runtime/agents/models/model.ts";
import type { ModelHandle, ModelSettings } from "../../../runtime/agents/models/model-handle.ts";
import { createToolSet } from "../../../runtime/agents/scope/tools.ts";
import type { SleepClock } from "../../../runtime/clock.ts";
import { type Failure, FailureError } from "../../../runtime/failure.ts";
import { type OpenAiServer, openAiServer, type ServerScript } from "../../support/openai-server.ts";
import { attemptOf, failureOf, fakeContext, fastClock } from "./fake-context.ts";

const servers: OpenAiServer[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close();
});

async function serve(script: ServerScript): Promise<OpenAiServer> {
  const server = await openAiServer(script);
  servers.push(server);
  return server;
}

function handleOf({ url }: OpenAiServer, model: string, settings: ModelSettings = {}): ModelHandle {
  const env = { OPENAI_COMPATIBLE_BASE_URL: url };
  return { ...resolveModel(`openai-compatible/${model}`, { env }), settings };
}

const SECOND = { text: "from the second" } as const;

/** The answer of a node whose model is `first`, with a second one behind it. */
async function answered(
  first: OpenAiServer,
  of: {
    readonly settings?: ModelSettings;
    readonly clock?: SleepClock;
    readonly heard?: string[];
  } = {},
) {
  const second = await serve([SECOND]);
  const handle = {
    ...handleOf(first, "one", of.settings),
    fallbacks: [handleOf(second, "two")],
  };
  const performer = createAgentPerformer({
    model: () => handle,
    tools: createToolSet(() => ({})),
    clock: of.clock ?? fastClock(),
  });
  const context = fakeContext();
  const { heard } = of;
  const listening =
    heard === undefined ? context : { ...context, delta: (text: string) => void heard.push(text) };
  const work = performer.perform(attemptOf(), listening);
  return { work, context, second };
}

describe("E66 the models of a list are asked in order, each after its own repeats", () => {
  const settings = { firstTokenWithin: 45_000, nextTokenWithin: 180_000 };

  /** Sleeps are over at once, but those of silence only where the server does hang. */
  function clockOf(isSilent: (silenceMs: number) => boolean): SleepClock {
    const clock = fastClock();
    return {
      now: clock.now,
      sleep: async (ms, cancellation) => {
        if (ms !== 45_000 && ms !== 180_000) return clock.sleep(ms, cancellation);
        while (!cancellation.isCancelled && !isSilent(ms)) await setImmediate();
        if (!cancellation.isCancelled) await clock.sleep(ms, cancellation);
      },
    };
  }

  test("500: five tries, then the next model", async () => {
    const server = await serve(() => ({ status: 500 }));
    const { work, context } = await answered(server);
    expect(await work).toBe(SECOND.text);
    expect(server.requests).toHaveLength(5);
    expect(context.log.map(({ name, failure }) => [name, failure?.code])).toEqual([
      ["openai-compatible/one", "M8106"],
      ["openai-compatible/two", undefined],
    ]);
  });

  test("a hang before the first byte ends after 45 s", async () => {
    const server = await serve(() => ({ hang: true }));
    let ended = 0;
    const clock = clockOf((ms) => {
      if (ms !== 45_000 || server.requests.length <= ended) return false;
      ended += 1;
      return true;
    });
    const { work, context } = await answered(server, { settings, clock });
    expect(await work).toBe(SECOND.text);
    expect(context.log[0]?.failure?.message).toContain("no first piece came within 45 s");
    expect(server.requests).toHaveLength(5);
  });

  test("a hang in the middle of an answer ends after 180 s", async () => {
    const server = await serve(() => ({ text: "it begins and stops", hangAfter: 9 }));
    const heard: string[] = [];
    const clock = clockOf((ms) => ms === 180_000 && heard.length >= server.requests.length);
    const { work, context } = await answered(server, { settings, clock, heard });
    expect(await work).toBe(SECOND.text);
    expect(context.log[0]?.failure?.message).toContain("no further piece came within 180 s");
    expect(heard.slice(0, 5)).toEqual(Array(5).fill("it begins"));
  });

  test("an answer that its length ends is gone on with, and is no reason to ask another", async () => {
    const server = await serve(() => ({ text: "too lo", finish: "length" }));
    const { work, second } = await answered(server);
    expect(await failureOf(work)).toMatchObject({ class: "model", code: "M8107" });
    expect(server.requests).toHaveLength(6);
    expect(second.requests).toHaveLength(0);
  });
});

test.each([
  ["refused credentials", { status: 401 }, "M8104"],
  ["an unknown model", { status: 404 }, "M8105"],
  ["a prompt that is too long", { status: 413 }, "M8125"],
  ["a setting that this one refuses", { status: 400 }, "M8105"],
])("%s lead to the next model at once", async (_, answer, code) => {
  const server = await serve([answer]);
  const { work, context } = await answered(server);
  expect(await work).toBe(SECOND.text);
  expect(context.log[0]?.failure?.code).toBe(code);
  expect(context.log[1]).toMatchObject({ instead: { model: "openai-compatible/one", code } });
});

test("a resumed attempt asks no model again that has failed, and none that has answered", async () => {
  const server = await serve([{ status: 401 }]);
  const { work, context } = await answered(server);
  await work;
  const handle = {
    ...handleOf(server, "one"),
    fallbacks: [handleOf(server, "two")],
  };
  const again = fakeContext({ recorded: context.log });
  const performer = createAgentPerformer({ model: () => handle, tools: createToolSet(() => ({})) });
  expect(await performer.perform(attemptOf(), again)).toBe(SECOND.text);
  expect(again.performed).toEqual([]);
  expect(server.requests).toHaveLength(1);
});

describe("turns", () => {
  const named = (id: string) => ({ id }) as ModelHandle;
  const failure = (id: string, over: Partial<Failure> = {}) =>
    new FailureError({ class: "transport", code: "M8106", message: `${id} is down`, ...over });

  test("the model that works is asked for the rest of the attempt", async () => {
    const turns = new ModelTurns({ ...named("a"), fallbacks: [named("b"), named("c")] });
    const asked: string[] = [];
    const call = async ({ id }: ModelHandle) => {
      asked.push(id);
      if (id === "a") throw failure(id);
      return id;
    };
    expect([await turns.ask(call), await turns.ask(call)]).toEqual(["b", "b"]);
    expect(asked).toEqual(["a", "b", "b"]);
  });

  test("none: M8150 with each failure, of the class and the wait of the last", async () => {
    const turns = new ModelTurns({ ...named("a"), fallbacks: [named("b")] });
    const work = turns.ask(({ id }) => Promise.reject(failure(id, { retryAfterMs: 7 })));
    expect(await failureOf(work)).toMatchObject({
      class: "transport",
      code: "M8150",
      message: "none of 2 models has answered: M8106 a is down; M8106 b is down",
      retryAfterMs: 7,
    });
  });

  test.each(["limit", "aborted", "invalid", "denied"] as const)("%s is no reason", async (kind) => {
    const turns = new ModelTurns({ ...named("a"), fallbacks: [named("b")] });
    const asked: string[] = [];
    const work = turns.ask(({ id }) => {
      asked.push(id);
      return Promise.reject(failure(id, { class: kind }));
    });
    expect((await failureOf(work)).class).toBe(kind);
    expect(asked).toEqual(["a"]);
  });

  test("one model alone fails with its own failure", async () => {
    const turns = new ModelTurns(named("a"));
    expect(await failureOf(turns.ask(() => Promise.reject(failure("a"))))).toMatchObject({
      code: "M8106",
    });
  });
});
