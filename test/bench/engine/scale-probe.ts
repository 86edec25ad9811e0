/** What many runs, and one long one, cost a process of its own: `node scale-probe.ts NAME RUNS`. Prints figures as JSON. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { Session } from "../../../runtime/index.ts";
import { workload } from "./workloads.ts";

export type ScaleProbe = keyof typeof probes;

/** The figures of each series, by the names that `scale-rows.ts` knows. */
export type ScaleFigures = Readonly<Record<string, readonly number[]>>;

const probes = { "at once": atOnce, finished, allocated, long } as const;

const RUNS_AT_ONCE = 1_000;

/** Processor milliseconds of this thread for a thousand runs of ten steps: all at once, and one after the other. */
async function atOnce(rounds: number): Promise<ScaleFigures> {
  const { once, close } = opened("chain 10", "memory");
  const figures = { ours: [] as number[], base: [] as number[] };
  const runs = Array.from({ length: RUNS_AT_ONCE });
  // The first rounds warm up.
  for (let round = -3; round < rounds; round += 1) {
    const alone = await threadMs(async () => {
      for (const _ of runs) await once();
    });
    const together = await threadMs(() => Promise.all(runs.map(once)));
    if (round < 0) continue;
    figures.base.push(alone);
    figures.ours.push(together);
  }
  await close();
  return figures;
}

/** Megabytes that 2,000 more finished runs on disk leave, once 10,000 have filled what keeps the newest records. */
async function finished(): Promise<ScaleFigures> {
  const { once, close } = opened("chain 10", "disk");
  const runFor = async (count: number) => {
    for (let run = 0; run < count; run += 1) await once();
    return heapMb();
  };
  const before = await runFor(10_000);
  const after = await runFor(2_000);
  await close();
  return { ours: [Math.max(0, after - before)] };
}

/** Kilobytes that a step of a chain of 1,000 allocates, which is less than fills the young generation. */
async function allocated(rounds: number): Promise<ScaleFigures> {
  const { once, close } = opened("chain 1000", "none");
  for (let round = 0; round < 30; round += 1) await once();
  const ours: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const before = heapMb();
    await once();
    ours.push(((process.memoryUsage().heapUsed / 1e6 - before) * 1e3) / 1_000);
  }
  await close();
  return { ours };
}

/** A run of a million steps whose list grows by each: the most memory in megabytes, and the milliseconds to open it. */
async function long(): Promise<ScaleFigures> {
  const { once, close, open } = opened("loop 1000000", "disk");
  await once();
  const peakMb = process.resourceUsage().maxRSS / 1024;
  const openMs = await open();
  await close();
  return { peakMb: [peakMb], openMs: [openMs] };
}

function opened(name: string, store: "none" | "memory" | "disk") {
  const folder = mkdtempSync(join(tmpdir(), "madrigal-bench-"));
  const sessionAt = () =>
    new Session({
      store: store === "disk" ? "disk" : "memory",
      cwd: folder,
      env: { MADRIGAL_HOME: folder },
    });
  const { ours, input } = workload(name);
  const session = sessionAt();
  const [graph] = Object.values(session.compile(ours.text, { scope: ours.scope }));
  if (graph === undefined) throw new Error(`\`${name}\` has no graph`);
  let lastId = "";
  return {
    once: async () => {
      const run = graph.run(input, { store });
      lastId = run.id;
      await run.output;
      if (store === "memory") session.stored.delete(run.id);
    },
    /** In a session that has not seen the run. */
    open: async () => {
      const other = sessionAt();
      const begun = performance.now();
      const { status } = other.open(lastId);
      const ms = performance.now() - begun;
      if (status !== "succeeded") throw new Error(`the run is ${status}`);
      await other.close();
      return ms;
    },
    close: async () => {
      await session.close();
      rmSync(folder, { recursive: true });
    },
  };
}

async function threadMs(work: () => Promise<unknown>): Promise<number> {
  const begun = process.threadCpuUsage();
  await work();
  const { user, system } = process.threadCpuUsage(begun);
  return (user + system) / 1_000;
}

function heapMb(): number {
  collect();
  return process.memoryUsage().heapUsed / 1e6;
}

setFlagsFromString("--expose-gc");
const collect: () => void = runInNewContext("gc");

const [name = "", rounds = "7"] = process.argv.slice(2);
const figures = await probes[name as ScaleProbe](Number(rounds));
process.stdout.write(`${JSON.stringify(figures)}\n`);
