/** The server as AG-UI's own client sees it: text, steps, state, a question that is answered, an error. */
import { type BaseEvent, HttpAgent } from "@ag-ui/client";
import { expect, test } from "vitest";
import { served, type TestRole, TOKENS } from "./serving.ts";

function agentOf(url: string, graph: string, role: TestRole = "admin"): HttpAgent {
  return new HttpAgent({
    url: `${url}/agui/${graph}`,
    headers: { authorization: `Bearer ${TOKENS[role]}` },
    threadId: "a thread",
  });
}

async function run(agent: HttpAgent, asked: Parameters<HttpAgent["runAgent"]>[0] = {}) {
  const events: BaseEvent[] = [];
  const { result } = await agent.runAgent(asked, {
    onEvent: ({ event }) => void events.push(event),
  });
  return { result, events, kinds: events.map(({ type }) => `${type}`) };
}

test("a message of a person is the text of the graph, and its steps, state and result come back", async () => {
  const { url, session } = await served();
  const agent = agentOf(url, "Shout", "run");
  agent.addMessage({ id: "m-1", role: "user", content: "la" });
  const { result, kinds } = await run(agent, { runId: "r-1" });
  expect(result).toEqual({ loud: "LA" });
  expect(agent.state).toMatchObject({ loud: "LA" });
  expect(kinds).toEqual([
    ...["RUN_STARTED", "STEP_STARTED", "STEP_FINISHED", "STATE_SNAPSHOT", "RUN_FINISHED"],
  ]);
  expect(session.list()[0]?.threadId).toBe("a thread");
});

test("a question interrupts the run, and the answer goes on with it", async () => {
  const { url, session } = await served();
  const agent = agentOf(url, "Check");
  const first = await run(agent, { runId: "r-1", forwardedProps: { input: { what: "it" } } });
  const { outcome } = first.events.at(-1) as unknown as {
    outcome: { type: string; interrupts: { id: string; message: string }[] };
  };
  expect([outcome.type, outcome.interrupts[0]?.message]).toEqual(["interrupt", "Is it right?"]);
  const interruptId = outcome.interrupts[0]?.id ?? "";
  const resume = [{ interruptId, status: "resolved" as const, payload: "yes" }];
  expect((await run(agent, { runId: "r-2", resume })).result).toEqual({ said: "yes", size: 3 });
  expect(session.list()).toHaveLength(1);
  const runner = agentOf(url, "Check", "run");
  await expect(run(runner, { runId: "r-3", resume })).rejects.toThrow(/403/);
});

test("a failure is an error of the protocol, with its code", async () => {
  const { url } = await served();
  const agent = agentOf(url, "Shout");
  const events: BaseEvent[] = [];
  await agent
    .runAgent(
      { forwardedProps: { input: { text: "bad" } } },
      { onEvent: ({ event }) => void events.push(event) },
    )
    .catch(() => {});
  expect(events.at(-1)).toMatchObject({
    type: "RUN_ERROR",
    message: expect.stringMatching("no voice"),
  });
});

test("what a model says is a message of the assistant", async () => {
  const { url } = await served();
  const agent = agentOf(url, "Tell", "run");
  agent.addMessage({ id: "m-1", role: "user", content: "What is a madrigal?" });
  const { result } = await run(agent, { runId: "r-1" });
  const [, said] = agent.messages;
  expect(said).toMatchObject({ role: "assistant", content: (result as { answer: string }).answer });
});
