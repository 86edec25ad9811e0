/** When time brings something in a run that nobody drives. */
import { expect, test } from "vitest";
import { drive } from "./driven-run.ts";

const HOUR = 3_600_000;

const nap = `import { f } from "./f.ts"
graph Nap() returns a {
  state { a: string = "" }
  run first = f() writes a
  run second = f() writes a
  start -> first -> second after 1h -> end
}`;

test("a sleeping run is due at the start that it sleeps for; what runs now sleeps for nothing", async () => {
  const { run, clock, found } = drive(nap, { does: () => "x", goal: "end" });
  await run.step().catch(() => {});
  const due = clock.now() + HOUR;
  await run.pause({ now: true, reason: "sleeping" });
  expect([run.dueAt, run.sleepsUntil]).toEqual([due, undefined]);
  const later = found();
  expect(later.dueAt).toBe(due);
  await run.resume();
  await clock.advance(1);
  expect(run.sleepsUntil).toBe(due);
  await clock.advance(HOUR);
  expect(await run.output).toEqual({ a: "x" });
  expect([run.dueAt, run.sleepsUntil]).toEqual([undefined, undefined]);
});

test("a question that expires is due then; one that does not waits for people alone", async () => {
  const dues: (number | undefined)[] = [];
  for (const within of [{ withinMs: 2 * HOUR }, {}]) {
    const { run, clock } = drive(nap, {
      goal: "end",
      does: async (_, context) => {
        await context.ask({ ask: "input", question: "Who?", ...within });
        return "x";
      },
    });
    await run.continue();
    dues.push(run.dueAt === undefined ? undefined : run.dueAt - clock.now());
    await run.abort();
  }
  expect(dues).toEqual([2 * HOUR, undefined]);
});
