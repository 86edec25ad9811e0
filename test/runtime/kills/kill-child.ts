/** Kills a process of a run once it has said a line, and maybe a little later. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { projectNode, projectRoot } from "../../support/child.ts";

const START = join(projectRoot, "kernel", "startup", "thread.js");

/** The process that is killed, and when. */
export interface Kill {
  /** A script of this folder. */
  readonly script: string;
  /** Its arguments. */
  readonly words: readonly string[];
  readonly home: string;
  readonly line: string;
  readonly afterMs?: number;
}

/** Starts a script and kills it once it says a line; tells whether it came to that before its end. */
export async function killed({ script, words, home, line, afterMs = 0 }: Kill): Promise<boolean> {
  const path = new URL(script, import.meta.url).href;
  const child = spawn(projectNode, [START, path, ...words], {
    env: { PATH: process.env.PATH ?? "", HOME: home },
    stdio: ["ignore", "pipe", "inherit"],
  });
  let text = "";
  const ended = once(child, "close");
  const isThere = await new Promise<boolean>((resolve) => {
    child.stdout.setEncoding("utf8").on("data", (chunk: string) => {
      text += chunk;
      if (text.includes(`${line}\n`)) resolve(true);
      else if (text.includes("end\n")) resolve(false);
    });
    void ended.then(() => resolve(false));
  });
  if (afterMs > 0) await Promise.race([wait(afterMs), ended]);
  child.kill("SIGKILL");
  await ended;
  return isThere && !text.includes("end\n");
}

/** Does something in a folder of its own, which is gone behind it. */
export async function inFolder<T>(work: (home: string) => Promise<T>): Promise<T> {
  const home = mkdtempSync(join(tmpdir(), "madrigal-killed-"));
  try {
    return await work(home);
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}
