/** Remote agents as nodes of a graph, against the server of the protocol's own package. */
import { expect, onTestFinished, test } from "vitest";
import { type RunOptions, Session } from "../../../runtime/index.ts";
import { eventsOf, graphWith } from "../operators/operators.ts";
import { type AgentStep, type SdkAgentOptions, sdkAgent } from "./sdk-agent.ts";

interface Asking {
  readonly clauses?: string;
  readonly type?: string;
  readonly how?: string;
  readonly options?: RunOptions;
}

function program(url: string, { clauses = "", type = "string", how = "" }: Asking = {}): string {
  return `graph Ask(question: string) returns answer {
    state { answer: ${type} }
    operator remote { controller a2a("${url}"${how}); prompt \`\${question}\`; writes answer; ${clauses} }
    limit 20 steps
    start -> remote -> end
  }`;
}

async function asked(
  of: SdkAgentOptions | ((heard: string) => readonly AgentStep[]),
  asking: Asking = {},
) {
  const agent = await sdkAgent(typeof of === "function" ? { script: ({ text }) => of(text) } : of);
  const { graph, session } = graphWith(program(agent.url, asking), {});
  const run = graph.run({ question: "What is it?" }, asking.options);
  return { agent, run, session };
}

const all: readonly (readonly [string, Omit<SdkAgentOptions, "script">])[] = [
  ["JSON-RPC with streams", {}],
  ["HTTP+JSON", { binding: "HTTP+JSON" }],
  ["without streams", { streaming: false }],
  ["version 0.3", { legacy: true }],
];

test.each(all)("A58 a remote agent is a node of a graph: %s", async (_, how) => {
  const script = () =>
    [
      { say: "I look it up." },
      { chunk: "It is " },
      { chunk: "a song.", last: true },
      { done: "" },
    ] as const;
  const { run, agent } = await asked({ script, ...how });
  const events = await eventsOf(run.stream("events"), "controller.event", "session.started");
  expect(await run.output).toEqual({ answer: "It is a song." });
  expect(agent.messages.map(({ messageId }) => messageId)).toEqual([
    `${run.steps[0] && events[0]?.nodeRunId}/1`,
  ]);
  const said = events.flatMap((event) =>
    event.kind === "controller.event" ? [event.event.kind] : [],
  );
  expect(said.at(0)).toBe("session_started");
  expect(said.at(-1)).toBe("completed");
  expect(said).toContain("artifact_created");
});

test("what a remote agent says is heard while it says it, and stands in the trace", async () => {
  const { run } = await asked(() => [
    { say: "I look." },
    { chunk: "la " },
    { chunk: "la", last: true },
    { done: "" },
  ]);
  const pieces: string[] = [];
  for await (const event of run.stream("debug")) {
    if (event.kind === "model.delta") pieces.push(event.text);
  }
  expect(pieces.join("")).toBe("la la");
});

test("A30 A45 its words, artifacts of every kind and its values become those of the node", async () => {
  const script = (): readonly AgentStep[] => [
    { say: "I look." },
    { file: "notes.md", text: "# la" },
    { file: "tone.bin", bytes: new Uint8Array([1, 2, 255]) },
    { file: "elsewhere", url: "http://169.254.169.254/latest" },
    { file: "found", data: { count: 2, of: ["a", "b"] } },
    { done: "That is all." },
  ];
  const { run } = await asked({ script }, { type: "{ count: int, of: string[] }" });
  expect(await run.output).toEqual({ answer: { count: 2, of: ["a", "b"] } });
  expect(run.artifacts.map(({ name, mime, bytes }) => [name, mime, bytes])).toEqual([
    ["notes.md", "text/markdown", 4],
    ["tone.bin", "application/octet-stream", 3],
    ["found", "application/json", 26],
  ]);
  expect([...run.artifact(run.artifacts[1]?.id ?? "")]).toEqual([1, 2, 255]);
});

test("an agent may answer at once, without a task", async () => {
  const { run } = await asked(() => [{ reply: "At once." }]);
  expect(await run.output).toEqual({ answer: "At once." });
});

