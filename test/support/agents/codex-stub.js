#!/usr/bin/env node
/** Speaks the wire of `codex app-server` as it was recorded, with no model behind it: STUB_SCENE says what it does. */
import { randomUUID } from "node:crypto";
import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";

if (process.argv.includes("--version")) {
  console.log("codex-cli 0.169.0");
  process.exit(0);
}
const home = join(process.env.HOME ?? ".", ".codex-stub");
mkdirSync(home, { recursive: true });
const scene = process.env.STUB_SCENE ?? "talks";
const waiting = new Map();
let threadId = "";
let turnId = "";
let asked = 0;
let stopTurn = () => {};

const say = (message) => process.stdout.write(`${JSON.stringify(message)}\n`);
const tell = (method, params = {}) => say({ method, params: { threadId, turnId, ...params } });

function ask(method, params) {
  asked += 1;
  say({ id: asked, method, params: { threadId, turnId, ...params } });
  return new Promise((done) => waiting.set(asked, done));
}

function message(text) {
  const id = randomUUID();
  tell("item/started", { item: { type: "agentMessage", id, text: "" } });
  for (const delta of text.match(/\S+\s*/g) ?? [])
    tell("item/agentMessage/delta", { itemId: id, delta });
  tell("item/completed", { item: { type: "agentMessage", id, text } });
}

function used() {
  const counts = {
    totalTokens: 14,
    inputTokens: 10,
    cachedInputTokens: 4,
    outputTokens: 4,
    reasoningOutputTokens: 1,
  };
  tell("thread/tokenUsage/updated", {
    tokenUsage: { total: counts, last: counts, modelContextWindow: 1000 },
  });
}

const end = (status = "completed", error = null) =>
  tell("turn/completed", { turn: { id: turnId, status, error } });

function command(id, status, more) {
  const item = {
    type: "commandExecution",
    id,
    command: "ls",
    cwd: process.cwd(),
    status: "inProgress",
  };
  tell("item/started", { item });
  if (status !== undefined) tell("item/completed", { item: { ...item, status, ...more } });
}

