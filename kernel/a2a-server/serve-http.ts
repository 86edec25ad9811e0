/** Serves graphs as A2A agents over HTTP on this machine alone: cards for anybody here, everything else with the token. */
import { createHash } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { type Graph, messageOf, type Session, servers } from "../../runtime/index.ts";
import { counted } from "../display/visible.ts";
import { readBody } from "../read-body.ts";
import { cardForAll, graphCard } from "./graph-card.ts";
import { GraphTasks } from "./graph-tasks.ts";
import { send } from "./http-reply.ts";
import { answerRest } from "./rest-binding.ts";
import { answerRpc } from "./rpc-binding.ts";
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

const CARD = /^\/\.well-known\/agent(?:-card)?\.json$/;

async function answer(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  { agents, sdk, guards, token }: AgentsServed,
): Promise<void> {
  const gone = new AbortController();
  outgoing.once("close", () => gone.abort());
  const request = guards.requestOf(incoming, gone.signal);
  const { method } = request;
  const { pathname, searchParams: query } = new URL(request.url);
  const { agent, path } = agentAt(pathname, agents);
  const isCard = method === "GET" && CARD.test(path);
  const refused =
    guards.refusedPlace(request) ?? (isCard ? undefined : guards.refusedToken(request, token));
  if (refused !== undefined)
    return await send(outgoing, refused.status, await refused.text(), refused.headers);
  if (agent === undefined) return await send(outgoing, 404, "not here");
  if (isCard) return await sendCard(request, outgoing, agent);
  const contentType = request.headers.get("content-type") ?? "";
  const isRpc = path === "";
  if (isRpc && method !== "POST") return await send(outgoing, 405, "POST alone", { allow: "POST" });
  if (isRpc && !/^application\/(?:a2a\+)?json\b/i.test(contentType))
    return await send(outgoing, 415, "JSON alone");
  const body = await readBody(request, BODY_MAX);
  if (body === undefined) return await send(outgoing, 413, `at most ${counted(BODY_MAX, "byte")}`);
  const version = request.headers.get(VERSION) || query.get(VERSION) || "";
  const call = { version, body, outgoing, tasks: agent.tasks, sdk };
  await (isRpc ? answerRpc(call) : answerRest({ ...call, method, path, query, contentType }));
}

/** The service parameter of the protocol, as a header or in the query. */
const VERSION = "A2A-Version";

/** The agent of an address, and what stands behind that: nothing for JSON-RPC. */
function agentAt(
  pathname: string,
  agents: AgentsServed["agents"],
): { readonly agent?: ServedAgent; readonly path: string } {
  for (const [at, agent] of agents) {
    if (`${pathname}/`.startsWith(`${at}/`))
      return { agent, path: pathname.slice(at.length).replace(/\/$/, "") };
  }
  return { path: pathname.replace(/^.*(?=\/\.well-known\/)/, "") };
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
