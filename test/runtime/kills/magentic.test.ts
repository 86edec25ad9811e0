/** kill -9 in the middle of `Magentic`: at each commit, within its sentinel, and while a review is open. `npm run soak` kills more often. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { type DrivenRun, Session } from "../../../runtime/index.ts";
import { projectNode, projectRoot } from "../../support/child.ts";
import { magenticIn, magenticOutcome, minds, person } from "./magentic-world.ts";

const KILLS = Math.min(60, Number(process.env.MADRIGAL_KILLS ?? 6));
const START = join(projectRoot, "kernel", "startup", "thread.js");

/** Starts a child in a folder and kills it once it says a line; tells whether it came to that. */
async function killed(home: string, mode: string, line: string): Promise<boolean> {
  const script = new URL("magentic-child.ts", import.meta.url).href;
  const child = spawn(projectNode, [START, script, home, mode], {
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
  child.kill("SIGKILL");
  await ended;
  return isThere;
}

/** The result of the run in a folder, read by another process. */
async function resumed(home: string): Promise<unknown> {
  const session = new Session({ cwd: home, env: {}, name: "next" });
  magenticIn(session);
  const run: DrivenRun = session.open("last", { answers: person, ...minds() });
  if (run.status !== "succeeded") await run.resume();
  const outcome = magenticOutcome(await run.output, run.state);
  expect(run.replay()).toMatchObject({ ok: true });
  await session.close();
  return outcome;
}

async function inFolder<T>(work: (home: string) => Promise<T>): Promise<T> {
  const home = mkdtempSync(join(tmpdir(), "madrigal-magentic-"));
  try {
    return await work(home);
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

const unbroken = {
  answer: "6.",
  why: "Plan completed.",
  plan: { version: 2, steps: [{ id: "watch" }, { id: "sum" }] },
  found: [
    { step: "watch", by: "web_surfer", text: '{"watch":["price 1","price 2","price 3"]}' },
    { step: "sum", by: "coder_agent", text: "The sum is 6." },
    { step: "sum", by: "orchestrator", text: "6" },
  ],
  words: [1, 1, 1],
};

/** Its commits, and those of the sentinel's rounds, in an unbroken run. */
const COMMITS = 14;

test("M16 M89 L9 [CR] killed at a commit, on its way or within its sentinel, it ends as an unbroken run, and no word of the person is lost", {
  timeout: KILLS * 90_000,
}, async () => {
  let within = 0;
  for (let kill = 0; kill < KILLS; kill += 1) {
    const commit = 1 + Math.floor((kill * (COMMITS - 1)) / KILLS);
    const outcome = await inFolder(async (home) => {
      if (await killed(home, "answers", `commit ${commit}`)) within += 1;
      return await resumed(home);
    });
    expect(outcome, `killed at commit ${commit}`).toMatchObject(unbroken);
  }
  expect(within).toBe(KILLS);
});

test("M89 [CR] killed while the review is open, another process answers it", {
  timeout: 120_000,
}, async () => {
  await inFolder(async (home) => {
    expect(await killed(home, "waits", "asks")).toBe(true);
    expect(await resumed(home)).toMatchObject(unbroken);
  });
});