test("A44 it hears the prompt, the values that the node reads, and what other nodes send", async () => {
  const agent = await sdkAgent({ script: () => [{ done: "ok" }] });
  const { graph } = graphWith(
    `graph Ask(question: string) returns answer {
      state { answer: string  seen: int = 3 }
      operator remote { controller a2a("${agent.url}"); reads seen; prompt \`\${question}\`; writes answer }
      start -> remote -> end
    }`,
    {},
  );
  await graph.run({ question: "What?" }).output;
  expect(agent.messages[0]?.parts.map(({ content }) => content?.value)).toEqual([
    "seen: 3\n\nWhat?",
    { seen: 3 },
  ]);
});

test("INPUT_REQUIRED is a question of the run: its answer is the next message of the task", async () => {
  const script: SdkAgentOptions["script"] = ({ text, round }) =>
    round === 1 ? [{ ask: "Which key?" }] : [{ done: `In ${text}.` }];
  const agent = await sdkAgent({ script });
  const { graph, session } = graphWith(program(agent.url), {});
  const run = graph.run({ question: "Sing!" });
  await run.output.catch(() => {});
  expect(run.interrupts.map(({ kind, question }) => [kind, question])).toEqual([
    ["input", '`remote` needs an answer.\nThe agent says: "Which key?"'],
  ]);
  await run.answer(run.interrupts[0]?.id ?? "", { kind: "value", value: "D" });
  expect(await run.output).toEqual({ answer: "In D." });
  const [first, second] = agent.messages;
  expect([second?.taskId, second?.contextId]).toEqual([first?.taskId, first?.contextId]);
  expect(agent.messages).toHaveLength(2);
  expect(session.list()).toHaveLength(1);
});

test("a person who gives no answer is told to the agent", async () => {
  const script: SdkAgentOptions["script"] = ({ text, round }) =>
    round === 1 ? [{ ask: "Which key?" }] : [{ done: text }];
  const answers: RunOptions["answers"] = () => ({ kind: "deny", reason: "Choose yourself." });
  const { run } = await asked({ script }, { options: { answers } });
  expect(await run.output).toEqual({ answer: "Choose yourself." });
});

test("AUTH_REQUIRED is asked too, and the task goes on once somebody says so", async () => {
  const said = Promise.withResolvers<void>();
  const script = (): readonly AgentStep[] => [
    { ask: "Log in at the shop.", login: true },
    { until: said.promise },
    { done: "Bought." },
  ];
  const questions: string[] = [];
  const answers: RunOptions["answers"] = ({ question }) => {
    questions.push(question);
    said.resolve();
    return { kind: "value", value: "done" };
  };
  const { run, agent } = await asked({ script }, { options: { answers } });
  expect(await run.output).toEqual({ answer: "Bought." });
  expect(questions[0]).toContain("Log in at the shop. it needs an authorization outside");
  expect(agent.messages).toHaveLength(1);
});

test("a session is a context: `session reuse` goes on in it with the next task", async () => {
  const agent = await sdkAgent({ script: ({ text }) => [{ done: `${text} la` }] });
  const { graph } = graphWith(
    `graph Sing() returns song {
      state { song: string = "la"  rounds: int = 0 via sum }
      operator voice { controller a2a("${agent.url}"); prompt \`\${song}\`; writes song; session reuse }
      run count = one() writes rounds
      limit 20 steps
      start -> voice -> count
      count -> { rounds < 2 -> voice, else -> end }
    }`,
    { one: () => 1 },
  );
  expect(await graph.run({}).output).toEqual({ song: "la la la" });
  const [first, second] = agent.messages;
  expect(second?.contextId).toBe(first?.contextId);
  expect(second?.taskId).not.toBe(first?.taskId);
  expect(second?.referenceTaskIds).toEqual([first?.taskId]);
});

