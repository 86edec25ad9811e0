/** What every provider of models promises, against a server that speaks its protocol. */
import { afterEach, describe, expect, test } from "vitest";
import { createAgentPerformer } from "../../runtime/agents/agent.ts";
import { createLimiter } from "../../runtime/agents/models/limiter.ts";
import { resolveModel } from "../../runtime/agents/models/model.ts";
import type { ModelHandle, ModelSettings } from "../../runtime/agents/models/model-handle.ts";
import { askModel } from "../../runtime/agents/models/model-step.ts";
import { createToolSet, tool } from "../../runtime/agents/scope/tools.ts";
import { Cancellation } from "../../runtime/cancellation.ts";
import type { SleepClock } from "../../runtime/clock.ts";
import {
  attemptOf,
  type FakeContext,
  failureOf,
  fakeContext,
  fastClock,
} from "../runtime/agents/fake-context.ts";
import type { Protocol, ProtocolAnswer } from "../support/providers/protocol.ts";
import {
  type ProtocolServer,
  protocolServer,
  type ServerMove,
} from "../support/providers/protocol-server.ts";

/** A key of no known form: it is hidden because it is the key, and not for its looks. */
export const KEY = "no-form-of-a-key+1/2 3";

const weather = tool(({ city }: { city: string }) => `${city}: 21`, {
  effect: "none",
  parallel: true,
  description: "the weather of a city",
  input: {
    type: "object",
    properties: { city: { type: "string" } },
    required: ["city"],
    additionalProperties: false,
  },
});

const servers: ProtocolServer[] = [];

interface ProviderScene {
  readonly server: ProtocolServer;
  readonly handle: ModelHandle;
  readonly slept: readonly number[];
  perform(attempt?: ReturnType<typeof attemptOf>, context?: FakeContext): Promise<unknown>;
}

async function sceneOf(
  protocol: Protocol,
  moves: Parameters<typeof protocolServer>[1],
  settings: ModelSettings = {},
): Promise<ProviderScene> {
  const server = await protocolServer(protocol, moves);
  servers.push(server);
  const env = protocol.env(server.url, KEY);
  const id = `${protocol.provider}/${protocol.model}`;
  const handle = resolveModel(id, { env, settings });
  const { slept, ...clock } = fastClock();
  return { server, handle, slept, perform: performerOf(handle, clock) };
}

function performerOf(handle: ModelHandle, clock: SleepClock = fastClock()) {
  const performer = createAgentPerformer({
    model: () => handle,
    tools: createToolSet(() => ({ weather })),
    // The time limit of a tool never ends it.
    clock: {
      ...clock,
      sleep: (ms, cancellation) =>
        ms === 120_000 ? new Promise(() => undefined) : clock.sleep(ms, cancellation),
    },
  });
  return (attempt = attemptOf(), context = fakeContext()) => performer.perform(attempt, context);
}

const says = (answer: ProtocolAnswer): ServerMove => ({ kind: "answer", answer });
const FINE = says({ text: "It is fine today." });
const LONG = { text: "It is fine today, and it will be so tomorrow, and the day after that." };
const withTools = () => attemptOf({ tools: [["weather"]] });

/** A conversation in which another agent, with tools of its own, has answered. */
const TALK = [
  { id: "1", role: "user", content: "Where is it?" },
  {
    id: "2",
    role: "assistant",
    name: "guide",
    content: "",
    toolCalls: [{ id: "call_9", tool: "maps.find", input: { city: "Bern" } }],
  },
  { id: "3", role: "tool", content: "47 N", toolCallId: "call_9" },
  { id: "4", role: "assistant", name: "guide", content: "In Bern." },
] as const;

const field = { kind: "name", name: "messages", of: "field" } as const;
const SHARED = { history: { source: "field", field, summarize: false } } as const;

const asksForWeather: ProtocolAnswer = {
  reasoning: { text: "Bern first, then an answer.", signature: "c2lnbmVkIGJ5IHRoZQ+/==" },
  calls: [{ id: "call_1", name: "weather", input: { city: "Bern" } }],
};

