/**
 * kill -9 in the middle of `Magentic`, at events that a seed chooses: on its way, within its sentinel, and while a review is open.
 * `npm run soak` kills more often.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { seeded } from "../../../runtime/explore/seeded.ts";
import { type DrivenRun, Session } from "../../../runtime/index.ts";
import { projectNode, projectRoot } from "../../support/child.ts";
import { magenticIn, magenticOutcome, minds, person } from "./magentic-world.ts";

const KILLS = Math.min(60, Number(process.env.MADRIGAL_KILLS ?? 6));
const START = join(projectRoot, "kernel", "startup", "thread.js");

type Mode = "answers" | "waits";

interface Ended {
  /** It was killed when it said the line. */
  readonly isThere: boolean;
  /** What the person said during the run was acknowledged before. */
  readonly isSteered: boolean;
  /** The number of its events, where it came to its end. */
  readonly events: number;
}

/** Starts a child in a folder and kills it once it says a line, or has come to its end. */
async function killed(home: string, mode: Mode, line: string): Promise<Ended> {
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
      else if (/^end \d+\n/m.test(text)) resolve(false);
    });
    void ended.then(() => resolve(false));
  });
  child.kill("SIGKILL");
  await ended;
  const isSteered = text.includes("steered\n");
  return { isThere, isSteered, events: Number(/^end (\d+)$/m.exec(text)?.[1] ?? 0) };
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

/** The number of events in a run that nobody kills: with its answers to its end, without them until it waits. */
async function eventsIn(mode: Mode): Promise<number> {
  return await inFolder(async (home) => (await killed(home, mode, "never")).events);
}

test("M16 M89 L9 [CR] killed at any event, on its way, within its sentinel or while it asks, it ends as an unbroken run, and no word of the person is lost", {
  timeout: (KILLS + 2) * 90_000,
}, async () => {
  const next = seeded(Number(process.env.MADRIGAL_FUZZ_SEED ?? Date.now() % 1_000_000));
  const events = { answers: await eventsIn("answers"), waits: await eventsIn("waits") };
  const within: string[] = [];
  for (let kill = 0; kill < KILLS; kill += 1) {
    const mode = kill % 3 === 2 ? "waits" : "answers";
    const event = 1 + Math.floor(next() * (events[mode] - 1));
    const place = `event ${event} of ${events[mode]} (${mode})`;
    const { outcome, isSteered } = await inFolder(async (home) => {
      const ended = await killed(home, mode, `event ${event}`);
      if (ended.isThere) within.push(place);
      return { outcome: await resumed(home), isSteered: ended.isSteered };
    });
    // A word that was never taken in is none that was lost.
    const words = isSteered ? [1, 1, 1] : [1, 1, expect.toBeOneOf([0, 1])];
    expect(outcome, `killed at ${place}`).toMatchObject({ ...unbroken, words });
  }
  expect(within).toHaveLength(KILLS);
});

test("M89 [CR] killed while the review is open, another process answers it", {
  timeout: 120_000,
}, async () => {
  await inFolder(async (home) => {
    expect(await killed(home, "waits", "asks")).toMatchObject({ isThere: true });
    expect(await resumed(home)).toMatchObject(unbroken);
  });
});
