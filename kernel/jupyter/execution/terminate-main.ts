/** Ends the JavaScript that the main thread executes, from this thread, by the inspector. */
import { Session } from "node:inspector/promises";
import { setTimeout } from "node:timers/promises";

const FLAG = "--no-force-async-hooks-checks";

/** Without this option of Node, a termination after an await corrupts its stack of async hooks, which ends the process. */
export function canTerminate(): boolean {
  return process.execArgv.includes(FLAG) || (process.env.NODE_OPTIONS ?? "").includes(FLAG);
}

/**
 * Resolves when something was ended: the loop that the main thread was in, as a rule within a millisecond. One that has just left
 * it would end whatever it does next; `ping` gives it something to do that nobody misses.
 */
export async function terminateMain(ping: () => void): Promise<void> {
  const session = new Session();
  session.connectToMainThread();
  try {
    const ended = session.post("Runtime.terminateExecution").then(() => true);
    for (let waitMs = 1; !(await Promise.race([ended, after(waitMs)])); ) {
      ping();
      waitMs = Math.min(2 * waitMs, PING_MS_MAX);
    }
  } finally {
    session.disconnect();
  }
}

// A main thread in a long call of native code takes no notice meanwhile, and would find all pings behind it.
const PING_MS_MAX = 100;

async function after(ms: number): Promise<false> {
  return await setTimeout(ms, false);
}
