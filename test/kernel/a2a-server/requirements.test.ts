/** Asks on the wire what the protocol requires of a server; the README of this folder says which of its requirements are tested where. */
import { expect, test } from "vitest";
import { type ServedGraphs, served, TOKEN } from "./serving.ts";

interface WireTask {
  readonly id: string;
  readonly contextId: string;
  readonly status: { readonly state: string; readonly timestamp: string };
  readonly artifacts?: readonly { readonly artifactId: string; readonly parts: object[] }[];
  readonly history?: readonly unknown[];
}

/** The members of a result, by what was asked for: a task itself, or what holds one or several. */
interface WireResult extends WireTask {
  readonly task: WireTask;
  readonly statusUpdate?: Pick<WireTask, "status">;
  readonly tasks?: readonly WireTask[];
  readonly nextPageToken?: string;
  readonly configs?: readonly unknown[];
}

/** A reply has a result or an error; the test asks for the one that must be there. */
interface Reply {
  readonly id: number;
  readonly jsonrpc: string;
  readonly result: WireResult;
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown };
}

interface WireCard {
  readonly supportedInterfaces: readonly {
    readonly url: string;
    readonly protocolBinding: string;
  }[];
}

const HEADERS = {
  "content-type": "application/json",
  "a2a-version": "1.0",
  authorization: `Bearer ${TOKEN}`,
};

const UUID = /^[\w-]{8,}$/;

async function post(url: string, method: string, params: object, headers = {}) {
  return await fetch(url, {
    method: "POST",
    headers: { ...HEADERS, ...headers },
    body: JSON.stringify({ jsonrpc: "2.0", id: 7, method, params }),
  });
}

async function ask(url: string, method: string, params: object, headers = {}): Promise<Reply> {
  return (await (await post(url, method, params, headers)).json()) as Reply;
}

let count = 0;
const message = (parts: readonly object[], more: object = {}, configuration?: object) => {
  count += 1;
  return {
    message: { messageId: `q-${count}`, role: "ROLE_USER", parts, ...more },
    ...(configuration === undefined ? {} : { configuration }),
  };
};

async function taskOf(url: string, parts: readonly object[], more: object = {}): Promise<WireTask> {
  return (await ask(url, "SendMessage", message(parts, more))).result.task;
}

/** The events of a stream, each as its request has it. */
async function streamed(url: string, method: string, params: object): Promise<readonly Reply[]> {
  const response = await post(url, method, params);
  expect(response.headers.get("content-type")).toMatch(/^text\/event-stream/);
  const lines = (await response.text()).split("\n").filter((line) => line.startsWith("data: "));
  return lines.map((line) => JSON.parse(line.slice(6)));
}

const kindOf = (event?: Reply) => Object.keys(event?.result ?? {})[0];
const stateOf = (event?: Reply) => (event?.result.task ?? event?.result.statusUpdate)?.status.state;

type Requirement = readonly [
  ids: string,
  words: string,
  check: (world: ServedGraphs) => Promise<void>,
];

