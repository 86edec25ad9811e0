/** The 27 behaviours that runtimed/kernel-testbed asks of a kernel, in our words and by its numbers, of one real kernel. */
import { expect, test } from "vitest";
import { parentId } from "../../../kernel/jupyter/wire/message.ts";
import { connectClient } from "../../support/jupyter-client.ts";
import { outputsOf, ownKernel, sharedKernel, shown } from "./real-kernel.ts";

const kernel = sharedKernel();

async function info() {
  return (await kernel().client.request("kernel_info_request")).reply.content;
}

test("1 the heartbeat is echoed", async () => {
  await kernel().client.heartbeat();
});

test("2 who subscribes to iopub is welcomed", async () => {
  const client = await connectClient(kernel().connection);
  const welcome = await client.iopub(({ header }) => header.msg_type === "iopub_welcome");
  expect([welcome.content, welcome.parent]).toEqual([{ subscription: "" }, {}]);
});

test("3 kernel_info is answered with the status ok", async () => {
  expect(await info()).toMatchObject({ status: "ok", implementation: "madrigal" });
});

test("4 it names the language", async () => {
  expect((await info()).language_info).toMatchObject({ name: "typescript" });
});

test("5 it names the protocol's version", async () => {
  expect((await info()).protocol_version).toBe("5.5");
});

test("6 what is printed is a stream stdout", async () => {
  expect(await shown(kernel(), "console.log('hello')")).toBe('stdout "hello\\n"');
});

test("7 what is printed to stderr is a stream stderr", async () => {
  expect(await shown(kernel(), "console.error('oops')")).toBe('stderr "oops\\n"');
});

test("8 a right cell is replied with the status ok", async () => {
  expect((await kernel().client.execute("const x = 1;")).reply.content.status).toBe("ok");
});

test("9 a cell is first busy, then idle", async () => {
  const { iopub } = await kernel().client.execute("1 + 1");
  const states = iopub.flatMap(({ content }) => content.execution_state ?? []);
  expect(states).toEqual(["busy", "idle"]);
});

test("10 the code of a cell is told to all, with its number", async () => {
  const { iopub, reply } = await kernel().client.execute("2 + 2");
  const input = iopub.find(({ header }) => header.msg_type === "execute_input");
  const { execution_count } = reply.content;
  expect(input?.content).toEqual({ code: "2 + 2", execution_count });
});

test("11 a name that a cell declared is completed", async () => {
  const { client } = kernel();
  await client.execute("const conformanceName = 42;");
  const content = { code: "conformanceNa", cursor_pos: 13 };
  const { reply } = await client.request("complete_request", content);
  expect(reply.content).toMatchObject({
    status: "ok",
    matches: ["conformanceName"],
    cursor_start: 0,
    cursor_end: 13,
  });
});

test("12 a name is inspected", async () => {
  const { client } = kernel();
  await client.execute("const inspected = 42;");
  const content = { code: "inspected", cursor_pos: 4, detail_level: 0 };
  const { reply } = await client.request("inspect_request", content);
  expect(reply.content).toMatchObject({ status: "ok", found: true });
  expect(JSON.stringify(reply.content.data)).toContain("inspected");
});

test.each([
  ["13 complete code", "const x = 1;", { status: "complete" }],
  ["14 code that goes on", "function f(", { status: "incomplete" }],
])("%s is known as such", async (_what, code, wanted) => {
  const { reply } = await kernel().client.request("is_complete_request", { code });
  expect(reply.content).toMatchObject(wanted);
});

test("15 the history is given", async () => {
  const { client } = kernel();
  await client.execute("'a line of history'");
  const asked = { hist_access_type: "tail", n: 1, output: false, raw: true };
  const { reply } = await client.request("history_request", asked);
  expect(reply.content).toMatchObject({
    status: "ok",
    history: [[1, expect.any(Number), "'a line of history'"]],
  });
});

test("16 the open comms are told", async () => {
  const { reply } = await kernel().client.request("comm_info_request");
  expect(reply.content).toEqual({ status: "ok", comms: {} });
});

test("17 wrong code is an error, replied and told to all alike", async () => {
  const { reply, iopub } = await kernel().client.execute("const = 4");
  const error = iopub.find(({ header }) => header.msg_type === "error");
  const { ename, evalue, traceback } = reply.content;
  expect(reply.content.status).toBe("error");
  expect(error?.content).toEqual({ ename, evalue, traceback });
  expect(traceback).not.toEqual([]);
});

