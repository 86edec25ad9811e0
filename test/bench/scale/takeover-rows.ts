/**
 * Two workers of a Restate server behind a balancer, one of which is killed for good: the time until the other one performs a node
 * of each run that was under way.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { EventEmitter, once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startBalancer } from "../../support/restate/balancer.ts";
import { freePorts, type RestateServer, startRestate } from "../../support/restate/server.ts";
import type { Keep, Tell } from "../suite.ts";
import type { Wanted } from "../wanted.ts";

const RUNS = 8;
const ROUNDS = 5;
/** The steps of each run before a worker is killed. */
const WARM = 5;
/** The time that a node takes. */
const NODE_MS = 50;

const ROW = {
  name: `a worker of two killed, until ${RUNS} runs go on`,
  unit: "ms",
  goal: 5_000,
} as const;

/** It goes on until its server is stopped. */
const PROGRAM = `import { report } from "./report.ts"
graph Work(job: string) returns n {
  state { n: int = 0 }
  run step = report(job) writes n
  limit 1000000 steps
  start -> step -> { n < 0 -> end, else -> step }
}
`;

const REPORT = `export const report = async (job: string): Promise<number> =>
  Number(await (await fetch(\`\${process.env.STUB}/\${job}/\${process.pid}\`)).text());
`;

export async function takeoverRows(tell: Tell, keep: Keep, wanted: Wanted): Promise<void> {
  if (!wanted.has(ROW.name)) return;
  const folder = mkdtempSync(join(tmpdir(), "madrigal-bench-takeover-"));
  writeFileSync(join(folder, "work.madrigal"), PROGRAM);
  writeFileSync(join(folder, "report.ts"), REPORT);
  const reports = await startReports();
  const server = await startRestate();
  const ports = await freePorts(2);
  const balancer = await startBalancer(ports);
  const start = (port: number) =>
    startWorker({ folder, port, server, advertise: balancer.url, stub: reports.url });
  const workers = await Promise.all(ports.map(start));
  try {
    const ours: number[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      tell(`bench: worker ${round + 1} of ${ROUNDS} is killed`);
      const jobs = Array.from({ length: RUNS }, (_, job) => `${round}-${job}`);
      await Promise.all(jobs.map((job) => started(server, job)));
      await Promise.all(jobs.map((job) => reports.some(job, { count: WARM })));
      const at = workers.findIndex(({ pid }) => pid === reports.lastPid());
      const other = workers[1 - at]?.pid ?? 0;
      await killed(workers[at]);
      const from = performance.now();
      await Promise.all(jobs.map((job) => reports.some(job, { count: 1, from, pid: other })));
      ours.push(performance.now() - from);
      await Promise.all(jobs.map((job) => aborted(server, job)));
      workers[at] = await start(ports[at] ?? 0);
    }
    keep({ ...ROW, goalOn: "ours", ours });
  } finally {
    for (const worker of workers) await killed(worker);
    await server.stop();
    await balancer.stop();
    reports.server.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

interface Report {
  readonly job: string;
  readonly pid: number;
  readonly at: number;
}

interface Reports {
  readonly url: string;
  readonly server: Server;
  /** The process that performed a node last. */
  lastPid(): number | undefined;
  /** Resolves once a run has so many nodes behind a time, in one process if that is said. */
  some(
    job: string,
    of: { readonly count: number; readonly from?: number; readonly pid?: number },
  ): Promise<void>;
}

async function startReports(): Promise<Reports> {
  const all: Report[] = [];
  const came = new EventEmitter().setMaxListeners(0);
  const server = createServer((request, response) => {
    const [, job = "", pid = ""] = (request.url ?? "").split("/");
    all.push({ job, pid: Number(pid), at: performance.now() });
    came.emit("report");
    setTimeout(() => response.end("1"), NODE_MS);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as { readonly port: number };
  return {
    url: `http://127.0.0.1:${port}`,
    server,
    lastPid: () => all.at(-1)?.pid,
    async some(wanted, { count, from = 0, pid: by }) {
      const isOne = ({ job, at, pid }: Report) =>
        job === wanted && at >= from && (by === undefined || pid === by);
      while (all.filter(isOne).length < count) await once(came, "report");
    },
  };
}

interface WorkerPlace {
  readonly folder: string;
  readonly port: number;
  readonly server: RestateServer;
  readonly advertise: string;
  readonly stub: string;
}

async function startWorker({
  folder,
  port,
  server,
  advertise,
  stub,
}: WorkerPlace): Promise<ChildProcess> {
  const args = [
    ...[join(import.meta.dirname, "../../../kernel/madrigal.js"), "worker", "work.madrigal"],
    ...["--restate", server.ingress, "--admin", server.admin, "--port", `${port}`],
    ...["--advertise", advertise, "--blobs", join(folder, "blobs")],
  ];
  const child = spawn(process.execPath, args, {
    cwd: folder,
    env: { PATH: process.env.PATH, HOME: folder, STUB: stub },
    stdio: ["ignore", "pipe", "inherit"],
  });
  for await (const text of child.stdout.setEncoding("utf8").iterator({ destroyOnReturn: false }))
    if (String(text).includes('"event":"serving"')) break;
  child.stdout.resume();
  return child;
}

async function killed(worker: ChildProcess | undefined): Promise<void> {
  if (worker === undefined || worker.exitCode !== null || worker.signalCode !== null) return;
  const gone = once(worker, "exit");
  worker.kill("SIGKILL");
  await gone;
}

async function started({ ingress }: RestateServer, job: string): Promise<void> {
  await posted(`${ingress}/Graph-Work/start`, { run: job, input: { job } });
}

async function aborted({ ingress }: RestateServer, job: string): Promise<void> {
  await posted(`${ingress}/Run/${job}/say`, { verb: "abort" });
}

async function posted(url: string, body: object): Promise<void> {
  const headers = { "content-type": "application/json" };
  const response = await fetch(url, { method: "POST", headers, body: JSON.stringify(body) });
  if (!response.ok) throw new Error(`${url}: ${response.status} ${await response.text()}`);
}
