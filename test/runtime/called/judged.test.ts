import fc from "fast-check";
import { filter, firstValueFrom, skip } from "rxjs";
import { describe, expect, test } from "vitest";
import { createJudge } from "../../../runtime/agents/judges/judge.ts";
import type { RunEvent } from "../../../runtime/events/kinds/run-event.ts";
import type { Judgement, PerformerContext } from "../../../runtime/performer.ts";
import type { Verdict } from "../../../runtime/records/directions.ts";
import { replayLog } from "../../../runtime/replay/replay.ts";
import { foldLog } from "../../../runtime/scheduler/fold.ts";
import { link } from "../../../runtime/scheduler/program/link.ts";
import { graphOf, runText } from "../../support/run-graph.ts";
import { type DrivenOptions, drive, gate } from "../driven-run.ts";
import { outline } from "./outline.ts";

const HOUR = 3_600_000;

const looking = (clauses: string) => `model m = "scripted"
graph Watch() returns seen {
  state { seen: string[] = [] via append }
  graph look = Shop("Bo") writes seen { ${clauses} }
  start -> look -> end
}
graph Shop(name: string) returns price "Looks at one shop." {
  state { price: string }
  agent read { model m; prompt \`Read \${name}.\`; writes price }
  start -> read -> end
}`;

/** Says what is read, call by call, and judges it by a list of verdicts, the last one again and again. */
function judged(verdicts: readonly Partial<Verdict>[], asked: Judgement[] = []): DrivenOptions {
  let reads = 0;
  return {
    goal: "end",
    does: () => {
      reads += 1;
      return `price ${reads}`;
    },
    judge: async (judgement, context) => {
      const verdict = verdicts[Math.min(asked.length, verdicts.length - 1)];
      asked.push(judgement);
      await call(context, asked.length);
      return { met: false, reason: `reason ${asked.length}`, ...verdict };
    },
  };
}

function call(context: PerformerContext, value: number) {
  const perform = async () => ({ value });
  return context.effect({ effect: "model", name: "judge", perform });
}

/** Lets the time between two rounds pass, so many times. */
async function sleepThrough({ run, clock }: ReturnType<typeof drive>, times: number) {
  for (let time = 0; time < times; time += 1) {
    const sleeping$ = run.events$.pipe(filter(({ kind }) => kind === "sentinel.sleeping"));
    const event = await firstValueFrom(sleeping$.pipe(skip(time)));
    if (event.kind === "sentinel.sleeping") await clock.advance(event.until - clock.now());
  }
}

