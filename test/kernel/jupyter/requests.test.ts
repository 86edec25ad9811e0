/** Every request but that of a cell, over real sockets. */
import { MessageChannel } from "node:worker_threads";
import { expect, test } from "vitest";
import { parentId, type WireMessage } from "../../../kernel/jupyter/wire/message.ts";
import type { TypeCall } from "../../../kernel/types/service.ts";
import { connectClient, summary } from "../../support/jupyter-client.ts";
import { startKernel } from "./kernel.ts";

test.each(["shell", "control"] as const)("kernel_info is answered on %s", async (channel) => {
  const { client } = await startKernel();
  const { reply, iopub } = await client.request("kernel_info_request", {}, { channel });
  expect(reply.header.msg_type).toBe("kernel_info_reply");
  expect(iopub.map(summary)).toEqual(["status busy", "status idle"]);
  expect(reply.content).toEqual({
    status: "ok",
    protocol_version: "5.5",
    implementation: "madrigal",
    implementation_version: expect.stringMatching(/^\d+\.\d+\.\d+/),
    language_info: {
      name: "typescript",
      version: expect.stringMatching(/^6\./),
      mimetype: "text/typescript",
      file_extension: ".ts",
      pygments_lexer: "typescript",
      codemirror_mode: {
        name: "madrigal-cell",
        mime: "application/typescript",
        extensions: ["ts"],
      },
      nbconvert_exporter: "script",
    },
    banner: expect.stringContaining("Madrigal"),
    help_links: [],
    supported_features: ["debugger", "kernel subshells"],
    debugger: true,
  });
});

test.each([
  ["connect_request", {}],
  ["comm_info_request", { target_name: "x" }],
  ["history_request", { hist_access_type: "tail", n: 3 }],
  ["usage_request", {}],
  ["debug_request", { seq: 4, type: "request", command: "debugInfo" }],
  ["debug_request", { seq: 5, type: "request", command: "initialize", arguments: {} }],
  ["debug_request", {}],
  ["brew_tea_request", {}],
  ["constructor", {}],
  ["toString_request", {}],
])("%s %j", async (type, content) => {
  const { client, connection } = await startKernel();
  if (!type.endsWith("_request")) {
    const id = client.send(type, content, { channel: "control" });
    const isIdle = (each: { content: Record<string, unknown> }) =>
      each.content.execution_state === "idle";
    await client.iopub((message) => parentId(message) === id && isIdle(message));
    return;
  }
  const { reply, iopub } = await client.request(type, content, { channel: "control" });
  expect(iopub.map(summary)).toEqual(["status busy", "status idle"]);
  const ports = Object.values(connection.ports).map(String);
  const text = JSON.stringify(reply.content, fixed, 1);
  expect(ports.reduce((all, port) => all.replace(port, "PORT"), text)).toMatchSnapshot();
});

/** Numbers and paths of this machine and process as their kind. */
function fixed(key: string, value: unknown): unknown {
  if (key === "tmpFilePrefix") return String(value).replace(/.*ipykernel_madrigal_\d+./, "PREFIX");
  if (/kernel_|host|cpu|pid|total|available|percent|used|free/.test(key)) {
    return typeof value === "object" ? value : typeof value;
  }
  return value;
}

test("each subscription is welcomed, a second one to the same topic too", async () => {
  const { client, connection } = await startKernel();
  const isWelcome = ({ header }: WireMessage) => header.msg_type === "iopub_welcome";
  await connectClient(connection);
  await client.iopub(() => client.heard.filter(isWelcome).length === 2);
  const welcome = { parent: {}, content: { subscription: "" } };
  expect(client.heard.filter(isWelcome)).toMatchObject([welcome, welcome]);
});

/** A worker 2 that knows one completion, after the cursor. */
async function startWithTypes() {
  const calls: TypeCall[] = [];
  const { port1, port2 } = new MessageChannel();
  port2.on("message", (call: TypeCall) => {
    calls.push(call);
    port2.postMessage({ id: call.id, value: answerTo(call) });
  });
  const kernel = await startKernel({ startTypes: (link) => link().types(port1) });
  return { ...kernel, asked: calls };
}

function answerTo({ method, argument }: TypeCall): unknown {
  if (method === "isComplete") {
    return argument === "{"
      ? { status: "incomplete", indent: "  " }
      : { status: "complete", indent: "" };
  }
  if (method === "inspect") {
    const { code } = argument as { readonly code: string };
    return code === "known" ? { plain: "const known: 1", markdown: "`1`" } : undefined;
  }
  const items = [
    { text: "😀name", type: "const", signature: "1" },
    { text: "other", type: "var" },
  ];
  return { items, start: 2, end: 5 };
}

test("completion speaks code points to the front end and UTF-16 to worker 2", async () => {
  const { client, asked, calls } = await startWithTypes();
  const content = { code: "😀nam", cursor_pos: 4 };
  const { reply } = await client.request("complete_request", content);
  expect(asked).toMatchObject([{ method: "complete", argument: { code: "😀nam", offset: 5 } }]);
  expect(calls).toEqual(["startTypes"]);
  expect(reply.content).toEqual({
    status: "ok",
    matches: ["😀name", "other"],
    cursor_start: 1,
    cursor_end: 4,
    metadata: {
      _jupyter_types_experimental: [
        { text: "😀name", type: "const", signature: "1", start: 1, end: 4 },
        { text: "other", type: "var", signature: "", start: 1, end: 4 },
      ],
    },
  });
});

test.each([
  ["is_complete_request", { code: "{" }, { status: "incomplete", indent: "  " }],
  ["is_complete_request", { code: "1" }, { status: "complete" }],
  [
    "inspect_request",
    { code: "nothing", cursor_pos: 1, detail_level: 1 },
    { found: false, data: {} },
  ],
  [
    "inspect_request",
    { code: "known", cursor_pos: 1, detail_level: 0 },
    { found: true, data: { "text/plain": "const known: 1", "text/markdown": "`1`" } },
  ],
])("%s %j is answered by worker 2, while a cell runs too", async (type, content, wanted) => {
  const { client, release } = await startWithTypes();
  const id = client.send("execute_request", { code: "wait" });
  await client.iopub(({ content: said }) => said.text === "waits\n");
  const { reply } = await client.request(type, content);
  expect(reply.content).toMatchObject(wanted);
  release();
  await client.reply(id);
});

test("a shutdown is answered, told to all, and closes the main thread", async () => {
  const { client, link, calls } = await startKernel();
  const id = client.send("shutdown_request", { restart: true }, { channel: "control" });
  expect((await client.reply(id)).content).toEqual({ status: "ok", restart: true });
  await link.closed;
  expect(calls).toEqual(["cancel", "close"]);
  const told = await client.iopub(({ header }) => header.msg_type === "shutdown_reply");
  expect(told.content).toEqual({ status: "ok", restart: true });
});

test("cells that wait at a shutdown are aborted", async () => {
  const { client } = await startKernel();
  const running = client.send("execute_request", { code: "wait", stop_on_error: false });
  await client.iopub(({ content }) => content.text === "waits\n");
  const waiting = client.send("execute_request", { code: "wait" });
  client.send("shutdown_request", { restart: false }, { channel: "control" });
  expect((await client.reply(running)).content.evalue).toBe("cancelled");
  expect((await client.reply(waiting)).content.status).toBe("aborted");
});
