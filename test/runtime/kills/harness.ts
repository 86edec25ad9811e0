/** Kills processes in the middle of a run, has another one go on, and counts what was done outside. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { type DrivenRun, Session } from "../../../runtime/index.ts";
import { projectNode, projectRoot } from "../../support/child.ts";
import {
  commits,
  doneIn,
  inDoubt,
  isOutside,
  notes,
  outputOf,
  unbroken,
  voices,
  workIn,
} from "./world.ts";

/** What one kill came to. */
export interface Killed {
  /** Between its first commit and its last one. */
  readonly isWithin: boolean;
  /** How many processes that went on with it were killed as well. */
  readonly killedAgain: number;
  /** Records that were acknowledged and are not in the log. */
  readonly lost: number;
  /** Calls of which nobody knew whether they had happened. */
  readonly doubts: number;
  /** External things that were done twice, or never. */
  readonly wrong: readonly string[];
  /** Functions that ran again, since nobody knew that they had. */
  readonly again: number;
  readonly isEqual: boolean;
  /** The entries of the memory, which are stored with the commits of ten items. */
  readonly remembered: readonly string[];
}

const START = join(projectRoot, "kernel", "startup", "thread.js");

/** How long an unbroken run takes between its first commit and its last one, in ms: the shortest of three. */
export async function measured(durability: string): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round < 3; round += 1) times.push(await timed(durability));
  return Math.min(...times);
}

/** Kills a run so long after its first commit, then whoever goes on with it so long after that, and has another one end it. */
export async function kill(
  durability: string,
  [firstMs = 0, ...againMs]: readonly number[],
): Promise<Killed> {
  const home = mkdtempSync(join(tmpdir(), "madrigal-kill-"));
  try {
    const first = await killed(started(home, durability), "commit 1\n", firstMs);
    const others: (readonly string[])[] = [];
    for (const afterMs of againMs) {
      others.push(await killed(started(home, "resume"), "on\n", afterMs));
    }
    return await resumed(home, first, others);
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

/** What a child has said that is killed so long after it said a word. */
async function killed(child: Running, word: string, afterMs: number): Promise<readonly string[]> {
  try {
    await child.said(word);
    await wait(afterMs);
  } finally {
    child.process.kill("SIGKILL");
    await child.ended;
  }
  return child.lines();
}

/** A new process's word for what the dead one left. */
async function resumed(
  home: string,
  lines: readonly string[],
  others: readonly (readonly string[])[],
): Promise<Killed> {
  const file = join(home, "did.txt");
  const session = new Session({ cwd: home, env: {}, name: "next" });
  workIn(session, file);
  const all = [...lines, ...others.flat()];
  let doubts = all.filter((line) => line === "doubt").length;
  const answers = inDoubt(file, () => {
    doubts += 1;
  });
  const run: DrivenRun = session.open("last", { answers, ...voices() });
  const stored = run.replay().records - 1;
  if (run.status !== "succeeded") await run.resume();
  const output = outputOf(await run.output);
  const remembered = session.stored.memories.list().map(({ value }) => String(value));
  await session.close();
  const done = doneIn(file);
  const wanted = [...unbroken.done, ...notes];
  const counts = wanted.map((line) => [line, done.filter((one) => one === line).length]);
  const told = all.flatMap((line) => (line.startsWith("stored ") ? [Number(line.slice(7))] : []));
  const acknowledged = Math.max(-1, ...told);
  return {
    isWithin: !lines.includes("end") && lastOf(lines, "commit ") !== String(commits),
    killedAgain: others.filter((one) => !one.includes("end")).length,
    lost: Math.max(0, acknowledged - stored),
    doubts,
    wrong: counts.filter(([line, count]) => isOutside(String(line)) && count !== 1).map(String),
    again: done.length - new Set(done).size,
    isEqual: JSON.stringify(output) === JSON.stringify(unbroken),
    remembered: remembered.toSorted(),
  };
}

function lastOf(lines: readonly string[], word: string): string | undefined {
  return lines.findLast((line) => line.startsWith(word))?.slice(word.length);
}

async function timed(durability: string): Promise<number> {
  const home = mkdtempSync(join(tmpdir(), "madrigal-kill-"));
  const child = started(home, durability);
  try {
    await child.said("commit 1\n");
    const from = performance.now();
    await child.said("end");
    return performance.now() - from;
  } finally {
    child.process.kill("SIGKILL");
    await child.ended;
    rmSync(home, { recursive: true, force: true });
  }
}

interface Running {
  readonly process: ChildProcess;
  readonly ended: Promise<unknown>;
  lines(): readonly string[];
  said(word: string): Promise<void>;
}

function started(home: string, durability: string): Running {
  const script = new URL("child.ts", import.meta.url).href;
  // It starts with what was compiled before, as the command does.
  const child = spawn(projectNode, [START, script, home, durability], {
    env: { PATH: process.env.PATH ?? "", HOME: home },
    stdio: ["ignore", "pipe", "inherit"],
  });
  let text = "";
  const listeners = new Set<() => void>();
  child.stdout?.setEncoding("utf8").on("data", (chunk: string) => {
    text += chunk;
    for (const look of listeners) look();
  });
  const ended = once(child, "close");
  const said = (word: string) => {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const look = () => (text.includes(word) ? resolve() : undefined);
    listeners.add(look);
    look();
    void ended.then(() => reject(new Error(`the child ended without \`${word}\`:\n${text}`)));
    return promise;
  };
  // Its last line may have been cut off.
  const lines = () => text.split("\n").slice(0, -1);
  return { process: child, ended, lines, said };
}
