#!/usr/bin/env node
/** Speaks the Agent Client Protocol as agents of it were recorded, with no model behind it: STUB_SCENE says what it does. */
import { randomUUID } from "node:crypto";
import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";

const home = join(process.env.HOME ?? ".", ".acp-stub");
mkdirSync(home, { recursive: true });
const scene = process.env.STUB_SCENE ?? "talks";
// It begins a session where it knows none, unless it is told not to, and says what went wrong only beside the message.
const isOpenClaw = process.env.STUB_OPENCLAW !== undefined;
const waiting = new Map();
let sessionId = "";
let asked = 0;
let stopTurn = () => {};

const say = (message) =>
  process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
const update = (of) => say({ method: "session/update", params: { sessionId, update: of } });

function ask(method, params) {
  asked += 1;
  say({ id: asked, method, params: { sessionId, ...params } });
  return new Promise((done) => waiting.set(asked, done));
}

function message(text) {
  for (const word of text.match(/\S+\s*/g) ?? [])
    update({ sessionUpdate: "agent_message_chunk", content: { type: "text", text: word } });
}

function call(toolCallId, status, more) {
  update({
    sessionUpdate: "tool_call",
    toolCallId,
    title: "shell",
    kind: "execute",
    status: "pending",
    rawInput: { run: "ls" },
  });
  update({ sessionUpdate: "tool_call_update", toolCallId, status, ...more });
}

const scenes = {
  talks: () => {
    message("I think about it.");
  },
  works: () => {
    message("I look first.");
    call("call_1", "completed", { rawOutput: "a.ts" });
    update({
      sessionUpdate: "plan",
      entries: [{ content: "look", priority: "high", status: "completed" }],
    });
    call("call_2", "completed", {
      content: [{ type: "diff", path: "a.ts", oldText: "a", newText: "b" }],
    });
    call("call_3", "failed", {
      content: [{ type: "content", content: { type: "text", text: "1 failed" } }],
    });
    message('{"ok":true}');
  },
  asks: async () => {
    const title = process.env.STUB_TITLE ?? "shell";
    const toolCall = { toolCallId: "call_1", title, rawInput: { run: "rm x" } };
    const options = [
      { optionId: "always", name: "Always", kind: "allow_always" },
      ...(process.env.STUB_ALWAYS ? [] : [{ optionId: "yes", name: "Allow", kind: "allow_once" }]),
      { optionId: "no", name: "Reject", kind: "reject_once" },
    ];
    const { outcome } = await ask("session/request_permission", { toolCall, options });
    const isAllowed =
      outcome.outcome === "selected" &&
      outcome.optionId === (process.env.STUB_ALWAYS ? "always" : "yes");
    update({
      sessionUpdate: "tool_call_update",
      toolCallId: "call_1",
      status: isAllowed && !process.env.STUB_FAILS ? "completed" : "failed",
    });
    message(isAllowed ? "ok" : "not done");
  },
  // Does five things outside, slowly; a session that goes on looks at what is done.
  paced: async () => {
    const file = join(process.env.HOME, "did.txt");
    const done = existsSync(file) ? readFileSync(file, "utf8").split("\n").length - 1 : 0;
    for (let at = done; at < 5; at += 1) {
      const toolCallId = `call_${at}`;
      update({ sessionUpdate: "tool_call", toolCallId, title: "shell", rawInput: { at } });
      await new Promise((go) => setTimeout(go, 20));
      appendFileSync(file, `did ${at}\n`);
      await new Promise((go) => setTimeout(go, 20));
      update({ sessionUpdate: "tool_call_update", toolCallId, status: "completed" });
    }
    message("all done");
  },
  hangs: async () => {
    await new Promise((done) => {
      stopTurn = done;
    });
    return "cancelled";
  },
  dies: async () => {
    message("I begin.");
    const once = join(home, "died");
    if (existsSync(once)) return "end_turn";
    writeFileSync(once, "");
    process.kill(process.pid, "SIGKILL");
    return await new Promise(() => {});
  },
  babbles: () => {
    process.stdout.write("\u001b[31mwarning\u001b[0m\n");
    process.stdout.write(Buffer.from([0xff, 0xfe, 0x0a]));
    update({ sessionUpdate: "available_commands_update", availableCommands: [] });
    say({ id: "x", method: "fs/read_text_file", params: { path: "/etc/passwd" } });
    message("done");
  },
  refuses: () => "refusal",
  silent: () => {},
};

const calls = {
  initialize: () => ({
    protocolVersion: 1,
    agentInfo: { name: "stub", version: "1.0.0" },
    agentCapabilities: {
      loadSession: process.env.STUB_FORGETS === undefined,
      mcpCapabilities: { http: true },
      promptCapabilities: {},
    },
  }),
  "session/new": () => opened(randomUUID()),
  "session/load": ({ sessionId: id, _meta }) => {
    const isBegun = isOpenClaw && _meta?.requireExisting !== true;
    if (!isBegun && !existsSync(join(home, id))) throw new Error(`Session ${id} not found`);
    opened(id);
    message("what was said before");
    return {};
  },
  "session/set_mode": () => ({}),
  "session/prompt": async () => {
    const stopReason = (await scenes[scene]()) ?? "end_turn";
    return { stopReason, usage: { inputTokens: 10, outputTokens: 4, totalTokens: 14 } };
  },
};

function opened(id) {
  sessionId = id;
  writeFileSync(join(home, id), "");
  return { sessionId };
}

createInterface({ input: process.stdin }).on("line", async (line) => {
  const { id, method, params, result } = JSON.parse(line);
  if (method === "session/cancel") stopTurn();
  else if (method === undefined) waiting.get(id)?.(result);
  else
    try {
      say({ id, result: await calls[method](params) });
    } catch (error) {
      const { message } = error;
      const said = isOpenClaw
        ? { message: "Internal error", data: { details: message } }
        : { message };
      say({ id, error: { code: -32602, ...said } });
    }
});
process.stdin.on("end", () => process.exit(0));
