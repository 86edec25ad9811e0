/** The state of a run as tools of MCP for a strong agent: the node's own reads and writes are its only rights. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { expect, onTestFinished, test } from "vitest";
import { serveState } from "../../../runtime/agents/controllers/state-server/state-server.ts";
import type { ControllerEvent, RunOptions } from "../../../runtime/index.ts";
import { stubbedProgram, stubController } from "./stub-runs.ts";

type Call = readonly [string, Readonly<Record<string, unknown>>];

/** The results of the agent's calls, and the output of the run. */
async function called(calls: readonly Call[], answer = "blue") {
  const controller = stubController("state", { set: { STUB_CALLS: JSON.stringify(calls) } });
  const { graph, home } = stubbedProgram(`graph Work(task: string) returns count, note {
    state { count: int = 1  note: string = "none"  secret: string = "hidden" }
    operator code "works" { controller ${controller}; reads note; prompt \`\${task}\`; writes count, note }
    start -> code -> end
  }`);
  const run = graph.run({ task: "x" }, { answers: () => ({ kind: "value", value: answer }) });
  const output = await run.output.catch((thrown: Error) => thrown.message);
  const [tools, ...results] = JSON.parse(
    readFileSync(join(home, ".claude-stub", "calls.json"), "utf8"),
  );
  return { tools, results, output };
}

test("A48 it reads what its node reads, writes what its node writes, and what it writes is the node's patch", async () => {
  const { tools, results, output } = await called([
    ["read_state", {}],
    ["write_state", { field: "count", value: 3 }],
    ["write_state", { field: "note", value: "three" }],
  ]);
  expect(tools).toEqual(["read_state", "write_state", "ask_human"]);
  expect(results).toEqual([
    ["read_state", false, '{"note":"none"}'],
    ["write_state", false, "noted"],
    ["write_state", false, "noted"],
  ]);
  expect(output).toEqual({ count: 3, note: "three" });
});

test("A46 a field that its node does not write, and a value of another type, are refused at once", async () => {
  const { results } = await called([
    ["write_state", { field: "secret", value: "x" }],
    ["write_state", { field: "count", value: "three" }],
    ["read_state", { fields: ["secret"] }],
    ["write_state", { field: "count", value: 1 }],
    ["write_state", { field: "note", value: "n" }],
  ]);
  expect(results.map(([, isError]: readonly unknown[]) => isError)).toEqual([
    ...[true, true, true],
    ...[false, false],
  ]);
  expect(results[1][2]).toBe('count: expected an integer, found the string "three"');
});

test("A48 a question to a person is one of the run, and its answer the result of the call", async () => {
  const { results } = await called([
    ["ask_human", { question: "Which one?", options: ["red", "blue"] }],
    ["write_state", { field: "count", value: 1 }],
    ["write_state", { field: "note", value: "n" }],
  ]);
  expect(results[0]).toEqual(["ask_human", false, "blue"]);
});

/** Runs a team whose agent makes these calls; it may tell `review` and ask the memory `habits`. */
async function team(calls: readonly Call[], answers: RunOptions["answers"] = () => undefined) {
  const controller = stubController("state", { set: { STUB_CALLS: JSON.stringify(calls) } });
  const look = (ctx: { readonly inbox: readonly unknown[] }) => JSON.stringify(ctx.inbox);
  const { graph, home } = stubbedProgram(
    `type Note = { line: int, text: string }
    memory habits: string
    memory secrets: string
    graph Work(task: string) returns seen {
      state { seen: string = ""  answer: string = "" }
      run book(note: string, hidden: string) = keep(note) {
        writes answer
        store note into habits
        store hidden into secrets
      }
      operator code "works" {
        controller ${controller}
        prompt \`\${task}\`
        recall habits top 2
        writes answer
        tell review as Note { line: 0, text: answer }
      }
      run review = look() writes seen
      start -> book("She sits at the window.", "Nobody may know.") -> code -> review -> end
    }`,
    { scope: { look, keep: (note: string) => note } },
  );
  const run = graph.run({ task: "x" }, { answers });
  const { seen } = await run.output;
  const [tools, ...results] = JSON.parse(
    readFileSync(join(home, ".claude-stub", "calls.json"), "utf8"),
  );
  return { tools, results, inbox: JSON.parse(String(seen)), run };
}

