/** kill -9 at commits of the systems in `notebooks/systems`. `npm run soak` kills 30 times each, spread over all their commits. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { expect, test } from "vitest";
import { type DrivenRun, Session } from "../../../runtime/index.ts";
import { projectNode, projectRoot } from "../../support/child.ts";
import { doneIn, SYSTEMS } from "./systems-world.ts";

/** So many of each system: 30 where MADRIGAL_KILLS says at least as many. */
const KILLS = Number(process.env.MADRIGAL_KILLS ?? 0) >= 30 ? 30 : 3;
const START = join(projectRoot, "kernel", "startup", "thread.js");

/** Starts a child in a folder and kills it so long after it says a line; tells whether it came to that. */
async function killed(home: string, name: string, line: string, afterMs: number): Promise<boolean> {
  const script = new URL("systems-child.ts", import.meta.url).href;
  const child = spawn(projectNode, [START, script, home, name], {
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
  await wait(afterMs);
  child.kill("SIGKILL");
  await ended;
  return isThere;
}

async function inFolder<T>(work: (home: string) => Promise<T>): Promise<T> {
  const home = mkdtempSync(join(tmpdir(), "madrigal-systems-"));
  try {
    return await work(home);
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

/** The result and what was done outside: of a run from its beginning, or of the one in the folder. */
async function ended(home: string, name: string, begins: boolean) {
  const session = new Session({ cwd: home, env: {}, name: "next" });
  const system = SYSTEMS[name]?.(session, home);
  if (system === undefined) throw new Error(`no system is called ${name}`);
  const { graph, input, options } = system;
  const run = (begins ? graph.run(input, options()) : session.open("last", options())) as DrivenRun;
  if (!begins && run.status !== "succeeded") await run.resume();
  const output = await run.output;
  const isReplayed = run.replay().ok;
  await session.close();
  return { output, done: doneIn(home).toSorted(), isReplayed };
}

test.each([
  ["S04 S14 S24 [CR]", "shared-state", 13, 4],
  ["E06 E72 E98 [CR]", "eko", 9, 4],
  ["A05 A40 A84 [CR]", "agent-world", 8, 6],
  ["M16 M92 [CR]", "magentic", 13, 4],
])(
  "%s %s: killed anywhere it ends as an unbroken run, and nothing outside is done twice",
  {
    timeout: 600_000,
  },
  async (_, name, commits, effects) => {
    const unbroken = await inFolder((home) => ended(home, name, true));
    expect(unbroken.done).toHaveLength(effects);
    let within = 0;
    for (let kill = 0; kill < KILLS; kill += 1) {
      const commit = 1 + Math.floor((kill * (commits - 1)) / KILLS);
      await inFolder(async (home) => {
        // At the commit, and a little behind it: in the midst of what comes next.
        if (await killed(home, name, `commit ${commit}`, kill % 3)) within += 1;
        expect(await ended(home, name, false), `killed at commit ${commit}`).toEqual(unbroken);
      });
    }
    expect(within).toBe(KILLS);
  },
);
