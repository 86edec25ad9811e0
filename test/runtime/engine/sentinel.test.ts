import { filter, firstValueFrom, skip } from "rxjs";
import { expect, test } from "vitest";
import { isGraph, planGraph } from "../../../dsl/index.ts";
import type { RunEvent } from "../../../runtime/events/kinds/run-event.ts";
import type { Judgement } from "../../../runtime/performer.ts";
import type { Verdict } from "../../../runtime/records/directions.ts";
import { foldLog } from "../../../runtime/scheduler/fold.ts";
import { link } from "../../../runtime/scheduler/program/link.ts";
import { graphOf } from "../../support/run-graph.ts";
import { type DrivenOptions, drive } from "../driven-run.ts";
import { promisesRun } from "../store/fixtures.ts";

const watch = (clauses: string) => `model m = "scripted"
graph Watch() returns seen {
  state { seen: string[] = [] via append }
  agent look { model m; prompt \`Look at the shop.\`; writes seen; ${clauses} }
  start -> look -> end
}`;

const HOUR = 3_600_000;

/** Says what is seen, round by round, and judges it by a list of verdicts, the last one again and again. */
function judged(verdicts: readonly Partial<Verdict>[], asked: Judgement[] = []): DrivenOptions {
  let round = 0;
  return {
    goal: "end",
    does: () => {
      round += 1;
      return `round ${round}`;
    },
    judge: async (judgement) => {
      const verdict = verdicts[Math.min(asked.length, verdicts.length - 1)];
      asked.push(judgement);
      return { met: false, reason: `reason ${asked.length}`, ...verdict };
    },
  };
}

function sentinelEvents(run: ReturnType<typeof drive>["run"]): readonly string[] {
  const told: string[] = [];
  run.events$.subscribe((event: RunEvent) => {
    switch (event.kind) {
      case "sentinel.started":
        told.push(`started ${event.label}`);
        break;
      case "sentinel.checked":
        told.push(`checked ${event.check} ${event.met} ${event.errors} ${event.reason}`);
        break;
      case "sentinel.sleeping":
        told.push(`sleeping ${event.sleepMs} ${event.reason ?? ""}`.trim());
        break;
      case "sentinel.failed":
        told.push(`failed ${event.check} ${event.errors}`);
        break;
      case "sentinel.finished":
        told.push(`finished ${event.checks} ${event.reason}`);
        break;
      default:
    }
  });
  return told;
}

/** Waits until a run sleeps for the n-th time, and lets that time pass. */
async function sleepThrough({ run, clock }: ReturnType<typeof drive>, times: number) {
  for (let time = 0; time < times; time += 1) {
    const sleeping$ = run.events$.pipe(filter(({ kind }) => kind === "sentinel.sleeping"));
    const event = await firstValueFrom(sleeping$.pipe(skip(time)));
    if (event.kind === "sentinel.sleeping") await clock.advance(event.until - clock.now());
  }
}

test("M82 words are judged after each round, with what the judge needs to know, until they hold", async () => {
  const asked: Judgement[] = [];
  const driven = drive(
    watch('every 1h until "a price fell" by m max 9'),
    judged([{}, {}, { met: true }], asked),
  );
  const { run } = driven;
  const told = sentinelEvents(run);
  await sleepThrough(driven, 2);
  expect(await run.output).toEqual({ seen: ["round 1", "round 2", "round 3"] });
  expect(asked.map(({ question, output }) => ({ ...question, output }))).toMatchObject([
    {
      kind: "until",
      by: "m",
      condition: "a price fell",
      round: 1,
      roundsMax: 9,
      waitMs: { from: HOUR, to: HOUR },
      sinceStartMs: 0,
      state: { seen: ["round 1"] },
      output: "round 1",
    },
    { round: 2, sinceStartMs: HOUR, sinceCheckMs: HOUR, before: "reason 1", output: "round 2" },
    { round: 3, sinceStartMs: 2 * HOUR, sinceCheckMs: HOUR, before: "reason 2" },
  ]);
  expect(told).toEqual([
    "started look#1",
    "checked 1 false 0 reason 1",
    `sleeping ${HOUR}`,
    "checked 2 false 0 reason 2",
    `sleeping ${HOUR}`,
    "checked 3 true 0 reason 3",
    "finished 3 met",
  ]);
});

