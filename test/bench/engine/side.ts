/** What a process that runs one side of one workload is told and says: the last line of its output, as JSON. */
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

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
}

/** Runs a side in a fresh process and an empty folder. Throws with its output when it fails. */
export function runSide({ side, workload, store, runs }: SideCall): SideResult {
  const folder = mkdtempSync(join(tmpdir(), "madrigal-bench-"));
  try {
    const file = join(import.meta.dirname, side);
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      [file, workload, store, String(runs), folder],
      { encoding: "utf8", maxBuffer: 256 * 1024 * 1024 },
    );
    if (status !== 0)
      throw new Error(`${side}, ${workload} (${store}) ended with ${status}: ${stderr}`);
    return JSON.parse(stdout.trimEnd().split("\n").at(-1) ?? "");
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** What a side's own process was told. */
export function sideArguments() {
  const [workload = "", store = "none", runs = "7", folder = "."] = process.argv.slice(2);
  return { workload, store: store as Store, runs: Number(runs), folder };
}

/** Times `run` after as many runs that warm up, at most ten, and prints what `SideResult` says. */
export async function measureSide(runs: number, run: (round: number) => Promise<unknown>) {
  const warmUps = Math.min(runs, 10);
  const times: number[] = [];
  let result: unknown;
  for (let round = 0; round < warmUps + runs; round += 1) {
    const begun = performance.now();
    result = await run(round);
    if (round >= warmUps) times.push(performance.now() - begun);
  }
  process.stdout.write(`${JSON.stringify({ times, result } satisfies SideResult)}\n`);
}
