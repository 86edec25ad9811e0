/** One life of a kernel, measured from outside: start, first cell, more cells, completion, end. */
import { median } from "../statistics.ts";
import { completions, distinctCells, firstCell } from "./cells.ts";
import type { Contender } from "./contenders.ts";
import { type Answer, TimedClient } from "./timed-client.ts";

export interface LifeTimes {
  /** From before the process is started to the `kernel_info_reply`. */
  readonly startMs: number;
  readonly firstCellMs: number;
  /** The median of distinct cells, one after the other. */
  readonly cellMs: number;
  readonly completeMs: number;
}

/** Throws when a cell fails or a completion lacks what it must have: figures of a broken kernel mean nothing. */
export async function measureLife({ kernel }: Contender): Promise<LifeTimes> {
  const began = performance.now();
  const client = await TimedClient.start(kernel);
  try {
    await client.ready();
    const startMs = performance.now() - began;
    const firstCellMs = await timeCell(client, firstCell);
    const cells = await inTurn(distinctCells(), (code) => timeCell(client, code));
    const completed = await inTurn(completions(), (one) => timeCompletion(client, one));
    return { startMs, firstCellMs, cellMs: median(cells), completeMs: median(completed) };
  } finally {
    await client.kill();
  }
}

async function inTurn<T>(
  items: readonly T[],
  time: (item: T) => Promise<number>,
): Promise<readonly number[]> {
  const times: number[] = [];
  for (const item of items) times.push(await time(item));
  return times;
}

async function timeCell(client: TimedClient, code: string): Promise<number> {
  const { ms, content } = await client.request("execute_request", {
    code,
    silent: false,
    store_history: true,
    user_expressions: {},
    allow_stdin: false,
    stop_on_error: true,
  });
  if (content.status !== "ok") throw unusable(code, content);
  return ms;
}

async function timeCompletion(
  client: TimedClient,
  { code, expected }: ReturnType<typeof completions>[number],
): Promise<number> {
  const { ms, content } = await client.request("complete_request", {
    code,
    cursor_pos: code.length,
  });
  const { matches } = content;
  if (!Array.isArray(matches) || !matches.includes(expected)) throw unusable(code, content);
  return ms;
}

function unusable(code: string, content: Answer["content"]): Error {
  return new Error(`the kernel answered \`${code}\` with ${JSON.stringify(content)}`);
}