test.each([
  [
    "followers by the hour until ten thousand",
    "every 1h until there are 10,000 followers max 200",
    50,
    HOUR,
  ],
  ["thirty daily reports", "every 1d 30 times", 30, 24 * HOUR],
])("M94 [VT] a step of a plan: %s", async (_, repeat, rounds, wait) => {
  const plan = {
    steps: [{ id: "look", title: "Look", details: "at the page", agent: "surfer", repeat }],
  };
  const ir = planGraph(
    graphOf(`model m = "scripted"
graph Watch(plan: Plan) returns results {
  state { results: Json = {} }
  agent surfer { model m; prompt \`Look.\`; writes results }
  graph go = planGraph(plan) writes results
  start -> go -> end
}`),
    plan,
  );
  if (!isGraph(ir)) throw new Error(JSON.stringify(ir));
  const asked: Judgement[] = [];
  const verdicts = Array.from({ length: rounds }, (__, round) => ({ met: round + 1 === rounds }));
  const driven = drive("", { ...judged(verdicts, asked), ir });
  const told = sentinelEvents(driven.run);
  await sleepThrough(driven, rounds - 1);
  await driven.run.output;
  const starts = driven.performed.filter((label) => label.startsWith("look"));
  expect(starts).toHaveLength(rounds);
  expect(told.filter((line) => line.startsWith("sleeping"))).toEqual(
    Array.from({ length: rounds - 1 }, () => `sleeping ${wait}`),
  );
  expect(told.at(-1)).toMatch(new RegExp(`^finished ${rounds} `));
});

test("M81 a condition that can be worked out is never judged", async () => {
  const asked: Judgement[] = [];
  const driven = drive(watch("every 1h until 2"), judged([{}], asked));
  const { run } = driven;
  await sleepThrough(driven, 1);
  expect(await run.output).toEqual({ seen: ["round 1", "round 2"] });
  expect(asked).toEqual([]);
});

test("M88 within a range the judge chooses how long to wait, and never beyond it", async () => {
  const verdicts = [
    { sleepMs: 20_000, sleepReason: "shops open soon" },
    { sleepMs: 1 },
    { sleepMs: 9 * HOUR },
    { met: true },
  ];
  const driven = drive(watch('every 5s..1h until "a price fell" by m'), judged(verdicts));
  const { run } = driven;
  const told = sentinelEvents(run);
  await sleepThrough(driven, 3);
  await run.output;
  expect(told.filter((line) => line.startsWith("sleeping"))).toEqual([
    "sleeping 20000 shops open soon",
    "sleeping 5000",
    `sleeping ${HOUR}`,
  ]);
});

test("M86 after an error the wait is at most 30 s, and the third in a row ends it, not completed", async () => {
  const driven = drive(
    watch('every 1h until "a price fell" by m'),
    judged([
      { error: true },
      {},
      { error: true },
      { error: true },
      { error: true, reason: "captcha" },
    ]),
  );
  const { run } = driven;
  const told = sentinelEvents(run);
  await sleepThrough(driven, 4);
  await expect(run.output).rejects.toMatchObject({ code: "M5360" });
  expect(run.failure?.message).toBe(
    "`look` gave up after 3 rounds that went wrong; the last: captcha",
  );
  expect(run.state.seen).toEqual(["round 1", "round 2", "round 3", "round 4"]);
  expect(told.filter((line) => line.startsWith("sleeping"))).toEqual([
    "sleeping 30000",
    `sleeping ${HOUR}`,
    "sleeping 30000",
    "sleeping 30000",
  ]);
  expect(told.at(-1)).toBe("finished 5 errors");
});

test("M89 a pause while it sleeps ends no round and loses none; it wakes at its time", async () => {
  const { run, clock, performed } = drive(
    watch('every 1h until "a price fell" by m'),
    judged([{}, { met: true }]),
  );
  await clock.advance(HOUR / 2);
  await run.pause();
  await clock.advance(2 * HOUR);
  expect([run.status, performed]).toEqual(["paused", ["look#1"]]);
  const stop = run.continue();
  await promisesRun();
  expect((await stop).kind).toBe("end");
  expect(performed).toEqual(["look#1", "look#2"]);
});