describe("what a called graph came to is judged like any other output", () => {
  test("M82 after each round of a node that calls a graph", async () => {
    const asked: Judgement[] = [];
    const driven = drive(
      looking('every 1h until "a price fell" by m max 9'),
      judged([{}, { met: true }], asked),
    );
    await sleepThrough(driven, 1);
    expect(await driven.run.output).toEqual({ seen: ["price 1", "price 2"] });
    expect(asked.map(({ question, output }) => [question, output])).toMatchObject([
      [{ kind: "until", condition: "a price fell", by: "m", round: 1, roundsMax: 9 }, "price 1"],
      [{ kind: "until", round: 2, before: "reason 1", sinceCheckMs: HOUR }, "price 2"],
    ]);
    expect(asked[0]?.question.state).toEqual({ seen: ["price 1"] });
    expect(asked[0]?.attempt.prompt).toBe("Looks at one shop.");
  });

  test("its attempt is one, in the events too, and its judge's call is of it", async () => {
    const driven = drive(looking('every 1h until "a price fell" by m'), judged([{ met: true }]));
    const told: RunEvent[] = [];
    driven.run.events$.subscribe((event) => told.push(event));
    await driven.run.output;
    const own = told.filter((event) => "label" in event && event.label === "look#1");
    expect(own.map(({ kind }) => kind)).toEqual([
      "attempt.started",
      "sentinel.started",
      "model.request",
      "model.response",
      "attempt.finished",
      "commit",
      "sentinel.checked",
      "sentinel.finished",
    ]);
    const records = driven.store.read(driven.run.id);
    expect(outline(records)).toMatchInlineSnapshot(`
      "run
      start look 0
        run
        start read 0
        commit 1 read
        end succeeded done
      start look 0
      intent
      outcome
      commit 1 look
      end succeeded done"
    `);
    expect(foldLog(link(driven.run.ir), records).output).toEqual(driven.run.state);
    expect(driven.run.replay()).toMatchObject({ ok: true });
  });

  test("a condition that can be worked out asks nobody", async () => {
    const asked: Judgement[] = [];
    const driven = drive(looking("every 1h until seen.length > 0"), judged([{}], asked));
    expect(await driven.run.output).toEqual({ seen: ["price 1"] });
    expect(asked).toEqual([]);
    const starts = driven.store.read(driven.run.id).filter((record) => record.kind === "start");
    expect(starts).toHaveLength(1);
  });

  test("what an `ensure` in words misses has the graph called again where it may be retried", async () => {
    const asked: Judgement[] = [];
    const driven = drive(
      looking('ensure "it is a number" by m; retry 2 on invalid'),
      judged([{ reason: "it is a word" }, { met: true }], asked),
    );
    expect(await driven.run.output).toEqual({ seen: ["price 2"] });
    expect(asked.map(({ output }) => output)).toEqual(["price 1", "price 2"]);
    expect(driven.run.replay()).toMatchObject({ ok: true });
  });

  test("an `ensure` in words that stays unmet fails the node", async () => {
    const { run } = drive(looking('ensure "it is a number" by m'), judged([{ reason: "no" }]));
    await expect(run.output).rejects.toMatchObject({ code: "M5013" });
  });

  test("paused before the judge has answered, it goes on with the judge and not with the graph", async () => {
    const judging = gate(undefined);
    const options = judged([{ met: true }]);
    let isFirst = true;
    const driven = drive(looking('every 1h until "a price fell" by m'), {
      ...options,
      judge: async (judgement, context) => {
        if (isFirst) {
          isFirst = false;
          await judging.pass(context.signal);
        }
        return { met: true, reason: judgement.attempt.label };
      },
    });
    await judging.entered;
    await driven.run.pause({ now: true });
    await driven.run.resume();
    expect(await driven.run.output).toEqual({ seen: ["price 1"] });
    expect(driven.performed).toEqual(["read#1"]);
    expect(driven.run.replay()).toMatchObject({ ok: true });
  });

  test("L12 where no model judges, a person is asked", async () => {
    const judge = createJudge({ model: () => undefined });
    const driven = drive(looking('every 1h until "a price fell" max 9'), { goal: "end", judge });
    for (const met of [false, true]) {
      const question$ = driven.run.events$.pipe(filter(({ kind }) => kind === "interrupt.opened"));
      const event = await firstValueFrom(question$.pipe(skip(met ? 1 : 0)));
      if (event.kind !== "interrupt.opened") throw new Error(event.kind);
      expect(event).toMatchObject({ ask: "select", options: [true, false] });
      await driven.run.answer(event.interrupt, { kind: "value", value: met });
      if (!met) await sleepThrough(driven, 1);
    }
    await driven.run.output;
    expect(driven.performed).toEqual(["read#1", "read#1"]);
    expect(driven.run.replay()).toMatchObject({ ok: true });
  });

  test("after any crashes and in any order it ends as if there had been none", () => {
    const text = looking('ensure "it is a price" by m; every 10ms until "it fell" by m');
    fc.assert(
      fc.property(fc.integer(), fc.double({ min: 0, max: 0.2, noNaN: true }), (seed, crashes) => {
        const ran = runText(text, { says: { read: "9" }, calls: 2, echoes: 0.1, seed, crashes });
        expect([ran.status, ran.state, ran.repeated, ran.leaked]).toEqual([
          "succeeded",
          { seen: ["9"] },
          [],
          [],
        ]);
        expect(foldLog(ran.program, ran.records)).toEqual(ran.snapshot);
        const { divergence } = replayLog(ran.records, { recorded: graphOf(text) });
        expect(divergence).toBeUndefined();
      }),
      { numRuns: 100 },
    );
  });
});
