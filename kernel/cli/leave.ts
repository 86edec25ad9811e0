import { existsSync } from "node:fs";
import { flushCompileCache } from "node:module";
import { flushed } from "./output.ts";

const SHELL = "/bin/sh";
let mayHang = false;

/** Says that code of others ran here: it may have left a read behind that never ends. */
export function expectHangs(): void {
  mayHang = true;
}

/** Ends the process with this code, whatever timers, sockets and reads were left behind. */
export async function leave(code: number): Promise<never> {
  await flushed();
  // Node's own exit waits for its reading threads, for ever when one hangs in a pipe. Becoming another process does not.
  if (mayHang && process.execve !== undefined && existsSync(SHELL)) {
    flushCompileCache();
    process.execve(SHELL, ["sh", "-c", `exit ${code}`], {});
  }
  process.exit(code);
}