const HTML = (html: string) =>
  `{ toMimeBundle: () => ({ "text/html": ${html}, "text/plain": "x" }) }`;

test("18 a display is shown in its kinds", async () => {
  const code = `import { display } from "madrigal"; await display(${HTML('"<b>1</b>"')}, { id: "d" }); 0;`;
  expect(await shown(kernel(), code)).toContain(
    'display_data {"data":{"text/html":"<b>1</b>","text/plain":"x"},"metadata":{"madrigal":{"display_id":"d"}},"transient":{"display_id":"d"}}',
  );
});

test("19 a display is updated by its id", async () => {
  const code = `import { display } from "madrigal";
    const place = await display(${HTML('"one"')}, { id: "e" }); await place.update(${HTML('"two"')});`;
  const [first, second] = (await shown(kernel(), code)).split("\n");
  expect(first).toContain('display_data {"data":{"text/html":"one"');
  expect(second).toContain('update_display_data {"data":{"text/html":"two"');
  expect(second).toContain('"transient":{"display_id":"e"}');
});

test("20 the value of a cell is its result, with its number", async () => {
  const { reply, iopub } = await kernel().client.execute("40 + 2");
  expect(outputsOf(iopub)).toEqual([
    `result [${reply.content.execution_count}] {"text/plain":"42"}`,
  ]);
});

test("21 a result has richer kinds beside its text", async () => {
  expect(await shown(kernel(), `(${HTML('"<b>x</b>"')})`)).toMatch(
    /^result \[\d+\] \{"text\/html":"<b>x<\/b>","text\/plain":"x"\}$/,
  );
});

test("22 a cell asks by stdin, and gets the answer", async () => {
  const { client } = kernel();
  const code = `import { input } from "madrigal"; "<" + input("Enter: ") + ">"`;
  const exchange = client.execute(code, { allow_stdin: true });
  const question = await client.question();
  expect(question.content).toEqual({ prompt: "Enter: ", password: false });
  client.answer(question, "typed");
  expect(outputsOf((await exchange).iopub)[0]).toContain("'<typed>'");
});

test("23 a comm is opened, spoken by, and closed", async () => {
  const { client } = kernel();
  await client.execute(`import { comm } from "madrigal";
    comm.target("echo", (line) => { line.onMessage(({ data }) => line.send(data)); });`);
  const opened = await client.tell("comm_open", { comm_id: "k", target_name: "echo", data: {} });
  expect(outputsOf(opened)).toEqual([]);
  const told = await client.tell("comm_msg", { comm_id: "k", data: { n: 1 } });
  expect(outputsOf(told)).toEqual(['comm_msg {"comm_id":"k","data":{"n":1}}']);
  await client.tell("comm_close", { comm_id: "k", data: {} });
  const { reply } = await client.request("comm_info_request", { target_name: "echo" });
  expect(reply.content.comms).toEqual({});
});

test("24 an interrupt on control is answered and stops the cell", async () => {
  const { client } = kernel();
  const id = client.send("execute_request", { code: "console.log('begun'); while (true) {}" });
  await client.iopub((each) => parentId(each) === id && each.content.text === "begun\n");
  const { reply } = await client.request("interrupt_request", {}, { channel: "control" });
  expect(reply.content).toEqual({ status: "ok" });
  expect((await client.reply(id)).content).toMatchObject({ status: "error", ename: "Cancelled" });
});

test("25 each cell counts one more", async () => {
  const { client } = kernel();
  const first = Number((await client.execute("1")).reply.content.execution_count);
  const second = Number((await client.execute("1")).reply.content.execution_count);
  expect(second).toBe(first + 1);
});

test("26 all that a request brings about names it as its parent", async () => {
  const { client } = kernel();
  const before = client.heard.length;
  const code = "console.log(1); console.error(2); throw new Error('three')";
  const { reply } = await client.execute(code);
  const id = parentId(reply);
  expect(client.heard.slice(before).map(parentId)).toEqual(Array(6).fill(id));
  expect(reply.parent).toMatchObject({ msg_id: id, msg_type: "execute_request" });
});

test("27 a shutdown is answered, and the process ends by itself", async () => {
  const { client, ended } = await ownKernel();
  const id = client.send("shutdown_request", { restart: false }, { channel: "control" });
  expect((await client.reply(id)).content).toEqual({ status: "ok", restart: false });
  expect(await ended).toBe("exit code 0");
});
