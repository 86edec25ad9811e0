/** Runs the program of a strong agent: its output as lines, and the end of all of its processes with it or with us. */
import { type ChildProcess, spawn } from "node:child_process";
import type { TimerClock } from "../../../clock.ts";
import { killMarked, markLine, newMark, signalProcess } from "./sweep.ts";

/** A program to start. */
export interface AgentCommand {
  /** The program and its arguments. */
  readonly command: readonly string[];
  /** All of its environment. */
  readonly env: Readonly<Record<string, string>>;
  readonly folder: string;
}

/** The end of a program. */
export interface ProcessEnd {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** The listener to a program. */
export interface ProcessHearer {
  /** A line with its newline; the last one may have none. */
  readonly line: (raw: Buffer, from: "stdout" | "stderr") => void;
}

/** The steps by which a program is ended that does not end by itself, each with the time it gets, in milliseconds. */
export interface StopTimes {
  /** After it was asked by its own protocol, or its input was closed. */
  readonly asked: number;
  readonly interrupted: number;
  readonly terminated: number;
}

/**
 * The program leads a process group and has a mark that all of its processes inherit. A watcher in the group, without that mark,
 * reads from a pipe whose other end only this process holds: when the pipe closes, also because this process was killed, it kills
 * all of them. The mark is set by the option -x of bash, -w of dash and BusyBox; where it can't be, only the group is known.
 */
const SCRIPT = [
  "mark=$1; shift",
  "{ read -r _ <&3",
  `for round in 1 2 3; do for of in /proc/[0-9]*; do grep -q "${markLine("$mark")}" "$of/limits" && kill -KILL "\${of#/proc/}"; done; done`,
  "kill -KILL 0; } </dev/null >/dev/null 2>&1 &",
  '{ ulimit -S -x "$mark" || ulimit -S -w "$mark"; } 2>/dev/null',
  'exec "$@" 3<&-',
].join("\n");

/** A line is at most so long; more is heard in pieces. */
const LINE_BYTES_MAX = 32 * 1024 * 1024;

/** The time in which the pipes of a program that has ended must be read. */
const DRAINED_MS = 1000;

export class AgentProcess {
  readonly #mark = newMark();
  readonly ended: Promise<ProcessEnd>;
  readonly #child: ChildProcess;
  readonly #clock: TimerClock;

  constructor({ command, env, folder }: AgentCommand, hearer: ProcessHearer, clock: TimerClock) {
    this.#clock = clock;
    this.#child = spawn("/bin/sh", ["-c", SCRIPT, "madrigal-agent", `${this.#mark}`, ...command], {
      env,
      cwd: folder,
      detached: true,
      stdio: ["pipe", "pipe", "pipe", "pipe"],
    });
    for (const from of ["stdout", "stderr"] as const) this.#listen(from, hearer);
    // A pipe that breaks tells nothing that the end of the process does not.
    for (const stream of this.#child.stdio) stream?.on("error", () => {});
    this.ended = this.#end();
  }

  get pid(): number | undefined {
    return this.#child.pid;
  }

  /** Writes to its input; what can't be written any more is lost with it. */
  write(text: string): void {
    const { stdin } = this.#child;
    if (stdin?.writable === true) stdin.write(text);
  }

  closeInput(): void {
    this.#child.stdin?.end();
  }

  /** Reads no more of its output until it is resumed. */
  pause(): void {
    this.#child.stdout?.pause();
  }

  resume(): void {
    this.#child.stdout?.resume();
  }

  /** Ends the program, the sooner the better for it: it is given time, then signals. Resolves when no process of it is left. */
  async stop({ asked, interrupted, terminated }: StopTimes): Promise<ProcessEnd> {
    const steps = [
      [undefined, asked],
      ["SIGINT", interrupted],
      ["SIGTERM", terminated],
    ] as const;
    this.resume();
    for (const [signal, ms] of steps) {
      if (signal !== undefined) this.#signal(signal);
      if (await this.#endsWithin(ms)) return await this.ended;
    }
    this.kill();
    return await this.ended;
  }

  /** Kills all of its processes at once. */
  kill(): void {
    this.#signal("SIGKILL");
    killMarked(this.#mark);
  }

  #signal(name: NodeJS.Signals): void {
    const { pid } = this.#child;
    if (pid !== undefined) signalProcess(-pid, name);
  }

  async #endsWithin(ms: number): Promise<boolean> {
    const { promise, resolve } = Promise.withResolvers<boolean>();
    const stop = this.#clock.after(ms, () => resolve(false));
    void this.ended.then(() => resolve(true));
    try {
      return await promise;
    } finally {
      stop();
    }
  }

  #end(): Promise<ProcessEnd> {
    const child = this.#child;
    const { promise, resolve } = Promise.withResolvers<ProcessEnd>();
    let stop = () => {};
    child.once("error", () => resolve({ code: 127, signal: null }));
    child.once("exit", () => {
      // Its watcher, and whatever it has started and left.
      this.kill();
      const destroy = () => {
        for (const stream of child.stdio) stream?.destroy();
      };
      stop = this.#clock.after(DRAINED_MS, destroy, { background: true });
    });
    child.once("close", (code, signal) => {
      stop();
      resolve({ code, signal });
    });
    return promise;
  }

  #listen(from: "stdout" | "stderr", { line }: ProcessHearer): void {
    let held: Buffer[] = [];
    let heldBytes = 0;
    const tell = (end: Buffer) => {
      const whole = held.length === 0 ? end : Buffer.concat([...held, end]);
      held = [];
      heldBytes = 0;
      if (whole.length > 0) line(whole, from);
    };
    const stream = this.#child[from];
    stream?.on("data", (chunk: Buffer) => {
      let begin = 0;
      for (let at = chunk.indexOf(10); at !== -1; at = chunk.indexOf(10, begin)) {
        tell(chunk.subarray(begin, at + 1));
        begin = at + 1;
      }
      if (begin === chunk.length) return;
      held.push(chunk.subarray(begin));
      heldBytes += chunk.length - begin;
      if (heldBytes > LINE_BYTES_MAX) tell(Buffer.alloc(0));
    });
    stream?.on("end", () => tell(Buffer.alloc(0)));
  }
}
