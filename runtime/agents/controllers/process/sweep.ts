/** Kills the processes that an agent has left behind, also those that left its process group. */
import { randomInt } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";

/**
 * Returns the mark of one turn: a number that its processes have as their limit of file locks. Linux hands that limit down to all
 * that a process starts, shows it to everybody, and has counted no lock against it since 2.4. Since no process is remembered by
 * its number, a number that is used again is never taken for one of ours.
 */
export function newMark(): number {
  // All marks have as many digits.
  return randomInt(1e14, 2e14);
}

/** Makes the pattern of the line of `/proc/PID/limits` with this mark, for `grep` and for JavaScript. */
export function markLine(mark: number | string): string {
  return `^Max file locks  *${mark} `;
}

/** A process that is killed may have started another one meanwhile. */
const ROUNDS_MAX = 10;

/** Kills every process with this mark, and returns how many there were; 0 on a system that shows no limits, such as macOS. */
export function killMarked(mark: number): number {
  if (process.platform !== "linux") return 0;
  const line = new RegExp(markLine(mark), "m");
  const killed = new Set<number>();
  for (let round = 0; round < ROUNDS_MAX; round += 1) {
    let isAnyLeft = false;
    for (const pid of readdirSync("/proc").map(Number)) {
      if (!Number.isInteger(pid) || !isMarked(pid, line)) continue;
      // At once, before its number can be another's.
      signalProcess(pid, "SIGKILL");
      killed.add(pid);
      isAnyLeft = true;
    }
    if (!isAnyLeft) break;
  }
  return killed.size;
}

function isMarked(pid: number, line: RegExp): boolean {
  try {
    if (!line.test(readFileSync(`/proc/${pid}/limits`, "latin1"))) return false;
    const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
    // One that has ended stays in the table until somebody waits for it.
    return !"ZX".includes(stat.charAt(stat.lastIndexOf(")") + 2));
  } catch {
    // It has ended meanwhile.
    return false;
  }
}

/** Signals a process, or a group where `pid` is negative; nothing where it is gone. */
export function signalProcess(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // The process has ended already.
  }
}
