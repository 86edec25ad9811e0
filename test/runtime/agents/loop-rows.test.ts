/** Rows of requirements about the loop of an agent, and who does what around it, shown as a user sees them. */
import type { LanguageModelV4, LanguageModelV4Prompt } from "@ai-sdk/provider";
import { describe, expect, test } from "vitest";
import { createAgentPerformer } from "../../../runtime/agents/agent.ts";
import { resolveModel } from "../../../runtime/agents/models/model.ts";
import type { ModelCapabilities } from "../../../runtime/agents/models/model-handle.ts";
import type { Script } from "../../../runtime/agents/models/scripted.ts";
import { createOperatorPerformer } from "../../../runtime/agents/operator/operator.ts";
import { createToolSet } from "../../../runtime/agents/scope/tools.ts";
import {
  type Controller,
  controller,
  type Scope,
  type StartRequest,
  scripted,
  scriptedController,
  tool,
} from "../../../runtime/index.ts";
import { ofKind } from "../../support/run-graph.ts";
import { failureOf, newSession, runWith } from "../scoped-run.ts";
import { attemptOf, fakeContext, stillClock } from "./fake-context.ts";

const look = tool(({ q }: { q: string }) => `about ${q}`, {
  effect: "none",
  description: "looks something up",
  input: { type: "object", properties: { q: { type: "string" } }, required: ["q"] },
});

const asking = (clauses = "") => `model m = "scripted"
graph Ask(question: string) returns answer {
  state { answer: string = "" }
  agent ask { model m; tools docs.look; prompt \`\${question}\`; writes answer; ${clauses} }
  start -> ask -> end
}`;

const call = (tool: string, input: object) => ({ calls: [{ tool, input: input as never }] });

function asked(script: Script, clauses = "", options: object = {}) {
  return runWith(
    asking(clauses),
    { docs: { look } },
    { models: { m: scripted(script) }, input: { question: "Why?" }, ...options },
  );
}

describe("E60 an agent calls its tools until it answers with a text", () => {
  test("E60 [SM] each turn is one call of the model and those of its tools", async () => {
    const { run, records } = asked([
      call("docs.look", { q: "a" }),
      call("docs.look", { q: "b" }),
      "it is so",
    ]);
    expect(await run.output).toEqual({ answer: "it is so" });
    expect(ofKind(records(), "intent").map(({ effect, name }) => `${effect} ${name}`)).toEqual([
      "model scripted",
      "tool docs.look",
      "model scripted",
      "tool docs.look",
      "model scripted",
    ]);
  });

  test("E60 [SM] who never answers is stopped by its limit, and that is no success", async () => {
    const script = Array.from({ length: 4 }, () => call("docs.look", { q: "a" }));
    const failure = await failureOf(asked(script, "limit 3 turns"));
    expect(failure).toMatchObject({ class: "limit", code: "M5010", limit: "turns" });
  });

  test("E60 [SM] between two calls the run can be paused, and goes on at the call that is missing", async () => {
    const { run, records } = asked([call("docs.look", { q: "a" }), "it is so"]);
    let isPaused = false;
    run.events$.subscribe((event) => {
      if (event.kind !== "tool.result" || isPaused) return;
      isPaused = true;
      void run.pause({ now: true });
    });
    await run.settled();
    await run.resume().catch(() => undefined);
    expect(await run.output).toEqual({ answer: "it is so" });
    const tools = ofKind(records(), "outcome").filter(({ effect }) => effect === "tool");
    expect(tools).toHaveLength(1);
  });
});

test("E65 [SM] a tool call is read, held against the schema, found, made, and stands in the history of the next call", async () => {
  const { run, records } = asked([
    call("docs.look", { q: 3 }),
    call("docs.look", { q: "a" }),
    "it is so",
  ]);
  expect(await run.output).toEqual({ answer: "it is so" });
  const results = ofKind(records(), "outcome").filter(({ effect }) => effect === "tool");
  expect(results.map(({ value, failure }) => failure?.message ?? value)).toEqual([
    "the arguments of `docs_look` do not fit: at `q`: expected a string, found the number 3",
    "about a",
  ]);
  const requests = ofKind(records(), "intent").filter(({ effect }) => effect === "model");
  const last = requests.at(-1)?.request as { messages: readonly { role: string }[] };
  expect(last.messages).toMatchObject([
    { role: "assistant", content: [{ type: "tool-call", input: { q: "a" } }] },
    { role: "tool", content: [{ type: "tool-result", output: { value: "about a" } }] },
  ]);
});