/** Registers the promises of the provider that speaks `protocol`. */
export function providerContract(protocol: Protocol): void {
  describe(`${protocol.name} keeps the contract of providers`, () => {
    afterEach(async () => {
      for (const server of servers.splice(0)) await server.close();
    });

    test("M22 a text streams, with its usage, to the model and with the key that were named", async () => {
      const { server, perform } = await sceneOf(protocol, [
        says({ ...LONG, usage: { input: 120, cached: 20, output: 7 } }),
      ]);
      const context = fakeContext();
      expect(await perform(attemptOf({}, { system: "Be short." }), context)).toBe(LONG.text);
      expect(context.deltas.join("")).toBe(LONG.text);
      expect(context.deltas.length).toBeGreaterThan(1);
      expect(context.log[0]).toMatchObject({
        modelSource: "live",
        value: { finish: "stop" },
        usage: { inputTokens: 120, cachedTokens: 20, outputTokens: 7 },
      });
      expect(server.requests[0]).toMatchObject({ model: protocol.model });
      expect(server.requests[0]?.texts).toEqual(["Be short.", "What is it?"]);
      expect(JSON.stringify(context.log)).not.toContain(KEY);
    });

    test("tools are called in parallel, and each gets its own result", async () => {
      const calls = ["Bern", "Rome"].map((city, at) => ({
        id: `call_${at}`,
        name: "weather",
        input: { city },
      }));
      const { server, perform } = await sceneOf(protocol, [says({ calls }), FINE]);
      await perform(withTools());
      expect(server.requests[0]?.tools).toContain("weather");
      expect(server.requests[1]?.calls).toEqual(calls.map(({ name, input }) => ({ name, input })));
      expect(server.requests[1]?.results).toEqual(["Bern: 21", "Rome: 21"]);
    });

    test("a conversation of several agents goes to the model as turns, with calls of tools that it lacks", async () => {
      const { server, perform } = await sceneOf(protocol, [FINE]);
      await perform(attemptOf({ tools: [["weather"]], ...SHARED }, { conversation: TALK }));
      const [request] = server.requests;
      expect(request?.calls).toEqual([{ name: "maps_find", input: { city: "Bern" } }]);
      expect(request?.results).toEqual(["47 N"]);
      const spoken = request?.texts.slice(1).filter((text) => text !== "");
      expect(spoken).toEqual(["Where is it?", "[guide] In Bern.", "What is it?"]);
    });

    test("an agent without tools is shown the calls of others as texts", async () => {
      const { server, perform } = await sceneOf(protocol, [FINE]);
      await perform(attemptOf(SHARED, { conversation: TALK }));
      const [request] = server.requests;
      expect([request?.calls, request?.results]).toEqual([[], []]);
      expect(request?.texts.join("\n")).toContain("[result of maps.find] 47 N");
    });

    test("structured output: the schema reaches the model", async () => {
      const { server, perform } = await sceneOf(protocol, [says({ text: '{"numbers":[1,2]}' })]);
      const output = { type: "array", items: { type: "integer" } };
      const attempt = attemptOf({ output, writes: [{ field: "numbers", optional: false }] });
      expect(await perform(attempt)).toEqual([1, 2]);
      const { schema, texts } = server.requests[0] ?? {};
      expect(JSON.stringify(schema ?? texts)).toContain("numbers");
    });

    test("M12 a picture in a message goes to the model as Base64", async () => {
      const { server, handle } = await sceneOf(protocol, [FINE]);
      const data = new Uint8Array([137, 80, 78, 71, 13, 10, 26, 10, 1, 2, 3]);
      const content = [
        { type: "text" as const, text: "What is on it?" },
        { type: "file" as const, mediaType: "image/png", data: { type: "data" as const, data } },
      ];
      const clock = fastClock();
      await askModel(
        { prompt: [{ role: "user", content }] },
        {
          handle,
          clock,
          limiter: createLimiter(clock),
          cancellation: new Cancellation(),
          delta: () => undefined,
        },
      );
      expect(server.requests[0]?.images).toEqual([Buffer.from(data).toString("base64")]);
    });

    if (protocol.signs)
      describe("what it signs", () => {
        const moves = () => [says(asksForWeather), FINE];

        test("goes back unchanged after a call of a tool", async () => {
          const { server, perform } = await sceneOf(protocol, moves());
          const context = fakeContext();
          expect(await perform(withTools(), context)).toBe("It is fine today.");
          expect(context.log[0]?.value).toMatchObject({
            reasoning: asksForWeather.reasoning?.text,
          });
          expect(server.requests[1]?.signed.join()).toContain(asksForWeather.reasoning?.signature);
          expect(server.requests[1]?.calls).toEqual([{ name: "weather", input: { city: "Bern" } }]);
        });

        test("goes back after a resume as it did before", async () => {
          const before = await sceneOf(protocol, moves());
          const context = fakeContext();
          await before.perform(withTools(), context);
          const after = await sceneOf(protocol, [FINE]);
          const handle = { ...after.handle, origin: before.handle.origin ?? "" };
          const recorded = JSON.parse(JSON.stringify(context.log.slice(0, 2)));
          await performerOf(handle)(withTools(), fakeContext({ recorded }));
          expect(after.server.requests[0]?.body).toEqual(before.server.requests[1]?.body);
        });

        test("goes to no other model or address", async () => {
          const before = await sceneOf(protocol, moves());
          const context = fakeContext();
          await before.perform(withTools(), context);
          const after = await sceneOf(protocol, [FINE]);
          const recorded = JSON.parse(JSON.stringify(context.log.slice(0, 2)));
          await performerOf(after.handle)(withTools(), fakeContext({ recorded }));
          const [asked] = after.server.requests;
          expect(asked?.signed).toEqual([]);
          expect(JSON.stringify(asked?.body)).not.toContain(asksForWeather.reasoning?.text);
          expect(asked?.calls).toEqual([{ name: "weather", input: { city: "Bern" } }]);
          expect(asked?.results).toEqual(["Bern: 21"]);
        });

        test("goes to no model that takes its place in a list", async () => {
          const first = await sceneOf(protocol, [
            says(asksForWeather),
            { kind: "status", status: 400 },
          ]);
          const second = await sceneOf(protocol, [FINE]);
          const handle = { ...first.handle, fallbacks: [second.handle] };
          expect(await performerOf(handle)(withTools())).toBe("It is fine today.");
          expect(first.server.requests[1]?.signed.join()).not.toBe("");
          expect(second.server.requests[0]?.signed).toEqual([]);
          expect(second.server.requests[0]?.results).toEqual(["Bern: 21"]);
        });

        test("goes back also where nobody else can read it", async () => {
          const { server, perform } = await sceneOf(protocol, [
            says({ hidden: "b25seSBtaW5l", calls: asksForWeather.calls ?? [] }),
            FINE,
          ]);
          await perform(withTools());
          expect(server.requests[1]?.signed).toEqual(["|b25seSBtaW5l"]);
        });
      });

    describe("errors", () => {
      test.each([
        [400, "M8105"],
        [404, "M8105"],
        [413, "M8125"],
      ])("%d is asked once, and says what was said", async (status, code) => {
        const move: ServerMove = { kind: "status", status, message: `wrong, ${KEY}` };
        const { server, perform, slept } = await sceneOf(protocol, [move]);
        const failure = await failureOf(perform());
        expect(failure).toMatchObject({ class: "model", code });
        expect(failure.message).toMatch(new RegExp(`${status}.*wrong, ⟦secret:`));
        expect(server.requests).toHaveLength(1);
        expect(slept).toEqual([]);
      });

      test.each([401, 403])("%d names the variable of the key", async (status) => {
        const { server, perform, handle } = await sceneOf(protocol, [{ kind: "status", status }]);
        const failure = await failureOf(perform());
        expect(failure).toMatchObject({ class: "model", code: "M8104" });
        expect(failure.hint).toContain(handle.keyVariable);
        expect(server.requests).toHaveLength(1);
      });

      test.each([408, 409, 429, 500, 529])("%d is asked again", async (status) => {
        const headers = status === 429 ? { "retry-after": "7" } : {};
        const move: ServerMove = { kind: "status", status, headers };
        const { server, perform, slept } = await sceneOf(protocol, [move, FINE]);
        expect(await perform()).toBe("It is fine today.");
        expect(slept).toEqual([status === 429 ? 7000 : 500]);
        expect(server.requests).toHaveLength(2);
      });

      test.each<[string, ServerMove]>([
        ["half a stream", { kind: "half", answer: LONG, isDropped: false }],
        [
          "a connection that is lost in the middle",
          { kind: "half", answer: LONG, isDropped: true },
        ],
        ["a connection that is lost at once", { kind: "drop" }],
        ["a text that is no protocol", { kind: "garbage", text: "<html>It works!</html>\n\n" }],
      ])("%s is no answer, and is asked again", async (_, move) => {
        const { server, perform, slept } = await sceneOf(protocol, [move, FINE]);
        expect(await perform()).toBe("It is fine today.");
        expect(slept).toEqual([500]);
        expect(server.requests).toHaveLength(2);
      });

      test("a server that never has anything else fails in transport after five tries", async () => {
        const { server, perform } = await sceneOf(protocol, () => ({ kind: "drop" }));
        expect(await failureOf(perform())).toMatchObject({ class: "transport", code: "M8106" });
        expect(server.requests).toHaveLength(5);
      });

      test("an answer that ends by length is gone on with", async () => {
        const cut = says({ text: "I think. ", finish: "length" });
        const { perform } = await sceneOf(protocol, [cut, FINE]);
        expect(await perform()).toBe("I think. It is fine today.");
      });

      if (protocol.filters)
        test("an answer that ends by content-filter is none", async () => {
          const finish = "content-filter";
          const { perform } = await sceneOf(protocol, [says({ text: "It is ", finish })]);
          const context = fakeContext();
          expect(await failureOf(perform(attemptOf(), context))).toMatchObject({
            class: expect.stringMatching(/^(filter|refusal)$/),
          });
          expect(context.log[0]?.value).toMatchObject({ finish });
          expect(context.log[0]?.value).toHaveProperty("stopReason", expect.any(String));
        });
    });

    test("an answer that comes late is waited for", async () => {
      const { promise, resolve } = Promise.withResolvers<void>();
      const { server, perform } = await sceneOf(protocol, [
        { kind: "slow", answer: { text: "late" }, after: promise },
      ]);
      const output = perform();
      await server.asked(1);
      resolve();
      expect(await output).toBe("late");
    });

    test.each<[string, ServerMove]>([
      ["before its first byte", { kind: "slow", answer: LONG, after: new Promise(() => {}) }],
      ["in the middle of a stream", { kind: "stuck", answer: LONG }],
    ])("M09 an abort closes the connection, %s", async (_, move) => {
      const { server, perform } = await sceneOf(protocol, [move]);
      const controller = new AbortController();
      const failure = failureOf(perform(attemptOf(), fakeContext({ signal: controller.signal })));
      await server.asked(1);
      controller.abort(new Error("stop"));
      expect(await server.requests[0]?.closed).toBe(true);
      expect(await failure).toMatchObject({ class: "aborted", code: "M8111" });
    });

    test("what a server echoes of the key comes back nowhere", async () => {
      const echo: ProtocolAnswer = {
        reasoning: { text: `Your key is ${KEY}.`, signature: `signed ${KEY}` },
        text: `Your key is ${KEY}, or ${encodeURIComponent(KEY)}.`,
        calls: [{ id: "call_1", name: "weather", input: { city: KEY } }],
      };
      const { perform } = await sceneOf(protocol, [
        says(echo),
        {
          kind: "status",
          status: 400,
          message: `no ${KEY}`,
          headers: { "x-echo": encodeURIComponent(KEY) },
        },
      ]);
      const context = fakeContext();
      const failed = await perform(withTools(), context).catch((thrown: unknown) => thrown);
      const seen = JSON.stringify([context.log, context.deltas.join("")]);
      const error = inspected(failed);
      for (const form of [KEY, encodeURIComponent(KEY)]) {
        expect(seen).not.toContain(form);
        expect(error).not.toContain(form);
      }
      expect(seen).toContain("⟦secret:");
    });
  });
}

/** An error with all that hangs on it. */
function inspected(thrown: unknown): string {
  if (!(thrown instanceof Error)) return JSON.stringify(thrown);
  const own = Object.getOwnPropertyNames(thrown).map((name) => [
    name,
    name === "cause" ? inspected(thrown.cause) : thrown[name as keyof Error],
  ]);
  return JSON.stringify(own);
}
