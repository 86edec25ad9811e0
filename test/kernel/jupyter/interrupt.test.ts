/** Stopping what a main thread does, in a process of its own. */
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import {
  type Connection,
  createConnection,
  writeConnection,
} from "../../../kernel/jupyter/wire/connection.ts";
import type { WireMessage } from "../../../kernel/jupyter/wire/message.ts";
import { type Child, projectRoot, startNode, temporaryFolder } from "../../support/child.ts";
import { connectClient, type JupyterClient, summary } from "../../support/jupyter-client.ts";

interface Kernel {
  readonly child: Child;
  readonly connection: Connection;
  readonly client: JupyterClient;
}

interface ProcessOptions {
  readonly canTerminate?: boolean;
  /** A script that starts the kernel and stays its parent. */
  readonly through?: string;
}

async function startProcess({
  canTerminate = true,
  through,
}: ProcessOptions = {}): Promise<Kernel> {
  const { file, connection } = await createConnectionFile();
  const env = canTerminate ? { NODE_OPTIONS: "--no-force-async-hooks-checks" } : {};
  const script = join(projectRoot, "test/kernel/jupyter/vm-main.ts");
  const words = through === undefined ? [script, file] : [through, script, file];
  const child = startNode(words, { home: dirname(file), env });
  await child.said("listens");
  return { child, connection, client: await connectClient(connection) };
}

async function createConnectionFile(): Promise<{ file: string; connection: Connection }> {
  const connection = await createConnection();
  const file = join(temporaryFolder(), "kernel.json");
  writeConnection(file, connection);
  return { file, connection };
}

/** Runs a cell that says `begun` and does not end by itself, interrupts it, and tells how it ended. */
async function interrupted({ client }: Kernel, code: string): Promise<string> {
  const id = client.send("execute_request", { code, allow_stdin: true });
  await client.iopub((message) => isOf(message, id) && message.header.msg_type === "stream");
  const { reply } = await client.request("interrupt_request", {}, { channel: "control" });
  expect(reply.content).toEqual({ status: "ok" });
  const { content } = await client.reply(id);
  return `${content.status} ${content.ename}: ${content.evalue}`;
}

function isOf({ parent }: WireMessage, id: string): boolean {
  return parent.msg_id === id;
}

const SYNCHRONOUS =
  "error ERR_SCRIPT_EXECUTION_INTERRUPTED: Script execution was interrupted by `SIGINT`";

test.each([
  ["a loop", "kept = 7; print('begun'); while (true) {}", SYNCHRONOUS],
  [
    "a loop that catches all",
    "print('begun'); for (;;) { try { for (;;) {} } catch {} }",
    SYNCHRONOUS,
  ],
  ["a regular expression", "print('begun'); /^(a+)+$/.test('a'.repeat(40) + 'b')", SYNCHRONOUS],
  ["a question", "print('begun'); ask('name?')", SYNCHRONOUS],
  ["a promise", "print('begun'); new Promise(() => {})", "error Error: cancelled"],
  [
    "a loop after an await",
    "(async () => { await null; print('begun'); for (;;) {} })()",
    "error Error: cancelled",
  ],
  [
    "a loop in a timer",
    "new Promise(() => setTimeout(() => { print('begun'); for (;;) {} }, 1))",
    "error Error: cancelled",
  ],
  [
    "a question after an await",
    "(async () => { await null; print('begun'); return ask('name?') })()",
    "error M7404: the question was cancelled by an interrupt",
  ],
])("an interrupt stops %s and the next cell runs", async (_what, code, ending) => {
  const kernel = await startProcess();
  await kernel.client.execute("state = 41");
  expect(await interrupted(kernel, code)).toBe(ending);
  const { iopub } = await kernel.client.execute("state + 1");
  expect(iopub.map(summary)).toContain('result [3] {"text/plain":"42"}');
});

test("an interrupt of a cell that just ends stops it, and neither the process nor the next cell", async () => {
  const home = temporaryFolder();
  const { code, stdout } = await startNode(["test/kernel/jupyter/late-sigint.ts"], { home }).ended;
  expect([code, stdout]).toEqual([
    0,
    "Error: Script execution was interrupted by `SIGINT`\nnext: 42\n",
  ]);
});

test("a termination that finds nothing to end loses no message", async () => {
  const { stdout } = await startNode(["test/kernel/jupyter/late-termination.ts"], {
    home: temporaryFolder(),
    env: { NODE_OPTIONS: "--no-force-async-hooks-checks" },
  }).ended;
  expect(stdout).toBe("heard 50\n");
});

test("loops that end by themselves as they are terminated leave a kernel that runs the next cell", async () => {
  const { client } = await startProcess();
  for (let count = 1; count <= 6; count += 1) {
    // About as long as worker 1 waits before it terminates.
    const loop = `for (const end = performance.now() + ${147 + count}; performance.now() < end; );`;
    const code = `(async () => { await null; print('begun'); ${loop} })()`;
    const id = client.send("execute_request", { code });
    await client.iopub((message) => isOf(message, id) && message.header.msg_type === "stream");
    client.send("interrupt_request", {}, { channel: "control" });
    await client.reply(id);
    const { iopub } = await client.execute(`'next ' + ${count}`);
    expect(iopub.map(summary)).toContain(`result [${2 * count}] {"text/plain":"next ${count}"}`);
  }
});