test("M92 its process may die while it sleeps: another one wakes it at its time, with its count", async () => {
  const driven = drive(
    watch('every 1h until "a price fell" by m max 9'),
    judged([{}, { met: true }]),
  );
  const sleeping$ = driven.run.events$.pipe(filter(({ kind }) => kind === "sentinel.sleeping"));
  await firstValueFrom(sleeping$);
  const isStored = () => driven.store.read(driven.run.id).some(({ kind }) => kind === "commit");
  while (!isStored()) await promisesRun();
  const run = driven.found();
  await driven.clock.advance(HOUR / 2);
  await run.resume();
  await driven.clock.advance(HOUR / 4);
  expect(run.steps).toHaveLength(1);
  await driven.clock.advance(HOUR / 4);
  expect((await run.output).seen).toHaveLength(2);
  const woken = await firstValueFrom(
    run.events$.pipe(
      filter((event) => event.kind === "attempt.started" && event.label === "look#2"),
    ),
  );
  expect(woken.at).toBe(10_000 + HOUR);
  expect(driven.performed.filter((label) => label === "look#1")).toHaveLength(1);
});

test("rounds that were missed while no process was there happen once", async () => {
  const driven = drive(watch("every 1h until 3"), judged([]));
  const sleeping$ = driven.run.events$.pipe(filter(({ kind }) => kind === "sentinel.sleeping"));
  await firstValueFrom(sleeping$);
  const isStored = () => driven.store.read(driven.run.id).some(({ kind }) => kind === "commit");
  while (!isStored()) await promisesRun();
  const run = driven.found();
  await driven.clock.advance(5 * HOUR);
  await run.resume();
  await driven.clock.advance(HOUR / 2);
  expect(run.steps).toHaveLength(2);
  await driven.clock.advance(HOUR / 2);
  expect((await run.output).seen).toHaveLength(3);
});

test("M91 what the events say is in the log: the checks, and what folds from it", async () => {
  const driven = drive(watch('every 1h until "a price fell" by m'), judged([{}, { met: true }]));
  const { run, store } = driven;
  await sleepThrough(driven, 1);
  await run.output;
  const records = store.read(run.id);
  const checks = records.flatMap((record) => (record.kind === "commit" ? [record.check] : []));
  expect(checks).toMatchObject([
    { number: 1, met: false, condition: "a price fell", next: 10_000 + HOUR },
    { number: 2, met: true },
  ]);
  expect(foldLog(link(run.ir), records).output).toEqual(run.state);
});

const ensuring = (clauses: string) => `model m = "scripted"
graph G() returns text {
  state { text: string }
  agent write { model m; prompt \`Write.\`; writes text; ${clauses} }
  start -> write -> end
}`;

test("a condition in words is judged before the commit: what it misses goes back to the model", async () => {
  const asked: Judgement[] = [];
  const fed: (string | undefined)[] = [];
  const { run } = drive(ensuring('ensure "it names a source" by m'), {
    ...judged([{ reason: "no source is named" }, { met: true }], asked),
    does: ({ attempt, feedback }) => {
      fed.push(feedback);
      return attempt === 1 ? "draft" : "better";
    },
  });
  expect(await run.output).toEqual({ text: "better" });
  expect(asked[0]?.question).toMatchObject({
    kind: "ensure",
    condition: "it names a source",
    by: "m",
    state: { text: "draft" },
  });
  expect(fed).toEqual([
    undefined,
    "This must hold, and does not: it names a source\nno source is named",
  ]);
  expect(run.steps).toHaveLength(1);
});

test("a condition in words that stays unmet fails the node", async () => {
  const { run } = drive(ensuring('ensure "it names a source" by m'), {
    ...judged([{ reason: "none" }]),
    does: () => "x",
  });
  await expect(run.output).rejects.toMatchObject({ code: "M5013" });
  expect(run.failure?.message).toContain("“it names a source”: none");
});

test("what can be worked out is asked before anybody judges", async () => {
  const asked: Judgement[] = [];
  const { run } = drive(ensuring('ensure "it is good" by m; ensure text != "x" "not x"'), {
    ...judged([{ met: true }], asked),
    does: ({ attempt }) => (attempt < 3 ? "x" : "y"),
  });
  await run.output;
  expect(asked).toHaveLength(1);
});
