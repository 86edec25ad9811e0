/** `cache`: a node comes to what it came to before, from the same, and nothing is asked or called for it. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { rules, Session, scripted, tool } from "../../../runtime/index.ts";
import { replayLog } from "../../../runtime/replay/replay.ts";
import { foldLog } from "../../../runtime/scheduler/fold.ts";
import { link } from "../../../runtime/scheduler/program/link.ts";
import { ofKind } from "../../support/run-graph.ts";
import { newSession, runWith } from "../scoped-run.ts";
import { lines } from "../trace/store.ts";

const graph = (cache: string, more = "") => `model m = "scripted"
graph Look(url: string, city: string = "Rome") returns found, seen {
  state { found: string[] = [] via append  seen: string[] = [] via append }
  agent look { model m; tools page.*; prompt \`Look at \${url} in \${city}.\`; writes found; ${cache}; ${more} }
  run note = said(inbox) writes seen
  start -> look -> note -> end
}`;

const said = (inbox: { payload: unknown }[]) => inbox.map(({ payload }) => String(payload));
const none = { page: { read: tool(() => "a page", { effect: "none" }) } };

/** A model that counts how often it is asked, and says something else each time. */
function counting() {
  let asked = 0;
  const model = rules(() => {
    asked += 1;
    return `answer ${asked}`;
  });
  return { models: { m: model }, asked: () => asked };
}

async function found(session: Session, text: string, more: object) {
  const { input = { url: "u" }, scope = {}, ...options } = more as Record<string, object>;
  const one = runWith(
    text,
    { said, ...none, ...scope },
    { session, input: { ...input }, ...options },
  );
  const output = await one.run.output;
  return { ...one, output: output as { found: string[]; seen: string[] } };
}

describe("a second run makes no call", () => {
  test("A88 a second run comes to the same with no call: it is written and told again, at no cost", async () => {
    const session = newSession();
    const { models, asked } = counting();
    const text = graph("cache", "tell note");
    const first = await found(session, text, { models });
    const second = await found(session, text, { models });
    expect(asked()).toBe(1);
    expect(second.output).toEqual(first.output);
    expect(second.output.seen).toHaveLength(1);
    expect(second.run.usage.modelCalls).toBe(0);
    expect(ofKind(second.records(), "intent")).toEqual([]);
    expect(ofKind(second.records(), "commit").map(({ cache }) => cache?.hit)).toEqual([
      true,
      undefined,
    ]);
  });

  test("A88 on disk, in a session of another process", async () => {
    const at = mkdtempSync(join(tmpdir(), "madrigal-cache-"));
    onTestFinished(() => rmSync(at, { recursive: true, force: true }));
    const { models, asked } = counting();
    for (let run = 0; run < 2; run += 1) {
      const session = new Session({ cwd: at, env: { MADRIGAL_HOME: at } });
      await found(session, graph("cache 1d"), { models });
      await session.close();
    }
    expect(asked()).toBe(1);
  });

  test("its log replays and folds, and the trace says so", async () => {
    const session = newSession();
    const { models } = counting();
    await found(session, graph("cache"), { models });
    const { records, ir, run } = await found(session, graph("cache"), { models });
    expect(replayLog(records(), { recorded: ir }).divergence).toBeUndefined();
    expect(foldLog(link(ir), records()).status).toBe("succeeded");
    const traces = await session.traces();
    const sql = `SELECT node, cached, model_calls FROM node_runs WHERE run_id = '${run.id}' ORDER BY step`;
    expect(await lines(traces, sql)).toBe("look true 0\nnote false 0");
  });
});

interface Change {
  readonly text?: string;
  readonly [option: string]: unknown;
}

describe("the key", () => {
  test.each<readonly [string, Change]>([
    ["another input", { input: { url: "v" } }],
    ["another prompt", { text: graph("cache").replace("Look at", "See") }],
    ["another model", { models: { m: scripted({ look: ["else"] }) } }],
    ["other code of its tools", { scope: { page: { read: tool(() => "b", { effect: "none" }) } } }],
  ])("%s is another one", async (_, { text = graph("cache"), ...more }) => {
    const session = newSession();
    const { models, asked } = counting();
    await found(session, graph("cache"), { models });
    const second = await found(session, text, { models, ...more });
    expect(asked() === 2 || second.output.found[0] === "else").toBe(true);
  });

  test("another model of its summaries is another one", async () => {
    const session = newSession();
    const { models, asked } = counting();
    const own = 'model other = "scripted"\n';
    const text = own + graph("cache", "context { summarize: { every: 2, by: other } }");
    const by = (other: unknown) => ({ models: { ...models, other } });
    await found(session, text, by(scripted([])));
    await found(session, text, by(scripted([])));
    expect(asked()).toBe(1);
    await found(session, text, by(rules()));
    expect(asked()).toBe(2);
  });

  test("limits, retries and post-conditions are none of it", async () => {
    const session = newSession();
    const { models, asked } = counting();
    await found(session, graph("cache"), { models });
    await found(session, graph("cache", "limit 9 turns; retry 2; ensure found.length > 0"), {
      models,
    });
    expect(asked()).toBe(1);
  });

  test("`by` names what counts: the rest of the prompt does not", async () => {
    const session = newSession();
    const { models, asked } = counting();
    const text = graph("cache by url");
    await found(session, text, { models });
    await found(session, text, { models, input: { url: "u", city: "Oslo" } });
    expect(asked()).toBe(1);
    await found(session, text, { models, input: { url: "v" } });
    expect(asked()).toBe(2);
  });
});

