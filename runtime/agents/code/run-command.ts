/** Runs one command within its limits, in a sandbox or open, and ends all of its processes. */
import { type ChildProcess, type StdioOptions, spawn } from "node:child_process";
import { openSync, readdirSync, readFileSync } from "node:fs";
import { constants } from "node:os";
import type { Readable, Writable } from "node:stream";
import { stripVTControlCharacters } from "node:util";
import { systemClock } from "../../clock.ts";
import { FILTER_FD, findBubblewrap, OPTIONS_FD, sandboxArguments } from "./bubblewrap.ts";
import { codeError } from "./code-error.ts";
import {
  type CodeLimits,
  type CodeSandbox,
  FLOOD_BYTES_MAX,
  limitedCommand,
} from "./code-limits.ts";
import { seccompFilter } from "./seccomp-filter.ts";
import { type Excess, watchUsage } from "./watch-usage.ts";

/** A command, and what it may use. */
export interface CodeCommand {
  readonly command: readonly string[];
  readonly sandbox: CodeSandbox;
  /** The real path of its work folder. */
  readonly folder: string;
  /** The user that owns the folder. */
  readonly user: number;
  readonly limits: CodeLimits;
  /** The time that is left, in milliseconds. */
  readonly leftMs: number;
  readonly signal: AbortSignal;
}

/** The outcome of a command. */
export interface EndedCommand {
  /** 128 and the number of the signal where one ended it; 124 where its time was up. */
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
  /** Notes on cut outputs, and the reason for which it was stopped. */
  readonly notes: readonly string[];
}

/** The reason for which we end a command. */
type CodeStop = Excess | "time" | "output" | "aborted";

/**
 * Open code leads a process group. A watcher in that group reads from a pipe whose other end only this process
 * holds: when the pipe closes, also because this process was killed, it kills the group.
 */
const WATCHER = '{ read -r _ <&3; kill -KILL 0; } </dev/null >/dev/null 2>&1 & exec "$@" 3<&- 4<&-';

/** Runs a command to its end. Throws M8330 where there is no bubblewrap; an abort rejects once all processes are gone. */
export async function runCommand(of: CodeCommand): Promise<EndedCommand> {
  const { limits, signal, leftMs, folder } = of;
  signal.throwIfAborted();
  const child = start(of);
  let stopped: CodeStop | undefined;
  const stop = (why: CodeStop) => {
    stopped ??= why;
    killGroup(child);
  };
  const outputs = [child.stdout, child.stderr].map(
    (stream) => new KeptOutput(stream as Readable, limits.outputBytesMax, () => stop("output")),
  );
  const abort = () => stop("aborted");
  signal.addEventListener("abort", abort, { once: true });
  const cancelTime = systemClock.after(leftMs, () => stop("time"));
  const endWatch = watchUsage({ pid: child.pid, folder, limits, over: stop });
  try {
    const { code, name } = await ended(child);
    if (stopped === "aborted") throw signal.reason;
    const [stdout, stderr] = outputs.map((output) => output.text);
    const notes = outputs.flatMap((output, at) => output.note(at === 0 ? "stdout" : "stderr"));
    return {
      exitCode: exitCodeOf(stopped, code, name),
      stdout: stdout ?? "",
      stderr: stderr ?? "",
      notes: [...notes, ...(stopped === undefined ? [] : [stopNote(stopped, limits)])],
    };
  } finally {
    signal.removeEventListener("abort", abort);
    cancelTime();
    endWatch();
  }
}

function start(of: CodeCommand): ChildProcess {
  const { sandbox, folder, command, limits } = of;
  const stdio = standardStreams();
  if (sandbox === "open") {
    const { PATH = "", LANG = "C.UTF-8" } = process.env;
    const limited = [...limitedCommand(limits, sandbox), ...command];
    return spawn("/bin/sh", ["-c", WATCHER, "madrigal-code", ...limited], {
      cwd: folder,
      env: { PATH, LANG, HOME: folder, PYTHONDONTWRITEBYTECODE: "1" },
      detached: true,
      stdio,
    });
  }
  const filter = seccompFilter();
  const {
    options,
    command: sandboxed,
    startAs,
  } = sandboxArguments({ ...of, isFiltered: filter !== undefined });
  const child = spawn(findBubblewrap(), ["--args", String(OPTIONS_FD), "--", ...sandboxed], {
    env: { PATH: "/usr/local/bin:/usr/bin:/bin" },
    // It may not be in a folder that this user can't see.
    ...(startAs === undefined ? {} : { uid: startAs, gid: startAs, cwd: "/" }),
    detached: true,
    stdio,
  });
  // The options name places of this machine, which the code could read in /proc.
  (child.stdio[OPTIONS_FD] as Writable).end(options.join("\0"));
  (child.stdio[FILTER_FD] as Writable).end(filter);
  return child;
}

let streams: StdioOptions | undefined;

