/**
 * The laws of DESIGN.md §3.8 over random programs in random schedules on the simulated driver: who finishes first, crashes,
 * failures, people who hold, pause and rewind, things said twice. `npm test -- --seed N` runs the program N again and makes
 * it smaller; MADRIGAL_LAW_PROGRAMS sets how many programs there are (10 schedules each; 2,700 in CI, else
 * 300).
 */
import { once } from "node:events";
import { Worker } from "node:worker_threads";
import fc from "fast-check";
import { beforeAll, expect, test } from "vitest";
import { arbitraryProgram } from "../../support/arbitrary-program.ts";
import { LAWS } from "./laws.ts";
import { programOf, schedulesOf } from "./schedules.ts";
import { type Report, simulate, together } from "./simulate.ts";

/** In CI 20,000 schedules with crashes; elsewhere as many as one waits for. */
const USUAL = process.env.CI === undefined ? 300 : 2_700;
const PROGRAMS = Number(process.env.MADRIGAL_LAW_PROGRAMS ?? USUAL);
const THREADS = 2;
const only = process.env.MADRIGAL_SEED;

let report: Report;

beforeAll(async () => {
  report = only === undefined ? await simulated() : simulateOne(Number(only));
}, 600_000);

/** As many threads as CI has cores. */
async function simulated(): Promise<Report> {
  const began = performance.now();
  const share = Math.ceil(PROGRAMS / THREADS);
  const halves = Array.from({ length: THREADS }, async (_, index): Promise<Report> => {
    const workerData = { from: 1 + index * share, to: 1 + (index + 1) * share };
    const worker = new Worker(new URL("./simulate-worker.ts", import.meta.url), { workerData });
    const [half] = (await once(worker, "message")) as [Report];
    return half;
  });
  const all = together(await Promise.all(halves));
  const { programs, schedules, crashed, crashes, verbs, records } = all;
  const seconds = ((performance.now() - began) / 1000).toFixed(0);
  console.log(
    `simulation: ${programs} programs, ${schedules} schedules, ${crashed} with crashes (${crashes}), ` +
      `${verbs} visits of people, ${records} records, ${seconds} s`,
  );
  return all;
}

/** The program of a seed; where it breaks a law, the smallest one found that does. */
function simulateOne(seed: number): Report {
  console.log(programOf(seed));
  const holds = (text: string) => {
    for (const schedule of schedulesOf(text, seed)) {
      const law = LAWS.find((one) => one.broken(schedule) !== undefined);
      if (law !== undefined) throw new Error(`${law.id} ${schedule.kind}: ${law.broken(schedule)}`);
    }
  };
  const program = fc.noBias(arbitraryProgram());
  const found = fc.check(fc.property(program, holds), { seed, numRuns: 1 });
  if (found.counterexample !== null)
    console.log(found.counterexample[0], String(found.errorInstance));
  return simulate({ from: seed, to: seed + 1 });
}

test.each(LAWS.map((law) => [`${law.id} ${law.title}`, law.id]))("%s", (_, id) => {
  const broken = report.broken.filter(({ law }) => law === id);
  const told = broken.map(
    ({ seed, kind, what }) => `${kind}: ${what}\n  again: npm test -- --seed ${seed}`,
  );
  expect(told).toEqual([]);
  // A law that no schedule has tried is no law.
  if (only === undefined) expect(report.tried[id]).toBeGreaterThan(PROGRAMS / 20);
});

test("at least 20,000 schedules have crashes", () => {
  if (only === undefined && PROGRAMS >= 2_700)
    expect(report.crashed).toBeGreaterThanOrEqual(20_000);
});
