/** Comms over real sockets: what front ends hear, and what the main thread is told. */
import { expect, test } from "vitest";
import { summary } from "../../support/jupyter-client.ts";
import { startKernel } from "./kernel.ts";

const OPEN = { comm_id: "c1", target_name: "t", data: { n: 1 } };

test("a comm to a target that nobody takes is closed", async () => {
  const { client, calls } = await startKernel();
  const heard = await client.tell("comm_open", { ...OPEN, target_name: "x" });
  expect(heard.map(summary)).toEqual([
    "status busy",
    'comm_close {"comm_id":"c1","data":{}}',
    "status idle",
  ]);
  expect(calls).toEqual([]);
});

test("a second comm of an open id is refused and said, and the first one stays", async () => {
  const { client, calls } = await startKernel();
  await client.execute("target t\ntarget u");
  await client.tell("comm_open", OPEN);
  const heard = await client.tell("comm_open", { ...OPEN, target_name: "u" });
  expect(heard.map(summary)).toEqual([
    "status busy",
    'stderr "madrigal: `comm_open` names the comm `c1`, which is open already and stays as it is\\n"',
    "status idle",
  ]);
  const { reply } = await client.request("comm_info_request", {});
  expect(reply.content.comms).toEqual({ c1: { target_name: "t" } });
  const echo = await client.tell("comm_msg", { comm_id: "c1", data: "echo" });
  expect(echo.map(summary)).toContain('comm_msg {"comm_id":"c1","data":"echo"}');
  expect(calls).toEqual(['open c1 {"n":1} ', 'message c1 "echo" ']);
});

test("a message to a comm that is not open is answered by closing, a close by nothing", async () => {
  const { client } = await startKernel();
  const message = await client.tell("comm_msg", { comm_id: "c9", data: {} });
  expect(message.map(summary)).toContain('comm_close {"comm_id":"c9","data":{}}');
  const close = await client.tell("comm_close", { comm_id: "c9", data: {} });
  expect(close.map(summary)).toEqual(["status busy", "status idle"]);
});

test.each([
  ["comm_open", { target_name: "t" }, "`comm_open` has no `comm_id`"],
  ["comm_open", { comm_id: "c1" }, "`comm_open` has no `target_name`"],
  ["comm_msg", {}, "`comm_msg` has no `comm_id`"],
])("%s %j is told on stderr", async (type, content, text) => {
  const { client } = await startKernel();
  const heard = await client.tell(type, content);
  expect(heard.map(summary)).toContain(`stderr ${JSON.stringify(`madrigal: ${text}\n`)}`);
});

test("messages go to main and back with their buffers, under the header of the message", async () => {
  const { client, calls } = await startKernel();
  await client.execute("target t");
  await client.tell("comm_open", OPEN);
  const buffers = [Buffer.alloc(1000, 7), Buffer.of(), Buffer.from("short")];
  const heard = await client.tell("comm_msg", { comm_id: "c1", data: "echo" }, { buffers });
  expect(heard.map(summary)).toEqual([
    "status busy",
    'comm_msg {"comm_id":"c1","data":"echo"}',
    "status idle",
  ]);
  expect(heard[1]?.buffers.map((bytes) => Buffer.from(bytes))).toEqual(buffers);
  expect(calls).toEqual(['open c1 {"n":1} ', 'message c1 "echo" 1000,0,5']);
});

test("comm_info names the comms that are open, those of a target when one is named", async () => {
  const { client } = await startKernel();
  await client.execute("target t\ntarget u");
  await client.tell("comm_open", OPEN);
  await client.tell("comm_open", { ...OPEN, comm_id: "c2", target_name: "u" });
  await client.tell("comm_open", { ...OPEN, comm_id: "c3", target_name: "u" });
  await client.tell("comm_close", { comm_id: "c2", data: {} });
  await client.tell("comm_msg", { comm_id: "c1", data: "close" });
  await client.tell("comm_open", { ...OPEN, comm_id: "c4" });
  const comms = async (content: object) =>
    (await client.request("comm_info_request", { ...content })).reply.content.comms;
  expect(await comms({})).toEqual({ c3: { target_name: "u" }, c4: { target_name: "t" } });
  expect(await comms({ target_name: "u" })).toEqual({ c3: { target_name: "u" } });
  expect(await comms({ target_name: "none" })).toEqual({});
});

test("a message is handled while a cell awaits, and the kernel still looks busy after it", async () => {
  const { client, release } = await startKernel();
  await client.execute("target t");
  await client.tell("comm_open", OPEN);
  const id = client.send("execute_request", { code: "wait" });
  await client.iopub(({ content }) => content.text === "waits\n");
  const heard = await client.tell("comm_msg", { comm_id: "c1", data: "echo" });
  expect(heard.map(summary)).toContain('comm_msg {"comm_id":"c1","data":"echo"}');
  await client.iopub(({ header, parent, content }) => {
    return (
      header.msg_type === "status" && !("msg_id" in parent) && content.execution_state === "busy"
    );
  });
  release();
  await client.reply(id);
});
