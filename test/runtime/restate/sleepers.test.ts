/** Runs that sleep and runs that wait for people on Restate, whose server is killed meanwhile: none is lost, each answer counts once. */
import { describe, expect, test, vi } from "vitest";
import { missing } from "../../support/python-env.ts";
import { restateHere } from "../../support/restate/runs-here.ts";

const reason = await missing("restate");

/** `MADRIGAL_SLEEPERS=10000` has so many runs sleep, and a tenth of them wait for a person. */
const SLEEPERS = Number(process.env.MADRIGAL_SLEEPERS ?? 40);
const WAITERS = Math.ceil(SLEEPERS / 10);
/** Long enough for all to be asleep when the server is killed: 60 ms for the start of each. */
const ASLEEP_MS = 3_000 + 60 * SLEEPERS;
/** Starts under way at one time. */
const AT_ONCE = 32;

const PROGRAM = `graph Sleep(n: int) returns n2 {
  state { n2: int = 0 via sum }
  run first = same(n) writes n2
  run second = same(n) writes n2
  start -> first -> second after ${ASLEEP_MS}ms
}
graph Wait(n: int) returns word {
  state { word: string = "" }
  human who { ask \`Who is \${n}?\`; writes word }
  start -> who
}`;

describe.skipIf(reason !== undefined)("on Restate", () => {
  const here = restateHere();
  vi.setConfig({ testTimeout: 180_000 + 300 * SLEEPERS });

  test("sleeping and waiting runs outlive the server, and of two answers to each question one counts", async () => {
    const served = await here.serve(PROGRAM, { same: (n: number) => n });
    await inTurns(SLEEPERS, (n) => served.start("Sleep", { n }, `sleeps-${n}`));
    await inTurns(WAITERS, (n) => served.start("Wait", { n }, `waits-${n}`));
    await here.server.kill();
    await here.server.restart();
    await inTurns(WAITERS, async (n) => {
      const run = `waits-${n}`;
      const { interrupts } = await served.until(run, (one) => one.interrupts.length > 0);
      const { id: interrupt } = interrupts[0] as { readonly id: string };
      const answers = ["yes", "no"].map((value) =>
        served.say(run, { verb: "answer", interrupt, answer: { kind: "value", value } }),
      );
      const outcomes = await Promise.allSettled(answers);
      const taken = outcomes.map(({ status }) => status === "fulfilled");
      expect(taken.toSorted(), run).toEqual([false, true]);
      const { output } = await served.output("Wait", run);
      expect(output, run).toEqual({ word: taken[0] === true ? "yes" : "no" });
    });
    await inTurns(SLEEPERS, async (n) => {
      const run = `sleeps-${n}`;
      // Each of its two steps has counted once.
      expect((await served.output("Sleep", run)).output).toEqual({ n2: 2 * n });
    });
  });
});

/** Does it for each number from 0, some at a time. */
async function inTurns(count: number, act: (n: number) => Promise<unknown>): Promise<void> {
  let next = 0;
  const worker = async () => {
    for (let n = next++; n < count; n = next++) await act(n);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
}
