/** What a front end feels of a kernel whose cell blocks: how soon control and heartbeat answer, and how soon a cell is stopped. */
import { setTimeout as wait } from "node:timers/promises";
import { BenchClient } from "./bench-client.ts";
import type { Contender } from "./contenders.ts";
import { type Figures, type MeasuredStep, takeSteps } from "./figures.ts";
import { BEGUN } from "./script.ts";

const TIMES = 50;
const ROUNDS = 5;
const LIMIT_MS = 3_000;
const AGAIN_MS = 50;

/** Each kind in a kernel of its own: one that can't be stopped would block the kinds after it. */
export async function measureBlocked(
  contender: Contender,
  { figures, others }: { readonly figures: Figures; readonly others: readonly string[] },
): Promise<void> {
  const { blocking } = contender.script;
  await inKernel(contender, figures, (client) => [
    { name: "control while a cell blocks", measure: () => controlTimes(client, contender) },
    {
      name: "heartbeat while a cell blocks",
      measure: async () => await client.heartbeats(TIMES, LIMIT_MS),
    },
  ]);
  const stopped = (name: MeasuredStep["name"], codes: readonly string[]) =>
    inKernel(contender, figures, (client) => [
      { name, measure: () => interruptTimes(client, codes) },
    ]);
  await stopped("interrupt of a sync loop", [blocking["sync loop"]]);
  await stopped("interrupt of a loop after await", [blocking["loop after await"]]);
  await stopped("interrupt of awaiting", [blocking.awaiting]);
  if (others.length > 0) await stopped("interrupt of other blocks", others);
}

async function inKernel(
  contender: Contender,
  figures: Figures,
  steps: (client: BenchClient) => readonly MeasuredStep[],
): Promise<void> {
  const client = await BenchClient.start(contender);
  const planned = steps(client);
  try {
    await client.ready();
    await client.execute("1").content;
    await takeSteps(planned, figures);
  } catch (thrown) {
    for (const { name } of planned) figures.leave(name, thrown);
  } finally {
    await client.kill();
  }
}

async function controlTimes(
  client: BenchClient,
  { script }: Contender,
): Promise<readonly number[]> {
  await client.execute(script.blocking["sync loop"]).printed(`${BEGUN}\n`);
  const all: number[] = [];
  for (let time = 0; time < TIMES; time += 1) {
    const { began, content } = client.info();
    await within(content, "control does not answer");
    all.push(performance.now() - began);
  }
  return all;
}

/** From the request to the cell's reply; the kernel must be there afterwards. */
async function interruptTimes(
  client: BenchClient,
  codes: readonly string[],
): Promise<readonly number[]> {
  const all: number[] = [];
  for (const code of Array.from({ length: ROUNDS }, () => codes).flat()) {
    const { printed, content } = client.execute(code);
    await within(printed(`${BEGUN}\n`), "what it prints is not seen");
    const began = performance.now();
    client.interrupt();
    const { status } = await within(content, "it is not stopped");
    all.push(performance.now() - began);
    if (status === "ok") throw new Error("the cell ended as if nothing had happened");
    await within(runsAgain(client), "the next cell does not run");
  }
  return all;
}

/** Some refuse cells for a while after one that failed. */
async function runsAgain(client: BenchClient): Promise<void> {
  for (;;) {
    const { status } = await client.execute("1+1").content;
    if (status === "ok") return;
    await wait(AGAIN_MS);
  }
}

async function within<T>(work: Promise<T>, otherwise: string): Promise<T> {
  const timer = new AbortController();
  const late = wait(LIMIT_MS, undefined, { signal: timer.signal }).then(
    () => Promise.reject(new Error(`${otherwise} within ${LIMIT_MS / 1000} s`)),
    () => new Promise<never>(() => {}),
  );
  return await Promise.race([work, late]).finally(() => timer.abort());
}
