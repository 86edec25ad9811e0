import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import type { TimerClock } from "../../../runtime/clock.ts";
import { RunError } from "../../../runtime/failure.ts";
import type { Liveness } from "../../../runtime/store/lease.ts";

/** A folder that is gone after the test. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "madrigal-store-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** A host called `here` on which every process lives until it is added to `dead`. */
export function hostWith(dead: Set<number> = new Set()): Liveness {
  return { host: "here", isAlive: (pid) => !dead.has(pid) };
}

export interface ManualClock extends TimerClock {
  /** Moves on and fires what falls due, letting promises run in between. */
  advance(delayMs: number): Promise<void>;
  /** Moves on as a sleeping machine does: nothing fires. */
  sleep(delayMs: number): void;
}

export function manualClock(start = 10_000): ManualClock {
  let now = start;
  let timers: { readonly due: number; readonly action: () => void }[] = [];
  const isDue = (until: number) => timers.filter((timer) => timer.due <= until);
  return {
    now: () => now,
    after(delayMs, action) {
      const timer = { due: now + delayMs, action };
      timers.push(timer);
      return () => {
        timers = timers.filter((other) => other !== timer);
      };
    },
    sleep(delayMs) {
      now += delayMs;
    },
    async advance(delayMs) {
      const until = now + delayMs;
      await promisesRun();
      for (let due = isDue(until); due.length > 0; due = isDue(until)) {
        const [next] = due.toSorted((a, b) => a.due - b.due);
        timers = timers.filter((timer) => timer !== next);
        now = Math.max(now, next?.due ?? now);
        next?.action();
        await promisesRun();
      }
      now = until;
    },
  };
}

/** Lets what is under way go on, for some turns of the event loop: on a busy machine an engine gives way after each 5 ms. */
export async function promisesRun(): Promise<void> {
  for (let turn = 0; turn < TURNS; turn += 1)
    await new Promise<void>((resolve) => setImmediate(resolve));
}

const TURNS = 5;

/** The code and the text of what `body` throws or rejects with. */
export async function errorOf(body: () => unknown): Promise<string> {
  try {
    await body();
  } catch (error) {
    if (error instanceof RunError) return `${error.code} ${error.message} (${error.hint})`;
    throw error;
  }
  return "no error";
}
