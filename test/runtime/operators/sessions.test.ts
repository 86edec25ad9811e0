/** Which session a turn is of: a new one, the one before, a named one, the one that is repaired or brought back. */
import { expect, test } from "vitest";
import {
  type ScriptedController,
  type ScriptedTurn,
  scriptedController,
} from "../../../runtime/index.ts";
import { eventsOf, graphWith, oneOperator } from "./operators.ts";

/** What was asked of a controller while its runs were under way; at their end all sessions are closed. */
function turnsOf({ calls }: ScriptedController): readonly string[] {
  return calls.filter((call) => !call.startsWith("close"));
}

/** Two rounds of the same operator. */
const twice = (session: string) => `graph Twice() returns said {
  state { said: string[] = [] via append }
  operator code { controller agent; prompt \`Go on. So far: \${said}\`; writes said; ${session} }
  limit 9 steps
  start -> code -> { said.length < 2 -> code, else -> end }
}`;

/** Says the number of its turn: in a list, or as a text, where the field grows by one. */
const numbered = (says: (text: string) => string | readonly string[] = (text) => [text]) =>
  scriptedController((_, turn) => ({ says: says(`turn ${turn}`) }), { name: "agent" });
const asText = (text: string) => text;

test.each([
  ["", ["start agent-1", "start agent-2"], ["turn 1", "turn 1"]],
  ["session new", ["start agent-1", "start agent-2"], ["turn 1", "turn 1"]],
  [
    "session reuse",
    ["start agent-1", "restore agent-1 to 1", "resume agent-1"],
    ["turn 1", "turn 2"],
  ],
])("A47 `%s`: which session the second run of a node is in", async (session, calls, said) => {
  const agent = numbered(asText);
  const { graph } = graphWith(twice(session), { agent });
  expect(await graph.run({}).output).toEqual({ said });
  expect(turnsOf(agent)).toEqual(calls);
});

test("nodes with the same name for it share a session", async () => {
  const agent = numbered();
  const text = `graph Two() returns a, b {
    state { a: string[]  b: string[] }
    operator one { controller agent; prompt \`1\`; writes a; session reuse main }
    operator two { controller agent; prompt \`2\`; writes b; session reuse main }
    start -> one -> two -> end
  }`;
  const { graph } = graphWith(text, { agent });
  expect(await graph.run({}).output).toEqual({ a: ["turn 1"], b: ["turn 2"] });
});

test("each item of an `each` has its own sessions", async () => {
  const agent = scriptedController(({ instruction }, turn) => ({
    says: `${instruction} ${turn}`,
  }));
  const text = `graph Items(words: string[]) returns said {
    state { said: string[] = [] via append }
    operator one(word: string) { controller agent; prompt \`\${word}\`; writes said; session reuse s }
    operator two(word: string) { controller agent; prompt \`\${word}\`; writes said; session reuse s }
    start -> each word of words { one(word) -> two(word) } -> end
  }`;
  const { graph } = graphWith(text, { agent });
  const { said } = await graph.run({ words: ["a", "b"] }).output;
  expect(said).toHaveLength(4);
  expect([...(said as string[])].map((one) => one.replace(/\n[\s\S]*\}/, "")).sort()).toEqual([
    expect.stringContaining("a"),
    expect.stringContaining("a"),
    expect.stringContaining("b"),
    expect.stringContaining("b"),
  ]);
  expect(agent.calls.filter((call) => call.startsWith("start"))).toHaveLength(2);
  expect(agent.calls.filter((call) => call.startsWith("resume")).sort()).toEqual([
    "resume scripted-1",
    "resume scripted-2",
  ]);
});

test("`session resume` goes on with a session of before; without one it begins a new one", async () => {
  const agent = numbered();
  const text = `graph Again(known?: string) returns said {
    state { said: string[] }
    operator code { controller agent; prompt \`Go on.\`; writes said; session resume known }
    start -> code -> end
  }`;
  const { graph } = graphWith(text, { agent });
  expect(await graph.run({}).output).toEqual({ said: ["turn 1"] });
  expect(await graph.run({ known: "agent-1" }).output).toEqual({ said: ["turn 2"] });
  expect(turnsOf(agent)).toEqual(["start agent-1", "resume agent-1"]);
});

test("a session that is gone is followed by a fresh one, and the event names it", async () => {
  const agent = numbered();
  const text = oneOperator("session resume task", "string[]");
  const { graph } = graphWith(text, { agent });
  const run = graph.run({ task: "no-such-session" });
  const [started] = await eventsOf(run.stream("events"), "session.started");
  expect(started).toMatchObject({ how: "fresh", gone: "no-such-session", sessionId: "agent-1" });
  expect(await run.output).toEqual({ patch: ["turn 1"] });
});