test("A48 it sends messages to those whom its node tells, of the type that it tells, with its commit", async () => {
  const { tools, results, inbox, run } = await team([
    ["send", { to: "review", payload: { line: 7, text: "a cycle" } }],
    ["send", { to: "review", payload: { line: "seven", text: "a cycle" } }],
    ["send", { to: "book", payload: { line: 7, text: "a cycle" } }],
  ]);
  expect(tools).toEqual(["write_state", "send", "recall", "ask_human"]);
  expect(results.map(([, isError]: readonly unknown[]) => isError)).toEqual([false, true, true]);
  expect(results[1][2]).toContain("expected an integer");
  expect(inbox).toMatchObject([
    { sender: "code", receiver: "review", kind: "Note", payload: { line: 7, text: "a cycle" } },
    { sender: "code", receiver: "review", kind: "Note", payload: { line: 0, text: "done" } },
  ]);
  expect(run.messages.map(({ payload }) => payload)).toHaveLength(2);
  expect(run.replay()).toMatchObject({ ok: true });
});

test("A48 it asks the memories that its node recalls, and no others; each question is a call of the log", async () => {
  const { results, run } = await team([
    ["recall", { memory: "habits", query: "Where does she sit, at a window?" }],
    ["recall", { memory: "habits", query: "Anything else" }],
    ["recall", { memory: "secrets", query: "Who may know?" }],
  ]);
  expect(results.slice(0, 2)).toEqual([
    ["recall", false, '["She sits at the window."]'],
    ["recall", false, "[]"],
  ]);
  expect(results[2][1]).toBe(true);
  expect(run.replay()).toMatchObject({ ok: true });
});

test("A48 a client of MCP sees the tools and the types that its node has, and nothing without the token", async () => {
  const heard: ControllerEvent[] = [];
  const server = await serveState({
    key: "run/1",
    stateView: { note: "none" },
    skills: [],
    writes: { count: { type: "integer" } },
    handoffs: ["review"],
    sends: { to: ["review"] },
    memories: ["habits"],
  });
  onTestFinished(() => server.close());
  server.turn = {
    tell: (...events) => void heard.push(...events),
    ask: async (event) => {
      heard.push(event);
      return { approvalId: "x", decision: "approve", input: ["by the window"] };
    },
  };
  const { url, token } = server.offered;
  const connected = async (key: string) => {
    const client = new Client(
      { name: "test", version: "1" },
      { versionNegotiation: { mode: "auto" } },
    );
    const headers = { Authorization: `Bearer ${key}` };
    await client.connect(
      new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } }),
    );
    onTestFinished(() => client.close());
    return client;
  };
  await expect(connected("another")).rejects.toThrow();
  const client = await connected(token);
  const { tools } = await client.listTools();
  expect(tools.map(({ name }) => name)).toEqual([
    ...["read_state", "write_state", "send", "handoff", "recall", "ask_human"],
  ]);
  const call = async (name: string, args: Readonly<Record<string, unknown>>) => {
    const { content, isError = false } = await client.callTool({ name, arguments: args });
    const [first] = content as readonly { readonly text?: string }[];
    return [isError, first?.text];
  };
  expect(await call("send", { to: "review", payload: { line: 7 } })).toEqual([false, "sent"]);
  expect(await call("handoff", { to: "review", task: "look" })).toEqual([false, "handed over"]);
  expect(await call("handoff", { to: "review", task: "again" })).toEqual([
    ...[true, "the work is handed over already"],
  ]);
  expect(await call("recall", { memory: "habits", query: "seat" })).toEqual([
    ...[false, '["by the window"]'],
  ]);
  expect(heard).toEqual([
    { kind: "message_sent", to: "review", payload: { line: 7 } },
    { kind: "handed_over", to: "review", task: "look" },
    { kind: "recall_requested", inputId: "recall/run/1/1", memory: "habits", query: "seat" },
  ]);
});
