/** Talks to an MCP server that is a process of its own: messages are lines of JSON, and its whole process tree ends with it or with us. */
import { type ChildProcess, spawn } from "node:child_process";
import type { Duplex, Readable } from "node:stream";
import type { JSONRPCMessage, ReadBuffer, Transport } from "@modelcontextprotocol/client";
import { systemClock } from "../../clock.ts";

/** A process to start. */
export interface ServerProcess {
  /** The program and its arguments. */
  readonly command: readonly string[];
  /** All of its environment. */
  readonly env: Readonly<Record<string, string>>;
  readonly folder?: string;
}

/** The parts of the client's package that read and write messages. */
export interface MessageCodec {
  readonly ReadBuffer: new () => ReadBuffer;
  readonly serializeMessage: (message: JSONRPCMessage) => string;
}

/**
 * The server leads a process group. A watcher in that group reads from a pipe whose other end only this process holds: when
 * the pipe closes, also because this process was killed, it kills the group.
 */
const SCRIPT = '{ read -r _ <&3; kill -KILL 0; } </dev/null >/dev/null 2>&1 & exec "$@" 3<&-';

/** The times that a server gets to end by itself, and after SIGTERM, in milliseconds. */
const ENDS_MS = 300;
const KILLED_MS = 700;
const NOISE_LENGTH_MAX = 2000;

export class ProcessTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: Transport["onmessage"];
  readonly #of: ServerProcess;
  readonly #codec: MessageCodec;
  readonly #buffer: ReadBuffer;
  #child: ChildProcess | undefined;
  #ended: Promise<void> = Promise.resolve();
  #noise = "";
  #requests = 0;

  constructor(of: ServerProcess, codec: MessageCodec) {
    this.#of = of;
    this.#codec = codec;
    this.#buffer = new codec.ReadBuffer();
  }

  /** The end of what the process wrote to its stderr. */
  get noise(): string {
    return this.#noise.trim();
  }

  start(): Promise<void> {
    const { command, env, folder } = this.#of;
    const child = spawn("/bin/sh", ["-c", SCRIPT, "madrigal-mcp", ...command], {
      env,
      ...(folder === undefined ? {} : { cwd: folder }),
      detached: true,
      stdio: ["pipe", "pipe", "pipe", "pipe"],
    });
    this.#child = child;
    this.#listen(child);
    this.#setHeld(false);
    return new Promise((resolve, reject) => {
      child.once("spawn", resolve);
      child.once("error", reject);
    });
  }

  /** Keeps this process alive while requests are under way; a server that only waits lets it end. */
  hold(): () => void {
    this.#requests += 1;
    this.#setHeld(true);
    return () => {
      this.#requests -= 1;
      if (this.#requests === 0) this.#setHeld(false);
    };
  }

  send(message: JSONRPCMessage): Promise<void> {
    return new Promise((resolve, reject) => {
      const stdin = this.#child?.stdin;
      if (stdin == null || !stdin.writable) reject(new Error("the server has ended"));
      else
        stdin.write(this.#codec.serializeMessage(message), (error) => {
          if (error == null) resolve();
          else reject(error);
        });
    });
  }

  /** Resolves when the process has ended: by itself once its stdin is closed, else by a signal. */
  async close(): Promise<void> {
    const child = this.#child;
    if (child?.pid === undefined) return;
    this.#setHeld(true);
    child.stdin?.end();
    if (!(await this.#endsWithin(ENDS_MS))) {
      signal(child, "SIGTERM");
      if (!(await this.#endsWithin(KILLED_MS))) signal(child, "SIGKILL");
    }
    await this.#ended;
  }

  async #endsWithin(ms: number): Promise<boolean> {
    const { promise, resolve } = Promise.withResolvers<boolean>();
    const stop = systemClock.after(ms, () => resolve(false));
    void this.#ended.then(() => resolve(true));
    try {
      return await promise;
    } finally {
      stop();
    }
  }

  #listen(child: ChildProcess): void {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#ended = promise;
    child.stdout?.on("data", (chunk: Buffer) => this.#read(chunk));
    child.stderr?.on("data", (chunk: Buffer) => {
      this.#noise = (this.#noise + chunk.toString()).slice(-NOISE_LENGTH_MAX);
    });
    // A pipe that breaks tells nothing that the end of the process does not.
    for (const stream of child.stdio) stream?.on("error", () => {});
    child.on("error", (error) => this.onerror?.(error));
    child.once("exit", () => {
      signal(child, "SIGKILL");
      for (const stream of child.stdio) stream?.destroy();
      resolve();
      this.onclose?.();
    });
  }

  #read(chunk: Buffer): void {
    try {
      this.#buffer.append(chunk);
      for (;;) {
        const message = this.#buffer.readMessage();
        if (message === null) return;
        this.onmessage?.(message);
      }
    } catch (thrown) {
      this.onerror?.(thrown as Error);
    }
  }

  #setHeld(isHeld: boolean): void {
    const child = this.#child;
    if (child === undefined) return;
    const change = isHeld ? "ref" : "unref";
    child[change]();
    for (const stream of child.stdio) (stream as (Readable | Duplex) & HeldStream)?.[change]?.();
  }
}

/** Pipes of a process are sockets, which the types do not say. */
interface HeldStream {
  ref?(): void;
  unref?(): void;
}

/** Signals the whole group; nothing where it is gone. */
function signal({ pid }: ChildProcess, name: NodeJS.Signals): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, name);
  } catch {
    // Nobody is left.
  }
}