/** The fourth and the fifth are ours. Files that whoever started us left open would be open in a sandbox too: /dev/null takes their places. */
function standardStreams(): StdioOptions {
  if (streams !== undefined) return streams;
  const all: ("ignore" | "pipe" | number)[] = [
    ...(["ignore", "pipe", "pipe", "pipe", "pipe"] as const),
  ];
  const nothing = openSync("/dev/null", "r");
  for (const name of readdirSync("/proc/self/fd")) {
    const [, flags = ""] = /^flags:\s+(\d+)/m.exec(fdInfo(name)) ?? [];
    const isPassedOn = flags !== "" && (Number.parseInt(flags, 8) & O_CLOEXEC) === 0;
    if (isPassedOn && Number(name) >= all.length) all[Number(name)] = nothing;
  }
  streams = all;
  return all;
}

const O_CLOEXEC = 0o2000000;

function fdInfo(name: string): string {
  try {
    return readFileSync(`/proc/self/fdinfo/${name}`, "utf8");
  } catch {
    // The listing itself was one of them.
    return "";
  }
}

/** Resolves once the command has ended and nobody writes to its outputs any more. */
function ended(child: ChildProcess): Promise<{ code: number | null; name: NodeJS.Signals | null }> {
  const { promise, resolve, reject } = Promise.withResolvers<{
    code: number | null;
    name: NodeJS.Signals | null;
  }>();
  // A pipe that breaks tells nothing that the end of the process does not.
  for (const stream of child.stdio) stream?.on("error", () => {});
  child.once("error", (cause) => {
    const message = `the process that runs the code could not be started: ${cause.message}`;
    reject(codeError("M8331", { message, hint: "`madrigal doctor` says more", cause }));
  });
  // Processes that it has left running hold its outputs open.
  child.once("exit", () => killGroup(child));
  child.once("close", (code, name) => resolve({ code, name }));
  return promise;
}

function killGroup({ pid }: ChildProcess): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, "SIGKILL");
  } catch {
    // The process has ended already.
  }
}

// ── what comes of it ────────────────────────────────────────────────────────────────────────────

function exitCodeOf(
  stopped: CodeStop | undefined,
  code: number | null,
  name: NodeJS.Signals | null,
): number {
  if (stopped === "time") return 124;
  if (stopped !== undefined) return 128 + constants.signals.SIGKILL;
  return code ?? 128 + (name === null ? 0 : constants.signals[name]);
}

function stopNote(stopped: CodeStop, limits: CodeLimits): string {
  const { timeoutMs, memoryBytesMax, diskBytesMax } = limits;
  switch (stopped) {
    case "time":
      return `stopped: the time of ${timeoutMs / 1000} s was up`;
    case "output":
      return `stopped: it wrote more than ${FLOOD_BYTES_MAX} bytes`;
    case "memory":
      return `stopped: its processes had more than ${memoryBytesMax} bytes of memory together`;
    case "disk":
      return `stopped: its files grew by more than ${diskBytesMax} bytes, or became too many`;
    case "aborted":
      return "stopped: the call was cancelled";
  }
}

/** The beginning and the end of what a process writes: both often say what matters. */
class KeptOutput {
  readonly #halfMax: number;
  #head: Buffer = Buffer.alloc(0);
  #tail: Buffer = Buffer.alloc(0);
  #bytes = 0;

  constructor(stream: Readable, bytesMax: number, flooded: () => void) {
    this.#halfMax = Math.ceil(bytesMax / 2);
    stream.on("data", (chunk: Buffer) => {
      this.#take(chunk);
      if (this.#bytes > FLOOD_BYTES_MAX) flooded();
    });
  }

  #take(chunk: Buffer): void {
    this.#bytes += chunk.length;
    const room = this.#halfMax - this.#head.length;
    if (room > 0) this.#head = Buffer.concat([this.#head, chunk.subarray(0, room)]);
    if (chunk.length > room)
      this.#tail = Buffer.concat([this.#tail, chunk.subarray(room)]).subarray(-this.#halfMax);
  }

  get #cut(): number {
    return this.#bytes - this.#head.length - this.#tail.length;
  }

  /** The text without commands to terminals; what was cut out of its middle is a line of dots. */
  get text(): string {
    const { length } = this.#head;
    const bytes =
      this.#cut === 0 ? [Buffer.concat([this.#head, this.#tail])] : [this.#head, this.#tail];
    return plainText(bytes.map((part) => part.toString()).join(length === 0 ? "" : "\n…\n"));
  }

  note(name: string): readonly string[] {
    return this.#cut === 0
      ? []
      : [`cut: ${this.#cut} of ${this.#bytes} bytes of ${name} are left out`];
  }
}

function plainText(text: string): string {
  return stripVTControlCharacters(text)
    .replace(/\r\n?/g, "\n")
    .replace(/[^\P{Cc}\n\t]/gu, "");
}
