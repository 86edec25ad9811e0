/** Admits one process at a time, by a lock file. */
import { randomUUID } from "node:crypto";
import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { setTimeout as wait } from "node:timers/promises";
import { CommandError } from "../command-error.ts";
import { EXIT } from "../exit-codes.ts";
import { isProcessAlive } from "../startup/parent-watch.js";

const LOOK_AGAIN_MS = 200;
const WAITING_MS = 10 * 60_000;

/** Waits for its turn, works, and lets the next one in. */
export async function withLock<T>(path: string, work: () => Promise<T>): Promise<T> {
  const until = performance.now() + WAITING_MS;
  while (!tryLock(path)) {
    if (performance.now() > until) throw waitedTooLong(path);
    await wait(LOOK_AGAIN_MS);
  }
  try {
    return await work();
  } finally {
    rmSync(path, { force: true });
  }
}

/** Appears with its content or not at all, so that nobody reads a lock without an owner. */
function tryLock(path: string): boolean {
  const own = `${path}.${randomUUID()}`;
  writeFileSync(own, String(process.pid));
  try {
    linkSync(own, path);
    return true;
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== "EEXIST") throw cause;
    dropDead(path);
    return false;
  } finally {
    rmSync(own, { force: true });
  }
}

/** The lock of a process that is gone is moved away; of two that try, one does. */
function dropDead(path: string): void {
  const owner = ownerOf(path);
  if (owner === undefined || isProcessAlive(owner)) return;
  const dead = `${path}.${randomUUID()}`;
  try {
    renameSync(path, dead);
  } catch {
    return; // Another process was faster.
  }
  // Between our look and our move a third process may have taken it anew: then it gets it back.
  if (ownerOf(dead) !== owner) linkBack(dead, path);
  rmSync(dead, { force: true });
}

function linkBack(from: string, to: string): void {
  try {
    linkSync(from, to);
  } catch {
    // Taken a second time meanwhile: two work at once, which pip survives.
  }
}

function ownerOf(path: string): number | undefined {
  try {
    return Number(readFileSync(path, "utf8"));
  } catch {
    return undefined;
  }
}

function waitedTooLong(path: string): CommandError {
  return new CommandError("M7734", `process ${ownerOf(path) ?? "?"} holds \`${path}\``, {
    hint: "end that process, or delete the lock when there is none",
    exitCode: EXIT.missing,
  });
}