const REQUIREMENTS: readonly Requirement[] = [
  [
    "CARD-DISC-001 CARD-STRUCT-001 CARD-PROTO-001 CARD-PROTO-002 CARD-CACHE-001 CARD-CACHE-002",
    "a card is there for everybody, whole, with the way to each interface, and can be kept",
    async ({ url }) => {
      const at = `${url("Shout")}/.well-known/agent-card.json`;
      const response = await fetch(at, { headers: { "a2a-version": "1.0" } });
      const card = (await response.json()) as WireCard;
      for (const member of ["name", "description", "version", "capabilities", "skills"])
        expect(card).toHaveProperty(member);
      for (const one of card.supportedInterfaces)
        expect([one.url, ["JSONRPC", "HTTP+JSON"].includes(one.protocolBinding)]).toEqual([
          url("Shout"),
          true,
        ]);
      expect(response.headers.get("cache-control")).not.toBeNull();
      expect(response.headers.get("etag")).toBe(
        (
          await fetch(at, {
            headers: { "a2a-version": "1.0" },
          })
        ).headers.get("etag"),
      );
    },
  ],
  [
    "CARD-EXT-002 CORE-CAP-003",
    "a card for known clients, which there is not, is asked for in vain",
    async ({ url }) => {
      const { error } = await ask(url("Shout"), "GetExtendedAgentCard", {});
      expect(error?.code).toBeLessThan(0);
    },
  ],
  [
    "CORE-SEND-001 CORE-MULTI-001 CORE-MULTI-001a CORE-MULTI-003 DM-TASK-001 DM-STATUS-001 DM-TASK-002 DM-ART-001 DM-SERIAL-001 DM-SERIAL-002 DM-SERIAL-003",
    "a message without a task gives one with an id and a context of its own, and its state",
    async ({ url }) => {
      const [one, two] = [
        await taskOf(url("Shout"), [{ text: "la" }]),
        await taskOf(url("Shout"), [{ text: "la" }]),
      ];
      for (const { id, contextId, status, artifacts } of [one, two]) {
        expect([id, contextId]).toEqual([expect.stringMatching(UUID), expect.stringMatching(UUID)]);
        expect(status.state).toBe("TASK_STATE_COMPLETED");
        expect(status.timestamp).toMatch(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
        for (const artifact of artifacts ?? []) {
          expect(artifact.artifactId).not.toBe("");
          expect(artifact.parts.length).toBeGreaterThan(0);
          for (const part of artifact.parts)
            expect(["text", "data", "raw", "url"].filter((kind) => kind in part)).toHaveLength(1);
        }
      }
      expect(one.id).not.toBe(two.id);
    },
  ],
  [
    "CORE-MULTI-002 CORE-MULTI-005 CORE-MULTI-006 CORE-MULTI-004",
    "a context that the client names is that of the task; one that is not the task's is refused",
    async ({ url }) => {
      const asked = await taskOf(url("Check"), [{ data: { what: "x" } }], { contextId: "mine" });
      expect(asked.contextId).toBe("mine");
      const parts = [{ text: "yes" }];
      const wrong = message(parts, { taskId: asked.id, contextId: "another" });
      expect((await ask(url("Check"), "SendMessage", wrong)).error?.code).toBe(-32_602);
      const unknown = message(parts, { taskId: "nobody" });
      expect((await ask(url("Check"), "SendMessage", unknown)).error?.code).toBe(-32_001);
      expect((await taskOf(url("Check"), parts, { taskId: asked.id })).contextId).toBe("mine");
    },
  ],
  [
    "CORE-SEND-002 CORE-SEND-003 CORE-ERR-002",
    "a task that has ended takes no message, and no task a file",
    async ({ url }) => {
      const { id } = await taskOf(url("Shout"), [{ text: "la" }]);
      const again = message([{ text: "more" }], { taskId: id });
      expect((await ask(url("Shout"), "SendMessage", again)).error?.code).toBe(-32_004);
      const file = message([{ raw: "AAAA", mediaType: "image/png" }]);
      expect((await ask(url("Shout"), "SendMessage", file)).error?.code).toBe(-32_005);
    },
  ],
  [
    "CORE-STREAM-001 CORE-STREAM-003 STREAM-ORDER-001 JSONRPC-SSE-001",
    "a stream begins with its task, goes on in order and ends with the end of it",
    async ({ url }) => {
      const events = await streamed(
        url("Shout"),
        "SendStreamingMessage",
        message([{ text: "la" }]),
      );
      expect(kindOf(events[0])).toBe("task");
      expect(stateOf(events.at(-1))).toBe("TASK_STATE_COMPLETED");
      expect(new Set(events.map(({ id, jsonrpc }) => `${id} ${jsonrpc}`))).toEqual(
        new Set(["7 2.0"]),
      );
      const ends = events.filter((event) => stateOf(event) === "TASK_STATE_COMPLETED");
      expect(ends).toHaveLength(1);
    },
  ],
  [
    "STREAM-ORDER-002 STREAM-ORDER-003 STREAM-ORDER-004 STREAM-SUB-001 STREAM-SUB-002",
    "two who follow one task hear the same in the same order, also when a third one leaves",
    async ({ url, begun, release }) => {
      const first = ask(url("Hang"), "SendMessage", message([{ data: {} }]));
      await begun;
      const { result } = await ask(url("Hang"), "ListTasks", {});
      const params = { id: result.tasks?.[0]?.id };
      const gone = await post(url("Hang"), "SubscribeToTask", params);
      await gone.body?.cancel();
      const both = [1, 2].map(() => streamed(url("Hang"), "SubscribeToTask", params));
      // Both have begun once each has its task: what follows comes to both.
      await Promise.all(
        [1, 2].map(async () => {
          const looking = await post(url("Hang"), "SubscribeToTask", params);
          const reader = looking.body?.getReader();
          await reader?.read();
          await reader?.cancel();
        }),
      );
      release();
      const [one, two] = await Promise.all(both);
      for (const events of [one, two]) {
        expect(kindOf(events?.[0])).toBe("task");
        expect(stateOf(events?.at(-1))).toBe("TASK_STATE_COMPLETED");
      }
      const kinds = (events: readonly Reply[] = []) =>
        events.slice(1).map((event) => kindOf(event));
      expect(kinds(one)).toEqual(kinds(two));
      await first;
    },
  ],
  [
    "STREAM-SUB-003 STREAM-SUB-004 CORE-GET-001 CORE-GET-002",
    "a task is told as it stands; one that has ended is not followed, and one that is not there is not found",
    async ({ url }) => {
      const { id } = await taskOf(url("Shout"), [{ text: "la" }]);
      expect((await ask(url("Shout"), "GetTask", { id })).result.status.state).toBe(
        "TASK_STATE_COMPLETED",
      );
      expect((await ask(url("Shout"), "SubscribeToTask", { id })).error?.code).toBe(-32_004);
      for (const method of ["GetTask", "SubscribeToTask", "CancelTask"])
        expect((await ask(url("Shout"), method, { id: "none" })).error?.code).toBe(-32_001);
    },
  ],
  [
    "CORE-LIST-002 CORE-LIST-003 CORE-LIST-004 CORE-LIST-005",
    "tasks are listed by pages, what changed last first, without their artifacts unless they are asked for",
    async ({ url }) => {
      const ids: string[] = [];
      for (const text of ["a", "b", "c"]) ids.push((await taskOf(url("Shout"), [{ text }])).id);
      const first = (await ask(url("Shout"), "ListTasks", { pageSize: 2 })).result;
      const pageToken = first.nextPageToken;
      const second = (await ask(url("Shout"), "ListTasks", { pageSize: 2, pageToken })).result;
      const listed = [...(first.tasks ?? []), ...(second.tasks ?? [])];
      expect(listed.map(({ id }) => id).toSorted()).toEqual(ids.toSorted());
      const times = listed.map(({ status }) => status.timestamp);
      expect(times).toEqual(times.toSorted().toReversed());
      expect([pageToken !== "", second.nextPageToken ?? ""]).toEqual([true, ""]);
      expect(listed.flatMap(({ artifacts = [] }) => artifacts)).toEqual([]);
      const whole = (await ask(url("Shout"), "ListTasks", { includeArtifacts: true })).result;
      expect(whole.tasks?.[0]?.artifacts?.length).toBeGreaterThan(0);
    },
  ],
  [
    "CORE-CANCEL-001 CORE-CANCEL-002 CORE-CANCEL-003 CORE-EXECUTION-MODE-002",
    "a task under way is cancelled, one that has ended is not; who does not wait is answered at once",
    async ({ url, begun }) => {
      const parts = [{ data: {} }];
      const sent = await ask(
        url("Hang"),
        "SendMessage",
        message(parts, {}, { returnImmediately: true }),
      );
      await begun;
      const { id, status } = sent.result.task;
      expect(status.state).not.toBe("TASK_STATE_COMPLETED");
      const { result } = await ask(url("Hang"), "CancelTask", { id });
      expect(result.status.state).toBe("TASK_STATE_CANCELED");
      const done = await taskOf(url("Shout"), [{ text: "la" }]);
      expect((await ask(url("Shout"), "CancelTask", { id: done.id })).error?.code).toBe(-32_002);
    },
  ],
  [
    "CORE-EXECUTION-MODE-001 CORE-HIST-001 CORE-HIST-002",
    "who waits is answered when the task stands still; it has no more history than is asked for",
    async ({ url }) => {
      const asked = await taskOf(url("Check"), [{ data: { what: "x" } }]);
      expect(asked.status.state).toBe("TASK_STATE_INPUT_REQUIRED");
      for (const historyLength of [0, 1]) {
        const { result } = await ask(url("Check"), "GetTask", { id: asked.id, historyLength });
        expect((result.history ?? []).length).toBeLessThanOrEqual(historyLength);
      }
    },
  ],
  [
    "JSONRPC-FMT-001 JSONRPC-FMT-002 JSONRPC-SVC-001 JSONRPC-ERR-001 JSONRPC-ERR-002 JSONRPC-ERR-003 CORE-ERR-001",
    "answers and errors are those of JSON-RPC, with words and the protocol's own reason",
    async ({ url }) => {
      const response = await post(url("Shout"), "GetTask", { id: "none" });
      expect(response.headers.get("content-type")).toMatch(/^application\/json/);
      const body = (await response.json()) as Reply;
      expect([body.jsonrpc, body.id, "result" in body]).toEqual(["2.0", 7, false]);
      expect(body.error?.code).toBe(-32_001);
      expect(body.error?.message).toContain("none");
      expect(JSON.stringify(body.error?.data)).toContain("TASK_NOT_FOUND");
      expect((await ask(url("Shout"), "Sing", {})).error?.code).toBe(-32_601);
    },
  ],
  [
    "DM-SERIAL-004 DM-SERIAL-005 DM-MSG-001 DM-PART-001",
    "what is missing is refused, and what nobody knows is passed over",
    async ({ url }) => {
      const known = await taskOf(url("Shout"), [{ text: "la", unknown: 1 }], { strange: true });
      expect(known.status.state).toBe("TASK_STATE_COMPLETED");
      for (const more of [{ messageId: "" }, { parts: [] }, { parts: [{}] }]) {
        const { error } = await ask(url("Shout"), "SendMessage", message([{ text: "la" }], more));
        expect(error?.code, JSON.stringify(more)).toBeLessThan(0);
      }
    },
  ],
  [
    "VER-SERVER-001 VER-SERVER-002 VER-SERVER-003 VER-CLIENT-002",
    "each version is spoken as it is asked for; no version is 0.3, and a patch makes no difference",
    async ({ url }) => {
      const get = (version: string, method = "GetTask") =>
        ask(url("Shout"), method, { id: "none" }, { "a2a-version": version });
      expect((await get("1.0.7")).error?.code).toBe(-32_001);
      expect((await get("9.0")).error?.code).toBe(-32_009);
      expect((await get("", "tasks/get")).error?.code).toBe(-32_001);
      expect((await get("0.3.9", "tasks/get")).error?.code).toBe(-32_001);
    },
  ],
  [
    "AUTH-SERVER-002 AUTH-SCOPE-001 AUTH-SCOPE-003 CORE-LIST-001",
    "every request is held against the token, and a task of another graph is as one that is not there",
    async ({ url }) => {
      const { id } = await taskOf(url("Shout"), [{ text: "la" }]);
      const response = await post(url("Shout"), "GetTask", { id }, { authorization: "Bearer x" });
      expect(response.status).toBe(401);
      const [other, none] = [
        await ask(url("Check"), "GetTask", { id }),
        await ask(url("Check"), "GetTask", { id: "0".repeat(id.length) }),
      ];
      expect([other.error?.code, none.error?.code]).toEqual([-32_001, -32_001]);
      expect((await ask(url("Check"), "ListTasks", {})).result.tasks ?? []).toEqual([]);
    },
  ],
  [
    "PUSH-CREATE-001 PUSH-GET-001 PUSH-GET-002 PUSH-LIST-001 PUSH-DEL-001 PUSH-DEL-002",
    "an address for notices is kept, told, listed, and gone for good once it is deleted, also twice",
    async ({ url }) => {
      const { id: taskId } = await taskOf(url("Check"), [{ data: { what: "x" } }]);
      const config = { taskId, id: "one", url: "https://hook.example/a" };
      const make = await ask(url("Check"), "CreateTaskPushNotificationConfig", config);
      expect(make.result).toMatchObject({ id: "one", url: config.url });
      const get = () => ask(url("Check"), "GetTaskPushNotificationConfig", { taskId, id: "one" });
      expect((await get()).result).toMatchObject({ url: config.url });
      const list = await ask(url("Check"), "ListTaskPushNotificationConfigs", { taskId });
      expect(list.result.configs).toHaveLength(1);
      for (let time = 0; time < 2; time += 1) {
        const gone = await ask(url("Check"), "DeleteTaskPushNotificationConfig", {
          ...{ taskId, id: "one" },
        });
        expect(gone.error).toBeUndefined();
      }
      expect((await get()).error?.code).toBe(-32_001);
    },
  ],
];

test.each(REQUIREMENTS)("A58 %s: %s", async (_, __, check) => {
  await check(await served());
});
