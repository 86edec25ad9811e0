/** A TCP balancer on loopback: spreads connections over backends, and passes over those that do not answer. */
import { once } from "node:events";
import { connect as connectHttp2 } from "node:http2";
import { connect, createServer, type Server, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";

const LOOK_MS = 300;
const ANSWER_MS = 1_000;

export interface Balancer {
  readonly url: string;
  /** The backends that have connections. */
  connected(): ReadonlySet<number>;
  stop(): Promise<void>;
}

export async function startBalancer(ports: readonly number[]): Promise<Balancer> {
  const live = new Set<number>();
  const pairs = new Map<Socket, number>();
  let next = 0;
  let isOver = false;
  const server = createServer((client) => {
    client.on("error", () => client.destroy());
    const all = ports.filter((port) => live.has(port));
    const port = all[next % Math.max(1, all.length)];
    next += 1;
    if (port === undefined) return void client.destroy();
    const backend = connect(port, "127.0.0.1");
    pairs.set(client, port);
    backend.on("error", () => client.destroy());
    backend.on("close", () => client.destroy());
    client.on("close", () => {
      pairs.delete(client);
      backend.destroy();
    });
    client.pipe(backend).pipe(client);
  });
  const watch = async (port: number) => {
    while (!isOver) {
      if (await isHealthy(port)) live.add(port);
      else {
        live.delete(port);
        for (const [client, to] of pairs) if (to === port) client.destroy();
      }
      await sleep(LOOK_MS, undefined, { ref: false });
    }
  };
  const watches = ports.map(watch);
  const port = await listening(server);
  return {
    url: `http://127.0.0.1:${port}`,
    connected: () => new Set(pairs.values()),
    async stop() {
      isOver = true;
      for (const client of pairs.keys()) client.destroy();
      await new Promise((resolve) => server.close(resolve));
      await Promise.all(watches);
    },
  };
}

async function listening(server: Server): Promise<number> {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return (server.address() as { readonly port: number }).port;
}

/** Asks a worker for its health; one that is stopped does not answer. */
function isHealthy(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const session = connectHttp2(`http://127.0.0.1:${port}`);
    const end = (isOk: boolean) => {
      clearTimeout(timer);
      session.destroy();
      resolve(isOk);
    };
    const timer = setTimeout(() => end(false), ANSWER_MS);
    session.on("error", () => end(false));
    const request = session.request({ ":path": "/health" });
    request.on("error", () => end(false));
    request.on("response", (headers) => end(headers[":status"] === 200));
    request.end();
  });
}
