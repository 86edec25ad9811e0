/** `madrigal kernel FILE` in a process of its own, from a front end's side. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createConnection, writeConnection } from "../../../kernel/jupyter/wire/connection.ts";
import type { WireMessage } from "../../../kernel/jupyter/wire/message.ts";
import { type Child, startMadrigal, temporaryFolder } from "../../support/child.ts";
import { connectClient, type JupyterClient, summary } from "../../support/jupyter-client.ts";

interface Kernel {
  readonly child: Child;
  readonly client: JupyterClient;
  readonly home: string;
}

async function startKernel(): Promise<Kernel> {
  const home = temporaryFolder();
  const connection = await createConnection();
  const file = join(home, "connection.json");
  writeConnection(file, connection);
  const child = startMadrigal(["kernel", file], { home });
  return { child, home, client: await connectClient(connection) };
}

/** What a cell showed, without the messages that every cell has. */
async function shown({ client }: Kernel, code: string): Promise<string> {
  const { iopub } = await client.execute(code);
  return textOf(iopub);
}

function textOf(messages: readonly WireMessage[]): string {
  return messages
    .filter(({ header }) => !["status", "execute_input"].includes(header.msg_type))
    .map(summary)
    .join("\n");
}

/** Interrupts a cell once it said `begun`; how it ended. */
async function interrupted({ client }: Kernel, code: string): Promise<string> {
  const id = client.send("execute_request", { code, allow_stdin: true });
  await client.iopub(({ header, parent }) => parent.msg_id === id && header.msg_type === "stream");
  await client.request("interrupt_request", {}, { channel: "control" });
  const { content } = await client.reply(id);
  return `${content.ename}: ${content.evalue}`;
}

const CANCELLED = "Cancelled: M7501 the cell was cancelled; what it declared so far is kept";

test("an interrupt stops a loop, a loop after an await, a timer's loop and a wait; what cells declared is kept", async () => {
  const kernel = await startKernel();
  expect(await interrupted(kernel, "let kept = 1; console.log('begun'); while (true) {}")).toBe(
    CANCELLED,
  );
  expect(
    await interrupted(kernel, "await null; kept = 2; console.log('begun'); while (true) {}"),
  ).toBe(CANCELLED);
  expect(
    await interrupted(
      kernel,
      "await new Promise(() => setTimeout(() => { kept = 3; console.log('begun'); while (true) {} }))",
    ),
  ).toBe(CANCELLED);
  expect(await interrupted(kernel, "console.log('begun'); await new Promise(() => {})")).toBe(
    CANCELLED,
  );
  expect(await shown(kernel, "kept")).toBe('result [5] {"text/plain":"3"}');
});

test("a question is answered, refused, and cancelled", async () => {
  const kernel = await startKernel();
  const { client } = kernel;
  const ask = 'import { input } from "madrigal"; console.log("begun");';
  const id = client.send("execute_request", { code: `${ask} input("name? ")`, allow_stdin: true });
  const question = await client.question();
  expect(question.content).toEqual({ prompt: "name? ", password: false });
  client.answer(question, "Ada");
  expect(await client.reply(id)).toMatchObject({ content: { status: "ok" } });
  expect(await shown(kernel, 'input("name? ")')).toContain("error M7403: ");
  expect(await interrupted(kernel, 'console.log("begun"); input("name? ")')).toBe(CANCELLED);
  expect(await interrupted(kernel, 'await null; console.log("begun"); input("name? ")')).toBe(
    CANCELLED,
  );
});

test("modules of the working folder are found, also those installed later, and ones that await at top level", async () => {
  const kernel = await startKernel();
  expect(await shown(kernel, 'await import("later")')).toContain("error TS2307: ");
  const folder = join(kernel.home, "node_modules", "later");
  mkdirSync(folder, { recursive: true });
  writeFileSync(
    join(folder, "package.json"),
    '{ "name": "later", "type": "module", "main": "./index.js", "types": "./index.d.ts" }',
  );
  writeFileSync(join(folder, "index.js"), "export const value = await Promise.resolve(7);\n");
  writeFileSync(join(folder, "index.d.ts"), "export declare const value: number;\n");
  expect(await shown(kernel, 'import { value } from "later"; value')).toBe(
    'result [2] {"text/plain":"7"}',
  );
  expect(await shown(kernel, '(await import("later")).value')).toBe(
    'result [3] {"text/plain":"7"}',
  );
});

test("errors that nobody waits for are shown in the cell that started the work, and the kernel lives on", async () => {
  const kernel = await startKernel();
  const { client } = kernel;
  await client.execute(
    "setTimeout(() => { throw new Error('of a timer') }); void Promise.reject(new Error('let go'))",
  );
  for (const evalue of ["of a timer", "let go"]) {
    const error = await client.iopub(({ content }) => content.evalue === evalue);
    expect(error.header.msg_type).toBe("error");
    expect(error.parent.msg_id).toBe(
      client.heard.find(({ header }) => header.msg_type === "execute_input")?.parent.msg_id,
    );
  }
  expect(await shown(kernel, "process.exit(1)")).toMatch(/^error M7502/);
  expect(await shown(kernel, "1 + 1")).toBe('result [3] {"text/plain":"2"}');
});

