import { afterEach, expect, test } from "vitest";
import type { Interceptor } from "../../../runtime/index.ts";
import {
  type Graph,
  type Run,
  type RunEvent,
  Session,
  scripted,
  tool,
} from "../../../runtime/index.ts";

const TEXT = `model m = "scripted"
graph Ask(question: string) returns answer, loud {
  state {
    answer: string
    loud: string
  }
  agent answer_it { model m; tools send; prompt \`Answer: \${question}\`; writes answer }
  run emphasize = shout(answer) writes loud
  start -> answer_it -> emphasize -> end
}`;

const sessions: Session[] = [];
afterEach(async () => {
  for (const session of sessions.splice(0)) await session.close();
});

interface World {
  readonly session: Session;
  readonly graph: Graph;
  /** What was really done, in order. */
  readonly sent: unknown[];
}

function world(text = TEXT): World {
  const session = new Session({ store: "memory", env: {} });
  sessions.push(session);
  const sent: unknown[] = [];
  const send = tool(
    (args: { to: string; text: string }) => {
      sent.push(args);
      return `sent to ${args.to}`;
    },
    {
      effect: "none",
      input: {
        type: "object",
        properties: { to: { type: "string" }, text: { type: "string" } },
        required: ["to", "text"],
      },
    },
  );
  const shout = (said: string) => said.toUpperCase();
  const [graph] = Object.values(session.compile(text, { scope: { send, shout } }));
  if (graph === undefined) throw new Error("no graph");
  return { session, graph, sent };
}

const mail = { to: "all@example.org", text: "hello" };
const calling = () => ({
  m: scripted({ answer_it: [{ calls: [{ tool: "send", input: mail }] }, { says: "done" }] }),
});

function eventsOf<K extends RunEvent["kind"]>(run: Run, kind: K) {
  const events: Extract<RunEvent, { kind: K }>[] = [];
  run.events$.subscribe((event) => {
    if (event.kind === kind) events.push(event as Extract<RunEvent, { kind: K }>);
  });
  return events;
}

test("W45 an interceptor rewrites the arguments of a tool before its call; the event shows before and after", async () => {
  const { graph, sent } = world();
  const run = graph.run(
    { question: "?" },
    {
      models: calling(),
      intercept: [
        {
          name: "only-us",
          beforeTool: ({ tool: name, args }) =>
            name === "send" ? { args: { ...(args as object), to: "us@example.org" } } : undefined,
        },
      ],
    },
  );
  await run.output;
  expect(sent).toEqual([{ to: "us@example.org", text: "hello" }]);
  const [event] = eventsOf(run, "intercepted");
  expect(event).toMatchObject({
    by: "only-us",
    when: "before",
    on: "tool",
    name: "send",
    node: "answer_it",
    attempt: 1,
    changes: { args: { before: mail, after: { to: "us@example.org", text: "hello" } } },
  });
  expect(run.replay()).toMatchObject({ ok: true });
});

test("W45 an interceptor sees a run from its start to its end, may change each answer, and taps only look", async () => {
  const { graph } = world();
  const told: string[] = [];
  const tap: Interceptor = {
    name: "tap",
    beforeRun: ({ graph: name, input }) => {
      told.push(`run ${name} ${input.question}`);
    },
    beforeNode: ({ label, kind, prompt, args }) => {
      told.push(`node ${label} ${kind} ${prompt ?? JSON.stringify(args)}`);
    },
    beforeModel: ({ model, messages, tools }) => {
      told.push(`model ${model} ${messages.length} ${tools}`);
    },
    afterModel: ({ text, usage }) => {
      told.push(`said ${text} ${usage?.modelCalls}`);
    },
    beforeTool: ({ tool: name }) => {
      told.push(`tool ${name}`);
    },
    afterTool: ({ result }) => {
      told.push(`result ${result}`);
    },
    afterNode: ({ label, output }) => {
      told.push(`output ${label} ${output}`);
    },
    afterRun: ({ output }) => {
      told.push(`end ${JSON.stringify(output)}`);
    },
  };
  const run = graph.run({ question: "why" }, { models: calling(), intercept: [tap] });
  expect(await run.output).toEqual({ answer: "done", loud: "DONE" });
  expect(told).toEqual([
    "run Ask why",
    "node answer_it#1 agent Answer: why",
    "model scripted 2 send",
    "said  1",
    "tool send",
    "result sent to all@example.org",
    "model scripted 4 send",
    "said done 1",
    "output answer_it#1 done",
    'node emphasize#1 run ["done"]',
    "output emphasize#1 DONE",
    'end {"answer":"done","loud":"DONE"}',
  ]);
  expect(eventsOf(run, "intercepted")).toEqual([]);
  expect(run.replay()).toMatchObject({ ok: true });
});

