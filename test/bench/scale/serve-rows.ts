/**
 * Short runs through `madrigal serve`, the server in a process of its own with its log on disk: how many a second, how long the
 * slowest hundredth of the clients wait, and whether a run costs more behind many others.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { Agent, request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Keep, Tell } from "../suite.ts";
import type { Wanted } from "../wanted.ts";

const CLIENTS = 32;
const RUNS = 2_000;
const ROUNDS = 5;
const MANY = 20_000;

const ROWS = {
  rate: { name: "serve, a short run", unit: "ms", goal: 0.5 },
  slow: { name: "serve, a short run, p99", unit: "ms", goal: 50 },
  slope: {
    name: `serve, a short run behind ${MANY} others, a run at first`,
    unit: "times",
    goal: 1.1,
  },
} as const;

const PROGRAM = `graph Next(n: int) returns next {
  state { next: int }
  run add = plus(n) writes next
  start -> add -> end
}`;

export async function serveRows(tell: Tell, keep: Keep, wanted: Wanted): Promise<void> {
  const isWanted = Object.values(ROWS).map(({ name }) => wanted.has(name));
  if (!isWanted.includes(true)) return;
  const server = await startServer();
  try {
    tell(`bench: ${RUNS} runs by ${CLIENTS} clients`);
    await server.runs(RUNS);
    const rounds: readonly number[][] = await inTurn(ROUNDS, () => server.runs(RUNS));
    const each = rounds.map((times) => times.reduce((sum, ms) => sum + ms, 0) / CLIENTS / RUNS);
    keep({ ...ROWS.rate, goalOn: "ours", ours: each });
    keep({ ...ROWS.slow, goalOn: "ours", ours: rounds.map((times) => quantile(times, 0.99)) });
    if (isWanted[2] !== true) return;
    tell(`bench: ${MANY} runs before the same`);
    await server.runs(MANY);
    const later = await inTurn(ROUNDS, () => server.runs(RUNS));
    const behind = later.map((times) => times.reduce((sum, ms) => sum + ms, 0) / CLIENTS / RUNS);
    keep({ ...ROWS.slope, goalOn: "ours", ours: behind.map((ms, at) => ms / (each[at] ?? ms)) });
  } finally {
    await server.close();
  }
}

async function inTurn<T>(count: number, work: () => Promise<T>): Promise<T[]> {
  const done: T[] = [];
  for (let round = 0; round < count; round += 1) done.push(await work());
  return done;
}

function quantile(values: readonly number[], part: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(part * sorted.length))] ?? 0;
}

interface BenchServer {
  /** The milliseconds that each client waited for its run. */
  runs(count: number): Promise<number[]>;
  close(): Promise<void>;
}

async function startServer(): Promise<BenchServer> {
  const folder = mkdtempSync(join(tmpdir(), "madrigal-bench-serve-"));
  writeFileSync(join(folder, "next.madrigal"), `import { plus } from "./plus.ts"\n${PROGRAM}\n`);
  writeFileSync(join(folder, "plus.ts"), "export const plus = (n: number): number => n + 1;\n");
  const command = join(import.meta.dirname, "../../../kernel/madrigal.js");
  const args = [command, "serve", "next.madrigal", "--http", "0", "--rate", "1000000"];
  const child = spawn(process.execPath, args, {
    cwd: folder,
    env: { PATH: process.env.PATH, HOME: folder },
  });
  const url = await addressOf(child);
  const tokens = JSON.parse(readFileSync(join(folder, ".madrigal", "serve-tokens.json"), "utf8"));
  const agent = new Agent({ keepAlive: true, maxSockets: CLIENTS });
  return {
    async runs(count) {
      const times: number[] = [];
      let next = 0;
      await Promise.all(
        Array.from({ length: CLIENTS }, async () => {
          while (next < count) {
            next += 1;
            const began = performance.now();
            await start({ url, token: tokens.run, agent, n: next });
            times.push(performance.now() - began);
          }
        }),
      );
      return times;
    },
    async close() {
      agent.destroy();
      const gone = once(child, "exit");
      child.kill("SIGTERM");
      await gone;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function addressOf(child: ChildProcess): Promise<string> {
  let said = "";
  const { stderr } = child;
  if (stderr === null) throw new Error("the server has no output");
  stderr.setEncoding("utf8");
  for await (const text of stderr) {
    said += text;
    const [url] = /http:\/\/127\.0\.0\.1:\d+/.exec(said) ?? [];
    if (url === undefined) continue;
    stderr.resume();
    return url;
  }
  throw new Error(`the server ended: ${said}`);
}

interface Started {
  readonly url: string;
  readonly token: string;
  readonly agent: Agent;
  readonly n: number;
}

/** Starts a run and waits for its output, which must be right. */
async function start({ url, token, agent, n }: Started): Promise<void> {
  const asked = request(`${url}/graphs/Next/runs?wait=30`, {
    agent,
    method: "POST",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
  });
  asked.end(JSON.stringify({ input: { n } }));
  const [response] = await once(asked, "response");
  let text = "";
  for await (const part of response.setEncoding("utf8")) text += part;
  if (response.statusCode !== 201 || JSON.parse(text).output?.next !== n + 1)
    throw new Error(`the run of ${n} ended with ${response.statusCode}: ${text}`);
}
