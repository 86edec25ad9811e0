/** Keeps the one Python process of a notebook: its names live on from cell to cell. */
import { type ChildProcess, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import { setImmediate as nextTurn } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { RunError } from "../../../runtime/index.ts";
import { lookForPython } from "../../lab/find-python.ts";
import type { Cell } from "../cell.ts";

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

let running: Promise<PythonProcess> | undefined;

/** The process, started by the first cell, or anew after it has ended. Throws M7850 where there is no Python. */
export async function pythonProcess(): Promise<PythonProcess> {
  const known = await running?.catch(() => undefined);
  if (known !== undefined && !known.hasEnded) return known;
  running = pythonProgram().then((program) => new PythonProcess(program));
  return await running;
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

export class PythonProcess {
  readonly #child: ChildProcess;
  readonly #answers: AsyncIterator<string>;
  #cell: Cell | undefined;
  hasEnded = false;

  constructor(program: string) {
    const child = spawn(program, [DRIVER], {
      stdio: ["pipe", "pipe", "pipe", "pipe"],
      detached: true,
    });
    this.#child = child;
    child.stdout?.on("data", (chunk: Uint8Array) => this.#cell?.write("stdout", chunk));
    child.stderr?.on("data", (chunk: Uint8Array) => this.#cell?.write("stderr", chunk));
    child.on("error", () => (this.hasEnded = true));
    child.on("exit", () => (this.hasEnded = true));
    child.stdin?.on("error", () => {});
    // The kernel's process may end while this one runs.
    child.unref();
    process.once("exit", () => this.#signal("SIGKILL"));
    const lines = createInterface({ input: child.stdio[3] as Readable });
    this.#answers = lines[Symbol.asyncIterator]();
  }

  /** Rejects with M7851 when the process has ended instead of answering, and with what cancelled the cell. */
  async run(request: PythonRequest, cell: Cell): Promise<PythonAnswer> {
    this.#cell = cell;
    let ending: NodeJS.Timeout | undefined;
    const stop = () => {
      this.#signal("SIGINT");
      ending = setTimeout(() => this.#signal("SIGKILL"), GRACE_MS);
    };
    cell.signal.addEventListener("abort", stop, { once: true });
    try {
      this.#child.stdin?.write(`${JSON.stringify(request)}\n`);
      const { value, done } = await this.#answers.next();
      // Output that was written before the answer may be read after it, within this turn.
      await nextTurn();
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