test("E65 a tool that there is not is told with the name that was probably meant", async () => {
  const handle = resolveModel(scripted([call("docs_loook", { q: "a" }), "no"]), { env: {} });
  const { doStream } = handle.model;
  // Like a live model, it is not told which node asks with which tools.
  const model = {
    ...handle.model,
    doStream: ({ providerOptions: _, ...of }: Parameters<typeof doStream>[0]) => doStream(of),
  };
  const performer = createAgentPerformer({
    model: () => ({ ...handle, model }),
    tools: createToolSet(() => ({ docs: { look } })),
    clock: stillClock(),
  });
  const context = fakeContext();
  await performer.perform(attemptOf({ tools: [["docs", "look"]] }), context);
  expect(context.log[1]?.failure?.message).toBe(
    "there is no tool `docs_loook`; did you mean `docs_look`? there are: docs_look",
  );
});

describe("E64 what a tool may return", () => {
  const PIXEL = "iVBORw0KGgo=";
  const shot = tool(
    () => ({
      content: [
        { type: "text", text: "the page" },
        { type: "image", data: PIXEL, mimeType: "image/png" },
      ],
    }),
    { effect: "none", input: { type: "object" } },
  );

  /** The prompt of the second call, as the model gets it. */
  async function sentTo(returning: unknown, capabilities?: Partial<ModelCapabilities>) {
    const handle = resolveModel(scripted([call("docs_shot", {}), "done"]), { env: {} });
    const prompts: LanguageModelV4Prompt[] = [];
    const model: LanguageModelV4 = {
      ...handle.model,
      doStream: (given) => {
        prompts.push(given.prompt);
        return handle.model.doStream(given);
      },
    };
    const takes = { images: false, toolResultImages: false, files: false, ...capabilities };
    const rest = { tools: true, parallelTools: true, structuredOutput: true };
    const asked = { ...handle, model };
    const performer = createAgentPerformer({
      model: () =>
        capabilities === undefined ? asked : { ...asked, capabilities: { ...takes, ...rest } },
      tools: createToolSet(() => ({ docs: { shot: returning } })),
      clock: stillClock(),
    });
    await performer.perform(attemptOf({ tools: [["docs", "shot"]] }), fakeContext());
    return prompts[1]?.slice(3);
  }

  const file = { type: "file", mediaType: "image/png", data: { type: "data", data: PIXEL } };

  test("E64 [LB] a picture stands in the result of the tool, where the model takes it there", async () => {
    expect(await sentTo(shot, { toolResultImages: true, images: true })).toMatchObject([
      {
        role: "tool",
        content: [{ output: { type: "content", value: [{ text: "the page" }, file] } }],
      },
    ]);
  });

  test("E64 [LB] else it follows in a message of the user", async () => {
    const note = "[image/png number 1 of the message that follows]";
    expect(await sentTo(shot, { images: true })).toMatchObject([
      {
        role: "tool",
        content: [{ output: { type: "text", value: `the page\n${note}` } }],
      },
      { role: "user", content: [{ type: "text" }, file] },
    ]);
  });

  test("E64 [LB] a model that reads texts alone is told that there was one", async () => {
    const note = "[image/png left out: this model takes no such files]";
    expect(await sentTo(shot, {})).toMatchObject([
      { role: "tool", content: [{ output: { type: "text", value: `the page\n${note}` } }] },
    ]);
  });

  test("E64 JSON stays JSON, nothing is said to be nothing, and what is too large is left out with a note", async () => {
    const of = (value: unknown) => tool(() => value, { effect: "none", input: { type: "object" } });
    const outputOf = async (value: unknown) => {
      const [message] = (await sentTo(of(value))) ?? [];
      return message?.role === "tool" && message.content[0]?.type === "tool-result"
        ? message.content[0].output
        : undefined;
    };
    expect(await outputOf({ n: 1 })).toEqual({ type: "json", value: { n: 1 } });
    expect(await outputOf("")).toEqual({
      type: "text",
      value: "(the tool returned an empty text)",
    });
    const large = { type: "image", data: "A".repeat(2 ** 21), mimeType: "image/png" };
    expect(JSON.stringify(await outputOf({ content: [large] }))).toContain("left out");
  });
});

