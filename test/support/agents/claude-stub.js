#!/usr/bin/env node
/** Speaks the wire of Claude Code as it was recorded, with no model behind it: STUB_SCENE, or `SCENE:name` in the task, says what it does. */
import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { createInterface } from "node:readline";

const args = process.argv.slice(2);
if (args.includes("--version")) {
  console.log("2.1.330 (Claude Code)");
  process.exit(0);
}
const flag = (name) => (args.includes(name) ? args[args.indexOf(name) + 1] : undefined);
const home = join(process.env.HOME ?? ".", ".claude-stub");
mkdirSync(home, { recursive: true });
const fileOf = (id) => join(home, `${id}.jsonl`);
const say = (message) => process.stdout.write(`${JSON.stringify(message)}\n`);

// Keeps a copy of all that it says.
const copy = process.env.STUB_COPY;
if (copy !== undefined) {
  const write = process.stdout.write.bind(process.stdout);
  process.stdout.write = (text) => {
    appendFileSync(copy, text);
    return write(text);
  };
}

const resumed = flag("--resume");
const isFork = args.includes("--fork-session");
let sessionId = flag("--session-id") ?? resumed ?? randomUUID();
if (resumed !== undefined && !existsSync(fileOf(resumed))) {
  const errors = [`No conversation found with session ID: ${resumed}`];
  const failed = { subtype: "error_during_execution", is_error: true, errors };
  say({ type: "result", ...failed, terminal_reason: "turn_setup_failed" });
  process.exit(1);
}
if (isFork) {
  const lines = readFileSync(fileOf(resumed), "utf8").split("\n");
  const at = flag("--resume-session-at");
  const last = at === undefined ? lines.length : lines.findIndex((line) => line.includes(at));
  writeFileSync(fileOf(sessionId), `${lines.slice(0, last + 1).join("\n")}\n`);
}
if (process.env.STUB_OTHER_ID !== undefined) sessionId = process.env.STUB_OTHER_ID;

let serial = 0;
const waiting = new Map();
let stopTurn = () => {};
const heard = [];

function keep(line) {
  appendFileSync(fileOf(sessionId), `${JSON.stringify(line)}\n`);
}

function assistant(...content) {
  const uuid = randomUUID();
  serial += 1;
  keep({ uuid, content });
  const id = `msg_${serial}`;
  const usage = { input_tokens: 10, output_tokens: 1, cache_read_input_tokens: 5 };
  for (const block of content)
    say({
      type: "assistant",
      message: { id, role: "assistant", model: "stub", content: [block], usage },
      ...{ parent_tool_use_id: null, session_id: sessionId, uuid },
    });
}

function text(words) {
  for (const word of words.match(/\S+\s*/g) ?? [])
    say({
      type: "stream_event",
      event: { type: "content_block_delta", index: 0, delta: { type: "text_delta", text: word } },
      session_id: sessionId,
    });
  assistant({ type: "text", text: words });
}

function result(id, content, more = {}) {
  const block = { type: "tool_result", tool_use_id: id, content, ...more.block };
  say({
    type: "user",
    message: { role: "user", content: [block] },
    ...(more.value === undefined ? {} : { tool_use_result: more.value }),
    ...(more.meta === undefined ? {} : { tool_result_meta: [more.meta] }),
    session_id: sessionId,
  });
}

function end(words, more = {}) {
  const models = { stub: { inputTokens: 10 * serial, outputTokens: 4 * serial, costUSD: 0.01 } };
  say({
    ...{ type: "result", subtype: "success", is_error: false, terminal_reason: "completed" },
    ...{ result: words, num_turns: serial, session_id: sessionId, total_cost_usd: 0.05 },
    usage: {
      input_tokens: 10 * serial,
      output_tokens: 4 * serial,
      cache_read_input_tokens: 5 * serial,
    },
    model_usage_since_last_result: models,
    ...more,
  });
}

function leave(id, tool, input) {
  const requestId = randomUUID();
  say({
    type: "control_request",
    request_id: requestId,
    request: {
      subtype: "can_use_tool",
      tool_name: tool,
      input,
      tool_use_id: id,
      permission_suggestions: [],
    },
  });
  return new Promise((done) => waiting.set(requestId, done));
}

/** Writes a file as its tool does, once it may. */
async function write(id, input) {
  assistant({ type: "tool_use", id, name: "Write", input });
  const isFree =
    flag("--permission-mode") === "acceptEdits" ||
    flag("--permission-mode") === "bypassPermissions";
  const answer = isFree
    ? { behavior: "allow", updatedInput: input }
    : await leave(id, "Write", input);
  if (answer.behavior !== "allow") {
    say({
      type: "system",
      subtype: "permission_denied",
      tool_name: "Write",
      tool_use_id: id,
      message: answer.message,
    });
    const decision = { decision: "deny", source: "permission_prompt_tool" };
    result(id, answer.message, {
      block: { is_error: true },
      meta: { permission_decision: decision },
    });
    return;
  }
  const { file_path: path, content } = answer.updatedInput;
  const full = resolve(path);
  const before = existsSync(full) ? readFileSync(full, "utf8") : undefined;
  writeFileSync(full, content);
  appendFileSync(join(home, "did.txt"), `wrote ${path}\n`);
  const lines = content.split("\n").filter(Boolean);
  const hunk = {
    oldStart: 1,
    oldLines: 1,
    newStart: 1,
    newLines: lines.length,
    lines: [`-${before?.trim()}`, ...lines.map((line) => `+${line}`)],
  };
  result(id, `File written: ${path}`, {
    value: {
      type: before === undefined ? "create" : "update",
      filePath: path,
      content,
      structuredPatch: before === undefined ? [] : [hunk],
      originalFile: before ?? null,
    },
  });
}

