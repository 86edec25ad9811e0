/** Runs a cell of a shell: the lines below `%%bash`, or those behind `!`. */
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { RunError } from "../../../runtime/index.ts";
import type { AtWork } from "../notebook.ts";
import { classify } from "./classify.ts";

/** The time that a cancelled command has between SIGINT and SIGKILL. */
const GRACE_MS = 2_000;

/** Streams what it writes as it comes. Throws M7518 where it ends with another exit code than 0, or by a signal. */
export async function runShell(code: string, { cell }: AtWork): Promise<void> {
  const text = shellText(code);
  if (text.trim() === "")
    throw new RunError("M7505", "there is no command below `%%bash`", {
      hint: "for example: %%bash, and on the next line: ls -la",
    });
  const shell = existsSync("/bin/bash") ? "bash" : "sh";
  // A group of its own, so that all that it started is stopped with it.
  const child = spawn(shell, ["-c", text], { stdio: ["ignore", "pipe", "pipe"], detached: true });
  child.stdout.on("data", (chunk: Uint8Array) => cell.write("stdout", chunk));
  child.stderr.on("data", (chunk: Uint8Array) => cell.write("stderr", chunk));
  const stop = () => {
    killGroup(child.pid, "SIGINT");
    setTimeout(() => killGroup(child.pid, "SIGKILL"), GRACE_MS).unref();
  };
  cell.signal.addEventListener("abort", stop);
  const ended = new Promise<{ code: number | null; signal: string | null }>((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (exitCode, signal) => resolve({ code: exitCode, signal }));
  });
  try {
    const { code: exitCode, signal } = await cell.orCancelled(ended);
    if (exitCode === 0) return;
    const how = signal === null ? `with exit code ${exitCode}` : `by ${signal}`;
    throw new RunError("M7518", `the command ended ${how}`, { hint: hintOf(exitCode, text) });
  } finally {
    if (!cell.signal.aborted) cell.signal.removeEventListener("abort", stop);
  }
}

/** The commands of a cell, without its magic line and the `!` of lines. */
function shellText(code: string): string {
  const { start, options } = classify(code);
  if (start > 0 || options !== "") return code.slice(start);
  return code.replaceAll(/^[ \t]*!/gm, "");
}

function hintOf(exitCode: number | null, text: string): string {
  const isName = /^\s*[A-Za-z_$][\w$]*\s*$/.test(text);
  if (exitCode === 127 && isName)
    return `a line that begins with \`!\` is a command of a shell; TypeScript is \`(!${text.trim()})\``;
  return "what it wrote stands above";
}

function killGroup(pid: number | undefined, signal: NodeJS.Signals): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, signal);
  } catch {
    // The group has ended by itself.
  }
}
