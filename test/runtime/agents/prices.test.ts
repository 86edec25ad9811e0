/** What a call costs: the price that holds, by whose word, and the sum that follows from it. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { listedPrice, listedWindow } from "../../../dsl/index.ts";
import {
  costOf,
  estimatedCost,
  heldPrice,
  priceOf,
} from "../../../runtime/agents/models/prices.ts";
import { runModels } from "../../../runtime/attempt/models.ts";
import { RunError } from "../../../runtime/failure.ts";
import { workspacePrice } from "../../../runtime/session/workspace-price.ts";
import { graphOf } from "../../support/run-graph.ts";

test("contract: an unknown price is null, never 0", () => {
  const usage = { inputTokens: 1_000_000, outputTokens: 500_000, cachedTokens: 400_000 };
  for (const id of ["openai/gpt-9", "constructor", "openai-compatible/gpt-4o", "toString/gpt-4o"])
    expect(priceOf(id)).toBeUndefined();
  expect(costOf(usage, undefined)).toBeNull();
  expect(costOf(usage, { input: 0, output: 0 })).toBe(0);
  expect(costOf(usage, { input: 1, output: 4, cachedInput: 0.5 })).toBeCloseTo(0.6 + 0.2 + 2);
  expect(costOf(usage, { input: 1, output: 4 })).toBeCloseTo(3);
});

test("tokens that a provider wrote into its cache cost what writing them does", () => {
  const usage = { inputTokens: 1_000_000, outputTokens: 0, cachedTokens: 200_000 };
  const price = { input: 3, output: 15, cachedInput: 0.3, cacheWrite: 3.75 };
  expect(costOf({ ...usage, cacheWriteTokens: 400_000 }, price)).toBeCloseTo(1.2 + 0.06 + 1.5);
  const { cacheWrite: _, ...none } = price;
  expect(costOf({ ...usage, cacheWriteTokens: 400_000 }, none)).toBeCloseTo(2.4 + 0.06);
});

test("a call with a long prompt costs the rates of long prompts, all of it, and these are stored with it", () => {
  const price = {
    input: 2,
    output: 10,
    cachedInput: 0.2,
    long: { above: 200_000, input: 4, output: 15 },
    source: "run" as const,
  };
  const usage = { outputTokens: 100_000, cachedTokens: 100_000 };
  expect(costOf({ ...usage, inputTokens: 200_000 }, price)).toBeCloseTo(0.2 + 0.02 + 1);
  // The rate of cached input is not that of shorter prompts: without one of its own it costs what other input does.
  expect(costOf({ ...usage, inputTokens: 300_000 }, price)).toBeCloseTo(1.2 + 1.5);
  expect(estimatedCost({ prompt: 300_000, outputMax: 100_000 }, price)).toBeCloseTo(1.2 + 1.5);
  expect(heldPrice(price, 200_000)).toEqual({
    input: 2,
    output: 10,
    cachedInput: 0.2,
    source: "run",
  });
  expect(heldPrice(price, 200_001)).toEqual({ input: 4, output: 15, source: "run" });
});

test("no usage costs less than nothing or more than all of it at the dearest price", () => {
  const count = fc.nat({ max: 1e7 });
  const usage = fc.record({
    inputTokens: count,
    outputTokens: count,
    cachedTokens: count,
    cacheWriteTokens: count,
  });
  const usd = fc.double({ min: 0, max: 100, noNaN: true });
  const price = fc.record({ input: usd, output: usd, cachedInput: usd, cacheWrite: usd });
  fc.assert(
    fc.property(usage, price, (spent, per) => {
      const cost = costOf(spent, per) ?? Number.NaN;
      const dearest = Math.max(per.input, per.cachedInput, per.cacheWrite);
      const most = (spent.inputTokens * dearest + spent.outputTokens * per.output) / 1e6;
      expect(cost).toBeGreaterThanOrEqual(0);
      expect(cost).toBeLessThanOrEqual(most * 1.000001 + 1e-9);
    }),
  );
});

describe("the table", () => {
  test.each([
    ["anthropic/claude-haiku-4-5", 1, 5],
    ["anthropic/claude-haiku-4-5-20251001", 1, 5],
    ["anthropic.messages/claude-sonnet-4-5", 3, 15],
    ["@ai-sdk/anthropic/claude-opus-4-5-20251101", 5, 25],
    ["anthropic/claude-opus-5-5", 4, 20],
    ["openai/gpt-6.2-sol", 2, 10],
    ["openai/gpt-5-2025-08-07", 1.25, 10],
    ["openai-chat/gpt-4o-mini", 0.15, 0.6],
    ["google/gemini-2.5-flash-lite-001", 0.1, 0.4],
    ["mistral/mistral-large-4-0", 0.7, 2.1],
    ["mistral/mistral-large-2512", 0.5, 1.5],
    ["gguf/models/small.gguf", 0, 0],
  ])("knows %s", (id, input, output) => {
    expect(listedPrice(id)).toMatchObject({ input, output });
  });

  test.each([
    "anthropic/claude-haiku-4-5-latest",
    "anthropic/claude-haiku-9",
    "openai/gpt-4o-2024-05-1",
    "mistral/mistral-large-2407",
    "ollama/llama3.2",
    "gpt-4o",
    "",
  ])("does not guess %o", (id) => {
    expect(listedPrice(id)).toBeUndefined();
  });

  test("says of each figure when and where it was read", () => {
    expect(listedPrice("anthropic/claude-haiku-4-5")).toMatchObject({
      asOf: "2026-11-24",
      from: expect.stringContaining("litellm 1.110.2"),
    });
  });

  test.each([
    ["openai/gpt-5.4", { above: 272_000, input: 5, output: 22.5, cachedInput: 0.5 }],
    ["google/gemini-2.5-pro", { above: 200_000, input: 2.5, output: 15, cachedInput: 0.25 }],
    [
      "anthropic/claude-haiku-5-5",
      { above: 100_000, input: 0.5, output: 2.5, cachedInput: 0.05, cacheWrite: 0.625 },
    ],
  ])("says what the long prompts of %s cost", (id, long) => {
    expect(listedPrice(id)?.long).toEqual(long);
  });

  test.each([
    ["openai/gpt-6-sol", 922_000],
    ["openai-chat/gpt-4o-2024-08-06", 128_000],
    ["anthropic/claude-haiku-4-5-20251001", 200_000],
    ["openai/gpt-9", undefined],
    ["openai-compatible/gpt-4o", undefined],
    ["azure/gpt-4o", undefined],
    ["rules", undefined],
  ])("says how many tokens a prompt of %s may have", (id, tokens) => {
    expect(listedWindow(id)).toBe(tokens);
  });
});

test("the run's word is stronger than the program's, that than the workspace's, that than the table's", () => {
  const id = "anthropic/claude-haiku-4-5";
  const run = { [id]: { input: 1, output: 1 } };
  const workspace = () => ({ input: 3, output: 3, source: "workspace" as const });
  const declared = { input: 2, output: 2, cached: 0.5 };
  expect(priceOf(id, { run, workspace }, declared)).toEqual({ ...run[id], source: "run" });
  expect(priceOf(id, { workspace }, declared)).toEqual({
    input: 2,
    output: 2,
    cachedInput: 0.5,
    source: "program",
  });
  expect(priceOf(id, { workspace })).toEqual({ input: 3, output: 3, source: "workspace" });
  expect(priceOf(id)).toMatchObject({ input: 1, output: 5, source: "table", asOf: "2026-11-24" });
});

test("the workspace's price is the latest row that is not ahead", () => {
  const rows = [
    ["a/m", "2026-01-01 00:00:00", 1, 2, null],
    ["a/m", "2026-06-01T00:00:00.000Z", 3, 4, 0.5],
    ["a/m", "2027-01-01 00:00:00", 9, 9, 9],
    ["a/m", "2026-07-01 00:00:00", null, 4, null],
    ["b/m", null, 5, 6, null],
  ];
  const now = Date.UTC(2026, 10, 24);
  expect(workspacePrice(rows, "a/m", now)).toEqual({
    input: 3,
    output: 4,
    cachedInput: 0.5,
    source: "workspace",
    asOf: "2026-06-01",
  });
  expect(workspacePrice(rows, "a/m", Date.UTC(2026, 1, 1))?.input).toBe(1);
  expect(workspacePrice(rows, "a/m", Date.UTC(2025, 1, 1))).toBeUndefined();
  expect(workspacePrice(rows, "b/m", now)).toEqual({ input: 5, output: 6, source: "workspace" });
  expect(workspacePrice(rows, "c/m", now)).toBeUndefined();
});

describe("a declared list", () => {
  const text = `model b = "openai-compatible/b" { temperature: 1, price in $1, out $2 }
model m = ["openai/gpt-4o", b, "rules"] { seed: 7 }
graph G() returns a {
  state { a: string }
  agent write { model m; prompt \`Write.\`; writes a }
  start -> write
}
`;
  const ir = graphOf(text);
  const [node] = ir.nodes;
  const env = { OPENAI_API_KEY: "sk-abcdefgh", OPENAI_COMPATIBLE_BASE_URL: "http://127.0.0.1:1" };
  const handlesOf = (choices: Parameters<typeof runModels>[1]) => {
    if (node === undefined) throw new Error("no node");
    const models = runModels(ir, choices);
    const { fallbacks = [], ...first } = models.of(node, ir);
    return { ids: models.ids.m, handles: [first, ...fallbacks] };
  };

  test("is its models in order, each with its own settings and price", () => {
    const { ids, handles } = handlesOf({ env });
    expect(ids).toBe('["openai/gpt-4o","openai-compatible/b","rules"]');
    expect(handles).toMatchObject([
      { id: "openai/gpt-4o", settings: { seed: 7 }, price: { input: 2.5, source: "table" } },
      {
        id: "openai-compatible/b",
        settings: { temperature: 1 },
        price: { input: 1, source: "program" },
      },
      { id: "rules", settings: { seed: 7 }, price: { input: 0 } },
    ]);
  });

  test("is the same when a run goes on with the ids that it is stored with", () => {
    const { ids = "" } = handlesOf({ env });
    expect(handlesOf({ env, run: { m: ids } }).handles).toMatchObject([
      { id: "openai/gpt-4o" },
      { id: "openai-compatible/b", settings: { temperature: 1 }, price: { source: "program" } },
      { id: "rules" },
    ]);
  });

  test("is replaced whole by what the call or the environment says, and a member by its own name", () => {
    const ids = (choices: Parameters<typeof runModels>[1]) =>
      handlesOf(choices).handles.map(({ id }) => id);
    expect(ids({ env, run: { m: "rules" } })).toEqual(["rules"]);
    expect(ids({ env, run: { m: ["rules", "openai/gpt-5"] } })).toEqual(["rules", "openai/gpt-5"]);
    expect(ids({ env, run: { b: "rules" } })).toEqual(["openai/gpt-4o", "rules", "rules"]);
    expect(ids({ env: { ...env, MADRIGAL_MODEL: "rules" } })).toEqual(["rules"]);
  });

  test("may hold models that are not configured, but not only such", () => {
    expect(handlesOf({ env: {} }).handles.map(({ id }) => id)).toHaveLength(3);
    const only = () => handlesOf({ env: {}, run: { m: ["openai/gpt-4o", "openai-compatible/b"] } });
    expect(only).toThrow(RunError);
    expect(only).toThrow(expect.objectContaining({ code: "M8101" }));
  });

  test("a price of the program is that of the declared model, not of another one in its place", () => {
    const models = runModels(ir, { env, run: { b: "openai-compatible/other" } });
    const price = node === undefined ? undefined : models.of(node, ir).fallbacks?.[0]?.price;
    expect(price).toBeUndefined();
  });
});
