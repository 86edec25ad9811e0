/** A worker: an HTTP/2 server that Restate calls, with the graphs of some files. */
import { createServer, type Http2Server, type ServerHttp2Session } from "node:http2";
import type { AddressInfo } from "node:net";
import { canonicalJson, sha256 } from "../../dsl/index.ts";
import { systemClock } from "../clock.ts";
import { messageOf, RunError } from "../failure.ts";
import { createRedactor, secretsOf } from "../redaction/redact.ts";
import type { Graph } from "../run/graph.ts";
import { fileBlobs } from "../store/artifacts/file-blobs.ts";
import { attemptsOf, Performances } from "./attempt-service.ts";
import { blobArtifacts } from "./blob-artifacts.ts";
import { graphServiceOf } from "./graph-services.ts";
import { Ingress } from "./ingress.ts";
import { loadSdk } from "./load-sdk.ts";
import { registerDeployment, runsOf } from "./register.ts";
import { runObject } from "./run-object.ts";
import { RunStates } from "./run-state.ts";
import { type ModelsOf, ServedGraphs } from "./served-graphs.ts";
import { assertServable } from "./unsupported.ts";
import { wireValues } from "./wire-values.ts";

export interface WorkerOptions {
  readonly graphs: readonly Graph[];
  /** Models of graphs by their aliases, which the program and the command line cannot name. */
  readonly models?: ModelsOf;
  /** The ingress of the server. */
  readonly restate: string;
  /** Its administration; the port 9070 of the same host unless said. */
  readonly admin?: string;
  readonly port?: number;
  /** The address to listen at; this machine alone unless said. */
  readonly host?: string;
  /** The URL under which the server reaches this worker, or what balances several: without its path. */
  readonly advertise?: string;
  /** The folder of large values and artifacts; all workers need the same. */
  readonly blobs: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The public keys of the servers that may call it, as Restate prints them; else whoever reaches its port may. */
  readonly identityKeys?: readonly string[];
  /** Told what happens, one event a line. */
  readonly log?: (event: WorkerEvent) => void;
}

/** Something that a worker tells of itself. */
export interface WorkerEvent {
  readonly event: string;
  readonly [fact: string]: unknown;
}

export interface RestateWorker {
  /** The hash of its graphs and their TypeScript. */
  readonly version: string;
  readonly url: string;
  readonly port: number;
  /** The number of attempts that it performs now. */
  readonly attempts: number;
  /** The number of runs of its version that are not over, wherever they are performed. */
  underWay(): Promise<number>;
  /** Takes nothing more, waits for what is under way here up to some time, and closes: other workers go on with the rest. */
  stop(graceMs?: number): Promise<void>;
}

/** Serves graphs, and tells the server of it. M5801 without the SDK, M5802 without a server, M5809 for a graph that can't run there. */
export async function startWorker(options: WorkerOptions): Promise<RestateWorker> {
  const { graphs, env, log = () => {} } = options;
  for (const graph of graphs) assertServable(graph.ir);
  const sdk = await loadSdk();
  const blobs = fileBlobs(options.blobs, systemClock);
  const values = wireValues(blobs);
  const ingress = new Ingress(options.restate, values);
  const redactor = createRedactor(secretsOf(env));
  const version = versionOf(graphs);
  const tools = {
    states: new RunStates(values),
    values,
    redact: <T>(part: T) => redactor.redactRecord(part as never) as T,
  };
  const performances = new Performances();
  const models = options.models === undefined ? {} : { models: options.models };
  const served = new ServedGraphs(graphs, { ingress, artifacts: blobArtifacts(blobs), ...models });
  const handler = sdk.createEndpointHandler({
    services: [
      runObject(sdk, tools),
      attemptsOf(sdk, { version, graphs: served, ingress, values, performances }),
      ...graphs.map((graph) => graphServiceOf(sdk, graph, { version, values, ...models })),
    ],
    // The server's own policy waits for over a minute, and gives up in the end.
    defaultServiceOptions: { retryPolicy: RETRIES },
    ...(options.identityKeys === undefined ? {} : { identityKeys: [...options.identityKeys] }),
    logger: ({ level, ...meta }, ...words) => {
      if (level === "warn" || level === "error")
        log({ event: "sdk", level, text: words.map(messageOf).join(" "), ...contextOf(meta) });
    },
  });
  const server = createServer((request, response) => {
    if (request.url !== "/health") return handler(request, response);
    response.writeHead(200, { "content-type": "application/json" });
    response.end(JSON.stringify({ version, attempts: performances.size }));
  });
  const sessions = new Set<ServerHttp2Session>();
  server.on("session", (session) => {
    sessions.add(session);
    session.on("close", () => sessions.delete(session));
  });
  const { host = "127.0.0.1" } = options;
  const port = await listening(server, { port: options.port ?? 0, host });
  const base = (options.advertise ?? `http://${host}:${port}`).replace(/\/+$/, "");
  const url = `${base}/${version}`;
  try {
    await registerDeployment(url, options);
  } catch (error) {
    await closed(server);
    throw error;
  }
  log({ event: "serving", version, url, graphs: graphs.map(({ name }) => name) });
  return {
    version,
    url,
    port,
    get attempts() {
      return performances.size;
    },
    underWay: () => runsOf(version, options),
    async stop(graceMs = 0) {
      log({ event: "stopping", attempts: performances.size });
      const ended = closed(server);
      for (const session of sessions) session.close();
      await performances.settled(graceMs);
      for (const session of sessions) session.destroy();
      await ended;
      log({ event: "stopped", attempts: performances.size });
    },
  };
}

/** In milliseconds: a worker that is gone is noticed by the next try. */
const RETRIES = {
  initialInterval: 50,
  exponentiationFactor: 2,
  maxInterval: 1_000,
  maxAttempts: 1_000_000_000,
};

/** Workers with the same graphs and the same TypeScript are one version. */
function versionOf(graphs: readonly Graph[]): string {
  const parts = graphs.map((graph) => [graph.name, graph.ir.hash, graph.code]);
  return sha256(canonicalJson(parts.sort(([a], [b]) => (String(a) < String(b) ? -1 : 1)))).slice(
    0,
    12,
  );
}

function listening(
  server: Http2Server,
  at: { readonly port: number; readonly host: string },
): Promise<number> {
  return new Promise((resolve, reject) => {
    const failed = (cause: unknown) =>
      reject(
        new RunError("M5811", `port ${at.port} can't be opened: ${messageOf(cause)}`, {
          hint: "choose another one with `--port N`",
          cause,
        }),
      );
    server.once("error", failed);
    server.listen(at.port, at.host, () => {
      server.off("error", failed);
      resolve((server.address() as AddressInfo).port);
    });
  });
}

function closed(server: Http2Server): Promise<void> {
  return new Promise((resolve) => void server.close(() => resolve()));
}

function contextOf(meta: object): Readonly<Record<string, unknown>> {
  const { context } = meta as {
    readonly context?: { readonly invocationId?: string; readonly invocationTarget?: string };
  };
  return context === undefined
    ? {}
    : { invocation: context.invocationId, target: context.invocationTarget };
}