/** Starts a process that leaves the group and the environment, and lives on when everybody else has ended. */
function spawnApart() {
  return spawn("/bin/sh", ["-c", "sleep 600"], { detached: true, stdio: "ignore", env: {} });
}

const scenes = {
  talks: async () => {
    text("I think about it.");
    end("done");
  },
  // A text, or a value by the schema that it was asked for.
  says: async () => {
    const said = JSON.parse(process.env.STUB_SAYS);
    if (typeof said === "string") end(said);
    else end("", { structured_output: said });
  },
  works: async () => {
    text("I look first.");
    assistant({ type: "tool_use", id: "toolu_1", name: "Bash", input: { command: "ls" } });
    result("toolu_1", "a.ts", { value: { stdout: "a.ts", stderr: "", interrupted: false } });
    assistant({
      type: "tool_use",
      id: "toolu_2",
      name: "TodoWrite",
      input: { todos: [{ content: "look", status: "completed", activeForm: "looking" }] },
    });
    result("toolu_2", "ok");
    assistant({ type: "tool_use", id: "toolu_3", name: "Bash", input: { command: "npm test" } });
    result("toolu_3", "1 failed", { block: { is_error: true } });
    end("done", { structured_output: { ok: true } });
  },
  asks: async () => {
    await write("toolu_1", { file_path: "note.txt", content: "hello\n" });
    end("ok");
  },
  hangs: async () => {
    await new Promise((done) => {
      stopTurn = done;
    });
    say({
      type: "assistant",
      message: {
        id: "msg_x",
        model: "stub",
        content: [{ type: "text", text: "I beg" }],
        usage: {},
      },
      aborted: true,
      session_id: sessionId,
      uuid: randomUUID(),
    });
    end("", {
      is_error: true,
      subtype: "error_during_execution",
      terminal_reason: "aborted_streaming",
    });
  },
  dies: async () => {
    text("I begin.");
    const once = join(home, "died");
    if (existsSync(once)) return end("done");
    writeFileSync(once, "");
    process.kill(process.pid, "SIGKILL");
    await new Promise(() => {});
  },
  babbles: async () => {
    process.stdout.write("\u001b[31mwarning\u001b[0m\n");
    process.stdout.write(Buffer.from([0xff, 0xfe, 0x0a]));
    process.stderr.write("a note on stderr\n");
    say({ type: "something_new", at: 1 });
    end("done");
  },
  env: async () => end(JSON.stringify(process.env)),
  args: async () => end(JSON.stringify({ args, cwd: process.cwd(), heard })),
  file: async () => {
    const path = /in the file (\S+)\. /.exec(heard.at(-1)?.message.content.at(-1)?.text ?? "")?.[1];
    end(`${readFileSync(path, "utf8").length}`);
  },
  exits: async () => {
    process.stderr.write("bypassPermissions can't be used as root\n");
    process.exit(3);
  },
  stubborn: async () => {
    for (const name of ["SIGINT", "SIGTERM"]) process.on(name, () => {});
    const child = spawnApart();
    text(`child ${child.pid}`);
    await new Promise(() => setInterval(() => {}, 1000));
  },
  leaves: async () => {
    const child = spawnApart();
    child.unref();
    end(`child ${child.pid}`);
  },
  denied401: async () => end("API Error: 401 invalid key", apiError(401)),
  busy429: async () => {
    say({
      type: "system",
      subtype: "api_retry",
      attempt: 1,
      max_retries: 1,
      retry_delay_ms: 500,
      error_status: 429,
      error: "rate_limit",
    });
    end("API Error: 429 slow down", apiError(429));
  },
  broken500: async () => end("API Error: 500 overloaded", apiError(500)),
  half: async () => {
    process.stdout.write('{"type":"assistant","message":{"id":"msg_9","content":[{"type":"te');
    process.exit(0);
  },
  turns: async () =>
    end("", { is_error: true, subtype: "error_max_turns", terminal_reason: "max_turns" }),
  question: async () => {
    const input = {
      questions: [
        {
          question: "Which one?",
          header: "One",
          multiSelect: false,
          options: [{ label: "red" }, { label: "blue" }],
        },
      ],
    };
    assistant({ type: "tool_use", id: "toolu_1", name: "AskUserQuestion", input });
    const answer = await leave("toolu_1", "AskUserQuestion", input);
    if (answer.behavior !== "allow") return end(`no: ${answer.message}`);
    result("toolu_1", "answered");
    end(JSON.stringify(answer.updatedInput.answers));
  },
  edits: async () => {
    const task = heard[0].message.content.at(-1).text;
    await write("toolu_1", {
      file_path: /FILE:([\w.]+)/.exec(task)?.[1] ?? process.env.STUB_FILE ?? "note.txt",
      content: process.env.STUB_TEXT ?? "theirs\n",
    });
    end("edited");
  },
  repairs: async () => {
    const isFirst = !readFileSync(fileOf(sessionId), "utf8").includes("again");
    keep({ again: true });
    end(
      isFirst
        ? "no JSON at all"
        : JSON.stringify({
            patch: args.includes("Read,Write,Glob,Grep") ? "repaired" : "unrestricted",
            lines: 2,
          }),
    );
  },
  flood: async () => {
    const block = "x".repeat(64 * 1024);
    for (let sent = 0; sent < Number(process.env.STUB_BYTES ?? 1e6); sent += block.length)
      if (!process.stdout.write(`${block}\n`))
        await new Promise((done) => process.stdout.once("drain", done));
    end("done");
  },
  // Says what time it is by the clock that all processes share.
  stamped: async () => {
    for (let at = 0; at < Number(process.env.STUB_EVENTS ?? 10); at += 1) {
      await new Promise((go) => setTimeout(go, 5));
      assistant({ type: "text", text: `at ${process.hrtime.bigint()}` });
    }
    end("done");
  },
  // Does five things outside, slowly; a session that goes on looks at what is done. Before the one of STUB_HALT it first waits for ever.
  paced: async () => {
    const file = join(process.env.HOME, "did.txt");
    const done = existsSync(file) ? readFileSync(file, "utf8").split("\n").length - 1 : 0;
    for (let at = done; at < 5; at += 1) {
      if (done === 0 && process.env.STUB_HALT === `${at}`) await new Promise(() => {});
      assistant({ type: "tool_use", id: `toolu_${at}`, name: "Bash", input: { at } });
      await new Promise((go) => setTimeout(go, 20));
      appendFileSync(file, `did ${at}\n`);
      await new Promise((go) => setTimeout(go, 20));
      result(`toolu_${at}`, `did ${at}`);
    }
    end("all done");
  },
  state: async () => {
    const { madrigal } = JSON.parse(readFileSync(flag("--mcp-config"), "utf8")).mcpServers;
    const call = async (method, params, id) => {
      const { url, headers } = madrigal;
      const accept = "application/json, text/event-stream";
      const body = JSON.stringify({ jsonrpc: "2.0", id, method, params });
      const own = {
        ...headers,
        accept,
        "content-type": "application/json",
        "mcp-protocol-version": "2025-11-25",
      };
      const text = await (await fetch(url, { method: "POST", headers: own, body })).text();
      return JSON.parse(/^data: (.*)$/m.exec(text)?.[1] ?? text).result;
    };
    const client = {
      protocolVersion: "2025-11-25",
      capabilities: {},
      clientInfo: { name: "stub", version: "1" },
    };
    await call("initialize", client, 1);
    const { tools } = await call("tools/list", {}, 2);
    const results = [tools.map(({ name }) => name)];
    for (const [at, [name, args]] of JSON.parse(process.env.STUB_CALLS).entries()) {
      const { content, isError } = await call("tools/call", { name, arguments: args }, 3 + at);
      results.push([name, isError === true, content[0].text]);
    }
    writeFileSync(join(home, "calls.json"), JSON.stringify(results));
    end("done");
  },
  steered: async () => {
    text("I wait for a word.");
    await new Promise((done) => {
      const look = () => (heard.length > 1 ? done() : setTimeout(look, 5));
      look();
    });
    end(`told: ${heard[1].message.content.at(-1).text}`);
  },
};

