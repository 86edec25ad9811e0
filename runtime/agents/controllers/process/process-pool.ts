/** Limits how many processes of one agent run at the same time. */
import { FailureError } from "../../../failure.ts";

interface Pool {
  running: number;
  /** The waiting turns, in the order in which they came. */
  readonly waiting: WaitingTurn[];
}

interface WaitingTurn {
  readonly most: number;
  readonly begin: () => void;
}

const pools = new Map<string, Pool>();

/**
 * Waits until fewer than `most` processes of this agent run here, and until everybody who came before has begun; the result
 * gives the place back. Rejects once `signal` says that nobody waits any more.
 */
export async function takePlace(
  agent: string,
  most: number,
  signal: AbortSignal | undefined,
): Promise<() => void> {
  const pool = pools.get(agent) ?? { running: 0, waiting: [] };
  pools.set(agent, pool);
  if (isGone(signal)) throw noLongerWanted(agent);
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const own: WaitingTurn = { most, begin: resolve };
  pool.waiting.push(own);
  const leave = () => {
    const at = pool.waiting.indexOf(own);
    if (at === -1) return;
    pool.waiting.splice(at, 1);
    reject(noLongerWanted(agent));
    // The next one in the queue may need fewer to be done.
    letIn(pool);
  };
  signal?.addEventListener("abort", leave, { once: true });
  letIn(pool);
  await promise.finally(() => signal?.removeEventListener("abort", leave));
  let isGiven = false;
  const giveBack = () => {
    if (isGiven) return;
    isGiven = true;
    pool.running -= 1;
    letIn(pool);
  };
  if (!isGone(signal)) return giveBack;
  giveBack();
  throw noLongerWanted(agent);
}

function isGone(signal: AbortSignal | undefined): boolean {
  return signal?.aborted === true;
}

/** Has the first ones begin, as far as there are places. The place is theirs at once: nobody who comes later gets it. */
function letIn(pool: Pool): void {
  for (;;) {
    const [first] = pool.waiting;
    if (first === undefined || pool.running >= first.most) return;
    pool.waiting.shift();
    pool.running += 1;
    first.begin();
  }
}

/** Makes the failure of a turn that nobody waits for. */
export function noLongerWanted(agent: string): FailureError {
  return new FailureError({
    class: "aborted",
    code: "M8111",
    message: `nobody waits for \`${agent}\` any more`,
  });
}
