/** Graphs as tools of agents: told to the model by their header, run as a part of the run, below the attempt that called them. */
import type { LanguageModelV4CallOptions } from "@ai-sdk/provider";
import { expect, test } from "vitest";
import { scripted } from "../../../runtime/index.ts";
import { innermost } from "../../../runtime/records/records.ts";
import { testFolder } from "../mcp/servers.ts";
import { newSession, runWith } from "../scoped-run.ts";

const look = `graph Look(topic: string, deep: boolean = false) returns line, words "looks a topic up" {
  state { line: string  words: int }
  agent read "reads" { model m; prompt \`Read \${topic}\`; writes line; limit 3 turns }
  run count = countWords(line) writes words
  start -> read -> count -> end
}`;

const ask = (clauses = "") => `model m = "scripted"
graph Ask() returns answer {
  state { answer: string }
  agent boss { model m; tools Look; prompt \`Go.\`; writes answer; limit 20 turns; ${clauses} }
  start -> boss -> end
}
${look}`;

const scope = { countWords: (text: string) => text.split(" ").length };
const call = (topic: string, more: object = {}) => ({ tool: "Look", input: { topic, ...more } });
/** Says what belongs to the conversation so far: a call that is cut off is made again with the same answer. */
const m = () => {
  const boss = [
    { calls: [call("rounds"), call("motets", { deep: true })] },
    { calls: [call("")] },
    "done",
  ];
  const read: Record<string, string> = {
    "Read rounds": "a song",
    "Read motets": "a sacred song",
    "Read ": "nothing",
  };
  const said = ({ prompt }: LanguageModelV4CallOptions) => {
    const user = prompt.find(({ role }) => role === "user")?.content[0] as {
      readonly text: string;
    };
    const tools = prompt.filter(({ role }) => role === "tool").length;
    return scripted([user.text === "Go." ? (boss[tools] ?? "") : (read[user.text] ?? "")]);
  };
  return {
    ...scripted([]),
    doGenerate: (asked: LanguageModelV4CallOptions) => said(asked).doGenerate(asked),
    doStream: (asked: LanguageModelV4CallOptions) => said(asked).doStream(asked),
  };
};

test("a model is told the header of a graph, and each call is a run of it below the agent", async () => {
  const { run, records } = runWith(ask(), scope, { models: { m: m() } });
  expect(await run.output).toEqual({ answer: "done" });
  const asked = records().find((one) => one.kind === "intent" && one.effect === "model");
  expect((asked as unknown as { request: { tools: unknown } }).request.tools).toEqual([
    {
      name: "Look",
      description: "looks a topic up",
      input: {
        type: "object",
        properties: { topic: { type: "string" }, deep: { type: "boolean" } },
        required: ["topic"],
        additionalProperties: false,
      },
    },
  ]);
  expect(
    run.children.map(({ label, status, input, output }) => [label, status, input, output]),
  ).toEqual([
    ["boss.Look#1.1", "succeeded", { topic: "rounds", deep: false }, { line: "a song", words: 2 }],
    [
      "boss.Look#1.2",
      "succeeded",
      { topic: "motets", deep: true },
      { line: "a sacred song", words: 3 },
    ],
    ["boss.Look#1.3", "succeeded", { topic: "", deep: false }, { line: "nothing", words: 1 }],
  ]);
  expect(run.children[1]?.steps.map(({ node }) => node)).toEqual(["read", "count"]);
  expect(run.usage).toMatchObject({ modelCalls: 6, toolCalls: 3 });
  expect(run.replay()).toMatchObject({ ok: true });
});

test("what a graph fails with, and arguments that do not fit, are told to the model, which goes on", async () => {
  const failing = {
    countWords: () => {
      throw new Error("no words");
    },
  };
  const wrong = { tool: "Look", input: { topic: 3 } };
  const models = {
    m: scripted({ boss: [{ calls: [wrong] }, { calls: [call("x")] }, "done"], read: ["a song"] }),
  };
  const { run, records } = runWith(ask(), failing, { models });
  expect(await run.output).toEqual({ answer: "done" });
  const failures = records().flatMap((one) =>
    one.kind === "outcome" && one.effect === "tool" ? [one.failure?.message] : [],
  );
  expect(failures).toEqual([
    "the arguments of `Look` do not fit: at `topic`: expected a string, found the number 3",
    "Look › count: `countWords` threw: no words",
  ]);
  expect(run.replay()).toMatchObject({ ok: true });
});

