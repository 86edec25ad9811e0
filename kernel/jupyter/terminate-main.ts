/** Ends the JavaScript that the main thread executes, from this thread, by the inspector. */
import { Session } from "node:inspector/promises";

const FLAG = "--no-force-async-hooks-checks";

/** Without this option of Node, a termination after an await corrupts its stack of async hooks, which ends the process. */
export function canTerminate(): boolean {
  return process.execArgv.includes(FLAG) || (process.env.NODE_OPTIONS ?? "").includes(FLAG);
}

/** Resolves when the main thread took notice, which it does in the middle of a loop. */
export async function terminateMain(): Promise<void> {
  const session = new Session();
  session.connectToMainThread();
  try {
    await session.post("Runtime.terminateExecution");
  } finally {
    session.disconnect();
  }
}