const scenes = {
  // A text, or a value as JSON.
  says: () => {
    const said = JSON.parse(process.env.STUB_SAYS);
    message(typeof said === "string" ? said : JSON.stringify(said));
    used();
    end();
  },
  talks: () => {
    message("I think about it.");
    message("done");
    used();
    end();
  },
  works: () => {
    message("I look first.");
    command("call_1", "completed", { aggregatedOutput: "a.ts", exitCode: 0 });
    tell("turn/plan/updated", { plan: [{ step: "look", status: "completed" }] });
    const changes = [{ path: "a.ts", kind: { type: "update" }, diff: "@@ -1 +1 @@\n-a\n+b\n" }];
    const item = { type: "fileChange", id: "call_2", changes, status: "inProgress" };
    tell("item/started", { item });
    tell("item/completed", { item: { ...item, status: "completed" } });
    tell("turn/diff/updated", { diff: "@@ -1 +1 @@\n-a\n+b\n" });
    command("call_3", "failed", { aggregatedOutput: "1 failed", exitCode: 1 });
    message('{"ok":true}');
    used();
    end();
  },
  asks: async () => {
    const item = { type: "commandExecution", id: "call_1", command: "rm x", status: "inProgress" };
    tell("item/started", { item });
    const { decision } = await ask("item/commandExecution/requestApproval", {
      itemId: "call_1",
      reason: "I need it",
      command: "rm x",
    });
    const status = decision === "accept" ? "completed" : "declined";
    tell("item/completed", { item: { ...item, status, aggregatedOutput: "", exitCode: 0 } });
    message(status === "completed" ? "ok" : "not done");
    end();
  },
  // Does five things outside, slowly; a session that goes on looks at what is done.
  paced: async () => {
    const file = join(process.env.HOME, "did.txt");
    const done = existsSync(file) ? readFileSync(file, "utf8").split("\n").length - 1 : 0;
    for (let at = done; at < 5; at += 1) {
      const item = { type: "commandExecution", id: `call_${at}`, command: `do ${at}` };
      tell("item/started", { item: { ...item, status: "inProgress" } });
      await new Promise((go) => setTimeout(go, 20));
      appendFileSync(file, `did ${at}\n`);
      await new Promise((go) => setTimeout(go, 20));
      tell("item/completed", { item: { ...item, status: "completed", aggregatedOutput: "" } });
    }
    message("all done");
    end();
  },
  // A server of MCP asks for something by it: a form, or leave.
  elicits: async () => {
    const schema = {
      type: "object",
      properties: { color: { type: "string", enum: ["red", "blue"] } },
      required: ["color"],
    };
    const form = {
      mode: "form",
      serverName: "paint",
      message: "Which color?",
      requestedSchema: schema,
    };
    const link = {
      mode: "url",
      serverName: "paint",
      message: "Log in.",
      url: "https://paint.example/login",
      elicitationId: "e1",
    };
    const given = await ask("mcpServer/elicitation/request", process.env.STUB_LINK ? link : form);
    message(JSON.stringify(given));
    end();
  },
  hangs: async () => {
    await new Promise((done) => {
      stopTurn = done;
    });
    end("interrupted");
  },
  dies: async () => {
    message("I begin.");
    const once = join(home, "died");
    if (existsSync(once)) {
      end();
      return;
    }
    writeFileSync(once, "");
    process.kill(process.pid, "SIGKILL");
    await new Promise(() => {});
  },
  babbles: () => {
    process.stdout.write("\u001b[31mwarning\u001b[0m\n");
    process.stdout.write(Buffer.from([0xff, 0xfe, 0x0a]));
    tell("item/completed", {
      item: { type: "error", id: "e", message: "Model metadata not found" },
    });
    message("done");
    end();
  },
  question: async () => {
    const questions = [
      {
        id: "q1",
        header: "One",
        question: "Which one?",
        options: [{ label: "red" }, { label: "blue" }],
      },
    ];
    const { answers } = await ask("item/tool/requestUserInput", { itemId: "i", questions });
    message(JSON.stringify(answers));
    end();
  },
  wants: async () => {
    const given = await ask("item/permissions/requestApproval", { permissions: { network: true } });
    message(given === undefined ? "nothing is given" : JSON.stringify(given));
    end();
  },
  steered: async () => {
    const text = await new Promise((done) => waiting.set("steer", done));
    message(`told: ${text}`);
    end();
  },
  refused: () => end("failed", { message: "unexpected status 401 Unauthorized" }),
  busy: () =>
    end("failed", { message: "exceeded retry limit, last status: 429 Too Many Requests" }),
};

const calls = {
  initialize: () => ({ userAgent: "codex_cli_rs/0.169.0 (stub)" }),
  "thread/start": () => opened(randomUUID()),
  "thread/resume": ({ threadId: id }) => {
    if (!existsSync(join(home, id))) throw new Error(`no rollout found for thread id ${id}`);
    return opened(id);
  },
  "thread/fork": () => opened(randomUUID()),
  "turn/start": ({ input, outputSchema }) => {
    turnId = randomUUID();
    writeFileSync(
      join(home, "last.json"),
      JSON.stringify({ input, outputSchema, args: process.argv.slice(2) }),
    );
    setImmediate(async () => {
      tell("turn/started", { turn: { id: turnId, status: "inProgress" } });
      await scenes[scene]();
    });
    return { turn: { id: turnId, status: "inProgress" } };
  },
  "turn/interrupt": () => {
    stopTurn();
    return {};
  },
  "turn/steer": ({ input }) => {
    const hear = () => {
      const done = waiting.get("steer");
      if (done === undefined) setTimeout(hear, 5);
      else done(input[0].text);
    };
    hear();
    return { turnId };
  },
};

function opened(id) {
  threadId = id;
  writeFileSync(join(home, id), "");
  return { thread: { id }, model: "stub" };
}

createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method, params, result } = JSON.parse(line);
  if (method === undefined) waiting.get(id)?.(result);
  else if (id !== undefined)
    try {
      say({ id, result: calls[method](params) });
    } catch (error) {
      say({ id, error: { code: -32600, message: error.message } });
    }
});
process.stdin.on("end", () => process.exit(0));
