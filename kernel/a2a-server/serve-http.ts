/** Serves graphs as A2A agents over HTTP on this machine alone: cards for anybody here, everything else with the token. */
import { createHash } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { isRecord } from "../../dsl/index.ts";
import { type Graph, messageOf, type Session, servers } from "../../runtime/index.ts";
import { counted } from "../display/visible.ts";
import { readBody } from "../read-body.ts";
import { cardForAll, graphCard } from "./graph-card.ts";
import { GraphTasks } from "./graph-tasks.ts";
import { loadSdk, type Sdk } from "./sdk.ts";

/** A server that listens, and the address of each of its agents. */
export interface AgentServing {
  readonly urls: readonly string[];
  close(): Promise<void>;
}

interface ServedAgent {
  readonly card: Readonly<Record<string, unknown>>;
  readonly url: string;
  readonly tasks: GraphTasks;
}

/** Bytes of a request's body; more is answered with 413. */
const BODY_MAX = 4 * 1024 * 1024;

/** Listens on a port of the loopback interface, 0 for a free one. Throws where it is taken. */
export async function serveAgents(
  { session, graphs }: { readonly session: Session; readonly graphs: readonly Graph[] },
  { port, token, tell }: { port: number; token: string; tell: (line: string) => void },
): Promise<AgentServing> {
  const [sdk, guards] = await Promise.all([loadSdk(), servers.requestGuards()]);
  const agents = new Map<string, ServedAgent>();
  const server = createServer((incoming, outgoing) => {
    answer(incoming, outgoing, { agents, sdk, guards, token }).catch((thrown: unknown) => {
      tell(`madrigal serve: ${messageOf(thrown)}`);
      outgoing.destroy();
    });
  });
  server.listen(port, "127.0.0.1");
  await once(server, "listening");
  const { port: bound } = server.address() as AddressInfo;
  for (const graph of graphs) {
    const path = graphs.length === 1 ? "" : `/${graph.name}`;
    const url = `http://127.0.0.1:${bound}${path}`;
    const card = graphCard(graph, url);
    const tasks = new GraphTasks({ session, graph, card, sdk, tell });
    agents.set(path, { card, url, tasks });
    await tasks.resumeAll();
  }
  const served = [...agents.values()];
  return {
    urls: served.map(({ url }) => url),
    close: async () => {
      await Promise.all(served.map(({ tasks }) => tasks.leave()));
      server.closeAllConnections();
      server.close();
    },
  };
}

interface AgentsServed {
  readonly agents: ReadonlyMap<string, ServedAgent>;
  readonly sdk: Sdk;
  readonly guards: Awaited<ReturnType<typeof servers.requestGuards>>;
  readonly token: string;
}

const CARD = /\/\.well-known\/agent(?:-card)?\.json$/;

async function answer(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  { agents, sdk, guards, token }: AgentsServed,
): Promise<void> {
  const gone = new AbortController();
  outgoing.once("close", () => gone.abort());
  const request = guards.requestOf(incoming, gone.signal);
  const { pathname } = new URL(request.url);
  const isCard = request.method === "GET" && CARD.test(pathname);
  const agent = agents.get(pathname.replace(CARD, "").replace(/\/$/, ""));
  const refused =
    guards.refusedPlace(request) ?? (isCard ? undefined : guards.refusedToken(request, token));
  if (refused !== undefined)
    return await send(outgoing, refused.status, await refused.text(), refused.headers);
  if (agent === undefined) return await send(outgoing, 404, "not here");
  if (isCard) return await sendCard(request, outgoing, agent);
  if (request.method !== "POST") return await send(outgoing, 405, "POST alone", { allow: "POST" });
  if (!/^application\/(?:a2a\+)?json\b/i.test(request.headers.get("content-type") ?? ""))
    return await send(outgoing, 415, "JSON alone");
  const body = await readBody(request, BODY_MAX);
  if (body === undefined) return await send(outgoing, 413, `at most ${counted(BODY_MAX, "byte")}`);
  await answerRpc(body, { request, outgoing, agent, sdk });
}

