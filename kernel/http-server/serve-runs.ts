/** Listens for the HTTP server of graphs, and ends it: steps under way end, runs stay for the next start. */
import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { getRequestListener } from "@hono/node-server";
import { type Graph, type Session, servers } from "../../runtime/index.ts";
import { RoleAccess } from "./access.ts";
import { agUiOperations } from "./ag-ui/ag-ui-operations.ts";
import { AuditLog } from "./audit-log.ts";
import { httpApp } from "./http-app.ts";
import { actingOperations } from "./operations/acting-operations.ts";
import { graphOperations } from "./operations/graph-operations.ts";
import { runOperations } from "./operations/run-operations.ts";
import { threadOperations } from "./operations/thread-operations.ts";
import { RequestRate } from "./request-rate.ts";
import { EmbeddedRuns } from "./run-host.ts";
import { EventStreams, STREAM_LIMITS, type StreamLimits } from "./stream-events.ts";
import type { RoleTokens } from "./token-file.ts";

export interface ServeParts {
  readonly session: Session;
  readonly graphs: readonly Graph[];
  readonly tokens: RoleTokens;
  /** The file of the audit log. */
  readonly auditPath: string;
  readonly address: string;
  readonly port: number;
  /** The addresses by which clients know this server, where a proxy stands before it. */
  readonly publicUrls: readonly URL[];
  /** Requests a second of each role. */
  readonly rate: number;
  readonly limits?: Partial<ServerLimits>;
  readonly tell: (line: string) => void;
}

export interface ServerLimits extends StreamLimits {
  /** The time for the whole of a request to come. */
  readonly requestMs: number;
  /** The time for steps under way when the server ends. */
  readonly graceMs: number;
  readonly connectionsMax: number;
}

const LIMITS: ServerLimits = {
  ...STREAM_LIMITS,
  requestMs: 30_000,
  graceMs: 10_000,
  connectionsMax: 20_000,
};

/** Requests a second without a token. */
const STRANGERS = 20;

/** A server that listens. */
export interface GraphServing {
  /** `http://127.0.0.1:PORT` */
  readonly url: string;
  /** The streams of events that are open. */
  readonly streams: Pick<EventStreams, "size">;
  close(): Promise<void>;
}

/** Throws where the port is taken. */
export async function serveRuns(parts: ServeParts): Promise<GraphServing> {
  const { session, graphs, tokens, publicUrls, rate, tell } = parts;
  const limits = { ...LIMITS, ...parts.limits };
  const host = new EmbeddedRuns(session, graphs);
  const streams = new EventStreams(limits);
  const access = new RoleAccess({ tokens, publicUrls, guards: await servers.requestGuards() });
  const audit = new AuditLog(parts.auditPath, tell);
  let isEnding = false;
  const app = httpApp({
    ...{ host, session, streams, access, audit, tell },
    rate: new RequestRate(rate),
    strangers: new RequestRate(STRANGERS),
    operations: [
      ...graphOperations(graphs),
      ...runOperations,
      ...actingOperations,
      ...threadOperations,
      ...agUiOperations(graphs),
    ],
    isEnding: () => isEnding,
  });
  const server = createServer(
    {
      requestTimeout: limits.requestMs,
      headersTimeout: Math.min(limits.requestMs, 10_000),
      connectionsCheckingInterval: Math.min(limits.requestMs, 1000),
      maxHeaderSize: 16 * 1024,
    },
    getRequestListener(app.fetch as never, { overrideGlobalObjects: false }),
  );
  server.maxConnections = limits.connectionsMax;
  const answering = new Set<ServerResponse>();
  server.on("request", (_, outgoing) => {
    answering.add(outgoing);
    outgoing.once("close", () => answering.delete(outgoing));
  });
  server.listen(parts.port, parts.address);
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  access.port = port;
  await host.resumeLeft(tell);
  return {
    url: `http://${parts.address.includes(":") ? `[${parts.address}]` : parts.address}:${port}`,
    streams,
    close: async () => {
      isEnding = true;
      server.close();
      server.closeIdleConnections();
      await host.leave(limits.graceMs);
      streams.close();
      // Who waits for a run hears how it stands now.
      await Promise.all([...answering].map((one) => one.writableFinished || once(one, "close")));
      server.closeAllConnections();
      await audit.close();
    },
  };
}
