/** Answers one request of A2A over JSON-RPC, of version 1.0 or 0.3. */
import type { ServerResponse } from "node:http";
import { isRecord } from "../../dsl/index.ts";
import type { GraphTasks } from "./graph-tasks.ts";
import { send, sendEvents } from "./http-reply.ts";
import type { Sdk } from "./sdk.ts";

interface RpcCall {
  /** The version that the client asks for; empty where it says none. */
  readonly version: string;
  readonly body: string;
  readonly outgoing: ServerResponse;
  readonly tasks: GraphTasks;
  readonly sdk: Sdk;
}

export async function answerRpc({ version, body, outgoing, tasks, sdk }: RpcCall): Promise<void> {
  const parsed = parsedBody(body);
  const method = isRecord(parsed) && typeof parsed.method === "string" ? parsed.method : "";
  if (!/^(?:|0\.3|1)(?:\.\d+)*$/.test(version)) {
    const fault = new sdk.VersionNotSupportedError(`A2A ${version} is not spoken: 1.0 and 0.3 are`);
    const error = sdk.JsonRpcTransportHandler.mapToJSONRPCError(fault);
    const id = isRecord(parsed) ? (parsed.id ?? null) : null;
    return await sendJson(outgoing, { jsonrpc: "2.0", id, error });
  }
  const isOld = version === "" ? method.includes("/") : version.startsWith("0");
  const handler = isOld
    ? new sdk.LegacyJsonRpcTransportHandler(tasks)
    : new sdk.JsonRpcTransportHandler(tasks);
  const context = new sdk.ServerCallContext({
    requestedVersion: version || (isOld ? "0.3" : "1.0"),
  });
  const answered = await handler.handle(parsed as string, context);
  if (!(Symbol.asyncIterator in answered)) return await sendJson(outgoing, answered);
  const id = isRecord(parsed) ? parsed.id : null;
  const fault = (thrown: unknown) => ({
    jsonrpc: "2.0",
    id,
    error: isOld
      ? sdk.LegacyJsonRpcTransportHandler.mapToLegacyJSONRPCError(thrown)
      : sdk.JsonRpcTransportHandler.mapToJSONRPCError(thrown),
  });
  await sendEvents<unknown>(outgoing, answered, {
    write: (event) => sdk.formatSSEEvent(event),
    refuse: (thrown) => sendJson(outgoing, fault(thrown)),
    fail: (thrown) => sdk.formatSSEEvent(fault(thrown)),
  });
}

/** A text that is no JSON is left to the protocol, which has an error for it. */
function parsedBody(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return body;
  }
}

async function sendJson(outgoing: ServerResponse, value: unknown): Promise<void> {
  await send(outgoing, 200, JSON.stringify(value), { "content-type": "application/json" });
}
