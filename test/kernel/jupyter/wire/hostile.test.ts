/** Messages that nobody should send: the kernel answers the next right one. */
import { randomUUID } from "node:crypto";
import { expect, onTestFinished, test } from "vitest";
import { Dealer, Subscriber } from "zeromq";
import { addressOf } from "../../../../kernel/jupyter/wire/connection.ts";
import { createCodec } from "../../../../kernel/jupyter/wire/frames.ts";
import { createHeader } from "../../../../kernel/jupyter/wire/message.ts";
import { startKernel, type TestKernel } from "../kernel.ts";

const DELIMITER = Buffer.from("<IDS|MSG>");

function cell(key: string, code: string): Buffer[] {
  const frames = createCodec(key).encode({
    identities: [],
    header: createHeader("execute_request", { session: "other" }),
    parent: {},
    metadata: {},
    content: { code },
    buffers: [],
  });
  return frames.map((frame) => Buffer.from(frame));
}

/** Which cells the main thread got, once a right one sent behind them was answered. */
async function executed({ client, cells }: TestKernel): Promise<readonly string[]> {
  await client.execute("out last");
  return cells.map(({ code }) => code);
}

test("a message signed with another key is dropped", async () => {
  const kernel = await startKernel();
  kernel.client.sendFrames("shell", cell("another key", "out forged"));
  expect(await executed(kernel)).toEqual(["out last"]);
});

test("a message that is sent again is run once", async () => {
  const kernel = await startKernel();
  const frames = cell(kernel.connection.key, "out once");
  kernel.client.sendFrames("shell", frames);
  kernel.client.sendFrames("shell", frames);
  expect(await executed(kernel)).toEqual(["out once", "out last"]);
});

test("a message is not taken on another channel either once it was taken", async () => {
  const kernel = await startKernel();
  const frames = cell(kernel.connection.key, "out once");
  kernel.client.sendFrames("shell", frames);
  await kernel.client.execute("out between");
  kernel.client.sendFrames("control", frames);
  expect(await executed(kernel)).toEqual(["out once", "out between", "out last"]);
});

test.each([
  ["nothing", []],
  ["an empty frame", [Buffer.of()]],
  ["no delimiter", [Buffer.from("hello")]],
  ["only the delimiter", [DELIMITER]],
  ["a truncated message", "truncated"],
  ["no identities, but forty frames", Array.from({ length: 40 }, () => Buffer.from("x"))],
  ["a dict that is no JSON", [DELIMITER, Buffer.of(), ...Array(4).fill(Buffer.from("{"))]],
  ["bytes that are no text", [DELIMITER, ...Array(5).fill(Buffer.from([0xff, 0xfe]))]],
])("%s is dropped on both channels", async (_what, frames) => {
  const kernel = await startKernel();
  const whole = cell(kernel.connection.key, "out truncated");
  const sent = typeof frames === "string" ? whole.slice(0, -1) : (frames as Buffer[]);
  if (sent.length > 0) {
    kernel.client.sendFrames("shell", sent);
    kernel.client.sendFrames("control", sent);
  }
  expect(await executed(kernel)).toEqual(["out last"]);
});

test("a cell of ten megabytes runs, and its output comes back whole", async () => {
  const kernel = await startKernel();
  const text = "x".repeat(10_000_000);
  const { iopub } = await kernel.client.execute(`value ${text}`);
  const results = iopub.filter(({ header }) => header.msg_type === "execute_result");
  expect(results.map(({ content }) => JSON.stringify(content.data).length)).toEqual([10_000_017]);
});

test("buffers of a request are taken", async () => {
  const { client } = await startKernel();
  const buffers = [Buffer.alloc(1000, 1), Buffer.of()];
  const { reply } = await client.execute("out a", {}, { buffers });
  expect(reply.content.status).toBe("ok");
});

test.each([
  ["bytes that are no text", Buffer.from([0xff, 0x00, 0xfe])],
  ["the delimiter", DELIMITER],
  ["a megabyte", Buffer.alloc(1_000_000, 65)],
])("a subscription to %s harms nobody", async (_what, topic) => {
  const kernel = await startKernel();
  const subscriber = new Subscriber({ linger: 0 });
  onTestFinished(() => subscriber.close());
  subscriber.connect(addressOf(kernel.connection, "iopub"));
  subscriber.subscribe(topic);
  expect(await executed(kernel)).toEqual(["out last"]);
});

test("two clients get their own replies and hear the same", async () => {
  const kernel = await startKernel();
  const routingId = randomUUID();
  const other = new Dealer({ routingId, linger: 0 });
  onTestFinished(() => other.close());
  other.connect(addressOf(kernel.connection, "shell"));
  await other.send(cell(kernel.connection.key, "out other"));
  await kernel.client.iopub(({ content }) => content.text === "other\n");
  const decoded = createCodec(kernel.connection.key).decode(await other.receive());
  expect(decoded.ok && decoded.message.content.status).toBe("ok");
  expect((await kernel.client.execute("out own")).reply.content.execution_count).toBe(2);
});

test("a kernel without a key takes and sends messages without signatures", async () => {
  const kernel = await startKernel({ key: "" });
  expect(await executed(kernel)).toEqual(["out last"]);
});

test("five thousand outputs at once arrive, in order", async () => {
  const { client } = await startKernel();
  const wanted = Array.from({ length: 5000 }, (_, index) => `line ${index}`);
  const { iopub } = await client.execute(wanted.map((text) => `show ${text}`).join("\n"));
  const shown = iopub.filter(({ header }) => header.msg_type === "display_data");
  expect(shown.map(({ content }) => Object.values(content.data ?? {})[0])).toEqual(wanted);
});