const asking = `model m = "scripted"
graph Ask() returns answer {
  state { answer: string }
  agent boss { model m; tools Check; prompt \`Go.\`; writes answer }
  start -> boss -> end
}
graph Check(what: string) returns said {
  state { said: string }
  human person { ask \`Is \${what} right?\`; writes said }
  start -> person -> end
}`;
const checks = () => ({
  m: scripted({ boss: [{ calls: [{ tool: "Check", input: { what: "it" } }] }, "done"] }),
});

test("a question of the graph is one of the run, which waits; another process goes on with the same call", async () => {
  const env = { ...process.env, MADRIGAL_HOME: testFolder() };
  const first = newSession({ store: "disk", env });
  const { run } = runWith(asking, {}, { session: first, models: checks() });
  await run.output.catch(() => {});
  expect([run.status, run.interrupts.map(({ question }) => question)]).toEqual([
    "waiting",
    ["Is it right?"],
  ]);
  await run.dispose();
  await first.close();
  const second = newSession({ store: "disk", env });
  const found = second.open(run.id, { models: { m: scripted({ boss: ["done"] }) } });
  await found.resume();
  await found.answer(run.interrupts[0]?.id ?? "", { kind: "value", value: "yes" });
  expect(await found.output).toEqual({ answer: "done" });
  const records = second.store.read(run.id);
  const results = records.flatMap((one) =>
    one.kind === "outcome" && one.effect === "tool" ? [one.value] : [],
  );
  expect(results).toEqual(["yes"]);
  expect(found.usage.modelCalls).toBe(2);
  expect(found.children.map(({ label, output }) => [label, output])).toEqual([
    ["boss.Check#1.1", { said: "yes" }],
  ]);
  expect(found.replay()).toMatchObject({ ok: true });
});

test("calls of models in the graph count for the agent, whose limit ends both", async () => {
  const turns = [{ calls: [call("x")] }, { calls: [call("y")] }];
  const models = { m: scripted({ boss: turns, read: ["a song", "a round"] }) };
  const text = ask().replace("limit 20 turns", "limit 3 turns");
  const { run } = runWith(text, scope, { models });
  await run.output.catch(() => {});
  expect(run.failure).toMatchObject({ code: "M5010", limit: "turns" });
  expect(run.usage.modelCalls).toBe(3);
  expect(run.children.map(({ status }) => status)).toEqual(["succeeded", "paused"]);
});

test("a limit of the graph itself is told to the model", async () => {
  const text = ask().replace("limit 3 turns", "limit 0 turns");
  const models = { m: scripted({ boss: [{ calls: [call("x")] }, "done"], read: "a song" }) };
  const { run, records } = runWith(text, scope, { models });
  expect(await run.output).toEqual({ answer: "done" });
  expect(JSON.stringify(records())).toContain("Look › read: ");
});

test("an abort of the run ends the graph that is under way", async () => {
  const signals: AbortSignal[] = [];
  const { promise: begun, resolve } = Promise.withResolvers<void>();
  const waits = {
    countWords: (_: string, { signal }: { readonly signal: AbortSignal }) => {
      signals.push(signal);
      resolve();
      return new Promise(() => {});
    },
  };
  const models = { m: scripted({ boss: [{ calls: [call("x")] }, "done"], read: ["a song"] }) };
  const { run } = runWith(ask(), waits, { models });
  await begun;
  await run.abort("enough");
  expect(run.status).toBe("aborted");
  expect(signals.map(({ aborted }) => aborted)).toEqual([true]);
});

test("a run that is stopped behind any of its records goes on, and asks no model twice", async () => {
  const whole = runWith(ask(), scope, { models: { m: m() } });
  await whole.run.output;
  const places = Array.from({ length: whole.records().length - 1 }, (_, seq) => seq);
  for (const seq of places) {
    const session = newSession();
    const { run, records } = runWith(ask(), scope, { session, models: { m: m() } });
    for await (const event of run.stream("events"))
      if ((event as { readonly seq: number }).seq >= seq) break;
    await run.pause({ now: true });
    if (run.status === "paused") await run.resume();
    expect([seq, await run.output]).toEqual([seq, { answer: "done" }]);
    const all = records().map(innermost);
    const asked = all.filter((one) => one.kind === "outcome" && one.effect === "model");
    const commits = all.filter(({ kind }) => kind === "commit");
    expect([seq, asked.length, commits.length]).toEqual([seq, 6, 7]);
    expect([seq, run.replay().ok]).toEqual([seq, true]);
  }
});