test("W45 a run tells whoever listens of its start, its tasks, its agents and its end", async () => {
  const { graph } = world();
  const run = graph.run({ question: "?" }, { models: calling() });
  await run.output;
  const kinds: string[] = [];
  run.events$.subscribe(({ kind }) => kinds.push(kind));
  for (const kind of ["run.started", "attempt.started", "tool.call", "tool.result", "commit"])
    expect(kinds).toContain(kind);
  expect(kinds.at(-1)).toBe("run.finished");
});

test("every place can be changed, and what was changed is what goes on", async () => {
  const { graph } = world();
  const run = graph.run(
    { question: "why" },
    {
      models: { m: scripted({ answer_it: [{ says: "yes", when: "Answer politely: how" }] }) },
      intercept: [
        {
          name: "all",
          beforeRun: ({ input }) => ({ input: { ...input, question: "how" } }),
          beforeNode: ({ prompt, args }) => ({
            ...(prompt === undefined ? {} : { prompt: prompt.replace(":", " politely:") }),
            ...(args === undefined ? {} : { args: [`${args[0]}!`] }),
          }),
          afterModel: ({ text }) => ({ text: `${text}, please` }),
          afterNode: ({ node, output }) =>
            node === "emphasize" ? { output: `${output}!` } : undefined,
          afterRun: async ({ output }) => ({ output: { ...output, answer: "sealed" } }),
        },
      ],
    },
  );
  expect(await run.output).toEqual({ answer: "sealed", loud: "YES, PLEASE!!" });
  expect(eventsOf(run, "intercepted").map(({ on, when, name }) => `${when} ${on} ${name}`)).toEqual(
    [
      "before run Ask",
      "before node answer_it",
      "after model scripted",
      "before node emphasize",
      "after node emphasize",
      "after run Ask",
    ],
  );
  expect(run.replay()).toMatchObject({ ok: true });
});

test("E99 a hook of one agent sets the options of each of its model calls: temperature, messages, headers", async () => {
  const { graph } = world();
  const asked: Record<string, unknown>[] = [];
  const model = {
    specificationVersion: "v4" as const,
    provider: "test",
    modelId: "spy",
    supportedUrls: {},
    doGenerate: () => Promise.reject(new Error("not asked")),
    doStream: async (options: Record<string, unknown>) => {
      asked.push(options);
      const usage = { inputTokens: {}, outputTokens: {} };
      const parts = [
        { type: "text-start", id: "1" },
        { type: "text-delta", id: "1", delta: "hi" },
        { type: "text-end", id: "1" },
        { type: "finish", finishReason: { unified: "stop" }, usage },
      ];
      return { stream: ReadableStream.from(parts) };
    },
  };
  const run = graph.run(
    { question: "why" },
    {
      models: { m: model as never },
      intercept: [
        {
          name: "cool",
          beforeModel: ({ node, messages, settings }) =>
            node === "answer_it"
              ? {
                  settings: { ...settings, temperature: 0.1 },
                  headers: { "x-team": "blue", authorization: "Bearer abcdefgh" },
                  messages: [
                    ...messages,
                    { role: "user", content: [{ type: "text", text: "Be brief." }] },
                  ],
                }
              : undefined,
        },
      ],
    },
  );
  await run.output;
  expect(asked).toMatchObject([
    {
      temperature: 0.1,
      headers: { "x-team": "blue", authorization: "Bearer abcdefgh" },
      prompt: [{}, { role: "user" }, { role: "user", content: [{ text: "Be brief." }] }],
    },
  ]);
  const [event] = eventsOf(run, "intercepted");
  expect(event?.changes?.messages).toMatchObject({ at: 2, before: [], after: [{ role: "user" }] });
  expect(event?.changes?.headers?.after).toEqual({
    "x-team": "blue",
    authorization: "⟦secret:authorization⟧",
  });
});

test("a veto of a tool call is told to the model; of a model call, it is a failure that `on deny` takes", async () => {
  const { graph, sent } = world();
  const guard: Interceptor = {
    name: "guard",
    beforeTool: ({ args }) =>
      (args as { to: string }).to.startsWith("all") ? { veto: "not to everybody" } : undefined,
  };
  const heard: unknown[] = [];
  const listens: Interceptor = {
    name: "listens",
    beforeModel: ({ messages }) => {
      heard.push(JSON.stringify(messages.at(-1)));
    },
  };
  const run = graph.run({ question: "?" }, { models: calling(), intercept: [guard, listens] });
  expect(await run.output).toMatchObject({ answer: "done" });
  expect(sent).toEqual([]);
  expect(heard[1]).toContain("`guard` forbids it before the call of `send`: not to everybody");
  expect(eventsOf(run, "intercepted")).toMatchObject([{ by: "guard", veto: "not to everybody" }]);
  expect(eventsOf(run, "tool.result")).toMatchObject([
    { failure: { code: "M8170", class: "denied" } },
  ]);

  const routed = world(
    `model m = "scripted"
graph G() returns a {
  state { a: string = "" }
  agent ask { model m; prompt \`?\`; writes a }
  run instead = fallback() writes a
  start -> ask -> end
  ask -> instead on deny
  instead -> end
}`.replace("fallback()", 'shout("other")'),
  );
  const vetoed = routed.graph.run(
    {},
    {
      models: { m: scripted({}) },
      intercept: [{ name: "no", beforeModel: () => ({ veto: "no models today" }) }],
    },
  );
  expect(await vetoed.output).toEqual({ a: "OTHER" });
});