function apiError(status) {
  return { is_error: true, terminal_reason: "api_error", api_error_status: status };
}

async function turn(message) {
  heard.push(message);
  if (heard.length > 1) return;
  const task = message.message.content.at(-1).text;
  say({
    ...{
      type: "system",
      subtype: "init",
      cwd: process.cwd(),
      session_id: sessionId,
      model: "stub",
    },
    ...{
      tools: ["Bash", "Read", "Write"],
      mcp_servers: [],
      permissionMode: flag("--permission-mode"),
    },
    ...{ apiKeySource: "none", claude_code_version: "2.1.330" },
  });
  keep({ user: task });
  const scene = /SCENE:(\w+)/.exec(task)?.[1] ?? process.env.STUB_SCENE ?? "talks";
  await scenes[scene]();
}

createInterface({ input: process.stdin }).on("line", (line) => {
  const message = JSON.parse(line);
  if (message.type === "user") void turn(message);
  if (message.type === "control_response")
    waiting.get(message.response.request_id)?.(message.response.response);
  if (message.type === "control_request" && message.request.subtype === "interrupt") {
    say({
      type: "control_response",
      response: {
        subtype: "success",
        request_id: message.request_id,
        response: { still_queued: [] },
      },
    });
    stopTurn();
  }
});
process.stdin.on("end", () => {
  if (process.env.STUB_SCENE !== "stubborn") process.exit(0);
});
