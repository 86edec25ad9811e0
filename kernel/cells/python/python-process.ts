/** Keeps the one Python process of a kernel: its names live on from cell to cell, and cells of all subshells take turns. */
import { type ChildProcess, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import { fileURLToPath } from "node:url";
import { RunError } from "../../../runtime/index.ts";
import { lookForPython } from "../../lab/find-python.ts";
import type { Cell } from "../cell.ts";
import { MarkedStream } from "./marked-stream.ts";

export interface PythonRequest {
  readonly cell: string;
  readonly code: string;
  /** The tables of the notebook that the code names, each as files of both forms. */
  readonly tables: Readonly<Record<string, { readonly parquet: string; readonly json: string }>>;
  readonly folder: string;
  /** The name of a table of Python that the notebook is to have. */
  readonly save?: string;
}

export interface PythonAnswer {
  readonly data?: Readonly<Record<string, string>> | null;
  /** The file of the rows that were asked for. */
  readonly saved?: string;
  readonly error?: { readonly name: string; readonly message: string; readonly text: string };
}

/** The time that an interrupted cell has before its process is ended. */
const GRACE_MS = 2_000;
const DRIVER = fileURLToPath(new URL("driver.py", import.meta.url));

let running: PythonProcess | undefined;
/** Resolves when the cells before are over. */
let turn: Promise<void> = Promise.resolve();

/**
 * Runs code in the process, which the first cell starts, or one after it has ended; a cell of another subshell waits until it is its
 * turn. Rejects with M7850 where there is no Python, M7851 when the process has ended instead of answering, and with what cancelled the cell.
 */
export async function runInPython(request: PythonRequest, cell: Cell): Promise<PythonAnswer> {
  const before = turn;
  const { promise: over, resolve: end } = Promise.withResolvers<void>();
  turn = before.then(() => over);
  try {
    await cell.orCancelled(before);
    if (running === undefined || running.hasEnded)
      running = new PythonProcess(await cell.orCancelled(pythonProgram()));
    return await running.run(request, cell);
  } finally {
    end();
  }
}

/** The declared one, that of the working folder's environment, or the first of the PATH. */
async function pythonProgram(): Promise<string> {
  const declared = process.env.MADRIGAL_PYTHON;
  if (declared !== undefined && declared !== "") return declared;
  const own = join(process.cwd(), ".venv", "bin", "python");
  if (existsSync(own)) return own;
  const found = await lookForPython();
  if (found !== undefined) return found.path;
  throw new RunError("M7850", "there is no Python for this cell", {
    hint: "install Python 3, or name its program in MADRIGAL_PYTHON",
  });
}

class PythonProcess {
  readonly #child: ChildProcess;
  readonly #answers: AsyncIterator<string>;
  readonly #streams: readonly MarkedStream[];
  #cell: Cell | undefined;
  /** The kernel's environment and folder as the process knows them. */
  #env = { ...process.env };
  #folder = process.cwd();
  hasEnded = false;

  constructor(program: string) {
    const child = spawn(program, [DRIVER], {
      stdio: ["pipe", "pipe", "pipe", "pipe"],
      detached: true,
    });
    this.#child = child;
    const [, stdout, stderr, answers] = child.stdio as unknown as readonly Readable[];
    this.#streams = [
      new MarkedStream(stdout as Readable, (chunk) => this.#cell?.write("stdout", chunk)),
      new MarkedStream(stderr as Readable, (chunk) => this.#cell?.write("stderr", chunk)),
    ];
    const lines = createInterface({ input: answers as Readable });
    this.#answers = lines[Symbol.asyncIterator]();
    const ended = () => {
      this.hasEnded = true;
      // Processes that it has started may hold its streams open.
      setImmediate(() => lines.close());
    };
    child.on("error", ended);
    child.on("exit", ended);
    child.stdin?.on("error", () => {});
    // The kernel's process may end while this one runs.
    child.unref();
    process.once("exit", () => this.#signal("SIGKILL"));
  }

  async run(request: PythonRequest, cell: Cell): Promise<PythonAnswer> {
    this.#cell = cell;
    let ending: NodeJS.Timeout | undefined;
    const stop = () => {
      this.#signal("SIGINT");
      ending = setTimeout(() => this.#signal("SIGKILL"), GRACE_MS);
    };
    cell.signal.addEventListener("abort", stop, { once: true });
    const mark = `\0${randomUUID()}\0`;
    const marked = Promise.all(this.#streams.map((stream) => stream.until(mark)));
    try {
      const line = JSON.stringify({ ...request, ...this.#changes(), mark });
      this.#child.stdin?.write(`${line}\n`);
      const { value, done } = await this.#answers.next();
      // All that the cell has written is shown before it is over.
      if (done !== true) await marked;
      cell.signal.throwIfAborted();
      if (done === true) {
        this.hasEnded = true;
        throw processEnded();
      }
      return JSON.parse(value) as PythonAnswer;
    } finally {
      clearTimeout(ending);
      cell.signal.removeEventListener("abort", stop);
    }
  }

  /** Changes by `%env` and `%cd` since the request before; null for a variable that is gone. */
  #changes(): { readonly env?: Readonly<Record<string, string | null>>; readonly cwd?: string } {
    const [then, now] = [this.#env, { ...process.env }];
    const folder = process.cwd();
    const changed = [...new Set([...Object.keys(then), ...Object.keys(now)])]
      .filter((name) => then[name] !== now[name])
      .map((name) => [name, now[name] ?? null] as const);
    const isMoved = folder !== this.#folder;
    this.#env = now;
    this.#folder = folder;
    return {
      ...(changed.length > 0 && { env: Object.fromEntries(changed) }),
      ...(isMoved && { cwd: folder }),
    };
  }

  #signal(signal: NodeJS.Signals): void {
    const { pid } = this.#child;
    if (pid === undefined || this.hasEnded) return;
    try {
      process.kill(-pid, signal);
    } catch {
      // It has ended by itself.
    }
  }
}

function processEnded(): RunError {
  return new RunError("M7851", "the Python process has ended", {
    hint: "run the cell again: a new one is started, and names of earlier cells are to be made anew",
  });
}