describe("M64 an answer that is to be JSON", () => {
  const text = `model m = "scripted"
graph Count(question: string) returns n {
  state { n: number = 0 }
  agent count { model m; prompt \`\${question}\`; writes n }
  start -> count -> end
}`;
  const counted = (script: Script) =>
    runWith(text, {}, { models: { m: scripted(script) }, input: { question: "How many?" } });

  test("M64 [SM] is found in the text around it", async () => {
    const { run } = counted(['Gladly! Here it is: {"n": 4}. Anything else?']);
    expect(await run.output).toEqual({ n: 4 });
  });

  test("M64 [SM] is asked for three times at most, each time with what was wrong; then the run fails", async () => {
    const one = counted(["four", '{"n": "four"}', "about four", "4"]);
    expect(await failureOf(one)).toMatchObject({ class: "invalid", code: "M8120" });
    const requests = ofKind(one.records(), "intent").map(({ request }) => JSON.stringify(request));
    expect(requests).toHaveLength(3);
    expect(requests[1]).toContain("it holds no JSON: four");
    expect(requests[2]).toContain("expected a number");
  });

  test("M64 [SM] a run that is paused is not asked again before it goes on", async () => {
    const { run, records } = counted(["four", "4"]);
    run.events$.subscribe((event) => {
      if (event.kind === "attempt.finished" && event.attempt === 1) void run.pause({ now: true });
    });
    await run.settled();
    const before = ofKind(records(), "intent").length;
    expect([run.status, before]).toEqual(["paused", 1]);
    await run.resume();
    expect(await run.output).toEqual({ n: 4 });
  });
});

describe("what a content filter stops, and what a model refuses", () => {
  const arrows = `model m = "scripted"
graph Ask() returns how {
  state { answer: string = ""  how: string = "" }
  agent ask { model m; prompt "?"; writes answer }
  run softer = say("softer") writes how
  run other = say("other") writes how
  run sorry = say("sorry") writes how
  start -> ask -> end
  ask -> softer on filter -> end
  ask -> other on refusal -> end
  ask -> sorry on error -> end
}`;

  function answering(finish: string, stopReason?: string) {
    const model = {
      ...scripted([]),
      provider: "test",
      doStream: async () => ({
        stream: ReadableStream.from([
          { type: "stream-start", warnings: [] },
          {
            type: "finish",
            finishReason: { unified: finish, raw: stopReason },
            usage: { inputTokens: {}, outputTokens: {} },
          },
        ] as never[]),
      }),
    };
    return model as never;
  }

  test.each([
    ["content-filter", "SAFETY", "softer"],
    ["content-filter", "refusal", "other"],
    ["error", undefined, "sorry"],
  ])("%s %s takes its own arrow", async (finish, reason, how) => {
    const { run } = runWith(
      arrows,
      { say: (text: string) => text },
      { models: { m: answering(finish, reason) } },
    );
    expect(await run.output).toEqual({ how });
  });

  test("without an arrow of their own they take `on error`; `retry` may name them", async () => {
    const text = arrows
      .replace(/.*on (filter|refusal).*\n/g, "")
      .replace(/.*run (softer|other).*\n/g, "")
      .replace("writes answer }", "writes answer; retry 1 on refusal backoff 1ms }");
    const { run, records } = runWith(
      text,
      { say: (how: string) => how },
      { models: { m: answering("content-filter", "refusal") } },
    );
    expect(await run.output).toEqual({ how: "sorry" });
    expect(ofKind(records(), "attempt").map(({ failure }) => failure?.code)).toEqual([
      "M8211",
      "M8211",
    ]);
  });
});

describe("S03 a tool is told with its description and its schema", () => {
  test("S03 a tool without a schema is refused before a model is asked", () => {
    const bare = { docs: { look: tool((q: string) => q, { effect: "none" }) } };
    expect(() => newSession().compile(asking(), { scope: bare })).toThrow(/M4109/);
  });

  test("S03 the model is sent the description and the schema of each tool", async () => {
    const { records, run } = asked(["it is so"]);
    await run.output;
    const [first] = ofKind(records(), "intent");
    expect(first?.request).toMatchObject({
      tools: [{ name: "docs_look", description: "looks something up", input: { required: ["q"] } }],
    });
  });
});

// ── operators and their controllers ─────────────────────────────────────────────────────────────

const request: StartRequest = {
  key: "k",
  runId: "run",
  nodeRunId: "run/code",
  attempt: 1,
  operator: "code",
  instruction: "Do it.",
  stateView: {},
  inbox: [],
  artifacts: [],
  skills: [],
  session: "new",
  tools: [],
};

