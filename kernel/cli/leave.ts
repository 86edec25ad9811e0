import { flushed } from "./output.ts";

let isStuck = false;

/** Says that something started here does not end: a tool that ignores its cancelling. */
export function markStuck(): void {
  isStuck = true;
}

/** Ends the process with this code, whatever timers and sockets the programs of others left behind. */
export async function leave(code: number): Promise<never> {
  await flushed();
  // Node's exit joins its worker threads, and waits for ever when one hangs in a read; to become another process does not.
  if (isStuck && process.execve !== undefined && process.platform !== "win32") {
    process.execve("/bin/sh", ["sh", "-c", `exit ${code}`], {});
  }
  process.exit(code);
}
