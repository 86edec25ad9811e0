/** Serves graphs of a test as A2A agents, and connects the protocol's own client to them. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  type Client,
  ClientFactory,
  DefaultAgentCardResolver,
  JsonRpcTransportFactory,
  RestTransportFactory,
} from "@a2a-js/sdk/client";
import { onTestFinished } from "vitest";
import { serveAgents } from "../../../kernel/a2a-server/serve-http.ts";
import { type FunctionContext, type Graph, Session } from "../../../runtime/index.ts";

export const TOKEN = "a token of the test";

const program = `graph Check(what: string, times: int = 1) returns said, size "asks a person" {
  state { said: string  size: int }
  human person { ask \`Is \${what} right?\`; writes said }
  run count = lengthOf(said, times) writes size
  start -> person -> count -> end
}
graph Shout(text: string) returns loud "shouts" {
  state { loud: string }
  run shout = shout(text) writes loud
  start -> shout -> end
}
graph Hang() returns loud {
  state { loud: string }
  run wait = forever() writes loud
  start -> wait -> end
}`;

export interface ServedGraphs {
  readonly graphs: readonly Graph[];
  readonly session: Session;
  /** The address of the agent of a graph. */
  readonly url: (graph: string) => string;
  readonly lines: readonly string[];
  /** Ends of the function that waits: each call. */
  readonly release: () => void;
  readonly begun: Promise<void>;
}

export async function served(text = program): Promise<ServedGraphs> {
  const folder = mkdtempSync(join(tmpdir(), "madrigal-a2a-server-"));
  const session = new Session({ store: "memory", env: { MADRIGAL_HOME: folder } });
  const waits = Promise.withResolvers<string>();
  const begun = Promise.withResolvers<void>();
  const scope = {
    lengthOf: (said: string, times: number) => said.length * times,
    shout: async (said: string, { artifact }: FunctionContext) => {
      if (said === "bad") throw new Error("no voice");
      await artifact({ name: "score.md", kind: "report", data: `# ${said}` });
      return said.toUpperCase();
    },
    forever: ({ signal }: { readonly signal: AbortSignal }) => {
      begun.resolve();
      return Promise.race([
        waits.promise,
        new Promise((_, reject) => signal.addEventListener("abort", reject)),
      ]);
    },
  };
  const graphs = Object.values(session.compile(text, { scope })) as Graph[];
  const lines: string[] = [];
  const tell = (line: string) => void lines.push(line);
  const serving = await serveAgents({ session, graphs }, { port: 0, token: TOKEN, tell });
  onTestFinished(async () => {
    await serving.close();
    await session.close();
    rmSync(folder, { recursive: true, force: true });
  });
  const url = (graph: string) =>
    serving.urls.find((one) => one.endsWith(`/${graph}`)) ?? serving.urls[0] ?? "";
  return {
    graphs,
    session,
    url,
    lines,
    release: () => waits.resolve("at last"),
    begun: begun.promise,
  };
}

/** The protocol's own client of an agent; `legacy` speaks version 0.3. */
export async function connected(
  url: string,
  { legacy = false, binding = "JSONRPC", token = TOKEN } = {},
): Promise<Client> {
  const fetchImpl: typeof fetch = (input, init) => {
    const headers = new Headers(init?.headers);
    headers.set("authorization", `Bearer ${token}`);
    return fetch(input, { ...init, headers });
  };
  const how = { fetchImpl, legacyCompat: { enabled: true } };
  const resolver = new DefaultAgentCardResolver(how);
  const card = await resolver.resolve(`${url}/`);
  const version = legacy ? "0.3" : "1.0";
  const supportedInterfaces = card.supportedInterfaces.filter(
    ({ protocolVersion, protocolBinding }) =>
      protocolVersion === version && protocolBinding === binding,
  );
  const factory = new ClientFactory({
    transports: [new JsonRpcTransportFactory(how), new RestTransportFactory(how)],
    cardResolver: resolver,
  });
  return await factory.createFromAgentCard({ ...card, supportedInterfaces });
}
