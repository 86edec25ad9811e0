/** A graph of ours that asks graphs of ours over A2A: values, questions, artifacts, sessions, and a server that starts again. */

import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { serveAgents } from "../../../kernel/a2a-server/serve-http.ts";
import { type Graph, Session } from "../../../runtime/index.ts";
import { connected, served, TOKEN } from "./serving.ts";

function asking(url: string, { type = "string", clauses = "", fields = "answer" } = {}): Graph {
  const session = new Session({ store: "memory", env: { OPENS: TOKEN } });
  onTestFinished(() => session.close());
  const { Ask } = session.compile(`graph Ask(question: string) returns ${fields} {
    state { ${fields
      .split(", ")
      .map((field) => `${field}: ${type}`)
      .join("  ")} }
    operator remote { controller a2a("${url}", auth: "OPENS"); prompt \`\${question}\`; writes ${fields}; ${clauses} }
    start -> remote -> end
  }`);
  if (Ask === undefined) throw new Error("no graph");
  return Ask;
}

test("A58 a graph asks a graph somewhere else: text in, text out, its artifacts are its own", async () => {
  const { url } = await served();
  const run = asking(url("Shout")).run({ question: "la la" });
  expect(await run.output).toEqual({ answer: "LA LA" });
  expect(run.artifacts.map(({ name, mime }) => [name, mime])).toEqual([
    ["score.md", "text/markdown"],
    ["result", "text/plain"],
  ]);
});

test("A58 a question of the one is a question of the other, and its answer goes all the way", async () => {
  const { url, session } = await served();
  const graph = asking(url("Check"), { type: "Json", fields: "said, size" });
  const run = graph.run({ question: "this" });
  await run.output.catch(() => {});
  const [question] = run.interrupts;
  expect(question?.question).toContain('The agent says: "Is this');
  await run.answer(question?.id ?? "", { kind: "value", value: "yes" });
  expect(await run.output).toEqual({ said: "yes", size: 3 });
  expect(session.list().map(({ status, request }) => [status, request])).toEqual([
    ["succeeded", expect.stringMatching(/^a2a:.+\/1$/)],
  ]);
});

test("a failure of the one is a failure of the other, in its words", async () => {
  const { url } = await served();
  await expect(asking(url("Shout")).run({ question: "bad" }).output).rejects.toMatchObject({
    code: "M8504",
    message: expect.stringContaining("no voice"),
  });
});

test("an abort of the one aborts the other", async () => {
  const { url, session, begun } = await served();
  const run = asking(url("Hang")).run({ question: "wait" });
  run.output.catch(() => {});
  const heard = Promise.withResolvers<void>();
  run.events$.subscribe(({ kind }) => kind === "session.started" && heard.resolve());
  await Promise.all([begun, heard.promise]);
  await run.abort("enough");
  expect(session.list()[0]?.status).toBe("aborted");
});

test("an operator's questions are denied, and the graph that asked hears the words", async () => {
  const { url } = await served();
  const graph = asking(url("Check"), { type: "Json", fields: "said, size" });
  const run = graph.run(
    { question: "this" },
    { answers: () => ({ kind: "deny", reason: "no idea" }) },
  );
  expect(await run.output).toEqual({ said: "no idea", size: 7 });
});

test("a server that starts again goes on with the runs of its clients, and with those alone", async () => {
  const folder = mkdtempSync(join(tmpdir(), "madrigal-a2a-again-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const waits = Promise.withResolvers<string>();
  const begun = Promise.withResolvers<void>();
  const text = `graph Hang(who: string) returns loud {
    state { loud: string }
    run wait = forever(who) writes loud
    start -> wait -> end
  }`;
  const start = async (port: number) => {
    const session = new Session({ cwd: folder, env: {} });
    const scope = {
      forever: (who: string) => {
        if (who === "client") begun.resolve();
        return waits.promise;
      },
    };
    const graphs = Object.values(session.compile(text, { scope })) as Graph[];
    const serving = await serveAgents({ session, graphs }, { port, token: TOKEN, tell: () => {} });
    return { session, serving, graph: graphs[0] };
  };
  const port = await freePort();
  const first = await start(port);
  const run = asking(`http://127.0.0.1:${port}`).run({ question: "client" });
  await begun.promise;
  const own = first.graph?.run({ who: "own" });
  await own?.pause({ now: true });
  await first.serving.close();
  await first.session.close();
  const second = await start(port);
  onTestFinished(async () => {
    await second.serving.close();
    await second.session.close();
  });
  waits.resolve("at last");
  expect(await run.output).toEqual({ answer: "at last" });
  expect(
    second.session
      .list()
      .map(({ status }) => status)
      .sort(),
  ).toEqual(["paused", "succeeded"]);
});

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

test("notices are sent to the address that a client gives", async () => {
  const heard: { readonly token: string | undefined; readonly event: object }[] = [];
  const done = Promise.withResolvers<void>();
  const hook = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const event = JSON.parse(Buffer.concat(chunks).toString());
    heard.push({ token: `${request.headers["x-a2a-notification-token"]}`, event });
    response.end();
    if (event.statusUpdate?.status?.state === "TASK_STATE_COMPLETED") done.resolve();
  }).listen(0, "127.0.0.1");
  await new Promise((resolve) => hook.once("listening", resolve));
  const { port } = hook.address() as AddressInfo;
  process.env.MADRIGAL_WEB_PRIVATE = `127.0.0.1:${port}`;
  onTestFinished(() => {
    delete process.env.MADRIGAL_WEB_PRIVATE;
    hook.close();
  });
  const { url, release, begun } = await served();
  const client = await connected(url("Hang"));
  const taskPushNotificationConfig = {
    tenant: "",
    id: "",
    taskId: "",
    url: `http://127.0.0.1:${port}/hook`,
    token: "t1",
    authentication: undefined,
  };
  const message = {
    messageId: "p",
    contextId: "",
    taskId: "",
    role: 1,
    parts: [
      { content: { $case: "data", value: {} }, metadata: undefined, filename: "", mediaType: "" },
    ],
    metadata: undefined,
    extensions: [],
    referenceTaskIds: [],
  } as const;
  const configuration = {
    acceptedOutputModes: [],
    taskPushNotificationConfig,
    returnImmediately: true,
  };
  const sending = client.sendMessage({
    tenant: "",
    message: message as never,
    configuration,
    metadata: undefined,
  });
  await begun;
  release();
  await done.promise;
  const task = await sending;
  expect(new Set(heard.map(({ token }) => token))).toEqual(new Set(["t1"]));
  expect(Object.keys(heard[0]?.event ?? {})).toEqual(["task"]);
  const taskId = "id" in task ? task.id : "";
  const { configs } = await client.listTaskPushNotificationConfig({
    tenant: "",
    taskId,
    pageSize: 0,
    pageToken: "",
  });
  expect(configs.map(({ id }) => id)).toEqual(["push-1"]);
  await client.deleteTaskPushNotificationConfig({ tenant: "", taskId, id: "push-1" });
  expect(
    (
      await client.listTaskPushNotificationConfig({
        tenant: "",
        taskId,
        pageSize: 0,
        pageToken: "",
      })
    ).configs,
  ).toEqual([]);
});