async function sendCard(request: Request, outgoing: ServerResponse, { card, url }: ServedAgent) {
  const isNew = (request.headers.get("a2a-version") ?? "").startsWith("1");
  const shown = JSON.stringify(isNew ? card : cardForAll(card, url));
  const etag = `"${createHash("sha256").update(shown).digest("hex").slice(0, 16)}"`;
  await send(outgoing, 200, shown, {
    "content-type": "application/json",
    "cache-control": "no-cache",
    etag,
    vary: "A2A-Version",
  });
}

interface RpcCall {
  readonly request: Request;
  readonly outgoing: ServerResponse;
  readonly agent: ServedAgent;
  readonly sdk: Sdk;
}

async function answerRpc(body: string, { request, outgoing, agent, sdk }: RpcCall): Promise<void> {
  const parsed = parsedBody(body);
  const version = request.headers.get("a2a-version") ?? "";
  const method = isRecord(parsed) && typeof parsed.method === "string" ? parsed.method : "";
  if (!/^(?:|0\.3|1)(?:\.\d+)*$/.test(version)) {
    const fault = new sdk.VersionNotSupportedError(`A2A ${version} is not spoken: 1.0 and 0.3 are`);
    const error = sdk.JsonRpcTransportHandler.mapToJSONRPCError(fault);
    const id = isRecord(parsed) ? (parsed.id ?? null) : null;
    return await sendJson(outgoing, { jsonrpc: "2.0", id, error });
  }
  const isOld = version === "" ? method.includes("/") : version.startsWith("0");
  const handler = isOld
    ? new sdk.LegacyJsonRpcTransportHandler(agent.tasks)
    : new sdk.JsonRpcTransportHandler(agent.tasks);
  const context = new sdk.ServerCallContext({
    requestedVersion: version || (isOld ? "0.3" : "1.0"),
  });
  const answered = await handler.handle(parsed as string, context);
  if (!(Symbol.asyncIterator in answered)) return await sendJson(outgoing, answered);
  await stream(outgoing, answered, { sdk, id: isRecord(parsed) ? parsed.id : null, isOld });
}

/** Sends the events as a stream. A failure before the first of them is an answer; a later one is the last event. */
async function stream(
  outgoing: ServerResponse,
  events: AsyncGenerator<unknown>,
  { sdk, id, isOld }: { readonly sdk: Sdk; readonly id: unknown; readonly isOld: boolean },
): Promise<void> {
  const fault = (thrown: unknown) => ({
    jsonrpc: "2.0",
    id,
    error: isOld
      ? sdk.LegacyJsonRpcTransportHandler.mapToLegacyJSONRPCError(thrown)
      : sdk.JsonRpcTransportHandler.mapToJSONRPCError(thrown),
  });
  const open = () => {
    if (outgoing.headersSent) return;
    outgoing.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-cache" });
  };
  try {
    for await (const event of events) {
      if (outgoing.destroyed) return;
      open();
      if (!outgoing.write(sdk.formatSSEEvent(event))) await drained(outgoing);
    }
    open();
    outgoing.end();
  } catch (thrown) {
    if (!outgoing.headersSent) return await sendJson(outgoing, fault(thrown));
    outgoing.end(sdk.formatSSEEvent(fault(thrown)));
  }
}

async function drained(outgoing: ServerResponse): Promise<void> {
  await Promise.race([once(outgoing, "drain"), once(outgoing, "close")]);
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

async function send(
  outgoing: ServerResponse,
  status: number,
  body: string,
  headers: Headers | Readonly<Record<string, string>> = {},
): Promise<void> {
  const plain = headers instanceof Headers ? Object.fromEntries(headers) : headers;
  outgoing.writeHead(status, { connection: "close", ...plain }).end(body);
}
