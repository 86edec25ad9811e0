/** Looks at what running code uses in all: the kernel's limits are each of one process or one file. */
import { type Dirent, lstatSync, type Stats } from "node:fs";
import { readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { systemClock } from "../../clock.ts";
import type { CodeLimits } from "./code-limits.ts";

/** The kinds of use that can go too far. */
export type Excess = "memory" | "disk";

interface WatchedCode {
  /** The process whose descendants are looked at. */
  readonly pid: number | undefined;
  readonly folder: string;
  readonly limits: CodeLimits;
  readonly over: (what: Excess) => void;
}

const PERIOD_MS = 100;
/** A folder that takes long to be looked at is looked at less often: a tenth of the time at most. */
const PAUSES = 9;
/** The entries by which a folder may grow. */
const ENTRIES_MAX = 10_000;
const AT_ONCE = 500;
const VISITED_MAX = 200_000;

/** Looks ten times a second, until the result is called. */
export function watchUsage({ pid, folder, limits, over }: WatchedCode): () => void {
  if (pid === undefined) return () => {};
  let isEnded = false;
  let cancel = () => {};
  let before: FolderUsage = { bytes: 0, entries: 0 };
  let pausesLeft = 0;
  const look = async () => {
    const { memory, hidden } = await memoryOf(await treeOf(pid));
    if (isEnded) return;
    if (memory > limits.memoryBytesMax) over("memory");
    if (pausesLeft > 0) pausesLeft -= 1;
    else {
      const began = performance.now();
      const { bytes, entries } = before;
      const now = await usageOf(folder, entries + ENTRIES_MAX, () => isEnded);
      if (isEnded) return;
      if (now.bytes + hidden > bytes + limits.diskBytesMax || now.entries > entries + ENTRIES_MAX)
        over("disk");
      pausesLeft = Math.floor(((performance.now() - began) * PAUSES) / PERIOD_MS);
    }
    if (!isEnded) next();
  };
  const next = () => {
    cancel = systemClock.after(PERIOD_MS, () => void look(), { background: true });
  };
  void usageOf(folder, VISITED_MAX, () => isEnded).then((usage) => {
    before = usage;
    if (!isEnded) next();
  });
  return () => {
    isEnded = true;
    cancel();
  };
}

/** Returns a process and all below it. */
async function treeOf(pid: number): Promise<readonly number[]> {
  const tree = [pid];
  for (const one of tree) {
    const threads = await readdir(`/proc/${one}/task`).catch(() => []);
    for (const thread of threads) {
      const children = await readText(`/proc/${one}/task/${thread}/children`);
      tree.push(...children.split(" ").flatMap((child) => (child === "" ? [] : [Number(child)])));
    }
  }
  return tree;
}

interface MemoryUsage {
  /** The bytes of memory, what is shared counted once. */
  readonly memory: number;
  /** The bytes of open files that have no name: they are deleted, or are memory alone. */
  readonly hidden: number;
}

async function memoryOf(tree: readonly number[]): Promise<MemoryUsage> {
  const nameless = new Map<string, number>();
  let memory = 0;
  for (const pid of tree) {
    const [, kilobytes = "0"] =
      /^Pss:\s+(\d+)/m.exec(await readText(`/proc/${pid}/smaps_rollup`)) ?? [];
    memory += Number(kilobytes) * 1024;
    for (const name of await readdir(`/proc/${pid}/fd`).catch(() => [])) {
      const file = await stat(`/proc/${pid}/fd/${name}`).catch(() => undefined);
      if (file?.isFile() === true && file.nlink === 0)
        nameless.set(`${file.dev}:${file.ino}`, file.blocks * BLOCK);
    }
  }
  const hidden = [...nameless.values()].reduce((sum, bytes) => sum + bytes, 0);
  return { memory, hidden };
}

const BLOCK = 512;

interface FolderUsage {
  readonly bytes: number;
  readonly entries: number;
}

/** Goes on until there are more entries than `entriesMax`. */
async function usageOf(
  folder: string,
  entriesMax: number,
  isEnded: () => boolean,
): Promise<FolderUsage> {
  let bytes = 0;
  let entries = 0;
  let looked = 0;
  const folders = [folder];
  for (const one of folders) {
    const found: readonly Dirent[] = await readdir(one, { withFileTypes: true }).catch(() => []);
    entries += found.length;
    if (isEnded() || entries > entriesMax) break;
    for (const entry of found) {
      const path = join(one, entry.name);
      if (entry.isDirectory()) folders.push(path);
      else bytes += (lookAt(path)?.blocks ?? 0) * BLOCK;
      looked += 1;
      if (looked % AT_ONCE === 0) await setImmediate();
    }
  }
  return { bytes, entries };
}

/** Takes microseconds, and asynchronously many times that. Returns nothing of what is gone, or may not be looked at. */
export function lookAt(path: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

/** Returns nothing of a process that is gone. */
function readText(path: string): Promise<string> {
  return readFile(path, "utf8").catch(() => "");
}
