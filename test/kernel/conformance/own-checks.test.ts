/** Checks of a kernel that the 27 of Jupyter's own test suite leave out. */
import { expect, test } from "vitest";
import { parentId } from "../../../kernel/jupyter/wire/message.ts";
import { outputsOf, sharedKernel, shown } from "./real-kernel.ts";

const kernel = sharedKernel();

async function count(code = "1"): Promise<number> {
  return Number((await kernel().client.execute(code)).reply.content.execution_count);
}

/** Starts a cell that says `begun`. */
async function begin(code: string): Promise<string> {
  const { client } = kernel();
  const id = client.send("execute_request", { code: `console.log("begun"); ${code}` });
  await client.iopub((each) => parentId(each) === id && each.content.text === "begun\n");
  return id;
}

test("an error that is thrown is told with its place", async () => {
  const text = await shown(kernel(), "function f() { throw new RangeError('far'); }\nf()");
  expect(text).toBe("error RangeError: far");
});

test("completion counts code points", async () => {
  await kernel().client.execute("const astral = { 名: 1, '😀': 2 };");
  const content = { code: "'😀😀'; astr", cursor_pos: 10 };
  const { reply } = await kernel().client.request("complete_request", content);
  expect(reply.content).toMatchObject({ matches: ["astral"], cursor_start: 6, cursor_end: 10 });
  expect(reply.content.metadata).toMatchObject({
    _jupyter_types_experimental: [{ text: "astral", start: 6, end: 10 }],
  });
});

test("invalid code is known as such", async () => {
  const { reply } = await kernel().client.request("is_complete_request", { code: "const = 4" });
  expect(reply.content).toEqual({ status: "invalid" });
});

test("a silent cell shows no code and no result, and does not count", async () => {
  const before = await count();
  const { iopub, reply } = await kernel().client.execute("console.log('said'); 7", {
    silent: true,
  });
  expect(outputsOf(iopub)).toEqual(['stdout "said\\n"']);
  expect(iopub.some(({ header }) => header.msg_type === "execute_input")).toBe(false);
  expect(reply.content.execution_count).toBe(before);
});

test("a cell that is not to be stored does not count", async () => {
  const before = await count();
  const { iopub } = await kernel().client.execute("'unstored'", { store_history: false });
  expect(outputsOf(iopub)).toHaveLength(1);
  expect(await count()).toBe(before + 1);
});

test("user expressions are answered each for itself", async () => {
  const user_expressions = { good: "6 * 7", bad: "nothing.here" };
  const { reply } = await kernel().client.execute("1", { user_expressions });
  expect(reply.content.user_expressions).toMatchObject({
    good: { status: "ok", data: { "text/plain": "42" }, metadata: {} },
    bad: { status: "error" },
  });
});

test("after an error the cells that wait are aborted, unless it was told not to stop", async () => {
  const { client } = kernel();
  const statuses = async (content: object) => {
    const first = 'import { input } from "madrigal";\ninput("go on? ");\nthrow new Error("first");';
    const both = [first, "1"].map((code) =>
      client.execute(code, { allow_stdin: true, ...content }),
    );
    // It goes on when the kernel has read both.
    const question = await client.question();
    await client.request("kernel_info_request");
    client.answer(question, "yes");
    return (await Promise.all(both)).map(({ reply }) => reply.content.status);
  };
  expect(await statuses({})).toEqual(["error", "aborted"]);
  expect(await statuses({ stop_on_error: false })).toEqual(["error", "ok"]);
});

test("cells sent at once are busy one after the other", async () => {
  const { client } = kernel();
  const before = client.heard.length;
  await Promise.all(["1", "2", "3"].map((code) => client.execute(code)));
  const states = client.heard.slice(before).flatMap(({ content }) => content.execution_state ?? []);
  expect(states).toEqual(["busy", "idle", "busy", "idle", "busy", "idle"]);
});

test.each([["false"], ["true"]])("outputs are cleared with wait %s", async (wait) => {
  const code = `import { clear } from "madrigal"; clear({ wait: ${wait} })`;
  expect(await shown(kernel(), code)).toBe(`clear_output {"wait":${wait}}`);
});

test("a page is for the pager: in the reply, not among the outputs", async () => {
  const code = `import { page } from "madrigal"; await page("to read");`;
  const { reply, iopub } = await kernel().client.execute(code);
  expect(reply.content.payload).toEqual([
    { source: "page", data: { "text/plain": "'to read'" }, start: 0 },
  ]);
  expect(outputsOf(iopub)).toEqual([]);
});

test("while a cell blocks, control, heartbeat, usage, debugInfo and history answer", async () => {
  const { client } = kernel();
  const id = await begin("while (true) {}");
  await client.heartbeat();
  const control = async (type: string, content = {}) =>
    (await client.request(type, content, { channel: "control" })).reply.content;
  expect((await control("kernel_info_request")).status).toBe("ok");
  expect(Object.keys(await control("usage_request")).sort()).toEqual([
    "cpu_count",
    "host_cpu_percent",
    "host_virtual_memory",
    "hostname",
    "kernel_cpu",
    "kernel_memory",
    "pid",
  ]);
  const asked = { type: "request", seq: 1, command: "debugInfo" };
  expect(await control("debug_request", asked)).toMatchObject({ success: true });
  const { reply } = await client.request("history_request", { hist_access_type: "tail", n: 1 });
  expect(reply.content.history).toHaveLength(1);
  await client.request("interrupt_request", {}, { channel: "control" });
  expect((await client.reply(id)).content.ename).toBe("Cancelled");
});

test.each([
  ["a loop after an await", "await null; while (true) {}"],
  ["a promise that never comes", "await new Promise(() => {})"],
])("an interrupt stops %s", async (_what, code) => {
  const id = await begin(code);
  await kernel().client.request("interrupt_request", {}, { channel: "control" });
  expect((await kernel().client.reply(id)).content.ename).toBe("Cancelled");
});

test("process.exit is refused, and the kernel lives", async () => {
  expect(await shown(kernel(), "process.exit(3)")).toContain("error M7502");
  expect(await shown(kernel(), "'alive'")).toContain("alive");
});
