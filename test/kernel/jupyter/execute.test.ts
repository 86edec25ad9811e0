/** Cells over real sockets: what front ends hear, and in which order. */
import { describe, expect, test } from "vitest";
import type { Dict } from "../../../kernel/jupyter/wire/message.ts";
import { parentId } from "../../../kernel/jupyter/wire/message.ts";
import { type JupyterClient, summary } from "../../support/jupyter-client.ts";
import { startKernel } from "./kernel.ts";

/** What one cell is answered, one line a message, the reply last. */
async function told(client: JupyterClient, code: string, content: Dict = {}): Promise<string[]> {
  const { reply, iopub } = await client.execute(code, content);
  return [...iopub.map(summary), `reply ${JSON.stringify(reply.content)}`];
}

test("a cell is busy, shows its code and its outputs in order, and is idle", async () => {
  const { client } = await startKernel();
  const code = "out a\nout b\nerr c\nout d\nshow e\nupdate f\nclear\nvalue g";
  expect(await told(client, code)).toMatchInlineSnapshot(`
    [
      "status busy",
      "input [1] out a
    out b
    err c
    out d
    show e
    update f
    clear
    value g",
      "stdout "a\\nb\\n"",
      "stderr "c\\n"",
      "stdout "d\\n"",
      "display_data {"data":{"text/plain":"e"},"metadata":{"madrigal":{"display_id":"d1"}},"transient":{"display_id":"d1"}}",
      "update_display_data {"data":{"text/plain":"f"},"metadata":{"madrigal":{"display_id":"d1"}},"transient":{"display_id":"d1"}}",
      "clear_output {"wait":true}",
      "result [1] {"text/plain":"g"}",
      "status idle",
      "reply {"status":"ok","execution_count":1,"payload":[],"user_expressions":{}}",
    ]
  `);
});

test("an error is published once and replied", async () => {
  const { client } = await startKernel();
  expect(await told(client, "fail it is so")).toMatchInlineSnapshot(`
    [
      "status busy",
      "input [1] fail it is so",
      "error Oops: it is so",
      "status idle",
      "reply {"status":"error","ename":"Oops","evalue":"it is so","traceback":["Oops: it is so"],"execution_count":1,"payload":[],"user_expressions":{}}",
    ]
  `);
});

test("a silent cell shows neither its code nor its result and does not count", async () => {
  const { client } = await startKernel();
  expect(await told(client, "value 1", { silent: true })).toMatchInlineSnapshot(`
    [
      "status busy",
      "status idle",
      "reply {"status":"ok","execution_count":0,"payload":[],"user_expressions":{}}",
    ]
  `);
});

test("a cell that is not stored does not count and is not in the history", async () => {
  const { client } = await startKernel();
  await client.execute("value 1");
  await client.execute("value 2", { store_history: false });
  const { reply } = await client.execute("value 3");
  expect(reply.content.execution_count).toBe(2);
  const asked = { hist_access_type: "tail", n: 9, output: true };
  const { reply: past } = await client.request("history_request", asked);
  expect(past.content.history).toEqual([
    [1, 1, ["value 1", "1"]],
    [1, 2, ["value 3", "3"]],
  ]);
});

test("what the main thread is told of a cell", async () => {
  const { client, cells } = await startKernel();
  const content = { allow_stdin: true, user_expressions: { a: "1 + 1", b: 7 } };
  const { reply } = await client.execute("out x", content, { metadata: { cellId: "c-1" } });
  const { id, ...cell } = cells[0] ?? { id: "" };
  expect(id).toBe(parentId(reply));
  expect(cell).toMatchInlineSnapshot(`
    {
      "allowStdin": true,
      "cellId": "c-1",
      "code": "out x",
      "executionCount": 1,
      "silent": false,
      "storeHistory": true,
      "userExpressions": {
        "a": "1 + 1",
      },
    }
  `);
  expect(reply.content.user_expressions).toEqual({ a: "1 + 1" });
});