test("post-conditions are asked again of what is served; where they don't hold, the node does its work", async () => {
  const session = newSession();
  const { models, asked } = counting();
  await found(session, graph("cache"), { models });
  const strict = graph("cache", 'ensure found.every(one => one != "answer 1") "something else"');
  const second = await found(session, strict, { models });
  expect([asked(), second.output.found]).toEqual([2, ["answer 2"]]);
});

test("in words too: nobody is asked twice whether one output holds the same words, and others are asked of it", async () => {
  const session = newSession();
  const { models, asked } = counting();
  const judged: string[] = [];
  const j = rules(({ messages }) => {
    const words = /polite|short/.exec(JSON.stringify(messages))?.[0] ?? "";
    judged.push(words);
    return JSON.stringify({ condition_met: words === "polite" || asked() > 1, reason: "so it is" });
  });
  const text = (words: string) =>
    `model j = "scripted"\n${graph("cache", `ensure "it is ${words}" by j`)}`;
  const once = (words: string) => found(session, text(words), { models: { ...models, j } });
  await once("polite");
  const second = await once("polite");
  expect([asked(), judged]).toEqual([1, ["polite"]]);
  expect(second.run.usage.modelCalls).toBe(0);
  expect(ofKind(second.records(), "commit")[0]).toMatchObject({
    cache: { hit: true },
    judged: { ensures: [{ met: true, reason: "as it was judged before" }] },
  });
  expect(replayLog(second.records(), { recorded: second.ir }).divergence).toBeUndefined();
  // Other words are no part of the key; what does not hold them is come to anew.
  const third = await once("short");
  expect([asked(), judged, third.output.found]).toEqual([
    2,
    ["polite", "short", "short"],
    ["answer 2"],
  ]);
});

test("what is older than its time is come to anew", async () => {
  const session = newSession();
  const { models, asked } = counting();
  const text = graph("cache 1ms");
  await found(session, text, { models });
  const clock = Date.now() + 3;
  while (Date.now() < clock) await new Promise((go) => setImmediate(go));
  await found(session, text, { models });
  expect(asked()).toBe(2);
});

test("what a function calls of its scope is part of its code: with another helper it is called again", async () => {
  const session = newSession();
  const text = `graph G() returns price { state { price: int }  run look = priceOf() writes price { cache }  start -> look }`;
  let asked = 0;
  // The scope is that of a notebook: the function names what another cell declares.
  const tax = () => 7;
  const priceOf = () => {
    asked += 1;
    return tax();
  };
  for (const helper of [tax, tax, () => 8]) {
    await runWith(text, { priceOf, tax: helper }, { session, input: {} }).run.output;
  }
  expect(asked).toBe(2);
});

test("functions are kept by their code and arguments; who worked outside is not kept", async () => {
  const session = newSession();
  const text = `graph G(n: int) returns a { state { a: int = 0 }
  run f = work(n) writes a { cache }
  start -> f }`;
  let called = 0;
  const work = (n: number) => {
    called += 1;
    return n * 2;
  };
  for (const n of [1, 1, 2]) await runWith(text, { work }, { session, input: { n } }).run.output;
  expect(called).toBe(2);
  await runWith(text, { work: (n: number) => n * 3 }, { session, input: { n: 1 } }).run.output;
  expect(called).toBe(2);
  const tools = text.replace("run f = work(n)", "tool f = send({ n })");
  const send = tool(
    () => {
      called += 1;
      return 1;
    },
    { effect: "external" },
  );
  for (let run = 0; run < 2; run += 1)
    await runWith(tools, { send }, { session, input: { n: 1 } }).run.output;
  expect(called).toBe(4);
});

test("a run that is kept nowhere finds nothing and leaves nothing", async () => {
  const session = newSession();
  const { models, asked } = counting();
  for (let run = 0; run < 2; run += 1) {
    const one = runWith(
      graph("cache"),
      { said, ...none },
      { session, models, input: { url: "u" }, store: "none" },
    );
    await one.run.output;
  }
  expect(asked()).toBe(2);
});
