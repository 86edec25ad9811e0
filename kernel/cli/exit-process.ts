/** Ends the process with an exit code once its output is written. */
import { existsSync } from "node:fs";
import { flushCompileCache } from "node:module";
import { EXIT } from "../exit-codes.ts";
import { flushed } from "./output.ts";

const SHELL = "/bin/sh";
/** Flags of Node whose results are written by its own exit alone. */
const PROFILES = /^--(?:cpu|heap)-prof/;
let wrongCode: number | undefined;

/** Says how the process ends when nothing worse is to be said. */
export function leaveWrong(code: number): void {
  wrongCode = code;
}

/** Ends the process with this code, whatever timers, sockets and reads were left behind. */
export async function leave(code: number): Promise<never> {
  await flushed();
  const last = code === EXIT.done ? (wrongCode ?? code) : code;
  // Node's own exit waits for its threads: for ever when one reads a pipe that nobody writes, or when V8's compiler waits in one for
  // the main thread to collect. Becoming another process waits for none.
  const isProfiled = process.execArgv.some((flag) => PROFILES.test(flag));
  if (!isProfiled && process.execve !== undefined && existsSync(SHELL)) {
    process.emit("exit", last);
    flushCompileCache();
    process.execve(SHELL, ["sh", "-c", `exit ${last}`], {});
  }
  process.exit(last);
}
