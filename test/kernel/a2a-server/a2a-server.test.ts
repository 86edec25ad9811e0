/** Graphs as A2A agents, as the protocol's own client sees them. */
import { type Message, Role, type StreamResponse, type Task, TaskState } from "@a2a-js/sdk";
import { describe, expect, test } from "vitest";
import { connected, served, TOKEN } from "./serving.ts";

let count = 0;

function message(parts: readonly (string | object)[], more: Partial<Message> = {}) {
  count += 1;
  const own: Message = {
    ...{ messageId: `m-${count}`, contextId: "", taskId: "", role: Role.ROLE_USER },
    parts: parts.map((part) => ({
      content:
        typeof part === "string" ? { $case: "text", value: part } : { $case: "data", value: part },
      metadata: undefined,
      filename: "",
      mediaType: "",
    })),
    ...{ metadata: undefined, extensions: [], referenceTaskIds: [] },
    ...more,
  };
  return { tenant: "", message: own, configuration: undefined, metadata: undefined };
}

const textIn = ({ parts }: { parts: Message["parts"] }) =>
  parts.map(({ content }) => content?.value).join("|");

async function all(events: AsyncIterable<StreamResponse>) {
  const found: StreamResponse[] = [];
  for await (const event of events) found.push(event);
  return found;
}

const WAYS = [
  ["JSON-RPC", {}],
  ["JSON-RPC of 0.3", { legacy: true }],
  ["HTTP+JSON", { binding: "HTTP+JSON" }],
] as const;

test.each(WAYS)("A58 a graph is an agent by %s: card, message, task, artifacts", async (_, way) => {
  const { url, session } = await served();
  const client = await connected(url("Shout"), way);
  const task = (await client.sendMessage(message(["la la"]))) as Task;
  expect(task.status?.state).toBe(TaskState.TASK_STATE_COMPLETED);
  expect(task.artifacts.map(({ name, parts }) => [name, textIn({ parts })])).toEqual([
    ["score.md", "# la la"],
    ["result", "LA LA"],
  ]);
  const [run] = session.list();
  expect([task.id, task.contextId]).toEqual([run?.runId, run?.threadId]);
  expect((await client.getTask({ tenant: "", id: task.id })).status?.state).toBe(
    TaskState.TASK_STATE_COMPLETED,
  );
});

test.each(WAYS)("a stream by %s begins with the task and ends with its end", async (_, way) => {
  const { url } = await served();
  const client = await connected(url("Shout"), way);
  const events = await all(client.sendMessageStream(message([{ text: "la" }])));
  const kinds = events.map(({ payload }) => payload?.$case);
  expect(kinds[0]).toBe("task");
  expect(kinds.filter((kind) => kind === "artifactUpdate")).toHaveLength(2);
  const last = events.at(-1)?.payload;
  expect(last?.$case === "statusUpdate" && last.value.status?.state).toBe(
    TaskState.TASK_STATE_COMPLETED,
  );
  const working = events.flatMap(({ payload }) =>
    payload?.$case === "statusUpdate" && payload.value.status?.message
      ? [textIn(payload.value.status.message)]
      : [],
  );
  expect(working[0]).toBe("shout#1 started");
});