test("while the main thread is in a loop, heartbeat, kernel_info on both channels and history answer", async () => {
  const kernel = await startProcess();
  const { client } = kernel;
  const id = client.send("execute_request", { code: "print('begun'); while (true) {}" });
  await client.iopub((message) => isOf(message, id) && message.header.msg_type === "stream");
  await client.heartbeat();
  for (const channel of ["shell", "control"] as const) {
    const { reply } = await client.request("kernel_info_request", {}, { channel });
    expect(reply.content.status).toBe("ok");
  }
  const { reply } = await client.request("history_request", { hist_access_type: "tail", n: 1 });
  expect(reply.content.history).toHaveLength(1);
});

test("kernel_info is answered while the main thread still loads", async () => {
  const { file, connection } = await createConnectionFile();
  startNode(["test/kernel/jupyter/loading-main.ts", file], { home: dirname(file) });
  const client = await connectClient(connection);
  const { reply } = await client.request("kernel_info_request");
  expect(reply.content.status).toBe("ok");
});

test("what a blocked cell wrote is shown while it blocks", async () => {
  const { client } = await startProcess();
  const code = "for (let n = 0; n < 1000; n += 1) print(`line ${n}\n`); while (true) {}";
  client.send("execute_request", { code });
  await client.iopub(({ content }) => String(content.text).includes("line 999\n"));
  const texts = client.heard.map(({ content }) => content.text ?? "").join("");
  expect(texts.match(/line \d+/g)).toHaveLength(1000);
});

test("without the option of Node, a loop after an await says that the kernel must be restarted", async () => {
  const { client } = await startProcess({ canTerminate: false });
  client.send("execute_request", {
    code: "(async () => { await null; print('begun'); for (;;) {} })()",
  });
  await client.iopub(({ content }) => content.text === "begun");
  await client.request("interrupt_request", {}, { channel: "control" });
  const said = await client.iopub(({ content }) => content.name === "stderr");
  expect(said.content.text).toContain("Restart the kernel");
});

test("a question goes to the client that runs the cell, and its answer into the cell", async () => {
  const { client } = await startProcess();
  const exchange = client.execute("'hello ' + ask('name?')", { allow_stdin: true });
  const question = await client.question();
  expect(question.content).toEqual({ prompt: "name?", password: false });
  client.answer(question, "Ada");
  expect((await exchange).iopub.map(summary)).toContain('result [1] {"text/plain":"hello Ada"}');
});

test("an answer without a parent counts, and one that nobody asked for does not", async () => {
  const { client } = await startProcess();
  client.answer(undefined, "stale");
  await client.execute("1");
  const exchange = client.execute("ask('a?') + ask('b?')", { allow_stdin: true });
  const first = await client.question();
  client.answer(undefined, "A");
  const second = await client.question();
  client.answer(first, "late");
  client.answer(second, "B");
  expect((await exchange).iopub.map(summary)).toContain('result [2] {"text/plain":"AB"}');
});

test("who asks where nobody listens on stdin is refused", async () => {
  const { connection } = await startProcess();
  const client = await connectClient(connection, { canBeAsked: false });
  const { reply } = await client.execute("ask('name?')", { allow_stdin: true });
  expect(reply.content).toMatchObject({ status: "error", ename: "M7403" });
});

describe("the process ends", () => {
  test("after a shutdown, with its session closed", async () => {
    const { child, client } = await startProcess();
    client.send("shutdown_request", { restart: false }, { channel: "control" });
    const { code, stdout } = await child.ended;
    expect([code, stdout]).toEqual([0, "listens\ncloses\nclosed\n"]);
  });

  test("after a shutdown while a cell is in a loop, with its session closed", async () => {
    const { child, client } = await startProcess();
    const id = client.send("execute_request", { code: "print('begun'); while (true) {}" });
    await client.iopub(({ content }) => content.text === "begun");
    client.send("shutdown_request", { restart: false }, { channel: "control" });
    expect((await client.reply(id)).content.status).toBe("error");
    expect((await child.ended).code).toBe(0);
  });

  test("after SIGTERM, with its session closed", async () => {
    const { child } = await startProcess();
    child.signal("SIGTERM");
    const { code, stdout } = await child.ended;
    expect([code, stdout]).toEqual([0, "listens\ncloses\nclosed\n"]);
  });

  test("by force, when a loop can't be stopped", async () => {
    const { child, client } = await startProcess({ canTerminate: false });
    client.send("execute_request", {
      code: "(async () => { await null; print('begun'); for (;;) {} })()",
    });
    await client.iopub(({ content }) => content.text === "begun");
    client.send("shutdown_request", { restart: false }, { channel: "control" });
    expect((await child.ended).signal).toBe("SIGKILL");
  });

  test("when the process that started it is killed", async () => {
    const { child, client } = await startProcess({ through: "test/kernel/jupyter/launcher.ts" });
    child.signal("SIGKILL");
    // The launcher's output ends when the last process that holds it does.
    const { stdout } = await child.ended;
    expect(stdout).toContain("closed\n");
    client.close();
  });

  test("a SIGINT between cells harms nobody", async () => {
    const { child, client } = await startProcess();
    child.signal("SIGINT");
    expect((await client.execute("1")).reply.content.status).toBe("ok");
  });
});

test("a port that is taken is M7402, a file that is wrong M7401", async () => {
  const { file } = await createConnectionFile();
  const home = dirname(file);
  const first = startNode(["test/kernel/jupyter/vm-main.ts", file], { home });
  await first.said("listens");
  const second = await startNode(["test/kernel/jupyter/vm-main.ts", file], { home }).ended;
  expect([second.code, second.stderr]).toEqual([1, expect.stringMatching(/M7402/)]);
  const third = await startNode(["test/kernel/jupyter/vm-main.ts", home], { home }).ended;
  expect([third.code, third.stderr]).toEqual([
    1,
    expect.stringMatching(/M7401.*EISDIR|EISDIR.*M7401/s),
  ]);
});
