/** `madrigal mcp --kernel` with a client's package over stdio, and real kernels whose connection files lie as Jupyter leaves them. */
import { chmodSync, mkdirSync, readdirSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { expect, onTestFinished, test } from "vitest";
import { connectionText, createConnection } from "../../../kernel/jupyter/wire/connection.ts";
import { projectNode, projectRoot, temporaryFolder } from "../../support/child.ts";
import { ownKernel, type RealKernel, shown } from "../conformance/real-kernel.ts";

interface Asking {
  readonly answer?: (message: string) => string | undefined;
  readonly args?: readonly string[];
}

/** A home with a kernel in it, as Jupyter starts one, and its cells. */
async function homeWithKernel(...cells: readonly string[]) {
  const home = temporaryFolder();
  const kernel = await ownKernel(home);
  const runtime = join(home, "runtime");
  mkdirSync(runtime);
  leaveFile(runtime, "kernel-one.json", kernel.connection);
  for (const cell of cells) await shown(kernel, cell);
  return { home, kernel, runtime };
}

function leaveFile(folder: string, name: string, connection: RealKernel["connection"]): void {
  writeFileSync(join(folder, name), connectionText(connection), { mode: 0o600 });
}

/** The client of a new server; `ask` calls a tool and reads what it tells. */
async function connected(home: string, { answer, args = [] }: Asking = {}) {
  const capabilities = answer === undefined ? {} : { elicitation: { form: {} } };
  const client = new Client(
    { name: "test", version: "1" },
    { versionNegotiation: { mode: "auto" }, capabilities },
  );
  const asked: string[] = [];
  if (answer !== undefined)
    client.setRequestHandler("elicitation/create", async ({ params }) => {
      const { message } = params as { readonly message: string };
      asked.push(message);
      const given = answer(message);
      return (
        given === undefined
          ? { action: "decline" }
          : { action: "accept", content: { answer: given } }
      ) as never;
    });
  const { PATH = "" } = process.env;
  await client.connect(
    new StdioClientTransport({
      command: projectNode,
      args: [join(projectRoot, "kernel", "madrigal.js"), "mcp", "--kernel", ...args],
      env: { PATH, HOME: home, MADRIGAL_HOME: home, JUPYTER_RUNTIME_DIR: join(home, "runtime") },
      cwd: home,
    }),
  );
  onTestFinished(() => client.close());
  const ask = async (name: string, input: Readonly<Record<string, unknown>> = {}) => {
    const { content, isError } = await client.callTool({ name, arguments: { ...input } });
    const { text = "" } = (content as readonly { readonly text?: string }[])[0] ?? {};
    return isError === true ? `error: ${text}` : text;
  };
  return {
    client,
    ask,
    asked,
    read: async (...call: Parameters<typeof ask>) => JSON.parse(await ask(...call)),
  };
}

test("a kernel whose id is the beginning of another one's is chosen by its whole id", async () => {
  const { home, kernel, runtime } = await homeWithKernel();
  leaveFile(runtime, "kernel-one2.json", kernel.connection);
  const { read, ask } = await connected(home);
  expect(await read("read_cells", { kernel: "one" })).toEqual([]);
  expect(await ask("read_cells", { kernel: "on" })).toContain("several kernels begin with `on`");
});

test("kernels are listed, and cells, values, runs, errors and traces read without a question", async () => {
  const { home } = await homeWithKernel(
    "const rows = [{ name: 'Ada', age: 36 }]; rows",
    "console.log('heard'); throw new Error('too loud')",
    "graph Say() returns said { state { said: string }\n run it = say() writes said\n start -> it -> end }",
  );
  const { read, ask } = await connected(home);
  expect(await read("list_kernels")).toMatchObject({
    kernels: [{ kernel: "one", folder: home, cells: 3, status: "idle", last_cell: 3 }],
    refused: [],
  });
  const [first, second] = await read("read_cells");
  expect(first).toMatchObject({ number: 1, status: "ok", outputs: [{ kind: "result" }] });
  expect(second).toMatchObject({
    status: "error",
    outputs: [
      { kind: "stdout", text: "heard\n" },
      { kind: "error", text: expect.stringContaining("too loud") },
    ],
  });
  expect(
    (await read("read_cells", { failed: true })).map(({ number }: { number: number }) => number),
  ).toEqual([2, 3]);
  expect(await read("read_cells", { cell: 1 })).toMatchObject({
    code: expect.stringContaining("Ada"),
  });
  expect(await ask("read_cells", { cell: 9 })).toBe(
    "error: no cell has the number 9: there are 1 to 3",
  );
  expect(await read("read_values")).toEqual([{ name: "rows", type: "array", value: "1 element" }]);
  expect((await read("read_values", { name: "rows" })).text).toContain("age: 36");
  expect(await ask("read_values", { name: "row" })).toContain("it has rows");
  expect(await ask("read_cells", { kernel: "two" })).toContain("M7800: no kernel `two`");
});

const SAY = `const say = (what: string) => what;`;
const GRAPH = `graph Say() returns said { state { said: string[] = [] via append }
  run a = say("a") writes said
  run b = say("b") writes said
  start -> a -> b -> end }`;

test("a person is asked before a cell runs or a run moves, and a no leaves all as it was", async () => {
  const { home } = await homeWithKernel(SAY, GRAPH);
  const answers = ["no", undefined, "yes", "yes", "always"];
  const { read, ask, asked } = await connected(home, { answer: () => answers.shift() });
  const cell = { code: "const held = Say.debug({}); held.status" };
  expect(await ask("run_cell", cell)).toBe("error: the person said no: nothing was done");
  expect(await ask("run_cell", cell)).toBe("error: the person said no: nothing was done");
  expect(await read("read_values")).toHaveLength(2);
  expect(await read("run_cell", cell)).toMatchObject({ number: 3, status: "ok" });
  expect(asked).toHaveLength(3);
  expect(asked[0]).toBe(`May \`run_cell\` do this in the kernel one?\n\n${cell.code}`);
  const [{ run_id: run }] = await read("read_runs");
  expect(await ask("debug_run", { run, command: "where" })).toBe("0  run Say  Cell[2]:1");
  expect(asked).toHaveLength(3);
  await ask("debug_run", { run, command: "step" });
  expect(asked.at(-1)).toBe(
    `May \`debug_run\` do this in the kernel one?\n\nstep\n\n(the debugger, about the run ${run})`,
  );
  expect(await ask("debug_run", { run, command: "state" })).toContain('"a"');
  await ask("debug_run", { run, command: "back" });
  expect(await ask("debug_run", { run, command: "state" })).not.toContain('"a"');
  expect(await ask("debug_run", { run, command: "break b" })).toBe("1  break b");
  expect(await ask("debug_run", { run, command: "continue" })).toBe(
    "breakpoint before b (attempt 1)  Cell[2]:3",
  );
  expect(await ask("debug_run", { run, command: "breakpoints" })).toBe("1  break b");
  await ask("debug_run", { run, command: "continue" });
  expect(asked).toHaveLength(5);
  expect(await read("read_runs", { run })).toMatchObject({
    status: "succeeded",
    output: { said: ["a", "b"] },
  });
  expect(await ask("describe_traces")).toContain("node_runs:");
  expect(await ask("describe_traces", { table: "node_runs" })).toContain("node VARCHAR");
  expect(await ask("describe_traces", { table: "nothing" })).toContain(
    "error: the traces have no table",
  );
  const { rows } = await read("ask_traces", {
    sql: "SELECT DISTINCT node FROM node_runs ORDER BY node",
    run,
  });
  expect(rows).toEqual([{ node: "a" }, { node: "b" }]);
  expect(await ask("ask_traces", { sql: "DROP TABLE runs" })).toContain("error: ");
  expect(await ask("debug_run", { run, command: "stepp" })).toContain("M5452");
});

test("a client without forms runs nothing, and with `--allow-run` it runs without a question", async () => {
  const { home } = await homeWithKernel();
  const careful = await connected(home);
  expect(await careful.ask("run_cell", { code: "const made = 1" })).toContain("nothing was done");
  expect(await careful.read("read_values")).toEqual([]);
  const free = await connected(home, { args: ["--allow-run"] });
  expect(await free.read("run_cell", { code: "const made = 1; made + 1" })).toMatchObject({
    outputs: [{ kind: "result", text: "2" }],
  });
  const stop = new AbortController();
  const call = free.client.callTool(
    { name: "run_cell", arguments: { code: "console.log('on'); await new Promise(() => {})" } },
    { signal: stop.signal },
  );
  for (;;) {
    const [last] = await careful.read("read_cells", { last: 1 });
    if (last.status === "running" && last.outputs.length > 0) break;
  }
  const early = new AbortController();
  const waiting = free.client.callTool(
    { name: "run_cell", arguments: { code: "await new Promise(() => {}) // waits" } },
    { signal: early.signal },
  );
  await free.ask("list_kernels");
  early.abort();
  await expect(waiting).rejects.toThrow();
  await free.ask("list_kernels");
  stop.abort();
  await expect(call).rejects.toThrow();
  // The cell that was cancelled before it began is interrupted when it does.
  for (;;) {
    const [last] = await careful.read("read_cells", { last: 1 });
    if (last.status === "error" && last.code.endsWith("waits")) break;
  }
  expect(await careful.read("list_kernels")).toMatchObject({ kernels: [{ status: "idle" }] });
});

test("what a person would not see whole is not put to anybody", async () => {
  const { home } = await homeWithKernel();
  const { ask, asked } = await connected(home, { answer: () => "yes" });
  expect(await ask("run_cell", { code: `1${" ".repeat(9000)};2` })).toContain("do it in parts");
  expect(await ask("run_cell", { code: "const a = 1; // \u202e }" })).toContain("does not see");
  expect(asked).toEqual([]);
});

test("hostile values are shown without running anything of theirs, within bounds, and secrets are hidden", async () => {
  const { home } = await homeWithKernel(
    `process.env.SHOP_API_KEY = "sk-live-0123456789abcdef"; console.log("key", process.env.SHOP_API_KEY);`,
    `let ran = 0;
const trap = { get x() { ran += 1; return 1; }, [Symbol.for("nodejs.util.inspect.custom")]() { ran += 1; return ""; }, toString() { ran += 1; return ""; } };
const proxy = new Proxy({}, { get() { ran += 1; return 1; }, ownKeys() { ran += 1; return []; } });
const circle: Record<string, unknown> = {}; circle.self = circle;
const huge = Array.from({ length: 1_000_000 }, (_, at) => "x".repeat(100) + at);
const apiKey = "sk-live-0123456789abcdef";`,
    `for (let at = 0; at < 100_000; at += 1) console.log("line", at); throw new Error("at the end")`,
    "console.log('\\u001b]0;title\\u0007\\u001b[31mred')",
  );
  const { ask, read } = await connected(home);
  expect(await ask("read_cells")).not.toContain("0123456789abcdef");
  expect(await ask("read_values")).not.toContain("0123456789abcdef");
  expect(await ask("read_values", { name: "apiKey" })).not.toContain("0123456789abcdef");
  for (const name of ["trap", "proxy", "circle", "huge"])
    expect((await ask("read_values", { name })).length).toBeLessThan(60_000);
  expect((await read("read_values", { name: "ran" })).text).toBe("0");
  const [, , loud, red] = await read("read_cells");
  expect(loud.outputs.at(-1).text).toContain("at the end");
  expect(loud.characters_not_kept).toBeGreaterThan(1_000_000);
  expect(JSON.stringify(red.outputs)).not.toContain("\\u001b");
});

test("files that others can change, that lead elsewhere or to nobody are left alone", async () => {
  const { home, kernel, runtime } = await homeWithKernel();
  const dead = await createConnection();
  leaveFile(runtime, "kernel-dead.json", dead);
  leaveFile(runtime, "kernel-open.json", kernel.connection);
  chmodSync(join(runtime, "kernel-open.json"), 0o644);
  leaveFile(runtime, "kernel-far.json", { ...kernel.connection, ip: "192.0.2.1" });
  leaveFile(runtime, "kernel-unsigned.json", { ...kernel.connection, key: "" });
  writeFileSync(join(runtime, "kernel-broken.json"), "{", { mode: 0o600 });
  const { read } = await connected(home);
  const { kernels, refused } = await read("list_kernels");
  expect(kernels.map((one: { kernel: string }) => one.kernel)).toEqual(["one"]);
  const why = Object.fromEntries(
    refused.map((one: { file: string; why: string }) => [one.file, one.why]),
  );
  expect(why).toMatchObject({
    "kernel-open.json": "others can read or write it: chmod 600",
    "kernel-far.json": "it is at 192.0.2.1, not on the loopback interface",
    "kernel-unsigned.json": "its messages are not signed",
    "kernel-broken.json": expect.stringContaining("is not JSON"),
  });
  renameSync(join(runtime, "kernel-one.json"), join(runtime, "one.json"));
  expect(readdirSync(runtime)).toContain("one.json");
  expect((await read("list_kernels")).kernels).toEqual([]);
});