describe("A09 the controller has the session and its bytes, the operator the request and the result", () => {
  test("A09 an operator assembles its prompt and writes its result, whatever agent there is", async () => {
    const requests: StartRequest[] = [];
    const fake: Controller = controller({
      name: "fake",
      source: "scripted",
      capabilities: {
        resume: false,
        reattach: false,
        structuredOutput: false,
        approvals: false,
        snapshot: false,
        facets: [],
      },
      start: async (given: StartRequest) => {
        requests.push(given);
        return { sessionId: "s", turn: 1 };
      },
      resume: async () => ({ sessionId: "s", turn: 2 }),
      stream: async function* () {
        yield { raw: "!", events: [{ kind: "session_started", sessionId: "s" }] };
        yield { raw: "?", events: [{ kind: "completed", text: "+ a line" }] };
      },
      answer: async () => undefined,
      interrupt: async () => undefined,
      snapshot: async () => ({ controller: "fake", sessionId: "s", turn: 1 }),
      restore: async () => ({ sessionId: "s", turn: 1 }),
      close: async () => undefined,
    });
    const performer = createOperatorPerformer({
      scope: () => ({ agent: fake }) as Scope,
      clock: stillClock(),
    });
    const attempt = attemptOf(
      {
        kind: "operator",
        name: "code",
        controller: { name: ["agent"], args: [] },
        writes: [{ field: "patch", optional: false }],
        output: { type: "string" },
      },
      { prompt: "Add a line." },
    );
    expect(await performer.perform(attempt, fakeContext())).toBe("+ a line");
    expect(requests).toMatchObject([{ instruction: "Add a line.", operator: "code" }]);
  });

  test("A09 a controller keeps sessions and reads its agent, whoever asks", async () => {
    const agent = scriptedController([{ steps: [{ say: "I begin." }], says: "done" }]);
    const handle = await agent.start(request);
    const kinds: string[] = [];
    for await (const { raw, events } of agent.stream(handle)) {
      if (events.some(({ kind }) => kind !== "heartbeat")) expect(raw.length).toBeGreaterThan(0);
      kinds.push(...events.map(({ kind }) => kind));
    }
    expect(kinds[0]).toBe("session_started");
    expect(kinds.at(-1)).toBe("completed");
    expect(agent.calls[0]).toBe(`start ${handle.sessionId}`);
  });
});

test("A21 [SM] a scripted controller answers by a function of the request, and goes on with its session", async () => {
  const agent = scriptedController(({ instruction }, turn) => ({
    steps: [],
    says: `${turn}: ${instruction}`,
  }));
  const text = `graph Twice() returns a, b {
  state { a: string  b: string }
  operator one { controller agent; prompt "First."; writes a; session reuse main }
  operator two { controller agent; prompt "Second."; writes b; session reuse main }
  start -> one -> two -> end
}`;
  const { run } = runWith(text, { agent });
  expect(await run.output).toEqual({ a: "1: First.", b: "2: Second." });
  const [started = "", resumed = ""] = agent.calls.filter((one) => /^(start|resume) /.test(one));
  expect(resumed).toBe(started.replace("start", "resume"));
});

describe("A60 kinds of node", () => {
  const m = () => scripted(["b"]);

  test("A60 [SM] an operator does a turn of an agent of its own", async () => {
    const agent = scriptedController([{ says: "done" }] as never);
    const text = `graph A() returns a {
  state { a: string }
  operator work { controller agent; prompt "Do it."; writes a }
  start -> work -> end
}`;
    expect(await runWith(text, { agent }).run.output).toEqual({ a: "done" });
  });

  test("A60 [SM] a router chooses who goes on", async () => {
    const text = `model m = "scripted"
graph A() returns a {
  state { a: string = "" }
  router choose { model m; prompt "Who?" }
  run b = name("b") writes a
  run c = name("c") writes a
  start -> choose -> b | c
  [b, c] need 1 -> end
}`;
    const scope = { name: (one: string) => one };
    const { run } = runWith(text, scope, { models: { m: m() } });
    expect(await run.output).toEqual({ a: "b" });
  });

  test("A60 [SM] a reducer works out one value of others, and touches nothing", async () => {
    const text = `graph A(xs: number[]) returns sum {
  state { sum: number = 0 }
  reduce add = total(xs) writes sum
  start -> add -> end
}`;
    const total = (...given: unknown[]) => {
      expect(given).toHaveLength(1);
      return (given[0] as number[]).reduce((a, b) => a + b, 0);
    };
    expect(await runWith(text, { total }, { input: { xs: [1, 2] } }).run.output).toEqual({
      sum: 3,
    });
  });

  test("A60 [SM] a tool node makes one call without a model", async () => {
    const text = `graph A() returns a {
  state { a: string }
  tool find = docs.look({ q: "x" }) writes a
  start -> find -> end
}`;
    expect(await runWith(text, { docs: { look } }).run.output).toEqual({ a: "about x" });
  });

  test("A60 [SM] a human node waits for a person", async () => {
    const text = `graph A() returns ok {
  state { ok: boolean = false }
  human sign { ask "Ship it?"; writes ok }
  start -> sign -> end
}`;
    const { run } = runWith(text, {});
    await run.settled();
    expect(run.status).toBe("waiting");
    await run.answer(run.interrupts[0]?.id ?? "", { kind: "value", value: true });
    expect(await run.output).toEqual({ ok: true });
  });
});