test("an answer that does not fit is repaired in the same session", async () => {
  const turns: ScriptedTurn[] = [{ says: { lines: "three" } }, { says: { lines: 3 } }];
  const agent = scriptedController(turns, { name: "agent" });
  const { graph } = graphWith(oneOperator("", "{ lines: int }"), { agent });
  expect(await graph.run({ task: "x" }).output).toEqual({ patch: { lines: 3 } });
  expect(turnsOf(agent)).toEqual(["start agent-1", "resume agent-1"]);
  const [first, second] = agent.requests;
  expect(first?.outputSchema).toMatchObject({ properties: { lines: { type: "integer" } } });
  expect(second?.instruction).toContain("could not be used");
});

test("A46 what is not its to write is told to the agent, and never written", async () => {
  const turns: ScriptedTurn[] = [
    { says: "done", patch: { patch: "+", secret: "x" } },
    { says: "done", patch: { patch: "+" } },
  ];
  const agent = scriptedController(turns);
  const { graph } = graphWith(oneOperator(), { agent });
  const run = graph.run({ task: "x" });
  const ended = await eventsOf(run.stream("events"), "attempt.finished");
  expect(ended.map(({ failure }) => failure?.code)).toEqual(["M8506", undefined]);
  expect(agent.requests[1]?.instruction).toContain("You wrote `secret`");
  expect(await run.output).toEqual({ patch: "+" });
  expect(run.state).not.toHaveProperty("secret");
});

test("after a rewind the session goes on from where the run stands, not from where the agent does", async () => {
  const agent = numbered(asText);
  const { graph } = graphWith(twice("session reuse"), { agent });
  const run = graph.debug({});
  await run.step();
  await run.step();
  await run.rewind(1);
  expect(await run.continue()).toMatchObject({ kind: "end" });
  expect(await run.output).toEqual({ said: ["turn 1", "turn 2"] });
  // The second time the session had a turn more than the run knows of: another one was made of the first turn.
  expect(turnsOf(agent)).toEqual([
    "start agent-1",
    "restore agent-1 to 1",
    "resume agent-1",
    "restore agent-1 to 1",
    "resume agent-2",
  ]);
});

test("a paused run interrupts its agents, and goes on in the same turn", async () => {
  let go = () => {};
  const until = new Promise<void>((resolve) => {
    go = resolve;
  });
  const turn = { steps: [{ say: "I begin." }, { until }, { say: "I go on." }], says: "+" };
  const agent = scriptedController([turn], { name: "agent" });
  const { graph } = graphWith(oneOperator(), { agent });
  const run = graph.run({ task: "x" });
  await heard(run, "message_completed");
  await run.pause({ now: true });
  expect(run.status).toBe("paused");
  go();
  await run.resume();
  expect(await run.output).toEqual({ patch: "+" });
  expect(turnsOf(agent)).toEqual(["start agent-1", "interrupt agent-1", "resume agent-1 after 2"]);
});

test("E08 each open session is interrupted when its run is aborted", async () => {
  const agent = scriptedController([{ steps: [{ say: "I begin." }, { silence: true }] }]);
  const text = `graph Two() returns a, b {
    state { a: string = ""  b: string = "" }
    operator one { controller agent; prompt \`1\`; writes a }
    operator two { controller agent; prompt \`2\`; writes b }
    start -> [one, two]
    [one, two] -> end
  }`;
  const { graph } = graphWith(text, { agent });
  const run = graph.run({});
  const ended = eventsOf(run.stream("events"), "session.ended");
  await heard(run, "message_completed", 2);
  await run.abort();
  await run.output.catch(() => {});
  expect(agent.calls.filter((call) => call.startsWith("interrupt")).sort()).toEqual([
    "interrupt scripted-1",
    "interrupt scripted-2",
  ]);
  expect((await ended).map(({ node, status }) => [node, status]).sort()).toEqual([
    ["one", "interrupted"],
    ["two", "interrupted"],
  ]);
});

test("M18 an agent behind a node that never runs is never started", async () => {
  const idle = scriptedController([{ says: "no" }]);
  const agent = scriptedController([{ says: "yes" }]);
  const text = `graph One(n: int) returns a {
    state { a: string = "" }
    operator one { controller agent; prompt \`1\`; writes a }
    operator two { controller idle; prompt \`2\`; writes a }
    start -> { n > 0 -> one -> end, else -> two -> end }
  }`;
  const { graph } = graphWith(text, { agent, idle });
  const run = graph.run({ n: 1 });
  const started = await eventsOf(run.stream("events"), "session.started");
  expect(started.map(({ node }) => node)).toEqual(["one"]);
  expect(idle.calls).toEqual([]);
});

async function heard(
  run: { stream(mode: "events"): AsyncIterable<unknown> },
  kind: string,
  count = 1,
): Promise<void> {
  let left = count;
  for await (const event of run.stream("events")) {
    const { kind: of, event: said } = event as { kind: string; event?: { kind: string } };
    if (of === "controller.event" && said?.kind === kind) left -= 1;
    if (left === 0) return;
  }
}
