/** Limits how many processes of one agent run at the same time. */
import { FailureError } from "../../../failure.ts";

interface Pool {
  running: number;
  readonly waiting: (() => void)[];
}

const pools = new Map<string, Pool>();

/**
 * Waits until fewer than `most` processes of this agent run here; the result gives the place back. Rejects once `signal` says
 * that nobody waits any more.
 */
export async function takePlace(
  agent: string,
  most: number,
  signal: AbortSignal | undefined,
): Promise<() => void> {
  const pool = pools.get(agent) ?? { running: 0, waiting: [] };
  pools.set(agent, pool);
  while (pool.running >= most && signal?.aborted !== true) await nextPlace(pool, signal);
  if (signal?.aborted === true) throw noLongerWanted(agent);
  pool.running += 1;
  let isGiven = false;
  return () => {
    if (isGiven) return;
    isGiven = true;
    pool.running -= 1;
    // All of them look again, in their order: the first may not want the place any more, or need more than one to be free.
    for (const wake of pool.waiting.splice(0)) wake();
  };
}

function nextPlace({ waiting }: Pool, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve) => {
    waiting.push(resolve);
    const leave = () => {
      const at = waiting.indexOf(resolve);
      if (at !== -1) waiting.splice(at, 1);
      resolve();
    };
    signal?.addEventListener("abort", leave, { once: true });
  });
}

/** Makes the failure of a turn that nobody waits for. */
export function noLongerWanted(agent: string): FailureError {
  return new FailureError({
    class: "aborted",
    code: "M8111",
    message: `nobody waits for \`${agent}\` any more`,
  });
}
