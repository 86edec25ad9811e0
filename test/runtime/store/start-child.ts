import { type ChildProcessWithoutNullStreams, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";

export interface Child {
  readonly pid: number;
  /** The next line it says; what it said on stderr, when there is none. */
  line(): Promise<string>;
  tell(): void;
  /** Kills it as a crash would, and waits until it is gone. */
  kill(): Promise<void>;
  gone(): Promise<void>;
}

const storeChild = fileURLToPath(new URL("child.ts", import.meta.url));

export interface ChildOptions {
  readonly uid?: number;
  readonly gid?: number;
  /** The largest file it may write, in blocks of 512 bytes: what a full disk is to SQLite. */
  readonly fileBlocksMax?: number;
  /** Another program than child.ts. */
  readonly program?: string;
  /** In the place of this folder it sees a disk of its own, of so many bytes; or the same, and can't write to it. */
  readonly disk?: { readonly folder: string; readonly bytesMax?: number };
}

/** Whether a process here may see other disks than the rest: not in every container. */
export function canMount(): boolean {
  return spawnSync("unshare", ["-rm", "true"]).status === 0;
}

/** Runs child.ts, or another program, in a process of its own; what still runs when the test ends is killed. */
export function startChild(args: readonly string[], options: ChildOptions = {}): Child {
  const { fileBlocksMax, disk, program = storeChild, ...identity } = options;
  const own = [process.execPath, program, ...args];
  const command =
    disk === undefined ? own : ["unshare", "-rm", "sh", "-c", mounted(disk), "sh", ...own];
  const limited = `trap "" XFSZ; ulimit -f ${fileBlocksMax ?? "unlimited"}; exec "$@"`;
  const child = spawn("/bin/sh", ["-c", limited, "sh", ...command], identity);
  const gone = once(child, "exit");
  onTestFinished(() => void child.kill("SIGKILL"));
  const lines = linesOf(child);
  return {
    pid: child.pid ?? -1,
    line: async () => (await lines.next()).value ?? "nothing",
    tell: () => void child.stdin.write("go\n"),
    async kill() {
      child.kill("SIGKILL");
      await gone;
    },
    async gone() {
      await gone;
    },
  };
}

function mounted({ folder, bytesMax }: NonNullable<ChildOptions["disk"]>): string {
  const mount =
    bytesMax === undefined
      ? `mount --bind ${folder} ${folder} && mount -o remount,ro,bind ${folder}`
      : `mount -t tmpfs -o size=${bytesMax} tmpfs ${folder}`;
  return `${mount} && exec "$@"`;
}

async function* linesOf(child: ChildProcessWithoutNullStreams): AsyncGenerator<string, string> {
  let errors = "";
  child.stderr.on("data", (chunk) => {
    errors += chunk;
  });
  for await (const line of createInterface({ input: child.stdout })) yield line;
  return `ended: ${errors}`;
}
