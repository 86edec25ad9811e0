/** Subshells over real sockets: queues of cells beside the main one. */
import { expect, test } from "vitest";
import { parentId } from "../../../kernel/jupyter/wire/message.ts";
import type { JupyterClient } from "../../support/jupyter-client.ts";
import { startKernel } from "./kernel.ts";

async function control(client: JupyterClient, type: string, content: object = {}) {
  const { reply } = await client.request(type, { ...content }, { channel: "control" });
  return reply.content;
}

async function createSubshell(client: JupyterClient): Promise<string> {
  const { status, subshell_id } = await control(client, "create_subshell_request");
  expect(status).toBe("ok");
  return String(subshell_id);
}

test("subshells are made, listed and deleted; each has an id of its own", async () => {
  const { client } = await startKernel();
  const one = await createSubshell(client);
  const two = await createSubshell(client);
  expect(await control(client, "list_subshell_request")).toEqual({
    status: "ok",
    subshell_id: [one, two],
  });
  expect(await control(client, "delete_subshell_request", { subshell_id: one })).toEqual({
    status: "ok",
  });
  expect((await control(client, "list_subshell_request")).subshell_id).toEqual([two]);
});

test.each([[undefined], ["never"], [7]])("deleting the subshell %j is M7408", async (id) => {
  const { client } = await startKernel();
  const reply = await control(client, "delete_subshell_request", { subshell_id: id });
  expect(reply).toMatchObject({ status: "error", ename: "M7408" });
});

test("a cell for a subshell that is not there is M7408, and does not run", async () => {
  const { client, cells } = await startKernel();
  const { reply } = await client.execute("out a", {}, { subshellId: "never" });
  expect(reply.content).toMatchObject({ status: "error", ename: "M7408" });
  expect(cells).toEqual([]);
});

test("a cell of a subshell runs while the main shell awaits; both are counted together", async () => {
  const { client, release } = await startKernel();
  const subshellId = await createSubshell(client);
  const id = client.send("execute_request", { code: "wait" });
  await client.iopub(({ content }) => content.text === "waits\n");
  const { reply, iopub } = await client.execute("out beside", {}, { subshellId });
  expect(reply.content).toMatchObject({ status: "ok", execution_count: 2 });
  expect(reply.parent.subshell_id).toBe(subshellId);
  expect(iopub.every(({ parent }) => parent.subshell_id === subshellId)).toBe(true);
  release();
  expect((await client.reply(id)).content).toMatchObject({ status: "ok", execution_count: 1 });
});

test("cells of one subshell wait for each other", async () => {
  const { client, release } = await startKernel();
  const subshellId = await createSubshell(client);
  const first = client.send("execute_request", { code: "wait" }, { subshellId });
  await client.iopub(({ content }) => content.text === "waits\n");
  const second = client.send("execute_request", { code: "out second" }, { subshellId });
  await client.execute("out main");
  expect(client.heard.some((message) => parentId(message) === second)).toBe(false);
  release();
  await client.reply(first);
  expect((await client.reply(second)).content.status).toBe("ok");
});

test("an error aborts what waits in its own subshell alone", async () => {
  const { client, release } = await startKernel();
  const subshellId = await createSubshell(client);
  const main = client.send("execute_request", { code: "wait" });
  const waiting = client.send("execute_request", { code: "out later" });
  await client.iopub(({ content }) => content.text === "waits\n");
  const failing = client.execute("fail", {}, { subshellId });
  const aborted = client.execute("out never", {}, { subshellId });
  expect((await failing).reply.content.status).toBe("error");
  expect((await aborted).reply.content.status).toBe("aborted");
  release();
  expect((await client.reply(main)).content.status).toBe("ok");
  expect((await client.reply(waiting)).content.status).toBe("ok");
});

test("an error that both shells' cells have is shown once in each", async () => {
  const { client, release } = await startKernel();
  const subshellId = await createSubshell(client);
  const main = client.send("execute_request", { code: "wait\nfail main" });
  await client.iopub(({ content }) => content.text === "waits\n");
  await client.execute("fail beside", {}, { subshellId });
  release();
  await client.reply(main);
  await client.iopub(({ content }) => content.evalue === "main");
  const errors = client.heard.filter(({ header }) => header.msg_type === "error");
  expect(errors.map(({ content }) => content.evalue)).toEqual(["beside", "main"]);
});

test("an interrupt stops the cells of all shells", async () => {
  const { client, calls } = await startKernel();
  const subshellId = await createSubshell(client);
  const ids = [
    client.send("execute_request", { code: "wait" }),
    client.send("execute_request", { code: "wait" }, { subshellId }),
  ];
  const isWaiting = () => client.heard.filter(({ content }) => content.text === "waits\n");
  await client.iopub(() => isWaiting().length === 2);
  await control(client, "interrupt_request");
  for (const id of ids) expect((await client.reply(id)).content.evalue).toBe("cancelled");
  expect(calls).toEqual(["cancel"]);
});

test("a subshell that is deleted ends its cell by itself and aborts those that wait", async () => {
  const { client, release } = await startKernel();
  const subshellId = await createSubshell(client);
  const running = client.send("execute_request", { code: "wait" }, { subshellId });
  await client.iopub(({ content }) => content.text === "waits\n");
  const waiting = client.send("execute_request", { code: "out never" }, { subshellId });
  await client.execute("out main");
  await control(client, "delete_subshell_request", { subshell_id: subshellId });
  expect((await client.reply(waiting)).content.status).toBe("aborted");
  release();
  expect((await client.reply(running)).content.status).toBe("ok");
});

test("a shutdown stops the cells of all shells", async () => {
  const { client, link } = await startKernel();
  const subshellId = await createSubshell(client);
  const id = client.send("execute_request", { code: "wait" }, { subshellId });
  await client.iopub(({ content }) => content.text === "waits\n");
  client.send("shutdown_request", { restart: false }, { channel: "control" });
  expect((await client.reply(id)).content.evalue).toBe("cancelled");
  await link.closed;
});
