/** Ends the processes that a thread started: it can't do so itself while it waits for their answer. */
import { rmSync } from "node:fs";
import type { API } from "typescript/unstable/sync";

/** A process of the native compiler, and its temporary folder. */
export interface StartedNative {
  readonly pid: number | undefined;
  readonly folder: string;
}

/** The process behind an API, which does not tell it. */
export function processOf(api: API): number | undefined {
  const { client } = api as unknown as {
    client?: { channel?: { child?: { pid?: number } } };
  };
  return client?.channel?.child?.pid;
}

/** The processes of one thread. They end with this process at the latest. */
export class StartedNatives {
  readonly #started = new Set<StartedNative>();
  readonly #end = () => this.end();

  add(started: StartedNative): void {
    if (this.#started.size === 0) process.once("exit", this.#end);
    this.#started.add(started);
  }

  end(): void {
    process.off("exit", this.#end);
    for (const { pid, folder } of this.#started) {
      kill(pid);
      rmSync(folder, { recursive: true, force: true });
    }
    this.#started.clear();
  }
}

function kill(pid: number | undefined): void {
  try {
    if (pid !== undefined) process.kill(pid, "SIGKILL");
  } catch {
    // It has ended by itself.
  }
}
