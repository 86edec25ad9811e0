/** Questions that block nothing, over the wire: the main thread is this test's. */
import { expect, test } from "vitest";
import { startKernel } from "./kernel.ts";

/** A kernel whose cell waits, and what the main thread may ask for it meanwhile. */
async function waiting() {
  const kernel = await startKernel();
  const { client, link, cells } = kernel;
  const exchange = client.execute("wait", { allow_stdin: true });
  await client.iopub(({ content }) => content.text === "waits\n");
  const ask = (prompt: string, signal = new AbortController().signal) =>
    link.askLater(cells[0]?.id ?? "", prompt, signal);
  return { ...kernel, exchange, ask };
}

test("the main thread goes on while somebody is asked, one question after the other", async () => {
  const { client, ask, release, exchange } = await waiting();
  const [first, second] = [ask("a?"), ask("b?")];
  const one = await client.question();
  expect(one.content).toEqual({ prompt: "a?", password: false });
  client.answer(one, "A");
  expect(await first).toBe("A");
  const other = await client.question();
  expect(other.content.prompt).toBe("b?");
  client.answer(other, "B");
  expect(await second).toBe("B");
  release();
  expect((await exchange).reply.content.status).toBe("ok");
});

test("a question that was taken back is closed: its late answer is none to the next one", async () => {
  const { client, ask, release, exchange } = await waiting();
  const elsewhere = new AbortController();
  const first = ask("a?", elsewhere.signal);
  const stale = await client.question();
  const second = ask("b?");
  elsewhere.abort();
  expect(await first).toBeUndefined();
  const open = await client.question();
  client.answer(stale, "late");
  client.answer(open, "B");
  expect(await second).toBe("B");
  release();
  await exchange;
});

test("an interrupt ends a question", async () => {
  const { client, ask, exchange } = await waiting();
  const asked = ask("a?");
  await client.question();
  await client.request("interrupt_request", {}, { channel: "control" });
  expect(await asked).toBeUndefined();
  await exchange;
});

test("the end of its cell ends a question, and after it nobody is asked", async () => {
  const { client, ask, release, exchange } = await waiting();
  const asked = ask("a?");
  await client.question();
  release();
  expect(await asked).toBeUndefined();
  await exchange;
  expect(await ask("b?")).toBeUndefined();
});
