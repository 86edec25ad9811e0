/** Estimates of tokens are calibrated by what the provider has counted: limits hold by its counts, also after a resume. */
import { afterEach, expect, test } from "vitest";
import { createAgentPerformer } from "../../../../runtime/agents/agent.ts";
import type { ModelRequest } from "../../../../runtime/agents/conversation/messages.ts";
import { TokenScales } from "../../../../runtime/agents/conversation/token-scales.ts";
import { estimateOf } from "../../../../runtime/agents/models/estimate.ts";
import { resolveModel } from "../../../../runtime/agents/models/model.ts";
import type { ModelStep } from "../../../../runtime/agents/models/model-step.ts";
import { createToolSet, tool } from "../../../../runtime/agents/scope/tools.ts";
import { type OpenAiServer, openAiServer } from "../../../support/openai-server.ts";
import { attemptOf, fakeContext, fastClock, type LoggedEffect } from "../fake-context.ts";

const servers: OpenAiServer[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close();
});

const look = tool(({ at }: { at: number }) => `seen ${at} `.repeat(60), {
  effect: "none",
  input: { type: "object", properties: { at: { type: "integer" } } },
});

/** A server whose tokenizer makes a token of each two characters, and an agent that looks six times. */
async function counting(limit: number) {
  const counted: number[] = [];
  const server = await openAiServer(({ body }, index) => {
    const input = Math.ceil(JSON.stringify([body.messages, body.tools]).length / 2);
    counted.push(input);
    const usage = { input, output: 5 };
    return index === 6
      ? { text: "done", usage }
      : { calls: [{ tool: "look", input: { at: index }, id: `call_${index}` }], usage };
  });
  servers.push(server);
  const handle = resolveModel("openai-compatible/tiny", {
    env: { OPENAI_COMPATIBLE_BASE_URL: server.url },
  });
  const performer = createAgentPerformer({
    model: () => handle,
    tools: createToolSet(() => ({ look })),
    clock: fastClock(),
  });
  const attempt = attemptOf(
    { tools: [["look"]], output: { type: "string" } },
    { context: { limit } },
  );
  return { counted, perform: (context = fakeContext()) => performer.perform(attempt, context) };
}

const cuts = (log: readonly LoggedEffect[]) =>
  log.flatMap(({ effect, request }) =>
    effect === "model" ? [(request as ModelRequest).compacted ?? []] : [],
  );

test("E69 from the second call on a limit holds by the tokens that the provider counts", async () => {
  const limit = 1_000;
  const { counted, perform } = await counting(limit);
  const context = fakeContext();
  expect(await perform(context)).toBe("done");
  // The estimate alone let about twice as much through; the texts that come new differ a little from those before.
  for (const tokens of counted.slice(1)) expect(tokens).toBeLessThanOrEqual(limit * 1.1);
  expect(Math.max(...counted)).toBeGreaterThan(limit * 0.7);
  const last = cuts(context.log).at(-1)?.at(-1);
  expect(last).toMatchObject({ policy: "limit", limit });
  expect(last?.after).toBeLessThanOrEqual(limit);

  const scales = context.log.flatMap(({ effect, value }) =>
    effect === "model" ? [(value as ModelStep).scale ?? 0] : [],
  );
  for (const scale of scales) expect(scale).toBeGreaterThan(1.2);
});

test("E69 what was calibrated follows from the journal: an attempt that goes on anywhere cuts as it did", async () => {
  const { perform } = await counting(1_000);
  const first = fakeContext();
  await perform(first);
  for (const at of [1, 4, 9]) {
    const again = await counting(1_000);
    const context = fakeContext({ recorded: first.log.slice(0, at) });
    const served = first.log.slice(0, at).filter(({ effect }) => effect === "model").length;
    await again.perform(context).catch(() => undefined);
    expect(cuts(context.log).slice(0, served + 1)).toEqual(cuts(first.log).slice(0, served + 1));
  }
});

test("an estimate of a cost is scaled; a model with a tokenizer of its own is not", () => {
  const scales = new TokenScales([]);
  const handle = resolveModel("openai-compatible/tiny", {
    env: { OPENAI_COMPATIBLE_BASE_URL: "http://127.0.0.1:1" },
  });
  expect(scales.of(handle)).toBe(1);
  scales.learn(handle.id, { scale: 2 });
  scales.learn(handle.id, {});
  expect(scales.of(handle)).toBe(2);
  const tokenizer = async () => ({ tokens: [], contextTokens: 1 });
  expect(scales.of({ ...handle, tokenizer })).toBe(1);
  const priced = { ...handle, price: { input: 1, output: 0, source: "run" as const } };
  const call = () => ({ prompt: [{ role: "system" as const, content: "word ".repeat(996) }] });
  expect(estimateOf(priced, call).usd).toBeCloseTo(0.001);
  expect(estimateOf(priced, call, scales.of(handle)).usd).toBeCloseTo(0.002);
});
