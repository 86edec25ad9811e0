/** A Restate server, workers and a balancer on this machine. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, writeFileSync } from "node:fs";
import { connect, createServer, type Server } from "node:net";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

export interface Cluster {
  /** The server's ingress. */
  readonly url: string;
  /** The folder of large values, which all workers see. */
  readonly blobs: string;
  /** Starts a worker behind the balancer, and waits until it serves; its number. */
  startWorker(file: string): Promise<number>;
  /** Kills a worker, as a lost machine does. */
  killWorker(number: number): Promise<void>;
  end(): Promise<void>;
}

/** Starts a server in a folder of its own. `RESTATE_SERVER` is its binary, else the one that npm has installed. */
export async function startCluster(folder: string): Promise<Cluster> {
  mkdirSync(folder, { recursive: true });
  const [ingress = 0, admin = 0, node = 0, balanced = 0] = await freePorts(4);
  const config = join(folder, "restate.toml");
  writeFileSync(config, configuration({ ingress, admin, node }));
  const [program, ...more] = process.env.RESTATE_SERVER?.split("\n") ?? ["npx", "restate-server"];
  const args = [...more, "--config-file", config, "--base-dir", join(folder, "base"), "--no-logo"];
  const server = started(program ?? "", args, { DO_NOT_TRACK: "1" });
  const url = `http://127.0.0.1:${ingress}`;
  await answering(`${url}/restate/health`, server);
  await answering(`http://127.0.0.1:${admin}/health`, server);
  const workers: { readonly child: ChildProcess; readonly port: number }[] = [];
  const balancer = balance(() =>
    workers.filter(({ child }) => lives(child)).map(({ port }) => port),
  );
  balancer.listen(balanced, "127.0.0.1");
  const blobs = join(folder, "blobs");
  return {
    url,
    blobs,
    async startWorker(file) {
      const [port = 0] = await freePorts(1);
      const addresses = ["--restate", url, "--admin", `http://127.0.0.1:${admin}`];
      const own = [
        "--port",
        `${port}`,
        "--advertise",
        `http://127.0.0.1:${balanced}`,
        "--blobs",
        blobs,
      ];
      const child = started("npx", ["madrigal", "worker", file, ...addresses, ...own]);
      workers.push({ child, port });
      await saying(child, '"event":"serving"');
      return workers.length - 1;
    },
    async killWorker(number) {
      const child = workers[number]?.child;
      if (child !== undefined) await killed(child);
    },
    async end() {
      for (const { child } of workers) await killed(child);
      await killed(server);
      await new Promise((resolve) => balancer.close(resolve));
    },
  };
}

function configuration(ports: { ingress: number; admin: number; node: number }): string {
  return `disable-telemetry = true
bind-ip = "127.0.0.1"
advertised-host = "127.0.0.1"
listen-mode = "tcp"
bind-port = ${ports.node}
default-num-partitions = 4
[worker.invoker]
http2-streams-per-connection-limit = 8
[ingress]
bind-address = "127.0.0.1:${ports.ingress}"
[admin]
bind-address = "127.0.0.1:${ports.admin}"
`;
}

/** Connects each caller to one of the ports in turn, and breaks with the caller where that one breaks. */
function balance(ports: () => readonly number[]): Server {
  let turn = 0;
  return createServer((caller) => {
    caller.on("error", () => {});
    const all = ports();
    turn += 1;
    const port = all[turn % Math.max(1, all.length)];
    if (port === undefined) return void caller.destroy();
    const worker = connect(port, "127.0.0.1");
    worker.on("error", () => {});
    worker.on("close", () => caller.destroy());
    caller.on("close", () => worker.destroy());
    caller.pipe(worker).pipe(caller);
  });
}

/** A process that leads a group: npx starts further ones, which must end with it. */
function started(
  program: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv = {},
): ChildProcess {
  const child = spawn(program, args, { detached: true, env: { ...process.env, ...env } });
  process.once("exit", () => void killed(child));
  // A pipe that nobody reads is full one day, and whoever writes to it waits.
  child.stdout?.resume();
  child.stderr?.resume();
  return child;
}

function lives({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode === null && signalCode === null;
}

async function killed(child: ChildProcess): Promise<void> {
  if (!lives(child) || child.pid === undefined) return;
  const gone = once(child, "exit");
  process.kill(-child.pid, "SIGKILL");
  await gone;
}

/** Resolves when the process writes it; rejects with what it wrote when it ends before. */
async function saying(child: ChildProcess, text: string): Promise<void> {
  let said = "";
  await new Promise<void>((resolve, reject) => {
    const listen = (bytes: Buffer) => {
      said += bytes;
      if (said.includes(text)) resolve();
    };
    child.stdout?.on("data", listen);
    child.stderr?.on("data", listen);
    child.on("error", reject);
    child.on("exit", () => reject(new Error(said)));
  });
}

async function answering(url: string, child: ChildProcess): Promise<void> {
  while ((await fetch(url).catch(() => undefined))?.ok !== true) {
    if (!lives(child))
      throw new Error("The Restate server has ended: npm install @restatedev/restate-server");
    await sleep(100);
  }
}

async function freePorts(count: number): Promise<number[]> {
  const servers = Array.from({ length: count }, () => createServer().listen(0, "127.0.0.1"));
  const ports: number[] = [];
  for (const server of servers) {
    if (!server.listening) await once(server, "listening");
    ports.push((server.address() as { readonly port: number }).port);
  }
  await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
  return ports;
}
