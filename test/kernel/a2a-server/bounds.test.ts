/** The bounds of a server: the tasks that it has, what it keeps in memory and over its end, and addresses that are slow. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { TaskState } from "@a2a-js/sdk";
import { expect, onTestFinished, test } from "vitest";
import { LatestEntries, RunsAtHand } from "../../../kernel/a2a-server/runs-at-hand.ts";
import { serveAgents } from "../../../kernel/a2a-server/serve-http.ts";
import { type Graph, type Run, Session } from "../../../runtime/index.ts";
import { temporaryFolder } from "../../support/child.ts";
import { connected, served, TOKEN } from "./serving.ts";

const empty = { tenant: "", metadata: undefined };
const message = (messageId: string, value: unknown, taskId = "") => ({
  ...{ messageId, taskId, contextId: "", role: 1 as const, metadata: undefined },
  ...{ extensions: [], referenceTaskIds: [] },
  parts: [
    {
      content: { $case: "data" as const, value },
      ...{ metadata: undefined, filename: "", mediaType: "" },
    },
  ],
});

const ASKS = `graph Ask(what: string) returns first, second {
  state { first: string  second: string }
  human one { ask \`First, \${what}?\`; writes first }
  human two { ask \`Second, \${what}?\`; writes second }
  start -> one -> two -> end
}`;

const LOOKS = `graph Look() returns seen {
  state { seen: string }
  run see = look() writes seen
  start -> see -> end
}`;

const NO_WISHES = { acceptedOutputModes: [], taskPushNotificationConfig: undefined };

async function start(folder: string, { text = ASKS, scope = {} } = {}) {
  const session = new Session({ cwd: folder, env: {} });
  const graphs = Object.values(session.compile(text, { scope })) as Graph[];
  const serving = await serveAgents({ session, graphs }, { port: 0, token: TOKEN, tell: () => {} });
  let isOver = false;
  const end = async () => {
    if (isOver) return;
    isOver = true;
    await serving.close();
    await session.close();
  };
  onTestFinished(end);
  const client = await connected(serving.urls[0] ?? "");
  return { session, client, end, graph: graphs[0] };
}

test("A58 an answer that comes again after the server has started again is one answer", async () => {
  const folder = temporaryFolder("madrigal-a2a-kept-");
  const first = await start(folder);
  const asked = await first.client.sendMessage({
    ...empty,
    message: message("begin", { what: "la" }),
    configuration: undefined,
  });
  const taskId = "status" in asked ? asked.id : "";
  const answer = { ...empty, message: message("answer", "blue", taskId), configuration: undefined };
  await first.client.sendMessage(answer);
  await first.end();
  const second = await start(folder);
  const again = await second.client.sendMessage(answer);
  const begunAgain = await second.client.sendMessage({
    ...empty,
    message: message("begin", { what: "la" }),
    configuration: undefined,
  });
  expect("status" in again && again.status?.message?.parts[0]?.content?.value).toContain("Second");
  expect("status" in begunAgain && begunAgain.id).toBe(taskId);
  expect(second.session.list()).toHaveLength(1);
});

test("A58 what a client tells a task under way goes to its run once, also when it is sent again after a restart", async () => {
  const folder = temporaryFolder("madrigal-a2a-told-");
  const opened = Promise.withResolvers<string>();
  const begun = Promise.withResolvers<void>();
  const look = () => {
    begun.resolve();
    return opened.promise;
  };
  const first = await start(folder, { text: LOOKS, scope: { look } });
  const sending = first.client.sendMessage({
    ...empty,
    message: message("begin", {}),
    configuration: { ...NO_WISHES, returnImmediately: true },
  });
  await begun.promise;
  const task = await sending;
  const taskId = "status" in task ? task.id : "";
  const tells = {
    ...empty,
    message: message("tell", "hurry", taskId),
    configuration: { ...NO_WISHES, returnImmediately: true },
  };
  await Promise.all([first.client.sendMessage(tells), first.client.sendMessage(tells)]);
  await first.end();
  const second = await start(folder, { text: LOOKS, scope: { look } });
  await second.client.sendMessage(tells);
  const steers = () => second.session.store.read(taskId).filter(({ kind }) => kind === "steer");
  expect(steers()).toMatchObject([{ message: { id: "s:a2a:tell", payload: '"hurry"' } }]);
  opened.resolve("seen");
  await second.session.open(taskId).settled();
  const over = await second.client.sendMessage(tells);
  expect("status" in over && over.status?.state).toBe(TaskState.TASK_STATE_COMPLETED);
  expect(steers()).toHaveLength(1);
});

test("A58 runs of others on this machine are no tasks of a client", async () => {
  const { session, client, graph } = await start(temporaryFolder("madrigal-a2a-others-"));
  const own = graph?.run({ what: "la" });
  await own?.settled();
  const id = own?.id ?? "";
  await expect(client.getTask({ tenant: "", id, historyLength: 0 })).rejects.toThrow(/no task/);
  await expect(client.cancelTask({ ...empty, id })).rejects.toThrow(/no task/);
  const listed = await client.listTasks({
    ...{ tenant: "", contextId: "", pageSize: 10, pageToken: "", status: 0, historyLength: 0 },
    ...{ includeArtifacts: false, statusTimestampAfter: undefined },
  });
  expect(listed.tasks).toEqual([]);
  expect(session.list()).toHaveLength(1);
  await own?.abort();
});

test("of runs that have ended the latest are at hand, of others all", () => {
  const runs = new RunsAtHand();
  const run = (id: number, status: string) => ({ id: `${id}`, status }) as Run;
  for (let id = 0; id < 1000; id += 1) runs.add(run(id, id % 10 === 0 ? "running" : "succeeded"));
  expect(runs.size).toBe(200);
  expect(runs.all).toHaveLength(100);
  expect([runs.get("999")?.id, runs.get("0")?.id, runs.get("1")]).toEqual(["999", "0", undefined]);
  const latest = new LatestEntries<number>(2);
  for (const key of ["a", "b", "a", "c"]) latest.set(key, 1);
  expect([latest.get("a"), latest.get("b"), latest.get("c")]).toEqual([1, undefined, 1]);
});

test("an address that does not answer holds up no other, and what stands behind its ? is told nowhere", async () => {
  const heard: string[] = [];
  const done = Promise.withResolvers<void>();
  const refused = Promise.withResolvers<void>();
  const hook = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const text = Buffer.concat(chunks).toString();
    if (request.url?.startsWith("/silent") === true) return;
    if (request.url?.startsWith("/no") === true) {
      response.writeHead(500).end();
      refused.resolve();
      return;
    }
    heard.push(text);
    response.end();
    if (text.includes("TASK_STATE_COMPLETED")) done.resolve();
  }).listen(0, "127.0.0.1");
  await new Promise((resolve) => hook.once("listening", resolve));
  const { port } = hook.address() as AddressInfo;
  process.env.MADRIGAL_WEB_PRIVATE = `127.0.0.1:${port}`;
  onTestFinished(() => {
    delete process.env.MADRIGAL_WEB_PRIVATE;
    hook.closeAllConnections();
    hook.close();
  });
  const { url, lines, release, begun } = await served();
  const client = await connected(url("Hang"));
  const at = (path: string) => ({
    ...{ tenant: "", id: path, taskId: "", token: "", authentication: undefined },
    url: `http://127.0.0.1:${port}/${path}?key=hidden`,
  });
  const task = await client.sendMessage({
    ...empty,
    message: message("p", {}),
    configuration: {
      acceptedOutputModes: [],
      taskPushNotificationConfig: at("silent"),
      returnImmediately: true,
    },
  });
  const taskId = "status" in task ? task.id : "";
  for (const path of ["no", "well"])
    await client.createTaskPushNotificationConfig({ ...at(path), taskId });
  await begun;
  release();
  await done.promise;
  await refused.promise;
  expect(heard.at(-1)).toContain("TASK_STATE_COMPLETED");
  while (!lines.some((line) => line.includes("/no"))) await new Promise((go) => setImmediate(go));
  expect(lines.join("\n")).not.toContain("hidden");
});
