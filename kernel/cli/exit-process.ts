/** Ends the process with an exit code once its output is written. */
import { existsSync } from "node:fs";
import { flushCompileCache } from "node:module";
import { EXIT } from "../exit-codes.ts";
import { flushed } from "./output.ts";

const SHELL = "/bin/sh";
let mayHang = false;
let wrongCode: number | undefined;

/** Says that code of others ran here: it may have left a read behind that never ends. */
export function expectHangs(): void {
  mayHang = true;
}

/** Says how the process ends when nothing worse is to be said. */
export function leaveWrong(code: number): void {
  wrongCode = code;
}

/** Ends the process with this code, whatever timers, sockets and reads were left behind. */
export async function leave(code: number): Promise<never> {
  await flushed();
  const last = code === EXIT.done ? (wrongCode ?? code) : code;
  // Node's own exit waits for its reading threads, for ever when one hangs in a pipe. Becoming another process does not.
  if (mayHang && process.execve !== undefined && existsSync(SHELL)) {
    flushCompileCache();
    process.execve(SHELL, ["sh", "-c", `exit ${last}`], {});
  }
  process.exit(last);
}
