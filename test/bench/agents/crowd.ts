/** A thousand agents of five turns in one process: `node crowd.ts URL ROUNDS`. Prints figures as JSON. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { median } from "../statistics.ts";
import { openLook } from "./program.ts";

/** One value a round. */
export interface CrowdFigures {
  /** The slowest agent, and the median one, in milliseconds from the start of all. */
  readonly slowest: readonly number[];
  readonly median: readonly number[];
  /** Kilobytes of each agent while all wait for the answer of their third turn, and of such a wait without an agent. */
  readonly each: readonly number[];
  readonly wait: readonly number[];
  /** Milliseconds from the bytes of the first piece to its listener, the median of a hundred runs. */
  readonly firstPiece: readonly number[];
  /** Milliseconds from the abort of a run to the end of its connection at the server, the slowest of twenty. */
  readonly abort: readonly number[];
}

const AGENTS = 1_000;
const [url = "", rounds = "3"] = process.argv.slice(2);
const folder = mkdtempSync(join(tmpdir(), "madrigal-bench-"));
const { session, graph } = openLook(url, folder);
setFlagsFromString("--expose-gc");
const collect: () => void = runInNewContext("gc");
const figures = { slowest: [], median: [], each: [], wait: [], firstPiece: [], abort: [] } as {
  -readonly [K in keyof CrowdFigures]: number[];
};

for (let round = -1; round < Number(rounds); round += 1) {
  const times = await together();
  const firsts: number[] = [];
  for (let run = 0; run < 100; run += 1) firsts.push(await firstPieceMs());
  const aborts: number[] = [];
  for (let run = 0; run < 20; run += 1) aborts.push(await abortMs());
  const each = await memoryOfAgents();
  const wait = await memoryOfWaits();
  if (round < 0) continue;
  figures.slowest.push(Math.max(...times));
  figures.median.push(median(times));
  figures.firstPiece.push(median(firsts));
  figures.abort.push(Math.max(...aborts));
  figures.each.push(each);
  figures.wait.push(wait);
}
await session.close();
rmSync(folder, { recursive: true });
process.stdout.write(JSON.stringify(figures), () => process.exit());

/** Milliseconds from the start of the first to the end of each. */
async function together(): Promise<number[]> {
  const begun = performance.now();
  const runs = Array.from({ length: AGENTS }, () => graph.run({}));
  const times = await Promise.all(
    runs.map(async ({ output }) => {
      await output;
      return performance.now() - begun;
    }),
  );
  for (const { id } of runs) session.stored.delete(id);
  return times;
}

async function firstPieceMs(): Promise<number> {
  const run = graph.run({});
  let ms: number | undefined;
  run.events$.subscribe((event) => {
    if (event.kind !== "model.delta" || ms !== undefined) return;
    const said = /^\d+/.exec(event.text)?.[0];
    ms = Number(process.hrtime.bigint() - BigInt(said ?? 0)) / 1e6;
  });
  await run.output;
  session.stored.delete(run.id);
  if (ms === undefined) throw new Error("no piece was heard");
  return ms;
}

/** Aborts a run whose model has not answered yet. */
async function abortMs(): Promise<number> {
  await fetch(`${url}/hold?turn=1`);
  const run = graph.run({});
  const ended = run.output.catch(() => {});
  await allHeld(1);
  const begun = process.hrtime.bigint();
  await run.abort("measured");
  await ended;
  let closed = "";
  while (closed === "") closed = await (await fetch(`${url}/closed`)).text();
  await fetch(`${url}/release`);
  session.stored.delete(run.id);
  return Number(BigInt(closed) - begun) / 1e6;
}

async function memoryOfAgents(): Promise<number> {
  await fetch(`${url}/hold?turn=3`);
  const before = await memoryKb();
  const runs = Array.from({ length: AGENTS }, () => graph.run({}));
  await allHeld();
  const kb = ((await memoryKb()) - before) / AGENTS;
  await fetch(`${url}/release`);
  await Promise.all(runs.map(({ output }) => output));
  for (const { id } of runs) session.stored.delete(id);
  return kb;
}

/** Of the same requests by `fetch` alone, which no agent can do without. */
async function memoryOfWaits(): Promise<number> {
  await fetch(`${url}/hold?turn=1`);
  const body = JSON.stringify({ stream: true, messages: [{ role: "user", content: "Hi" }] });
  const before = await memoryKb();
  const waits = Array.from({ length: AGENTS }, async () => {
    const answer = await fetch(`${url}/v1/chat/completions`, { method: "POST", body });
    await answer.text();
  });
  await allHeld();
  const kb = ((await memoryKb()) - before) / AGENTS;
  await fetch(`${url}/release`);
  await Promise.all(waits);
  return kb;
}

async function allHeld(agents = AGENTS): Promise<void> {
  for (;;) {
    const held = await (await fetch(`${url}/held`)).text();
    if (Number(held) === agents) return;
    await new Promise((go) => setTimeout(go, 20));
  }
}

async function memoryKb(): Promise<number> {
  // Twice, with a turn between: what finalizers let go of is collected by the second.
  collect();
  await new Promise((go) => setTimeout(go, 50));
  collect();
  const { heapUsed, external } = process.memoryUsage();
  return (heapUsed + external) / 1_000;
}
