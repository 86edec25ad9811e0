/** Graphs offered over MCP: called by the client's package in both revisions of the protocol, and by our own client. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { Session } from "../../../runtime/index.ts";
import { projectRoot } from "../../support/child.ts";
import { connected, hanging, served, TOKEN } from "./offered.ts";

const textOf = (result: { readonly content: unknown }) =>
  (result.content as readonly { readonly text: string }[])[0]?.text ?? "";

test.each(["auto", "legacy"] as const)("a graph is a tool with its schemas (%s)", async (mode) => {
  const { url } = await served();
  const client = await connected(url, { mode });
  const { tools } = await client.listTools();
  expect(tools[0]).toMatchObject({
    name: "Check",
    description: "asks a person",
    inputSchema: {
      properties: { what: { type: "string" }, times: { type: "integer" } },
      required: ["what"],
    },
    outputSchema: { properties: { said: { type: "string" }, size: { type: "integer" } } },
  });
  const messages: string[] = [];
  const result = await client.callTool(
    { name: "Count", arguments: { text: "abc" } },
    { onprogress: ({ message }) => void messages.push(message ?? "") },
  );
  expect(result.structuredContent).toEqual({ size: 3 });
  expect(messages[0]).toBe("count#1 started");
  const failing = await client.callTool({ name: "Count", arguments: { text: "bad" } });
  expect([failing.isError, textOf(failing)]).toEqual([
    true,
    expect.stringContaining("`lengthOf` threw: no length"),
  ]);
});

test("a question of the run is a form of the client, and its answer goes on with the run", async () => {
  const { url, session } = await served();
  const asked: unknown[] = [];
  const client = await connected(url, {
    answer: (params) => {
      asked.push(params);
      return { answer: "quite" };
    },
  });
  const result = await client.callTool({ name: "Check", arguments: { what: "it", times: 2 } });
  expect(result.structuredContent).toEqual({ said: "quite", size: 10 });
  expect(asked).toMatchObject([
    { message: "Is it right?", requestedSchema: { properties: { answer: { type: "string" } } } },
  ]);
  const { resources } = await client.listResources();
  expect(resources.length).toBe(1);
  const { contents } = await client.readResource({ uri: resources[0]?.uri ?? "" });
  const run = JSON.parse((contents[0] as { readonly text: string }).text);
  expect([run.run_id, run.status, run.output.size, run.step_list.length]).toEqual([
    session.list()[0]?.runId,
    "succeeded",
    10,
    2,
  ]);
});

test("a client without forms is told the run, its question, and how a person answers", async () => {
  const { url, session } = await served();
  const client = await connected(url);
  const result = await client.callTool({ name: "Check", arguments: { what: "it" } });
  const [run] = session.list();
  expect(result.isError).toBe(true);
  expect(textOf(result)).toContain(`The run ${run?.runId} waits`);
  expect(textOf(result)).toContain("It asks: Is it right?");
  expect(textOf(result)).toMatch(/madrigal answer \w+ person-0 ANSWER/);
  expect(run?.status).toBe("waiting");
});

test("a person who closes the form is asked once: the question stays open, and the client is told how it is answered", async () => {
  const { url, session } = await served();
  let forms = 0;
  const client = await connected(url, {
    answer: () => {
      forms += 1;
      return undefined;
    },
  });
  const result = await client.callTool({ name: "Check", arguments: { what: "it" } });
  expect([forms, result.isError]).toEqual([1, true]);
  expect(textOf(result)).toMatch(
    /It asks: Is it right\?[\s\S]*madrigal answer \w+ person-0 ANSWER/,
  );
  expect(session.list().map(({ status }) => status)).toEqual(["waiting"]);
});

test.each(["auto", "legacy"] as const)(
  "with `--answers` a client without forms answers by a tool (%s)",
  async (mode) => {
    const { url, session } = await served(undefined, { answers: true });
    const client = await connected(url, { mode });
    const { tools } = await client.listTools();
    expect(tools.find(({ name }) => name === "answer")?.annotations).toMatchObject({
      destructiveHint: true,
    });
    const asking = await client.callTool({ name: "Check", arguments: { what: "it", times: 2 } });
    const [run] = session.list();
    expect(textOf(asking)).toContain(
      `call the tool \`answer\` with the answer: run "${run?.runId}", question "person-0"`,
    );
    const answer = (question: string, text: string) =>
      client.callTool({
        name: "answer",
        arguments: { run: run?.runId ?? "", question, answer: text },
      });
    expect(textOf(await answer("person-7", "quite"))).toContain("it asks person-0");
    expect((await answer("person-0", "quite")).structuredContent).toEqual({
      said: "quite",
      size: 10,
    });
    expect(textOf(await answer("person-0", "again"))).toContain("it asks nothing now");
    const other = { run: "nothing", question: "person-0", answer: "a" };
    expect((await client.callTool({ name: "answer", arguments: other })).isError).toBe(true);
  },
);

test("a graph called `answer` keeps its name, and without `--answers` no tool answers", async () => {
  const text = `graph answer(what: string) returns said { state { said: string }
  human person { ask \`Is \${what} right?\`; writes said }
  start -> person -> end }`;
  const names = async (answers: boolean) => {
    const { url } = await served(text, { answers });
    const { tools } = await (await connected(url)).listTools();
    return tools.map(({ name }) => name);
  };
  expect(await names(true)).toEqual(["answer", "answer_2"]);
  expect(await names(false)).toEqual(["answer"]);
});

test("a call that is cancelled ends its run", async () => {
  const { url, session } = await served();
  const client = await connected(url);
  const { promise, resolve } = Promise.withResolvers<void>();
  hanging.begun = resolve;
  const stop = new AbortController();
  const call = client.callTool({ name: "Hang", arguments: {} }, { signal: stop.signal });
  await promise;
  stop.abort();
  await expect(call).rejects.toThrow();
  while (hanging.signal?.aborted !== true) await new Promise((go) => setImmediate(go));
  while (session.list()[0]?.status !== "aborted") await new Promise((go) => setImmediate(go));
});

test("a client that vanishes in the midst of a call ends its run", async () => {
  const { url, session } = await served();
  const { promise, resolve } = Promise.withResolvers<void>();
  hanging.begun = resolve;
  const message = {
    ...{ jsonrpc: "2.0", id: 1, method: "tools/call" },
    params: { name: "Hang", arguments: {} },
  };
  const headers = {
    authorization: `Bearer ${TOKEN}`,
    "content-type": "application/json",
    accept: "application/json, text/event-stream",
  };
  const asking = request(url, { method: "POST", headers });
  asking.on("error", () => {}).end(JSON.stringify(message));
  await promise;
  // No word of goodbye: the connection breaks.
  asking.destroy();
  while (session.list()[0]?.status !== "aborted") await new Promise((go) => setImmediate(go));
  expect(hanging.signal?.aborted).toBe(true);
});

test("our own client calls our own server over stdio, whose program prints to stdout", async () => {
  const folder = mkdtempSync(join(tmpdir(), "madrigal mcp "));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  writeFileSync(
    join(folder, "count.madrigal"),
    `import { lengthOf } from "./count.ts"
graph Count(text: string) returns size { state { size: int }
  run count = lengthOf(text) writes size
  start -> count -> end }`,
  );
  writeFileSync(
    join(folder, "count.ts"),
    'export function lengthOf(text: string): number { console.log("noise"); return text.length; }',
  );
  const words = [process.execPath, join(projectRoot, "kernel/madrigal.js"), "mcp"];
  const command = [...words, join(folder, "count.madrigal")].map((word) => `"${word}"`).join(" ");
  const session = new Session({
    store: "memory",
    cwd: folder,
    env: { ...process.env, MADRIGAL_HOME: folder },
  });
  onTestFinished(() => session.close());
  const { Ask } = session.compile(`mcp far = ${JSON.stringify(command)}
graph Ask(text: string) returns found { state { found: { size: int } }
  tool count = far.Count({ text }) writes found
  start -> count -> end }`);
  expect(await Ask?.run({ text: "four" }).output).toEqual({ found: { size: 4 } });
});
