/** A process that runs one side of one workload: started, told to warm up and to run rounds, and ended, one line each way. */
import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { createInterface } from "node:readline";
import { sum } from "../statistics.ts";

/** Where a run's history is kept while it is measured. */
export type Store = "none" | "memory" | "disk";

export interface SideCall {
  /** The file that is run: its name beside this one, or its path. */
  readonly side: string;
  readonly workload: string;
  readonly store: Store;
}

export interface SideResult {
  /** Milliseconds of one run, by round; the runs that warm up are left out. */
  readonly times: readonly number[];
  /** What the last run came to. */
  readonly result: unknown;
  /** The most memory that the process had, in MB. */
  readonly peakMb: number;
  /** What its store keeps of one run, in MB; traces, which can be made anew, are left out. */
  readonly storedMb: number;
}

/** LangGraph's slowest round takes a tenth of this. */
const LONGEST_MS = 5 * 60_000;

/** Warms each side up, unless it is to begin cold, then runs rounds of all of them in turn. Throws with the output of a side that fails. */
export async function inTurn(
  calls: readonly SideCall[],
  { rounds, isCold = false }: { readonly rounds: number; readonly isCold?: boolean },
): Promise<readonly SideResult[]> {
  const sides = calls.map((call) => new Side(call));
  try {
    if (!isCold) for (const side of sides) await side.ask("warm");
    for (let round = 0; round < rounds; round += 1) {
      for (const side of sides) await side.round();
    }
    const results: SideResult[] = [];
    for (const side of sides) results.push(await side.end());
    return results;
  } finally {
    for (const side of sides) side.remove();
  }
}

/** The process of one side, with an empty folder of its own. */
class Side {
  readonly #name: string;
  readonly #folder = mkdtempSync(join(tmpdir(), "madrigal-bench-"));
  readonly #child: ChildProcess;
  readonly #lines: AsyncIterator<string>;
  readonly #times: number[] = [];
  #errors = "";

  constructor({ side, workload, store }: SideCall) {
    this.#name = `${side}, ${workload} (${store})`;
    const file = resolve(import.meta.dirname, side);
    this.#child = spawn(process.execPath, [file, workload, store, this.#folder]);
    const { stdout, stderr } = this.#child;
    if (stdout === null || stderr === null) throw new Error(`${this.#name} has no output`);
    stderr.setEncoding("utf8").on("data", (text: string) => {
      this.#errors += text;
    });
    this.#lines = createInterface({ input: stdout })[Symbol.asyncIterator]();
  }

  /** The answer to one word; throws where the process ends or is silent for `LONGEST_MS`. */
  async ask(word: Word): Promise<Answer> {
    const timer = setTimeout(() => this.#child.kill("SIGKILL"), LONGEST_MS);
    this.#child.stdin?.write(`${word}\n`);
    const { value, done } = await this.#lines.next();
    clearTimeout(timer);
    if (done === true) throw new Error(`${this.#name} ended at \`${word}\`: ${this.#errors}`);
    return JSON.parse(value);
  }

  async round(): Promise<void> {
    this.#times.push((await this.ask("round")).ms);
  }

  async end(): Promise<SideResult> {
    const { result, peakMb, runs } = await this.ask("end");
    const storedMb = megabytesIn(this.#folder) / runs;
    return { times: this.#times, result, peakMb, storedMb };
  }

  remove(): void {
    this.#child.kill("SIGKILL");
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

/** Traces lie beside the store and are no part of it. */
function megabytesIn(folder: string): number {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true });
  const kept = files.filter((file) => file.isFile() && !file.parentPath.includes("traces"));
  return sum(kept.map((file) => statSync(join(file.parentPath, file.name)).size)) / 1e6;
}

type Word = "warm" | "round" | "end";

interface Answer {
  /** Milliseconds of one run, the mean of the runs of the round. */
  readonly ms: number;
  /** What the last run came to; said at the end alone, like the rest. */
  readonly result?: unknown;
  readonly peakMb: number;
  /** All runs so far. */
  readonly runs: number;
}

/** What a side's own process was told. */
export function sideArguments() {
  const [workload = "", store = "none", folder = "."] = process.argv.slice(2);
  return { workload, store: store as Store, folder };
}

/** A side is warm after this time, and after two runs. */
const WARM_MS = 2_000;

/** A round has as many runs as fit, and one at least: the collector's pauses count for each of them. */
const ROUND_MS = 50;

interface Serving {
  /** Comes behind each run and is not timed. */
  readonly clean?: (number: number) => Promise<unknown>;
  /** The clock, in milliseconds; the wall clock where nothing is said. */
  readonly now?: () => number;
  /** The time of a round, in milliseconds of that clock. */
  readonly roundMs?: number;
  readonly warmMs?: number;
}

/** Runs what the words on stdin ask for, and answers each with a line. */
export async function serveSide(
  run: (number: number) => Promise<unknown>,
  {
    clean = async () => undefined,
    now = () => performance.now(),
    roundMs = ROUND_MS,
    warmMs = WARM_MS,
  }: Serving = {},
): Promise<void> {
  let [runs, ms, result] = [0, 0, undefined as unknown];
  const runFor = async (leastMs: number, leastRuns: number) => {
    let [took, count] = [0, 0];
    while (took < leastMs || count < leastRuns) {
      const begun = now();
      result = await run(runs);
      took += now() - begun;
      await clean(runs);
      runs += 1;
      count += 1;
    }
    ms = took / count;
  };
  for await (const word of createInterface({ input: process.stdin })) {
    if (word === "warm") await runFor(warmMs, 2);
    else if (word === "round") await runFor(roundMs, 1);
    const peakMb = process.resourceUsage().maxRSS / 1024;
    const answer: Answer = { ms, peakMb, runs, ...(word === "end" ? { result } : {}) };
    process.stdout.write(`${JSON.stringify(answer)}\n`);
    if (word === "end") return;
  }
}
