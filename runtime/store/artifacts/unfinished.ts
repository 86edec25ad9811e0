/** Names files that are being written, and removes those that killed processes have left unfinished. */
import { readdirSync, rmSync, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { machineLiveness } from "../lease.ts";

/** Returns the name of an unfinished file: its final name, and the process that writes it. */
export function unfinishedName(path: string): string {
  return `${path}.${process.pid}.tmp`;
}

/** Returns the final name of an abandoned file; undefined for any other file, or if its process lives. */
export function abandonedOf(path: string): string | undefined {
  const [, whole, pid] = /^(.+)\.(\d+)\.tmp$/.exec(path) ?? [];
  return whole === undefined || machineLiveness.isAlive(Number(pid)) ? undefined : whole;
}

/** Takes away what processes that are no more have left of `path`. One that changed since `before` may be of another machine. */
export function removeAbandoned(path: string, before: number): void {
  const folder = dirname(path);
  for (const name of readdirSync(folder)) {
    if (!name.startsWith(basename(path)) || abandonedOf(name) !== basename(path)) continue;
    const left = join(folder, name);
    const changed = statSync(left, { throwIfNoEntry: false })?.mtimeMs ?? before;
    if (changed < before) rmSync(left, { force: true });
  }
}