test("a lost connection is looked for again by the task's id: no message is sent twice", async () => {
  const goOn = Promise.withResolvers<void>();
  const begun = Promise.withResolvers<void>();
  const script = (): readonly AgentStep[] => [
    { say: "I begin." },
    { until: goOn.promise },
    { chunk: "done", last: true },
    { done: "" },
  ];
  const agent = await sdkAgent({ script });
  const { graph } = graphWith(program(agent.url), {});
  const run = graph.run({ question: "What?" });
  const events: string[] = [];
  run.events$.subscribe((event) => {
    if (event.kind !== "controller.event") return;
    events.push(event.event.kind);
    if (event.event.kind === "message_completed") begun.resolve();
  });
  await begun.promise;
  agent.cut();
  goOn.resolve();
  expect(await run.output).toEqual({ answer: "done" });
  expect(agent.messages).toHaveLength(1);
  expect(events.filter((kind) => kind === "message_completed")).toHaveLength(1);
});

test("a paused run leaves the task to the agent, and goes on with it", async () => {
  const goOn = Promise.withResolvers<void>();
  const script = (): readonly AgentStep[] => [
    { say: "I begin." },
    { until: goOn.promise },
    { chunk: "done", last: true },
    { done: "" },
  ];
  const agent = await sdkAgent({ script });
  const { graph } = graphWith(program(agent.url), {});
  const run = graph.run({ question: "What?" });
  const begun = Promise.withResolvers<void>();
  run.events$.subscribe((event) => {
    if (event.kind === "controller.event" && event.event.kind === "message_completed")
      begun.resolve();
  });
  await begun.promise;
  await run.pause({ now: true });
  expect(run.status).toBe("paused");
  expect(agent.cancelled).toEqual([]);
  goOn.resolve();
  await run.resume();
  expect(await run.output).toEqual({ answer: "done" });
  expect(agent.messages).toHaveLength(1);
});

test("an aborted run cancels the task", async () => {
  const agent = await sdkAgent({ script: () => [{ say: "I begin." }, { hang: true }] });
  const { graph } = graphWith(program(agent.url), {});
  const run = graph.run({ question: "What?" });
  const begun = Promise.withResolvers<void>();
  run.events$.subscribe((event) => {
    if (event.kind === "controller.event" && event.event.kind === "message_completed")
      begun.resolve();
  });
  await begun.promise;
  await run.abort("enough");
  expect(agent.cancelled).toEqual([agent.messages[0]?.taskId]);
});

test("a limit of time of the node cancels the task and fails the node", async () => {
  const { run, agent } = await asked(() => [{ say: "I begin." }, { hang: true }], {
    clauses: "limit 1s",
  });
  await expect(run.output).rejects.toMatchObject({ code: "M5010" });
  expect(agent.cancelled).toHaveLength(1);
});

test.each([
  ["fails", [{ fail: "no ink" }], "M8504", /failed\): no ink/],
  ["is rejected", [{ reject: "not my work" }], "M8504", /rejected\): not my work/],
] as const)(
  "a task that %s fails the node in the agent's words",
  async (_, steps, code, message) => {
    const { run } = await asked(() => steps);
    await expect(run.output).rejects.toMatchObject({
      code,
      message: expect.stringMatching(message),
    });
  },
);

test("the token of a variable opens the agent, and stands nowhere", async () => {
  const token = "abcdef-0123456789";
  const agent = await sdkAgent({ script: () => [{ done: `You said ${token}.` }], token });
  const ask = async (env: Readonly<Record<string, string>>, how: string) => {
    const session = new Session({ store: "memory", env });
    onTestFinished(() => session.close());
    const run = session.compile(program(agent.url, { how })).Ask?.run({ question: "What?" });
    return { output: await run?.output, log: JSON.stringify(session.store.read(run?.id ?? "")) };
  };
  const { output, log } = await ask({ OPENS: token }, ', auth: "OPENS"');
  expect(output).toEqual({ answer: "You said ⟦secret:OPENS⟧." });
  expect(log).not.toContain(token);
  await expect(ask({}, ', auth: "OPENS"')).rejects.toMatchObject({ code: "M5208" });
  await expect(ask({}, "")).rejects.toMatchObject({ code: "M5211" });
  await expect(ask({ OPENS: "another one" }, ', auth: "OPENS"')).rejects.toMatchObject({
    code: "M5211",
  });
});