describe.each([["JSONRPC"], ["HTTP+JSON"]])("by %s", (binding) => {
  test("a question is INPUT_REQUIRED, and the next message of the task answers it", async () => {
    const { url } = await served();
    const client = await connected(url("Check"), { binding });
    const asked = (await client.sendMessage(message([{ what: "this", times: 2 }]))) as Task;
    expect(asked.status?.state).toBe(TaskState.TASK_STATE_INPUT_REQUIRED);
    expect(textIn(asked.status?.message as Message)).toBe("Is this right?");
    const events = await all(
      client.sendMessageStream(
        message(["yes it is"], { taskId: asked.id, contextId: asked.contextId }),
      ),
    );
    const end = await client.getTask({ tenant: "", id: asked.id });
    expect(end.artifacts.map(textIn)).toEqual(["[object Object]"]);
    expect(end.artifacts[0]?.parts[0]?.content?.value).toEqual({ said: "yes it is", size: 18 });
    expect(events.at(-1)?.payload?.$case).toBe("statusUpdate");
  });

  test("one message sent twice is one run, and so is its answer", async () => {
    const { url, session } = await served();
    const client = await connected(url("Check"), { binding });
    const first = message(["this"]);
    const [one, two] = (await Promise.all([
      client.sendMessage(first),
      client.sendMessage(first),
    ])) as Task[];
    expect(one?.id).toBe(two?.id);
    const answer = message(["yes"], { taskId: one?.id ?? "" });
    await client.sendMessage(answer);
    const again = (await client.sendMessage(answer)) as Task;
    expect(again.status?.state).toBe(TaskState.TASK_STATE_COMPLETED);
    expect(session.list()).toHaveLength(1);
  });

  test("a context is a thread: the tasks of one are listed together", async () => {
    const { url, session } = await served();
    const client = await connected(url("Shout"), { binding });
    for (const text of ["a", "b"])
      await client.sendMessage(message([text], { contextId: "conversation" }));
    await client.sendMessage(message(["c"]));
    expect(session.list({ thread: "conversation" })).toHaveLength(2);
    const asked = {
      tenant: "",
      contextId: "conversation",
      status: 0,
      pageSize: 1,
      pageToken: "",
    } as never;
    const page = await client.listTasks(asked);
    expect([page.tasks.length, page.totalSize, page.nextPageToken]).toEqual([1, 2, "1"]);
  });

  test("a task is cancelled: its run is aborted, and a second time is no error", async () => {
    const { url, session, begun } = await served();
    const client = await connected(url("Hang"), { binding });
    const stream = client.sendMessageStream(message([{}]));
    const first = (await stream.next()).value as StreamResponse;
    const id = first.payload?.$case === "task" ? first.payload.value.id : "";
    await begun;
    for (const _ of [1, 2]) {
      const task = await client.cancelTask({ tenant: "", id, metadata: undefined });
      expect(task.status?.state).toBe(TaskState.TASK_STATE_CANCELED);
    }
    expect(session.list()[0]?.status).toBe("aborted");
    await stream.return(undefined);
  });

  test("who comes back to a task hears it from where it stands to its end", async () => {
    const { url, begun, release } = await served();
    const client = await connected(url("Hang"), { binding });
    const stream = client.sendMessageStream(message([{}]));
    const first = (await stream.next()).value as StreamResponse;
    const id = first.payload?.$case === "task" ? first.payload.value.id : "";
    await begun;
    await stream.return(undefined);
    const again = client.resubscribeTask({ tenant: "", id });
    expect(((await again.next()).value as StreamResponse).payload?.$case).toBe("task");
    release();
    const last = (await all(again)).at(-1)?.payload;
    expect(last?.$case === "statusUpdate" && last.value.status?.state).toBe(
      TaskState.TASK_STATE_COMPLETED,
    );
  });

  test("a run that fails is a task that failed, in its words", async () => {
    const { url } = await served();
    const client = await connected(url("Shout"), { binding });
    const task = (await client.sendMessage(message(["bad"]))) as Task;
    expect(task.status?.state).toBe(TaskState.TASK_STATE_FAILED);
    expect(textIn(task.status?.message as Message)).toContain("no voice");
  });

  test("a message to a task under way is heard by its agents, and ends nothing", async () => {
    const { url, begun, release } = await served();
    const client = await connected(url("Hang"), { binding });
    const begunTask = client.sendMessage(message([{}]));
    await begun;
    const { tasks } = await client.listTasks({
      tenant: "",
      contextId: "",
      status: 0,
      pageToken: "",
    } as never);
    const stream = client.sendMessageStream(message(["hurry"], { taskId: tasks[0]?.id ?? "" }));
    expect(((await stream.next()).value as StreamResponse).payload?.$case).toBe("task");
    release();
    expect(((await begunTask) as Task).status?.state).toBe(TaskState.TASK_STATE_COMPLETED);
    await stream.return(undefined);
  });
});

/** One request of JSON-RPC as it is. */
async function rpc(url: string, body: unknown, headers: Readonly<Record<string, string>> = {}) {
  const response = await fetch(url, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      "a2a-version": "1.0",
      authorization: `Bearer ${TOKEN}`,
      ...headers,
    },
    body:
      typeof body === "string"
        ? body
        : JSON.stringify({ jsonrpc: "2.0", id: 1, ...(body as object) }),
  });
  return (await response.json()) as {
    readonly error?: { readonly code: number; readonly message: string };
  };
}

const sent = (parts: readonly object[], more: object = {}) => {
  count += 1;
  const params = { message: { messageId: `r-${count}`, role: "ROLE_USER", parts, ...more } };
  return { method: "SendMessage", params };
};