test("completion answers while a cell blocks, and the heartbeat too", async () => {
  const kernel = await startKernel();
  const { client } = kernel;
  await client.execute("const greeting = 'hi'");
  const id = client.send("execute_request", { code: "console.log('begun'); while (true) {}" });
  await client.iopub(({ header, parent }) => parent.msg_id === id && header.msg_type === "stream");
  await client.heartbeat();
  await client.request("interrupt_request", {}, { channel: "control" });
  expect((await client.reply(id)).content.ename).toBe("Cancelled");
  const { reply } = await client.request("complete_request", {
    code: "greeting.toUpp",
    cursor_pos: 14,
  });
  expect(reply.content.matches).toContain("toUpperCase");
});

test("a run is drawn in its cell, up to its end", async () => {
  const kernel = await startKernel();
  await shown(kernel, "const work = () => 'done'");
  await shown(
    kernel,
    'graph Work() returns answer {\n  state { answer: string = "" }\n  start -> a -> end\n  run a = work() writes answer\n}',
  );
  const { iopub } = await kernel.client.execute(
    "const run = Work.run({}); (await run.output).answer",
  );
  const kinds = iopub.map(({ header }) => header.msg_type);
  expect(kinds).toContain("display_data");
  const last = iopub.findLast(({ content }) =>
    JSON.stringify(content).includes("madrigal.run+json"),
  );
  expect(JSON.stringify(last?.content)).toContain('"status":"succeeded"');
  expect(await shown(kernel, "%%sql\nSELECT node, status FROM node_runs")).toContain("succeeded");
});

test("a shutdown ends the process with 0; nothing that cells print reaches its stdout", async () => {
  const { child, client } = await startKernel();
  await client.execute("console.log('to the cell'); process.stdout.write('too')");
  await client.request("shutdown_request", { restart: false }, { channel: "control" });
  const { code, stdout } = await child.ended;
  expect({ code, stdout }).toEqual({ code: 0, stdout: "" });
});

test("a connection file that isn't there is said, and exits 2", async () => {
  const home = temporaryFolder();
  const { code, stderr } = await startMadrigal(["kernel", join(home, "gone.json")], { home }).ended;
  expect(code).toBe(2);
  expect(stderr).toContain("error[M74");
});

test("a comm speaks while a cell awaits and is cancelled like a cell; its errors stand in the cell that took it", async () => {
  const kernel = await startKernel();
  const { client } = kernel;
  await client.execute(`import { comm } from "madrigal";
    const gate = Promise.withResolvers<string>();
    comm.target("t", (line) => line.onMessage(({ data, buffers }) => {
      if (data === "loop") { console.log("looping"); for (;;); }
      if (data === "later") return Promise.resolve().then(() => { console.log("looping later"); for (;;); });
      if (data === "never") { console.log("never"); return new Promise(() => {}); }
      if (data === "fail") throw new RangeError("no");
      line.send({ echo: data }, { buffers });
      gate.resolve("told " + data);
    }));`);
  await client.tell("comm_open", { comm_id: "c", target_name: "t", data: {} });
  const waiting = client.execute("await gate.promise");
  const buffers = [Buffer.alloc(100_000, 3)];
  const heard = await client.tell("comm_msg", { comm_id: "c", data: 1 }, { buffers });
  const echo = heard.find(({ header }) => header.msg_type === "comm_msg");
  expect(echo?.content).toEqual({ comm_id: "c", data: { echo: 1 } });
  expect(echo?.buffers.map((bytes) => Buffer.from(bytes))).toEqual(buffers);
  expect(textOf((await waiting).iopub)).toBe(`result [2] {"text/plain":"'told 1'"}`);
  await client.tell("comm_msg", { comm_id: "c", data: "fail" });
  const failed = await client.iopub(({ header }) => header.msg_type === "error");
  const [first] = client.heard.filter(({ header }) => header.msg_type === "execute_input");
  expect([failed.content.evalue, failed.parent]).toEqual(["no", first?.parent]);
  for (const [data, said] of Object.entries({
    loop: "looping",
    later: "looping later",
    never: "never",
  })) {
    const told = client.tell("comm_msg", { comm_id: "c", data });
    await client.iopub(({ content }) => content.text === `${said}\n`);
    await client.request("interrupt_request", {}, { channel: "control" });
    await told;
  }
  const cancelled = () => client.heard.filter(({ content }) => content.ename === "M7501");
  await client.iopub(() => cancelled().length === 3);
  expect(await shown(kernel, "1 + 1")).toBe('result [3] {"text/plain":"2"}');
});

test("while a cell awaits, a subshell runs another in the same scope", async () => {
  const kernel = await startKernel();
  const { client } = kernel;
  await client.execute("const gate = Promise.withResolvers<number>(); let count = 1;");
  const waiting = client.execute("console.log('begun'); count + (await gate.promise)");
  await client.iopub(({ content }) => content.text === "begun\n");
  const { reply } = await client.request("create_subshell_request", {}, { channel: "control" });
  const subshellId = String(reply.content.subshell_id);
  const beside = await client.execute("count = 10; gate.resolve(5); count", {}, { subshellId });
  expect(textOf(beside.iopub)).toBe('result [3] {"text/plain":"10"}');
  expect(textOf((await waiting).iopub)).toContain('result [2] {"text/plain":"6"}');
});