test("an agent that may touch nothing has no graph that may touch something", async () => {
  const { run } = runWith(ask("effects none"), scope, { models: { m: m() } });
  await run.output.catch(() => {});
  expect(run.failure).toMatchObject({
    code: "M4105",
    message: "`Look` has effect `external`, and `boss` may have `none`",
  });
});

test("a graph may have itself as a tool", async () => {
  const text = `model m = "scripted"
graph Down(n: int) returns left {
  state { left: string }
  agent step { model m; tools Down; prompt \`At \${n}.\`; writes left; limit 5 turns }
  start -> step -> end
}`;
  const down = (n: number) => ({ calls: [{ tool: "Down", input: { n } }] });
  const models = { m: scripted({ step: [down(1), down(0), "bottom", "middle", "top"] }) };
  const { run } = runWith(text, {}, { input: { n: 2 }, models });
  expect(await run.output).toEqual({ left: "top" });
  const [outer] = run.children;
  expect([outer?.label, outer?.output, outer?.children[0]?.output]).toEqual([
    "step.Down#1.1",
    { left: "middle" },
    { left: "bottom" },
  ]);
});

test("E81 an agent of a chat calls a whole run as a tool: its plan, the results of its steps, its fields and whether it succeeded", async () => {
  const text = `model m = "scripted"
graph Chat(said: string) returns answer {
  state { answer: string }
  agent talk { model m; tools DeepAction; prompt \`\${said}\`; writes answer }
  start -> talk -> end
}
graph DeepAction(task: string) returns plan, results, shown, success "works on a task in steps" {
  state { plan: Plan  results: Json  shown: Json  success: boolean = false }
  agent planner { model m; prompt \`Plan: \${task}\`; writes plan }
  agent worker(step: Step) "does one thing" { model m; prompt \`\${step.details}\` }
  graph go = planGraph(plan) writes results
  run tell = shorten(results) writes shown
  start -> planner -> go -> tell -> end
}`;
  const steps = [
    { id: "read", title: "Read", details: "the scores" },
    { id: "sing", title: "Sing", details: "them", depends: ["read"] },
  ];
  const shorten = (results: Record<string, string>) => ({
    shown: Object.fromEntries(
      Object.entries(results).map(([id, text]) => [id, text.slice(0, 800)]),
    ),
  });
  const models = {
    m: scripted({
      talk: [{ calls: [{ tool: "DeepAction", input: { task: "a concert" } }] }, "It is sung."],
      planner: [{ steps }],
      read: ["la".repeat(1000)],
      sing: ["lo"],
    }),
  };
  const { run, records } = runWith(text, { shorten }, { input: { said: "Sing!" }, models });
  expect(await run.output).toEqual({ answer: "It is sung." });
  const result = records().find((one) => one.kind === "outcome" && one.effect === "tool");
  expect(result).toMatchObject({
    value: { plan: { steps }, shown: { shown: { read: "la".repeat(400), sing: "lo" } } },
  });
  const [deep] = run.children;
  expect([deep?.label, deep?.status]).toEqual(["talk.DeepAction#1.1", "succeeded"]);
  expect(deep?.children.map(({ label }) => label)).toEqual(["go#1"]);
});

test("E81 an agent that does a step of a plan has an agent as a tool, and a replay asks nobody", async () => {
  const text = `model m = "scripted"
graph Team(plan: Plan) returns results {
  state { results: Json }
  agent worker(step: Step) { model m; tools Checked; prompt \`\${step.title}\` }
  graph go = planGraph(plan) writes results
  start -> go -> end
}
graph Checked(claim: string) returns verdict "doubts a claim" {
  state { verdict: string }
  agent doubt { model m; prompt \`Is it right? \${claim}\`; writes verdict }
  start -> doubt -> end
}`;
  const plan = {
    steps: [
      { id: "say", title: "Say", details: "it" },
      { id: "tell", title: "Tell", details: "it", depends: ["say"] },
    ],
  };
  const calls = [{ tool: "Checked", input: { claim: "2 < 3" } }];
  const models = { m: scripted({ say: [{ calls }, "said"], doubt: ["Yes."], tell: ["told"] }) };
  const { run } = runWith(text, {}, { input: { plan }, models });
  expect(await run.output).toEqual({ results: { say: "said", tell: "told" } });
  expect(run.child("go#1")?.children.map(({ label, output }) => [label, output])).toEqual([
    ["say.Checked#1.1", { verdict: "Yes." }],
  ]);
  expect(run.replay()).toMatchObject({ ok: true });
});
