/** One life of a kernel, measured from outside: start, first cell, more cells, completion, output, memory. */
import { setTimeout as wait } from "node:timers/promises";
import { median } from "../statistics.ts";
import { type Asked, BenchClient } from "./bench-client.ts";
import type { Contender } from "./contenders.ts";
import { type Figures, type MeasuredStep, takeSteps } from "./figures.ts";
import { CELLS, CELLS_IN_ALL, type Completion, LINES } from "./script.ts";

/** What a kernel does of itself when it is left alone is done by then, and counts in what follows. */
const PAUSE_MS = 3_000;

/** A cell that fails, or a completion that lacks what it must have, leaves its figure out: figures of a broken kernel mean nothing. */
export async function measureLife(contender: Contender, figures: Figures): Promise<void> {
  const began = performance.now();
  const client = await BenchClient.start(contender);
  try {
    await takeSteps(stepsOf(client, contender, began), figures);
  } finally {
    await client.kill();
  }
}

function stepsOf(
  client: BenchClient,
  { script }: Contender,
  began: number,
): readonly MeasuredStep[] {
  const cells = (codes: readonly string[]) => timesOf(codes, (code) => timeCell(client, code));
  const ones = Array.from({ length: CELLS }, () => "1+1");
  let startMs = 0;
  let firstMs = 0;
  return [
    {
      name: "start to kernel_info",
      measure: async () => {
        await client.ready();
        startMs = performance.now() - began;
        return [startMs];
      },
    },
    {
      name: "first cell",
      measure: async () => {
        firstMs = await timeCell(client, script.first);
        return [firstMs];
      },
    },
    // A kernel that loads its compiler before it answers has a quick first cell: only the sum can be compared.
    { name: "start to first cell", measure: async () => [startMs + firstMs] },
    {
      name: "distinct cells",
      measure: async () => {
        await wait(PAUSE_MS);
        return [median(await cells(script.distinct.slice(0, CELLS)))];
      },
    },
    { name: "1+1 again and again", measure: async () => [median(await cells(ones))] },
    {
      name: "complete",
      measure: async () => [
        median(await timesOf(script.completions, (one) => timeCompletion(client, one))),
      ],
    },
    {
      name: "memory after 200 cells",
      measure: async () => {
        await cells(script.distinct.slice(CELLS, CELLS_IN_ALL - 1 - ones.length));
        return [client.megabytes()];
      },
    },
    { name: "10,000 lines", measure: async () => [await timeLines(client, script.lines)] },
  ];
}

async function timesOf<T>(
  items: readonly T[],
  time: (item: T) => Promise<number>,
): Promise<readonly number[]> {
  const times: number[] = [];
  for (const item of items) times.push(await time(item));
  return times;
}

async function timeCell(client: BenchClient, code: string): Promise<number> {
  const asked = client.execute(code);
  return await timeRight(asked, code, ({ status }) => status === "ok");
}

/** Some give the whole expression, some what stands behind the dot. */
async function timeCompletion(
  client: BenchClient,
  { code, expected }: Completion,
): Promise<number> {
  return await timeRight(
    client.complete(code),
    code,
    ({ matches }) =>
      Array.isArray(matches) &&
      matches.some((match) => match === expected || `${match}`.endsWith(`.${expected}`)),
  );
}

async function timeRight(
  { began, content }: Asked,
  code: string,
  isRight: (content: Awaited<Asked["content"]>) => boolean,
): Promise<number> {
  const answer = await content;
  const ms = performance.now() - began;
  if (isRight(answer)) return ms;
  throw new Error(`it answered \`${code}\` with ${JSON.stringify(answer).slice(0, 300)}`);
}

/** Up to the last line and the reply, whatever comes first. */
async function timeLines(client: BenchClient, code: string): Promise<number> {
  const asked = client.execute(code);
  const lines = Array.from({ length: LINES }, (_, line) => `${line}\n`).join("");
  await Promise.all([asked.printed(lines), asked.content]);
  return performance.now() - asked.began;
}
