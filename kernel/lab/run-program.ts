/** Runs a program to its end, without a shell. */
import { spawn } from "node:child_process";

export interface ProgramEnd {
  readonly ok: boolean;
  /** Everything it wrote, to stdout and stderr; of a program that can't be started, why. */
  readonly text: string;
}

export interface ProgramOptions {
  readonly env?: NodeJS.ProcessEnv;
  readonly cwd?: string;
  readonly timeoutMs?: number;
}

export async function runProgram(
  [command = "", ...args]: readonly string[],
  { env = process.env, cwd, timeoutMs }: ProgramOptions = {},
): Promise<ProgramEnd> {
  const { promise, resolve } = Promise.withResolvers<ProgramEnd>();
  const child = spawn(command, args, {
    env,
    stdio: ["ignore", "pipe", "pipe"],
    killSignal: "SIGKILL",
    ...(cwd === undefined ? {} : { cwd }),
    ...(timeoutMs === undefined ? {} : { timeout: timeoutMs }),
  });
  let text = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (chunk: string) => {
      text += chunk;
    });
  }
  child.on("error", (error) => resolve({ ok: false, text: error.message }));
  child.on("close", (code, signal) => {
    const how = signal === "SIGKILL" ? "\nit took too long, or was killed" : "";
    resolve({ ok: code === 0, text: text + how });
  });
  return await promise;
}
