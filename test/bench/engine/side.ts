/** What a process that runs one side of one workload is told and says: the last line of its output, as JSON. */
import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sum } from "../statistics.ts";

/** Where a run's history is kept while it is measured. */
export type Store = "none" | "memory" | "disk";

export interface SideCall {
  /** The file beside this one that is run. */
  readonly side: "ours.ts" | "langgraph.js";
  readonly workload: string;
  readonly store: Store;
  readonly runs: number;
}

export interface SideResult {
  /** Milliseconds of each run; the runs that warm up are left out. */
  readonly times: readonly number[];
  /** What the last run came to. */
  readonly result: unknown;
  /** The most memory that the process had, in MB. */
  readonly peakMb: number;
  /** What its store keeps of one run, in MB; traces, which can be made anew, are left out. */
  readonly storedMb: number;
}

/** LangGraph's slowest row takes half of this on a slow machine. */
const LONGEST_MS = 10 * 60_000;

/** Runs a side in a fresh process and an empty folder. Throws with its output when it fails. */
export function runSide({ side, workload, store, runs }: SideCall): SideResult {
  const folder = mkdtempSync(join(tmpdir(), "madrigal-bench-"));
  try {
    const file = join(import.meta.dirname, side);
    const { status, signal, stdout, stderr } = spawnSync(
      process.execPath,
      [file, workload, store, String(runs), folder],
      { encoding: "utf8", maxBuffer: 256 * 1024 * 1024, timeout: LONGEST_MS },
    );
    if (signal !== null)
      throw new Error(`${side}, ${workload} (${store}) was not done in ${LONGEST_MS / 60_000} min`);
    if (status !== 0)
      throw new Error(`${side}, ${workload} (${store}) ended with ${status}: ${stderr}`);
    const said = JSON.parse(stdout.trimEnd().split("\n").at(-1) ?? "");
    return { ...said, storedMb: megabytesIn(folder) / (said.times.length + warmUpsOf(runs)) };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Traces lie beside the store and are no part of it. */
function megabytesIn(folder: string): number {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true });
  const kept = files.filter((file) => file.isFile() && !file.parentPath.includes("traces"));
  return sum(kept.map((file) => statSync(join(file.parentPath, file.name)).size)) / 1e6;
}

function warmUpsOf(runs: number): number {
  return Math.min(runs, 10);
}

/** What a side's own process was told. */
export function sideArguments() {
  const [workload = "", store = "none", runs = "7", folder = "."] = process.argv.slice(2);
  return { workload, store: store as Store, runs: Number(runs), folder };
}

/** Times `run` after as many runs that warm up, at most ten, and prints what `SideResult` says. */
export async function measureSide(runs: number, run: (round: number) => Promise<unknown>) {
  const warmUps = warmUpsOf(runs);
  const times: number[] = [];
  let result: unknown;
  for (let round = 0; round < warmUps + runs; round += 1) {
    const begun = performance.now();
    result = await run(round);
    if (round >= warmUps) times.push(performance.now() - begun);
  }
  const peakMb = process.resourceUsage().maxRSS / 1024;
  const said = { times, result, peakMb } satisfies Omit<SideResult, "storedMb">;
  process.stdout.write(`${JSON.stringify(said)}\n`);
}
