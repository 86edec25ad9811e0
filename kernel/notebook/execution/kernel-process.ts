/** Starts a kernel in a process of its own, with a connection file that only we can read. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import {
  type Connection,
  createConnection,
  writeConnection,
} from "../../jupyter/wire/connection.ts";
import type { Kernelspec } from "../../lab/kernelspec.ts";
import { makeTemporaryFolder } from "../../temporary-folder.ts";

export interface KernelOptions {
  readonly spec: Pick<Kernelspec, "argv" | "env">;
  readonly cwd: string;
  /** The environment that the spec's is added to, if not that of this process. */
  readonly environment?: NodeJS.ProcessEnv;
  /** Ends the kernel at once, also while it starts. */
  readonly kill?: AbortSignal;
}

const STDERR_CHARACTERS_MAX = 4_000;
const CLOSING_MS = 5_000;
const TERMINATING_MS = 2_000;

export class KernelProcess {
  readonly connection: Connection;
  /** Resolves with how it ended, in words. */
  readonly ended: Promise<string>;
  readonly #child: ChildProcess;
  readonly #folder: string;
  #stderr = "";

  private constructor(child: ChildProcess, connection: Connection, folder: string) {
    this.#child = child;
    this.connection = connection;
    this.#folder = folder;
    child.stderr?.setEncoding("utf8").on("data", (text: string) => {
      this.#stderr = (this.#stderr + text).slice(-STDERR_CHARACTERS_MAX);
    });
    this.ended = endOf(child).finally(() => this.#removeFolder());
  }

  static async start({ spec, cwd, environment, kill }: KernelOptions): Promise<KernelProcess> {
    const connection = await createConnection();
    const folder = makeTemporaryFolder("kernel");
    const file = join(folder, "connection.json");
    writeConnection(file, connection);
    const [command = "", ...args] = spec.argv.map((word) =>
      word.replace("{connection_file}", file),
    );
    const child = spawn(command, args, {
      cwd,
      env: { ...(environment ?? process.env), ...spec.env, JPY_PARENT_PID: String(process.pid) },
      stdio: ["ignore", "ignore", "pipe"],
      // A session of its own: Ctrl-C in our terminal is ours to pass on.
      detached: true,
    });
    const started = new KernelProcess(child, connection, folder);
    kill?.addEventListener("abort", () => started.kill());
    return started;
  }

  /** The process id; undefined if the process could not be started. */
  get pid(): number | undefined {
    return this.#child.pid;
  }

  /** The last text that it wrote to stderr, trimmed. */
  get lastWords(): string {
    return this.#stderr.trim();
  }

  /** Waits for it to end, as it was asked to; then ends it. */
  async stop(): Promise<void> {
    if (await this.#endsWithin(CLOSING_MS)) return;
    this.#child.kill("SIGTERM");
    if (await this.#endsWithin(TERMINATING_MS)) return;
    this.kill();
    await this.ended;
  }

  /** Ends it at once. The caller may end too before it hears of it, so its folder is gone when this returns. */
  kill(): void {
    this.#child.kill("SIGKILL");
    this.#removeFolder();
  }

  #removeFolder(): void {
    rmSync(this.#folder, { recursive: true, force: true });
  }

  async #endsWithin(ms: number): Promise<boolean> {
    const timer = new AbortController();
    const late = wait(ms, false, { signal: timer.signal }).catch(() => false);
    const inTime = this.ended.then(() => true);
    return await Promise.race([inTime, late]).finally(() => timer.abort());
  }
}

async function endOf(child: ChildProcess): Promise<string> {
  try {
    const [code, signal] = await once(child, "exit");
    return signal === null ? `exit code ${code}` : `signal ${signal}`;
  } catch (error) {
    return `it can't be started: ${error instanceof Error ? error.message : String(error)}`;
  }
}