test.each([
  ["a text that is no JSON", "{", -32_602],
  ["no request of JSON-RPC", { jsonrpc: "1.0", method: "GetTask" }, -32_602],
  ["an unknown method", { method: "Sing", params: {} }, -32_601],
  ["no parameters", { method: "GetTask" }, -32_602],
  ["an empty id", { method: "GetTask", params: { id: " " } }, -32_602],
  ["an unknown task", { method: "GetTask", params: { id: "no" } }, -32_001],
  ["`last` as a task", { method: "GetTask", params: { id: "last" } }, -32_001],
  ["a cancel of an unknown task", { method: "CancelTask", params: { id: "no" } }, -32_001],
  [
    "a subscription to an unknown task",
    { method: "SubscribeToTask", params: { id: "no" } },
    -32_001,
  ],
  ["an answer to an unknown task", sent([{ text: "x" }], { taskId: "no" }), -32_001],
  ["a message without parts", sent([]), -32_602],
  ["a message without an id", sent([{ text: "x" }], { messageId: "" }), -32_602],
  ["a file", sent([{ raw: "AAAA" }]), -32_005],
  ["a file elsewhere", sent([{ url: "http://169.254.169.254/" }]), -32_005],
  ["an input that does not fit", sent([{ data: { what: 7 } }]), -32_602],
  ["a parameter that there is not", sent([{ data: { what: "x", more: 1 } }]), -32_602],
  ["a list as input", sent([{ data: [1] }]), -32_602],
  ["a page of 1000 tasks", { method: "ListTasks", params: { pageSize: 1000 } }, -32_602],
  ["an extended card", { method: "GetExtendedAgentCard", params: {} }, -32_004],
  [
    "notices to this machine",
    {
      method: "SendMessage",
      params: {
        ...sent([{ text: "x" }]).params,
        configuration: { taskPushNotificationConfig: { url: "http://127.0.0.1:22/" } },
      },
    },
    -32_602,
  ],
])("%s is refused by the error of the protocol", async (_, body, code) => {
  const { url } = await served();
  expect((await rpc(url("Check"), body)).error).toMatchObject({ code });
});

test("a task of another graph, and one that ended, take no message", async () => {
  const { url } = await served();
  const task = (await (await connected(url("Shout"))).sendMessage(message(["la"]))) as Task;
  const ended = sent([{ text: "more" }], { taskId: task.id });
  expect((await rpc(url("Shout"), ended)).error).toMatchObject({ code: -32_004 });
  expect((await rpc(url("Check"), ended)).error).toMatchObject({ code: -32_001 });
  expect(
    (await rpc(url("Shout"), { method: "CancelTask", params: { id: task.id } })).error,
  ).toMatchObject({ code: -32_002 });
  expect(
    (await rpc(url("Shout"), { method: "SubscribeToTask", params: { id: task.id } })).error,
  ).toMatchObject({ code: -32_004 });
});

test("another version of the protocol is refused, and both that are spoken are told by their methods", async () => {
  const { url } = await served();
  const old = {
    method: "message/send",
    params: {
      message: {
        kind: "message",
        messageId: "old",
        role: "user",
        parts: [{ kind: "text", text: "la" }],
      },
    },
  };
  expect((await rpc(url("Shout"), old, { "a2a-version": "2.0" })).error).toMatchObject({
    code: -32_009,
  });
  expect(await rpc(url("Shout"), old, { "a2a-version": "" })).toMatchObject({
    result: { kind: "task", status: { state: "completed" } },
  });
});

test("the card has what both versions read, and the schemas of the graph", async () => {
  const { url } = await served();
  const read = async (headers: Readonly<Record<string, string>>) =>
    (await (
      await fetch(`${url("Check")}/.well-known/agent-card.json`, { headers })
    ).json()) as object;
  const card = await read({ "a2a-version": "1.0" });
  expect(card).toMatchObject({
    name: "Check",
    description: "asks a person",
    supportedInterfaces: [
      { url: url("Check"), protocolBinding: "JSONRPC", protocolVersion: "1.0" },
      { url: url("Check"), protocolBinding: "HTTP+JSON", protocolVersion: "1.0" },
      { url: url("Check"), protocolBinding: "JSONRPC", protocolVersion: "0.3" },
    ],
    capabilities: {
      streaming: true,
      extensions: [
        { params: { input: { required: ["what"] }, output: { required: ["said", "size"] } } },
      ],
    },
    skills: [
      {
        id: "Check",
        description:
          "asks a person; takes what, times (may be left out) as a JSON object, or its one text as text",
      },
    ],
  });
  expect(card).not.toHaveProperty("url");
  expect(await read({})).toMatchObject({
    url: url("Check"),
    protocolVersion: "0.3.0",
    preferredTransport: "JSONRPC",
  });
});
