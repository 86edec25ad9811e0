/** What a run costs: stored with each call, the same in the log, in SQL and in the report, and bound by limits of cost. */
import type { LanguageModelV4 } from "@ai-sdk/provider";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { costOf } from "../../../runtime/agents/models/prices.ts";
import { type RunOptions, type Session, scripted, traceQueries } from "../../../runtime/index.ts";
import { newSession } from "../scoped-run.ts";

const GRAPH = (limit = "", more = "") => `model m = "scripted"
graph G() returns log {
  state { log: string[] = [] via append }
  defaults { model m }
  agent a { prompt \`First.\`; writes log }
  agent b { prompt \`Then, after \${log}.\`; writes log }
  ${limit}
  start -> a -> b
  ${more}
}`;

function start(session: Session, text: string, options: RunOptions = {}) {
  const [graph] = Object.values(session.compile(text));
  if (graph === undefined) throw new Error("no graph");
  return graph.run({}, { models: { m: scripted({ a: ["x"], b: ["y"] }) }, ...options });
}

async function queried(session: Session, sql: string) {
  return (await session.traces()).query(sql);
}

const DEAR = { scripted: { input: 1_000, output: 10_000 } };

/** A live model that counts what it says it used. */
function counting(
  id: string,
  calls: readonly { input: number; output: number; cached: number; written: number }[],
): LanguageModelV4 {
  let at = 0;
  const parts = () => {
    const { input, output, cached, written } = calls[at++ % calls.length] ?? {
      ...{ input: 0, output: 0, cached: 0, written: 0 },
    };
    const inputTokens = {
      ...{ total: input, noCache: input - cached - written },
      ...{ cacheRead: cached, cacheWrite: written },
    };
    return [
      { type: "text-delta", id: "1", delta: "said" },
      {
        type: "finish",
        finishReason: { unified: "stop", raw: "stop" },
        usage: { inputTokens, outputTokens: { total: output, text: output, reasoning: 0 } },
      },
    ];
  };
  return {
    ...{ specificationVersion: "v4", provider: "mine", modelId: id, supportedUrls: {} },
    doGenerate: () => Promise.reject(new Error("it streams")),
    doStream: async () => ({ stream: ReadableStream.from(parts()) }),
  } as LanguageModelV4;
}

function refusing(id: string): LanguageModelV4 {
  const refuse = () => Promise.reject(Object.assign(new Error("no key"), { statusCode: 401 }));
  const named = { specificationVersion: "v4", provider: "mine", modelId: id } as const;
  return { ...named, supportedUrls: {}, doGenerate: refuse, doStream: refuse };
}

