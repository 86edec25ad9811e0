/** Kills the sandbox or the engine while code runs, at random points: nothing stays, and nothing is run twice unasked. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { expect, test, vi } from "vitest";
import { Session } from "../../../../runtime/index.ts";
import { projectNode } from "../../../support/child.ts";
import { missing } from "../../../support/python-env.ts";
import { compiled } from "./killed-graph.ts";

const reason = await missing("bubblewrap");
/** `MADRIGAL_KILLS=50` kills so often. */
const KILLS = Number(process.env.MADRIGAL_KILLS ?? 16);
/** The code takes 400 ms. */
const WITHIN_MS = 500;

interface KilledCode {
  readonly victim: "sandbox" | "engine";
  /** The numbers of lines that the code has written, before anybody answered. */
  readonly begun: number;
  readonly ended: number;
  /** The processes of its sandbox that are left. */
  readonly left: number;
  readonly outcome: string;
}

async function killOnce(victim: KilledCode["victim"]): Promise<KilledCode> {
  const home = mkdtempSync(join(tmpdir(), "madrigal-code-kill-"));
  const cwd = join(home, "work");
  const log = join(cwd, "log.txt");
  const child = spawn(projectNode, [join(import.meta.dirname, "kill-child.ts"), home, cwd], {
    env: { PATH: process.env.PATH ?? "", HOME: home },
    stdio: ["ignore", "pipe", "inherit"],
  });
  let said = "";
  child.stdout.on("data", (chunk: Buffer) => {
    said += chunk.toString();
  });
  const closed = once(child, "close");
  try {
    await vi.waitUntil(() => existsSync(log), { timeout: 60_000 });
    const sandbox = childrenOf(child.pid ?? -1);
    const tree = sandbox.flatMap(treeOf);
    await wait(Math.random() * WITHIN_MS);
    for (const pid of victim === "engine" ? [child.pid ?? -1] : sandbox) end(pid);
    await closed;
    await vi.waitUntil(() => tree.every(isGone), { timeout: 10_000 });
    const left = tree.filter((pid) => !isGone(pid)).length;
    const outcome = victim === "sandbox" ? said.trim() : await goOn(home, cwd);
    const lines = readFileSync(log, "utf8").split("\n");
    const count = (word: string) => lines.filter((line) => line === word).length;
    return { victim, begun: count("begun"), ended: count("ended"), left, outcome };
  } finally {
    end(child.pid ?? -1);
    rmSync(home, { recursive: true, force: true });
  }
}

/** Has a new process's session go on, and answers nothing. */
async function goOn(home: string, cwd: string): Promise<string> {
  const session = new Session({ cwd: home, env: {}, name: "next" });
  try {
    compiled(session, cwd);
    const run = session.open("last");
    if (run.status !== "succeeded") {
      await run.resume();
      await run.settled();
    }
    return run.interrupts.length > 0 ? "asks" : run.status;
  } finally {
    await session.close();
  }
}

function childrenOf(pid: number): readonly number[] {
  const found = readdirSync(`/proc/${pid}/task`).map((thread) =>
    readFileSync(`/proc/${pid}/task/${thread}/children`, "utf8"),
  );
  return found.join(" ").split(/\s+/).filter(Boolean).map(Number);
}

function treeOf(pid: number): readonly number[] {
  try {
    return [pid, ...childrenOf(pid).flatMap(treeOf)];
  } catch {
    return [pid];
  }
}

function isGone(pid: number): boolean {
  try {
    return /\) [ZX] /.test(readFileSync(`/proc/${pid}/stat`, "latin1"));
  } catch {
    return true;
  }
}

function end(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // It has ended.
  }
}

test.skipIf(reason !== undefined)(
  "killed code leaves no process, and is not run again before a person says so",
  {
    timeout: 600_000,
  },
  async () => {
    const killed: KilledCode[] = [];
    for (let done = 0; done < KILLS; done += 4)
      killed.push(
        ...(await Promise.all((["sandbox", "engine", "sandbox", "engine"] as const).map(killOnce))),
      );
    for (const one of killed) {
      expect(one).toMatchObject({ begun: 1, left: 0 });
      expect(one.ended).toBeLessThanOrEqual(1);
    }
    const outcomes = (victim: string) =>
      new Set(killed.filter((one) => one.victim === victim).map(({ outcome }) => outcome));
    for (const outcome of outcomes("sandbox"))
      expect(['ended {"out":{"exitCode":0}}', 'ended {"out":{"exitCode":137}}']).toContain(outcome);
    for (const outcome of outcomes("engine")) expect(["asks", "succeeded"]).toContain(outcome);
    expect(killed.some(({ outcome }) => outcome === "asks")).toBe(true);
    expect(killed.some(({ outcome }) => outcome.includes("137"))).toBe(true);
  },
);