test("a veto of a node and of a run's output fails it; a run that is forbidden does not begin", async () => {
  const { graph, session } = world();
  const models = calling();
  const of = (intercept: Interceptor) =>
    graph.run({ question: "?" }, { models, intercept: [intercept] });
  const node = of({ name: "n", beforeNode: () => ({ veto: "closed" }) });
  await expect(node.output).rejects.toMatchObject({ code: "M8170" });
  expect(node.failure).toMatchObject({ class: "denied" });
  const end = graph.run(
    { question: "?" },
    { models: calling(), intercept: [{ name: "e", afterRun: async () => ({ veto: "not out" }) }] },
  );
  await expect(end.output).rejects.toMatchObject({ code: "M8170" });
  expect(eventsOf(end, "intercepted")).toMatchObject([
    { on: "run", when: "after", veto: "not out" },
  ]);
  const before = session.list().length;
  expect(() => of({ name: "r", beforeRun: () => ({ veto: "budget" }) })).toThrow(
    "`r` forbids it before the run of `Ask`: budget",
  );
  expect(session.list()).toHaveLength(before);
});

function throws(): undefined {
  throw new Error("boom");
}

const BROKEN: readonly (readonly [object, string, string])[] = [
  [{ beforeTool: throws }, "M8171", "the interceptor `x` threw before the call of `send`: boom"],
  [{ beforeTool: () => "yes" }, "M8172", "returned a string before the call of `send`"],
  [{ beforeTool: () => ({ arguments: 1 }) }, "M8172", "returned the member `arguments`"],
  [{ beforeTool: () => ({ args: { at: Number.NaN } }) }, "M8172", "returned NaN at `args.at`"],
  [{ afterModel: () => ({ text: 1 }) }, "M8172", "`text` that is no text"],
  [
    { afterRun: () => ({ output: { answer: 1, loud: "" } }) },
    "M8172",
    "does not fit the graph: `answer`",
  ],
];

test.each(BROKEN)(
  "an interceptor that does not work is an error with its name: %o",
  async (hooks, code, message) => {
    const { graph, sent } = world();
    const intercept = [{ name: "x", ...hooks } as unknown as Interceptor];
    const run = graph.run({ question: "?" }, { models: calling(), intercept });
    await expect(run.output).rejects.toMatchObject({
      code,
      message: expect.stringContaining(message),
    });
    if ("beforeTool" in hooks) expect(sent).toEqual([]);
  },
);

test.each([
  [{ name: "x", beforeTol: () => undefined }, "did you mean `beforeTool`?"],
  [{ name: "x" }, "it may have"],
  [{ beforeTool: () => undefined }, "give it one"],
])("%o is no interceptor", (intercept, hint) => {
  const { graph } = world();
  const run = () =>
    graph.run({ question: "?" }, { intercept: [intercept as never], models: calling() });
  expect(run).toThrow(
    expect.objectContaining({ code: "M8174", hint: expect.stringContaining(hint) }),
  );
});

test("an interceptor that hangs ends with its run", async () => {
  const { graph } = world();
  let entered = () => {};
  const isAsked = new Promise<void>((resolve) => {
    entered = resolve;
  });
  const hangs: Interceptor = {
    name: "hangs",
    beforeModel: () => {
      entered();
      return new Promise<undefined>(() => {});
    },
  };
  const run = graph.run({ question: "?" }, { models: calling(), intercept: [hangs] });
  await isAsked;
  await run.abort();
  expect(run.status).toBe("aborted");
});

test("a session's interceptor is asked by all later runs until it is taken away; a graph's by that graph's, a run's inside both", async () => {
  const { graph, session } = world();
  const told: string[] = [];
  const tell = (name: string): Interceptor => ({
    name,
    beforeNode: ({ node }) => {
      if (node === "emphasize") told.push(`before ${name}`);
    },
    afterNode: ({ node }) => {
      if (node === "emphasize") told.push(`after ${name}`);
    },
  });
  const run = () => graph.run({ question: "?" }, { models: calling(), intercept: [tell("run")] });
  const forget = session.intercept(tell("session"));
  session.intercept(tell("session"));
  const forgetGraph = graph.intercept(tell("graph"));
  await run().output;
  const around = ["session", "graph", "run"];
  expect(told).toEqual([
    ...around.map((name) => `before ${name}`),
    ...around.toReversed().map((name) => `after ${name}`),
  ]);
  forget();
  forgetGraph();
  told.length = 0;
  await run().output;
  expect(told).toEqual(["before session", "before run", "after run", "after session"]);
});