test("M122 each model call stands in the trace with its prompt, its answer, its usage, its price and its cost", async () => {
  const session = newSession();
  const run = start(session, GRAPH(), { prices: DEAR });
  await run.output;
  const calls = await queried(
    session,
    `
    SELECT label, model, request::VARCHAR AS asked, response ->> 'text' AS said, input_tokens, output_tokens,
      cost_usd, price_source,
      (input_tokens * price_in + output_tokens * price_out) / 1e6 AS recomputed
    FROM llm_calls WHERE run_id = '${run.id}' ORDER BY seq`,
  );
  expect(calls).toMatchObject([
    { label: "a#1", model: "scripted", said: "x", price_source: "run" },
    { label: "b#1", model: "scripted", said: "y", price_source: "run" },
  ]);
  expect(calls.map(({ asked }) => String(asked).match(/First\.|Then, after [^"\\]*/)?.[0])).toEqual(
    ["First.", expect.stringContaining("Then, after")],
  );
  for (const { cost_usd: cost, recomputed } of calls)
    expect(recomputed).toBeCloseTo(Number(cost), 12);
  expect(run.usage.costUsd).toBeGreaterThan(0);
});

test("the cost folded from the log is that in SQL and in the report, for random calls", async () => {
  const session = newSession();
  const count = fc.nat({ max: 1_000_000 });
  const call = fc
    .record({ input: count, output: count, cached: fc.nat(50), written: fc.nat(50) })
    .map(({ input, output, cached, written }) => ({
      ...{ input, output },
      cached: Math.floor((input * cached) / 100),
      written: Math.floor((input * written) / 100),
    }));
  const usd = fc.double({ min: 0, max: 100, noNaN: true, noDefaultInfinity: true });
  const price = fc.record(
    { input: usd, output: usd, cachedInput: usd, cacheWrite: usd },
    { requiredKeys: ["input", "output"] },
  );
  await fc.assert(
    fc.asyncProperty(fc.array(call, { minLength: 2, maxLength: 2 }), price, async (calls, per) => {
      const run = start(session, GRAPH(), {
        models: { m: counting("n", calls) },
        prices: { "mine/n": per },
      });
      await run.output;
      const due = calls.reduce((sum, { cached, written, input, output }) => {
        const spent = { inputTokens: input, outputTokens: output, cachedTokens: cached };
        return sum + (costOf({ ...spent, cacheWriteTokens: written }, per) ?? Number.NaN);
      }, 0);
      const [row] = await queried(
        session,
        `
        SELECT sum(cost_usd) AS told, sum((
          (input_tokens - cached_tokens - cache_write_tokens) * price_in + cached_tokens * price_cached
          + cache_write_tokens * price_cache_write + output_tokens * price_out) / 1e6) AS recomputed,
          (SELECT cost_usd FROM runs r WHERE r.run_id = '${run.id}') AS of_run
        FROM llm_calls WHERE run_id = '${run.id}'`,
      );
      const report = await traceQueries.runReport(await session.traces(), run.id);
      const told = report?.run.cost_usd;
      const costs = [run.usage.costUsd, row?.told, row?.recomputed, row?.of_run, told];
      for (const one of costs) expect(Number(one)).toBeCloseTo(due, 6);
    }),
    { numRuns: 12 },
  );
});

describe("limit $", () => {
  test("refuses a call that would not fit, before it is made", async () => {
    const session = newSession();
    const run = start(session, GRAPH("limit $0.0001"), { prices: DEAR });
    await expect(run.output).rejects.toMatchObject({
      code: "M5010",
      message: expect.stringMatching(
        /cost: \$0 are spent, and the next call of `scripted` takes about \$/,
      ),
    });
    expect(run.usage).toMatchObject({ modelCalls: 0, costUsd: 0 });
  });

  test("that stops goes on after an answer, by the same amount again", async () => {
    const session = newSession();
    const run = start(session, GRAPH("limit $0.07 else ask"), { prices: DEAR });
    await run.settled();
    const [asked] = run.interrupts;
    expect(asked?.question).toMatch(
      /The run has reached its limit of cost: .* are spent.* Go on\?/,
    );
    await run.answer(asked?.id ?? "", { kind: "approve" });
    expect(await run.output).toEqual({ log: ["x", "y"] });
  });

  test("does not let a model without a known price pass: M8151 says what to write", async () => {
    const session = newSession();
    const calls = [{ input: 1, output: 1, cached: 0, written: 0 }];
    const run = start(session, GRAPH("limit $3"), { models: { m: counting("n", calls) } });
    await expect(run.output).rejects.toMatchObject({
      code: "M8151",
      message: expect.stringContaining("`mine/n` has no known price, so `limit $3` can't count it"),
      hint: expect.stringContaining("price in $3, out $15"),
    });
    expect(run.usage.modelCalls).toBe(0);
  });

  test("asks with `else ask` about such a model, once", async () => {
    const session = newSession();
    const calls = [{ input: 1, output: 1, cached: 0, written: 0 }];
    const questions: (string | undefined)[] = [];
    const run = start(session, GRAPH("limit $3 else ask"), {
      models: { m: counting("n", calls) },
      answers: ({ question }) => {
        questions.push(question);
        return { kind: "approve" };
      },
    });
    expect(await run.output).toEqual({ log: ["said", "said"] });
    expect(questions).toEqual([
      "`mine/n` has no known price, so `limit $3` can't count it. Go on without a limit of cost?",
    ]);
    expect(run.usage.costUsd).toBeNull();
  });

  test("holds `end when run.cost` and the price of the workspace, too", async () => {
    const session = newSession();
    await queried(
      session,
      "INSERT INTO model_prices VALUES ('mine/n', '2026-01-01', 1000, 0, NULL)",
    );
    const calls = [{ input: 1_000, output: 1, cached: 0, written: 0 }];
    const run = start(session, GRAPH("limit $9", "end when run.cost > 0.5"), {
      models: { m: counting("n", calls) },
    });
    expect(await run.output).toEqual({ log: ["said"] });
    expect(run.usage.costUsd).toBe(1);
    const [row] = await queried(
      session,
      `SELECT price_in, price_source, price_as_of FROM llm_calls WHERE run_id = '${run.id}'`,
    );
    expect(row).toEqual({ price_in: 1000, price_source: "workspace", price_as_of: "2026-01-01" });
  });
});

/** A live model whose calls each cost so many thousandths of a dollar at `MILLS`, and take their time; counts what it began. */
function billing(costs: readonly number[], began: number[]): LanguageModelV4 {
  const answer = async function* (cost: number) {
    for (let turn = 0; turn < cost % 5; turn += 1) await new Promise(setImmediate);
    yield { type: "text-delta", id: "1", delta: "said" };
    yield {
      type: "finish",
      finishReason: { unified: "stop", raw: "stop" },
      usage: {
        inputTokens: { total: 0, noCache: 0, cacheRead: 0, cacheWrite: 0 },
        outputTokens: { total: cost, text: cost, reasoning: 0 },
      },
    };
  };
  return {
    ...{ specificationVersion: "v4", provider: "mine", modelId: "n", supportedUrls: {} },
    doGenerate: () => Promise.reject(new Error("it streams")),
    doStream: async () => {
      const cost = costs[began.length] ?? 0;
      began.push(cost);
      return { stream: ReadableStream.from(answer(cost)) };
    },
  } as LanguageModelV4;
}

const MILLS = { "mine/n": { input: 0, output: 1_000 } };

test("law: parallel calls go over a limit of cost by no more than those in flight, and a replay decides the same", async () => {
  const session = newSession();
  const seen = { stopped: 0, over: 0, ended: 0 };
  const costs = fc.array(fc.integer({ min: 1, max: 1_000 }), { minLength: 4, maxLength: 20 });
  const width = fc.integer({ min: 1, max: 5 });
  const limit = fc.integer({ min: 1, max: 6_000 });
  const law = fc.asyncProperty(costs, width, limit, async (bills, atOnce, mills) => {
    const text = `model m = "scripted"
graph G(items: int[]) returns log {
  state { log: string[] = [] via append }
  agent work(item: int) { model m; prompt \`Item \${item}.\`; writes log }
  limit $${(mills / 1_000).toFixed(3)}
  start -> each item of items parallel ${atOnce} { work(item) } -> end
}`;
    const [graph] = Object.values(session.compile(text));
    const began: number[] = [];
    const models = { m: billing(bills, began) };
    const run = graph?.run({ items: bills }, { models, prices: MILLS });
    if (run === undefined) throw new Error("no graph");
    const failure = await run.output.then(
      () => undefined,
      ({ code }) => code,
    );
    const paid = began.reduce((sum, cost) => sum + cost, 0);
    const inFlight = [...began].sort((a, b) => b - a).slice(0, atOnce);
    expect(paid).toBeLessThanOrEqual(mills + inFlight.reduce((sum, cost) => sum + cost, 0));
    if (failure === undefined) expect(began).toHaveLength(bills.length);
    else expect(failure).toBe("M5010");
    expect(run.replay()).toMatchObject({ ok: true });
    seen[failure === undefined ? "ended" : "stopped"] += 1;
    if (paid > mills) seen.over += 1;
  });
  // A run that ends, and one that three calls at once take over its limit.
  const examples: [number[], number, number][] = [
    [[1, 1, 1, 1], 2, 6_000],
    [Array(6).fill(1_000), 3, 1_500],
  ];
  await fc.assert(law, { numRuns: 40, examples });
  for (const count of Object.values(seen)) expect(count).toBeGreaterThan(0);
});

test("E48 a list of models: who failed and who was asked instead stands in the trace", async () => {
  const session = newSession();
  const calls = [{ input: 10, output: 5, cached: 0, written: 0 }];
  const run = start(session, GRAPH(), {
    models: { m: [refusing("one"), counting("two", calls)] },
    prices: { "mine/two": { input: 1, output: 2 } },
  });
  expect(await run.output).toEqual({ log: ["said", "said"] });
  expect(
    await queried(
      session,
      `SELECT label, failed, asked, error_code FROM model_fallbacks WHERE run_id = '${run.id}' ORDER BY seq`,
    ),
  ).toEqual([
    { label: "a#1", failed: "mine/one", asked: "mine/two", error_code: "M8104" },
    { label: "b#1", failed: "mine/one", asked: "mine/two", error_code: "M8104" },
  ]);
  expect(
    await queried(
      session,
      `SELECT label, model, status, cost_usd FROM llm_calls WHERE run_id = '${run.id}' ORDER BY seq`,
    ),
  ).toEqual([
    { label: "a#1", model: "mine/one", status: "error", cost_usd: null },
    { label: "a#1", model: "mine/two", status: "ok", cost_usd: 0.00002 },
    { label: "b#1", model: "mine/one", status: "error", cost_usd: null },
    { label: "b#1", model: "mine/two", status: "ok", cost_usd: 0.00002 },
  ]);
  expect(run.usage.costUsd).toBeCloseTo(0.00004, 12);
});
