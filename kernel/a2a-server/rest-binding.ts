/** Answers one request of A2A 1.0 over HTTP+JSON: a path for each operation, errors as objects of `google.rpc.Status`. */
import type { ServerResponse } from "node:http";
import type { StreamResponse } from "@a2a-js/sdk";
import type { ServerCallContext } from "@a2a-js/sdk/server";
import { isRecord } from "../../dsl/index.ts";
import type { GraphTasks } from "./graph-tasks.ts";
import { send, sendEvents } from "./http-reply.ts";
import type { Sdk } from "./sdk.ts";

interface RestCall {
  readonly method: string;
  /** Behind the address of the agent: `/tasks/…`. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly contentType: string;
  /** The version that the client asks for; empty where it says none, which means 0.3. */
  readonly version: string;
  readonly body: string;
  readonly outgoing: ServerResponse;
  readonly tasks: GraphTasks;
  readonly sdk: Sdk;
}

/** One request that is for an operation. */
interface RestRequest {
  readonly tasks: GraphTasks;
  readonly sdk: Sdk;
  /** The ids of the path, in their order. */
  readonly ids: readonly string[];
  readonly query: URLSearchParams;
  readonly body: Readonly<Record<string, unknown>>;
  readonly context: ServerCallContext;
}

interface RestReply {
  readonly status: number;
  /** The body as JSON; none where there is nothing to say. */
  readonly json?: unknown;
  readonly events?: AsyncIterable<StreamResponse>;
}

interface RestOperation {
  readonly method: "GET" | "POST" | "DELETE";
  readonly path: RegExp;
  readonly reply: (asked: RestRequest) => Promise<RestReply>;
}

const OPERATIONS: readonly RestOperation[] = [
  {
    method: "POST",
    path: /^\/message:send$/,
    reply: async ({ tasks, sdk, body, context }) => {
      const value = await tasks.sendMessage(sdk.SendMessageRequest.fromJSON(body), context);
      const payload = "messageId" in value ? { $case: "message", value } : { $case: "task", value };
      return ok(sdk.SendMessageResponse.toJSON({ payload } as never));
    },
  },
  {
    method: "POST",
    path: /^\/message:stream$/,
    reply: async ({ tasks, sdk, body, context }) =>
      streamed(tasks.sendMessageStream(sdk.SendMessageRequest.fromJSON(body), context)),
  },
  {
    method: "GET",
    path: /^\/tasks$/,
    reply: async ({ tasks, sdk, query, context }) => {
      const asked = sdk.ListTasksRequest.fromJSON(listed(query));
      const answer = await tasks.listTasks(asked, context);
      const { pageSize, totalSize } = answer;
      const empty = { tasks: [], nextPageToken: "", pageSize, totalSize };
      return ok({ ...empty, ...(sdk.ListTasksResponse.toJSON(answer) as object) });
    },
  },
  {
    method: "GET",
    path: /^\/tasks\/([^/:]+)$/,
    reply: async ({ tasks, sdk, ids: [id], query, context }) => {
      const historyLength = query.get("historyLength");
      const more = historyLength === null ? {} : { historyLength: Number(historyLength) };
      return ok(sdk.Task.toJSON(await tasks.getTask(idOf(id, more), context)));
    },
  },
  {
    method: "POST",
    path: /^\/tasks\/([^/:]+):cancel$/,
    reply: async ({ tasks, sdk, ids: [id], context }) => {
      const asked = idOf(id, { metadata: undefined });
      return ok(sdk.Task.toJSON(await tasks.cancelTask(asked, context)));
    },
  },
  {
    method: "POST",
    path: /^\/tasks\/([^/:]+):subscribe$/,
    reply: async ({ tasks, ids: [id], context }) => streamed(tasks.resubscribe(idOf(id), context)),
  },
  {
    method: "POST",
    path: /^\/tasks\/([^/:]+)\/pushNotificationConfigs$/,
    reply: async ({ tasks, sdk, ids: [taskId], body, context }) => {
      const config = sdk.TaskPushNotificationConfig.fromJSON({ ...body, taskId });
      const made = await tasks.createTaskPushNotificationConfig(config, context);
      return { status: 201, json: sdk.TaskPushNotificationConfig.toJSON(made) };
    },
  },
  {
    method: "GET",
    path: /^\/tasks\/([^/:]+)\/pushNotificationConfigs$/,
    reply: async ({ tasks, sdk, ids: [taskId], query, context }) => {
      const asked = sdk.ListTaskPushNotificationConfigsRequest.fromJSON({
        ...Object.fromEntries(query),
        taskId,
      });
      const found = await tasks.listTaskPushNotificationConfigs(asked, context);
      return ok(sdk.ListTaskPushNotificationConfigsResponse.toJSON(found));
    },
  },
  {
    method: "GET",
    path: /^\/tasks\/([^/:]+)\/pushNotificationConfigs\/([^/:]+)$/,
    reply: async ({ tasks, sdk, ids, context }) => {
      const found = await tasks.getTaskPushNotificationConfig(configOf(ids), context);
      return ok(sdk.TaskPushNotificationConfig.toJSON(found));
    },
  },
  {
    method: "DELETE",
    path: /^\/tasks\/([^/:]+)\/pushNotificationConfigs\/([^/:]+)$/,
    reply: async ({ tasks, ids, context }) => {
      await tasks.deleteTaskPushNotificationConfig(configOf(ids), context);
      return { status: 204 };
    },
  },
  {
    method: "GET",
    path: /^\/extendedAgentCard$/,
    reply: async ({ tasks, sdk, context }) => {
      const asked = { tenant: "" };
      return ok(
        sdk.AgentCard.toJSON(await tasks.getAuthenticatedExtendedAgentCard(asked, context)),
      );
    },
  },
];