describe("after an error", () => {
  /** Sends all at once; the first goes on when the kernel has read them all. */
  async function exchanges(codes: readonly string[], content: Dict = {}) {
    const { client, cells, release } = await startKernel();
    const sent = codes.map((code, at) =>
      client.execute(at === 0 ? `wait\n${code}` : code, content),
    );
    await client.request("kernel_info_request");
    while (cells.length === 0) await client.heartbeat();
    release();
    return await Promise.all(sent);
  }

  /** The status of each reply. */
  async function statuses(codes: readonly string[], content: Dict = {}): Promise<string> {
    const replies = await exchanges(codes, content);
    return replies.map(({ reply }) => reply.content.status).join(" ");
  }

  test("the cells that waited are aborted", async () => {
    expect(await statuses(["out a", "fail", "out b", "out c"])).toBe("ok error aborted aborted");
  });

  test("they run when the cell said so", async () => {
    expect(await statuses(["fail", "out b"], { stop_on_error: false })).toBe("error ok");
  });

  test("they run when the cell was silent", async () => {
    expect(await statuses(["fail", "out b"], { silent: true })).toBe("error ok");
  });

  test("one that is sent after its reply runs, however soon", async () => {
    const { client } = await startKernel();
    const first = client.send("execute_request", { code: "fail" });
    await client.reply(first);
    const { reply } = await client.execute("out b");
    expect(reply.content.status).toBe("ok");
  });

  test("a hundred that were sent with it are all aborted, each between its busy and its idle", async () => {
    const codes = ["fail", ...Array.from({ length: 100 }, (_, index) => `out ${index}`)];
    const aborted = (await exchanges(codes)).slice(1);
    expect(aborted.map(({ reply }) => reply.content.status)).toEqual(Array(100).fill("aborted"));
    for (const { iopub } of aborted) {
      expect(iopub.map(summary)).toEqual(["status busy", "status idle"]);
    }
  });
});

test("cells that are sent at once never overlap: busy and idle take turns", async () => {
  const { client } = await startKernel();
  await Promise.all(["out a", "show b", "value c", "out d"].map((code) => client.execute(code)));
  const states = client.heard
    .filter(({ header }) => header.msg_type === "status")
    .filter(({ parent }) => parent.msg_type === "execute_request")
    .map(({ content }) => content.execution_state);
  expect(states).toEqual(Array(4).fill(["busy", "idle"]).flat());
});

test("a timer's text after the end of its cell stands under that cell, not under the newest", async () => {
  const { client, link } = await startKernel();
  const { reply: first } = await client.execute("out a");
  await client.execute("out b");
  const id = parentId(first) ?? "";
  link.output(id, { kind: "stream", name: "stdout", text: "late" });
  const late = await client.iopub(({ content }) => content.text === "late");
  expect(parentId(late)).toBe(id);
});

test("text of a cell that nobody knows is published without a parent", async () => {
  const { client, link } = await startKernel();
  link.output("never", { kind: "stream", name: "stdout", text: "stray" });
  const stray = await client.iopub(({ content }) => content.text === "stray");
  expect(stray.parent).toEqual({});
});

test("an output that is no JSON is said, and the kernel goes on", async () => {
  const { client } = await startKernel();
  const { iopub } = await client.execute("odd\nout after");
  expect(iopub.map(summary).slice(2)).toMatchInlineSnapshot(`
    [
      "stderr "madrigal: an output of this cell can't be shown, as it is no JSON: Do not know how to serialize a BigInt\\n"",
      "stdout "after\\n"",
      "status idle",
    ]
  `);
});

test("a reply that is no JSON becomes an error", async () => {
  const { client } = await startKernel();
  const { reply } = await client.execute("out a", { user_expressions: { big: "1n" } });
  expect(reply.content).toMatchObject({ status: "error", evalue: expect.stringMatching("BigInt") });
});

test("while a cell runs, the answer to another request ends in busy", async () => {
  const { client, release } = await startKernel();
  const id = client.send("execute_request", { code: "wait" });
  await client.iopub(({ content }) => content.text === "waits\n");
  await client.request("comm_info_request");
  release();
  await client.iopub((message) => parentId(message) === id && summary(message) === "status idle");
  const states = client.heard
    .filter(({ header }) => header.msg_type === "status")
    .filter(({ content }) => content.execution_state !== "starting"); // Said before most clients listen.
  const own = (each: (typeof states)[number]) => each.parent.msg_type ?? "nothing";
  expect(
    states.map((each) => `${each.content.execution_state} ${own(each)}`),
  ).toMatchInlineSnapshot(`
    [
      "busy execute_request",
      "busy comm_info_request",
      "idle comm_info_request",
      "busy nothing",
      "idle execute_request",
    ]
  `);
});

test("a cell that may not ask is refused with M7403", async () => {
  const { client } = await startKernel();
  const { reply } = await client.execute("ask name?");
  expect(reply.content).toMatchObject({
    status: "error",
    evalue: "the cell asked for input, but nobody can be asked here",
  });
});

test("a cell without code is refused, and the next one runs", async () => {
  const { client } = await startKernel();
  const { reply } = await client.request("execute_request", { silent: false });
  expect(reply.content).toMatchObject({ status: "error", ename: "M7407" });
  expect((await client.execute("out a")).reply.content.status).toBe("ok");
});

test("an interrupt of a cell that awaits cancels it", async () => {
  const { client, calls } = await startKernel();
  const id = client.send("execute_request", { code: "wait" });
  await client.iopub(({ content }) => content.text === "waits\n");
  await client.request("interrupt_request", {}, { channel: "control" });
  expect((await client.reply(id)).content).toMatchObject({ status: "error", evalue: "cancelled" });
  expect(calls).toEqual(["cancel"]);
});
