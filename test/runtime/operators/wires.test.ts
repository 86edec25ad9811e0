/** Messages to strong agents: answers as they were given, files under their own names, sessions that can't be options. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { CLAUDE_CODE } from "../../../runtime/agents/controllers/claude-code/claude-code.ts";
import type { ApprovalAnswer, ControllerEvent, StartRequest } from "../../../runtime/index.ts";
import { agentStub, type StubbedAgent } from "../../support/agents/agent-stubs.ts";
import { temporaryFolder } from "../../support/child.ts";

const request: StartRequest = {
  ...{ key: "run/1/1", runId: "run", nodeRunId: "run/1", attempt: 1, operator: "code" },
  ...{ instruction: "Do it.", stateView: {}, inbox: [], artifacts: [], skills: [] },
  ...{ session: "new", tools: [] },
};

/** The events of a turn whose questions all have the same answer. */
async function answered(
  agent: StubbedAgent,
  scene: string,
  answer: Omit<ApprovalAnswer, "approvalId">,
  set: Readonly<Record<string, string>> = {},
): Promise<readonly ControllerEvent[]> {
  const controller = agentStub(agent, scene, { set });
  const handle = await controller.start(request);
  const events: ControllerEvent[] = [];
  for await (const chunk of controller.stream(handle))
    for (const event of chunk.events) {
      events.push(event);
      if (event.kind === "approval_requested")
        await controller.answer(handle, { ...answer, approvalId: event.approvalId });
      if (event.kind === "input_requested")
        await controller.answer(handle, { ...answer, approvalId: event.inputId });
    }
  return events;
}

test("a question of Codex that a person refuses has no answer, and not a yes", async () => {
  const events = await answered("codex", "question", { decision: "deny", reason: "no" });
  expect(events.at(-1)).toMatchObject({ kind: "completed", text: "{}" });
});

test("what Codex asks beside leave for a call is refused, and not taken for a command", async () => {
  const events = await answered("codex", "wants", { decision: "approve" });
  expect(events.some(({ kind }) => kind === "approval_requested")).toBe(false);
  expect(events.at(-1)).toMatchObject({ kind: "completed", text: "nothing is given" });
});

test.each(["codex", "acp"] as const)(
  "a call of %s that a person changed is not made as the agent wanted it",
  async (agent) => {
    const events = await answered(agent, "asks", { decision: "approve", input: { run: "ls" } });
    expect(events.find(({ kind }) => kind === "tool_result")).toMatchObject({ isDenied: true });
    expect(events.at(-1)).toMatchObject({ kind: "completed", text: "not done" });
  },
);

test("a call of an ACP agent that was allowed and failed was not denied", async () => {
  const events = await answered("acp", "asks", { decision: "approve" }, { STUB_FAILS: "1" });
  const result = events.find(({ kind }) => kind === "tool_result");
  expect(result).toMatchObject({ error: "it failed" });
  expect(result).not.toHaveProperty("isDenied");
});

test("a session's name that looks like an option is no session of Claude Code", () => {
  const session = { kind: "next", sessionId: "--dangerously-skip-permissions" } as const;
  const words = { instruction: "Go on.", attachments: [], options: {}, tools: [] };
  const folders = { folder: "/", ownFolder: "/" };
  expect(() =>
    CLAUDE_CODE.wire({ program: ["claude"], session, ...words, ...folders, isRepair: false }),
  ).toThrow(expect.objectContaining({ failure: expect.objectContaining({ code: "M8503" }) }));
});

test("two attached files of one name are two files", async () => {
  const home = temporaryFolder("madrigal-agent-attached-");
  const agent = agentStub(
    "codex",
    "hangs",
    {},
    {
      env: { PATH: process.env.PATH, HOME: home },
      folder: home,
      bytesOf: (hash) => Buffer.from(hash),
    },
  );
  const attachments = ["one", "two"].map((hash) => ({ name: "a.txt", mime: "text/plain", hash }));
  const handle = await agent.start({ ...request, attachments });
  let text = "";
  for await (const { events } of agent.stream(handle)) {
    if (text !== "" || !events.some(({ kind }) => kind === "heartbeat")) continue;
    const last = JSON.parse(readFileSync(join(home, ".codex-stub", "last.json"), "utf8"));
    const paths = [...String(last.input[0].text).matchAll(/: (.*a\.txt)$/gm)];
    text = paths.map(([, path = ""]) => readFileSync(path, "utf8")).join(" ");
    await agent.interrupt(handle);
  }
  expect(text).toBe("one two");
});

test.each([
  ["a form", {}, { decision: "approve", input: { color: "blue" } }, "accept", { color: "blue" }],
  ["a form, refused", {}, { decision: "deny" }, "decline", null],
  ["a page", { STUB_LINK: "1" }, { decision: "approve", input: true }, "accept", null],
  [
    "a page, not opened",
    { STUB_LINK: "1" },
    { decision: "approve", input: false },
    "decline",
    null,
  ],
] as const)(
  "what a server of MCP asks by Codex is a question to a person: %s",
  async (_, set, answer, action, content) => {
    const events = await answered("codex", "elicits", answer, set);
    expect(events.find(({ kind }) => kind === "input_requested")).toMatchObject({
      message: expect.stringMatching(/the server `paint` asks/),
    });
    const last = events.at(-1);
    expect(JSON.parse(last?.kind === "completed" ? last.text : "")).toEqual({
      ...{ action, content, _meta: null },
    });
  },
);

test.each([
  [{}, undefined],
  [{ STUB_ALWAYS: "1" }, "a yes is one for all of them"],
])(
  "a yes to an agent of ACP is one for this call, or it is said that it is for all: %j",
  async (set, words) => {
    const events = await answered("acp", "asks", { decision: "approve" }, set);
    const asked = events.find((event) => event.kind === "approval_requested");
    if (words === undefined) expect(asked?.message).toBeUndefined();
    else expect(asked?.message).toContain(words);
    expect(events.at(-1)).toMatchObject({ kind: "completed", text: "ok" });
  },
);

test("A20 a session that OpenClaw does not know is M8503, though it would begin one of that id", async () => {
  const controller = agentStub("openclaw", "talks", { set: { STUB_OPENCLAW: "1" } });
  const sessionId = "0199aaaa-0000-7000-8000-000000000000";
  await expect(controller.resume({ ...request, sessionId })).rejects.toMatchObject({
    failure: { code: "M8503" },
  });
});

test("A20 a call of OpenClaw has the name of its tool, and not its title for people", async () => {
  const set = { STUB_TITLE: "exec: command: rm x" };
  const events = await answered("openclaw", "asks", { decision: "approve" }, set);
  const tools = events.flatMap((event) => ("tool" in event ? [event.tool] : []));
  expect(tools).toEqual(["exec", "exec"]);
});

test("A20 a turn of an agent of ACP that says and does nothing has failed", async () => {
  const events = await answered("openclaw", "silent", { decision: "approve" });
  expect(events.at(-1)).toMatchObject({ kind: "failed", class: "model", reason: "empty" });
});
