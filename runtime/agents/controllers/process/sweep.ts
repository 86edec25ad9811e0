/** Kills the processes that an agent has left behind, also those that left its process group. */
import { readdirSync, readFileSync } from "node:fs";

/** The variable by which the processes of one turn are known: all that they start inherit it. */
export const MARK = "MADRIGAL_AGENT";

/** A process that is killed may have started another one meanwhile. */
const ROUNDS_MAX = 10;

/** Kills every process with this mark, and returns how many there were. There is no such list outside of Linux. */
export function killMarked(mark: string): number {
  const killed = new Set<number>();
  for (let round = 0; round < ROUNDS_MAX; round += 1) {
    const found = markedProcesses(mark);
    if (found.length === 0) break;
    for (const pid of found) {
      killed.add(pid);
      signalProcess(pid, "SIGKILL");
    }
  }
  return killed.size;
}

/** Lists the processes with this mark that still run. */
export function markedProcesses(mark: string): readonly number[] {
  if (process.platform !== "linux") return [];
  const wanted = Buffer.from(`${MARK}=${mark}\0`);
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => hasVariable(pid, wanted))
    .map(Number);
}

function hasVariable(pid: string, wanted: Buffer): boolean {
  try {
    return readFileSync(`/proc/${pid}/environ`).includes(wanted);
  } catch {
    // It has ended meanwhile, or belongs to somebody else.
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
