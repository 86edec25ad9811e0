/** The question behind the chart of sentinels, on runs that the engine made. */
import { filter, firstValueFrom, skip } from "rxjs";
import { expect, test } from "vitest";
import { FailureError } from "../../../../runtime/failure.ts";
import type { Verdict } from "../../../../runtime/records/directions.ts";
import {
  type SentinelCheck,
  sentinelChecks,
} from "../../../../runtime/trace/charts/sentinel-queries.ts";
import { type DrivenTestRun, drive } from "../../driven-run.ts";
import { promisesRun } from "../../store/fixtures.ts";
import { metaOf, searchRun, sourceOf } from "../sample.ts";
import { traced } from "../store.ts";

const HOUR = 3_600_000;

const watch = (clauses: string) => `model m = "scripted"
graph Watch() returns seen {
  state { seen: string[] = [] via append }
  agent look { model m; prompt \`Look.\`; writes seen; ${clauses} }
  start -> look -> end
}`;

/** Runs a graph whose rounds are `steps`: what the judge says of it, or that it fails. */
function watched(text: string, steps: readonly (Partial<Verdict> | "fails")[]): DrivenTestRun {
  let round = 0;
  return drive(text, {
    goal: "end",
    does: () => {
      round += 1;
      if (steps[round - 1] !== "fails") return `round ${round}`;
      throw new FailureError({ class: "tool", code: "M8410", message: "the page is away" });
    },
    judge: async () => {
      const step = steps[round - 1];
      return { met: false, reason: `reason ${round}`, ...(step === "fails" ? {} : step) };
    },
  });
}

/** Waits until a run sleeps for the n-th time; returns how long. */
async function slept({ run }: DrivenTestRun, time: number): Promise<number> {
  const sleeping$ = run.events$.pipe(filter(({ kind }) => kind === "sentinel.sleeping"));
  const event = await firstValueFrom(sleeping$.pipe(skip(time - 1)));
  return event.kind === "sentinel.sleeping" ? event.sleepMs : 0;
}

async function checksOf({ run, store }: DrivenTestRun): Promise<readonly SentinelCheck[]> {
  const meta = { ...metaOf(run.id), ir: run.ir };
  return sentinelChecks(await traced(sourceOf([{ meta, records: store.read(run.id) }])), run.id);
}

const line = (one: SentinelCheck) =>
  `${one.sentinel} ${one.check} ${one.verdict} after ${one.gap_s} late ${one.late_s} ${one.reason} ${one.ended}`;

test("waits that grow, a round that failed, a pause beyond the time of a check, and the end", async () => {
  const steps = [{ sleepMs: HOUR }, "fails", { sleepMs: 2 * HOUR }, { met: true }] as const;
  const driven = watched(watch('every 30m..4h until "a price fell" by m'), steps);
  const { run, clock } = driven;
  await clock.advance(await slept(driven, 1));
  // Behind a round that failed it is tried again soon.
  expect(await slept(driven, 2)).toBe(30_000);
  await clock.advance(30_000);
  expect(await slept(driven, 3)).toBe(2 * HOUR);
  await run.pause();
  const paused = await checksOf(driven);
  expect(paused.at(-1)).toMatchObject({ check: 2, next: "1970-01-01T03:00:40.000Z" });
  await clock.advance(5 * HOUR);
  const ended = run.continue();
  await promisesRun();
  await ended;
  const checks = await checksOf(driven);
  expect(checks.map(line)).toEqual([
    "look 1 not met after 0 late 0 reason 1 null",
    "look 2 failed after 3600 late 0 the page is away null",
    "look 2 not met after 30 late 0 reason 3 null",
    "look 3 met after 18000 late 10800 reason 4 met",
  ]);
  expect(checks.map(({ at, due, next }) => [at, due, next])).toEqual([
    ["1970-01-01T00:00:10.000Z", null, "1970-01-01T01:00:10.000Z"],
    ["1970-01-01T01:00:10.000Z", "1970-01-01T01:00:10.000Z", "1970-01-01T01:00:40.000Z"],
    ["1970-01-01T01:00:40.000Z", "1970-01-01T01:00:40.000Z", "1970-01-01T03:00:40.000Z"],
    ["1970-01-01T06:00:40.000Z", "1970-01-01T03:00:40.000Z", null],
  ]);
});

test("a round that its judge reports as failed is told as failed", async () => {
  const steps = [{ error: true }, { met: true }];
  const driven = watched(watch('every 1h until "a price fell" by m'), steps);
  await driven.clock.advance(await slept(driven, 1));
  await driven.run.output;
  expect((await checksOf(driven)).map(line)).toEqual([
    "look 1 failed after 0 late 0 reason 1 null",
    "look 2 met after 30 late 0 reason 2 met",
  ]);
});

test("a sentinel that gives up has its last failed round, too", async () => {
  const driven = watched(watch("every 1h until 9"), ["fails", "fails", "fails"]);
  for (const time of [1, 2]) await driven.clock.advance(await slept(driven, time));
  await expect(driven.run.output).rejects.toMatchObject({ code: "M8410" });
  expect((await checksOf(driven)).map(line)).toEqual([
    "look 1 failed after 0 late 0 the page is away null",
    "look 1 failed after 30 late 0 the page is away null",
    "look 1 failed after 30 late 0 null errors",
  ]);
});

test("two nodes, and one that an arrow enters again, begin their counts anew", async () => {
  const driven = watched(
    `model m = "scripted"
graph Watch() returns seen {
  state { seen: string[] = [] via append }
  agent look { model m; prompt \`Look.\`; writes seen; every 1h until 2 }
  agent close { model m; prompt \`Close.\`; writes seen; every 2h until 1 }
  start -> look -> close -> { seen.length < 6 -> look max 9, else -> end }
}`,
    [],
  );
  for (const time of [1, 2]) await driven.clock.advance(await slept(driven, time));
  await driven.run.output;
  expect((await checksOf(driven)).map(line)).toEqual([
    "look 1 not met after 0 late 0 null null",
    "look 2 met after 3600 late 0 null times",
    "close 1 met after 0 late 0 null times",
    "look 1 not met after 0 late 0 null null",
    "look 2 met after 3600 late 0 null times",
    "close 1 met after 0 late 0 null times",
  ]);
});

test("a run without a node with `every` has no checks", async () => {
  expect(await sentinelChecks(await traced(sourceOf([searchRun("r1")])), "r1")).toEqual([]);
});