export async function answerRest(call: RestCall): Promise<void> {
  const { outgoing, sdk, method, path } = call;
  const found = OPERATIONS.filter((operation) => operation.path.test(path));
  if (found.length === 0) return await send(outgoing, 404, "not here");
  const operation = found.find((one) => one.method === method);
  const allow = found.map((one) => one.method).join(", ");
  if (operation === undefined) return await send(outgoing, 405, `${allow} alone`, { allow });
  const refuse = (thrown: unknown) => {
    const fault = faultOf(sdk, thrown);
    return sendJson(outgoing, fault.error.code, fault);
  };
  try {
    const { status, json, events } = await operation.reply(askedOf(call, operation));
    if (events === undefined) return await sendJson(outgoing, status, json);
    await sendEvents(outgoing, events, {
      write: (event) => sdk.formatSSEEvent(sdk.StreamResponse.toJSON(event)),
      refuse,
      fail: (thrown) => sdk.formatSSEErrorEvent(faultOf(sdk, thrown)),
    });
  } catch (thrown) {
    await refuse(thrown);
  }
}

/** Throws errors of the protocol for a request that is none. */
function askedOf(call: RestCall, { path }: RestOperation): RestRequest {
  const { sdk, tasks, version, contentType, query } = call;
  if (!/^1(?:\.\d+)*$/.test(version))
    throw new sdk.VersionNotSupportedError(
      `HTTP+JSON is spoken in A2A 1.0, not in ${version === "" ? "0.3, which no version means" : version}`,
    );
  if (contentType !== "" && !/^application\/(?:a2a\+)?json\s*(?:;|$)/i.test(contentType))
    throw new sdk.ContentTypeNotSupportedError("a request is application/a2a+json");
  try {
    const ids = (path.exec(call.path) ?? []).slice(1).map(decodeURIComponent);
    const body: unknown = call.body === "" ? {} : JSON.parse(call.body);
    if (!isRecord(body)) throw new TypeError("it is no object");
    const context = new sdk.ServerCallContext({ requestedVersion: version });
    return { tasks, sdk, ids, query, body, context };
  } catch (cause) {
    throw malformed(sdk, cause);
  }
}

function malformed(sdk: Sdk, cause: unknown): Error {
  return new sdk.RequestMalformedError({ message: "the request is no JSON of A2A", cause });
}

/** The parameters of a list, as JSON has them. */
function listed(query: URLSearchParams): Readonly<Record<string, unknown>> {
  const { pageSize, historyLength, includeArtifacts, ...texts } = Object.fromEntries(query);
  return {
    ...texts,
    ...(pageSize === undefined ? {} : { pageSize: Number(pageSize) }),
    ...(historyLength === undefined ? {} : { historyLength: Number(historyLength) }),
    ...(includeArtifacts === undefined ? {} : { includeArtifacts: includeArtifacts === "true" }),
  };
}

function idOf<More extends object>(id = "", more = {} as More) {
  return { tenant: "", id, ...more };
}

function configOf([taskId = "", id = ""]: readonly string[]) {
  return { tenant: "", taskId, id };
}

function ok(json: unknown): RestReply {
  return { status: 200, json };
}

function streamed(events: AsyncIterable<StreamResponse>): RestReply {
  return { status: 200, events };
}

interface RestFault {
  readonly error: { readonly code: number };
}

function faultOf(sdk: Sdk, thrown: unknown): RestFault {
  return sdk.toRestErrorBody(thrown, sdk.restStatusFor(thrown));
}

const JSON_TYPE = { "content-type": "application/a2a+json" };

async function sendJson(outgoing: ServerResponse, status: number, json: unknown): Promise<void> {
  const body = json === undefined ? "" : JSON.stringify(json);
  await send(outgoing, status, body, json === undefined ? {} : JSON_TYPE);
}
