/**
 * The laws of a run over random programs in random schedules on the simulated driver: who finishes first, crashes,
 * failures, people who hold, pause and rewind, things said twice. `npm test -- --seed N` runs the program N again and makes
 * it smaller; MADRIGAL_LAW_PROGRAMS sets how many programs there are (10 schedules each; 2,700 in CI, else
 * 300).
 */
import { once } from "node:events";
import { Worker } from "node:worker_threads";
import fc from "fast-check";
import { beforeAll, expect, test } from "vitest";
import { callersOf, innermost } from "../../../runtime/records/records.ts";
import { arbitraryProgram } from "../../support/arbitrary-program.ts";
import { LAWS } from "./laws.ts";
import { programOf, type Schedule, schedulesOf } from "./schedules.ts";
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

/** The program of a seed; where it breaks a law, the smallest one found that does, with what happened in that schedule. */
function simulateOne(seed: number): Report {
  console.log(programOf(seed));
  const holds = (text: string) => {
    for (const schedule of schedulesOf(text, seed)) {
      const told = brokenIn(schedule);
      if (told !== undefined) throw new Error(told);
    }
  };
  const program = fc.noBias(arbitraryProgram());
  const found = fc.check(fc.property(program, holds), { seed, numRuns: 1 });
  if (found.counterexample !== null) {
    const [smallest] = found.counterexample;
    console.log(smallest, found.errorInstance instanceof Error ? found.errorInstance.message : "");
  }
  return simulate({ from: seed, to: seed + 1 });
}

/** The first law that a schedule breaks, and the records of its log. */
function brokenIn(schedule: Schedule): string | undefined {
  const tried = LAWS.filter(({ isTried }) => isTried?.(schedule) !== false);
  const law = tried.find((one) => one.broken(schedule) !== undefined);
  if (law === undefined) return undefined;
  const lines = schedule.ran.records.map((record) => {
    const [graph, inner] = [callersOf(record).join("/"), innermost(record)];
    const { seq: _, at: __, calls: ___, ...body } = { ...record, ...inner };
    return `${record.seq} at ${Math.round(record.at)} ${graph} ${JSON.stringify(body).slice(0, 300)}`;
  });
  return `${law.id} ${schedule.kind}, schedule ${schedule.seed}: ${law.broken(schedule)}\n${lines.join("\n")}`;
}

test.each(LAWS.map((law) => [`${law.id} ${law.title}`, law.id]))("%s", (_, id) => {
  const broken = report.broken.filter(({ law }) => law === id);
  const told = broken.map(
    ({ seed, kind, what }) =>
      `${kind}: ${what}\n  again, and smaller: npm test -- --seed ${seed}\n${programOf(seed)}`,
  );
  expect(told).toEqual([]);
  // A law that no schedule has tried is no law.
  if (only === undefined) expect(report.tried[id]).toBeGreaterThan(PROGRAMS / 20);
});

test("at least 20,000 schedules have crashes", () => {
  if (only === undefined && PROGRAMS >= 2_700)
    expect(report.crashed).toBeGreaterThanOrEqual(20_000);
});
