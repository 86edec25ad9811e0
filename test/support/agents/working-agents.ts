/** Finds the processes of strong agents by the folder that they work in. */
import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import { sep } from "node:path";

/** Lists the processes that a controller has started and that work in this folder or below it: each has a mark. Linux only. */
export function agentsIn(folder: string): readonly number[] {
  return readdirSync("/proc")
    .map(Number)
    .filter((pid) => Number.isInteger(pid) && isAgentIn(folder, pid));
}

function isAgentIn(folder: string, pid: number): boolean {
  try {
    const place = readlinkSync(`/proc/${pid}/cwd`);
    if (place !== folder && !place.startsWith(`${folder}${sep}`)) return false;
    return /^Max file locks +\d/m.test(readFileSync(`/proc/${pid}/limits`, "latin1"));
  } catch {
    // It has ended meanwhile, or is somebody else's.
    return false;
  }
}

/** Kills these processes as `kill -9` does. */
export function killAll(pids: readonly number[]): void {
  for (const pid of pids)
    try {
      process.kill(pid, "SIGKILL");
    } catch {
      // It has ended by itself.
    }
}
