/** The driver alone: what it does with starts, deadlines and cancels, and with an attempt that can't be performed. */
import { expect, test } from "vitest";
import type { Ended } from "../../../runtime/attempt/attempt-host.ts";
import type { Cancellation } from "../../../runtime/cancellation.ts";
import { createRxDriver } from "../../../runtime/engine/rx-driver.ts";
import type { Start } from "../../../runtime/scheduler/advance.ts";
import type { Completion } from "../../../runtime/scheduler/completion.ts";
import { asClock } from "../driven-run.ts";
import { manualClock } from "../store/fixtures.ts";

interface Begun {
  readonly id: number;
  readonly cancellation: Cancellation;
  readonly ended: Ended;
}

function drive({ perform }: { readonly perform?: () => void } = {}) {
  const begun: Begun[] = [];
  const posted: Completion[] = [];
  const errors: unknown[] = [];
  const clock = manualClock();
  const driver = createRxDriver(
    {
      post: (completion) => posted.push(completion),
      perform: ({ id }, of) => {
        begun.push({ id, ...of });
        perform?.();
      },
      label: (id) => `node run ${id}`,
      broken: (error) => errors.push(error),
    },
    asClock(clock),
  );
  return { driver, begun, posted, errors, clock };
}

const startOf = (id: number, notBefore?: number) => ({ id, notBefore }) as Start;
const timerOf = (id: number, due: number) =>
  ({ id, due }) as Parameters<ReturnType<typeof drive>["driver"]["keep"]>[0];
const completion = { kind: "output" } as unknown as Completion;

test("an attempt that can't be performed is reported, and nothing waits for it", async () => {
  const failure = new Error("no performer");
  const { driver, begun, errors } = drive({
    perform: () => {
      throw failure;
    },
  });
  driver.start(startOf(1));
  expect(errors).toEqual([failure]);
  expect(begun).toHaveLength(1);
  expect(await driver.stop()).toEqual([]);
});

test("a start in place of another cancels that one, and its completion is dropped", () => {
  const { driver, begun, posted } = drive();
  driver.start(startOf(1));
  driver.start(startOf(1));
  expect(begun.map(({ cancellation }) => cancellation.isCancelled)).toEqual([true, false]);
  for (const { ended } of begun) ended(completion);
  expect(posted).toEqual([completion]);
});

test("an attempt begins when it is due, unless it is cancelled before", async () => {
  const { driver, begun, clock } = drive();
  const due = clock.now() + 100;
  driver.start(startOf(1, due));
  driver.start(startOf(2, due));
  driver.cancel(2);
  expect(begun).toEqual([]);
  await clock.advance(100);
  expect(begun.map(({ id }) => id)).toEqual([1]);
});

test("a completion takes back the deadline of its node run, not that of another", async () => {
  const { driver, begun, posted, clock } = drive();
  const due = clock.now() + 100;
  driver.start(startOf(1));
  driver.keep(timerOf(1, due));
  driver.keep(timerOf(2, due));
  begun[0]?.ended(completion);
  await clock.advance(100);
  expect(posted).toEqual([completion, { kind: "timer", timer: { id: 2, due }, at: clock.now() }]);
});

test("a deadline that is overdue when it is kept is posted at once", () => {
  const { driver, posted, clock } = drive();
  driver.keep(timerOf(1, clock.now()));
  expect(posted).toEqual([{ kind: "timer", timer: { id: 1, due: clock.now() }, at: clock.now() }]);
});

test("a stop cancels what is under way, names what does not end, and lets nothing begin", async () => {
  const { driver, begun, posted, clock } = drive();
  driver.start(startOf(1));
  driver.start(startOf(2));
  driver.keep(timerOf(1, clock.now() + 100));
  const stopped = driver.stop();
  expect(begun.every(({ cancellation }) => cancellation.isCancelled)).toBe(true);
  begun[0]?.ended(undefined);
  driver.start(startOf(3));
  await clock.advance(2000);
  expect(await stopped).toEqual(["node run 2"]);
  expect(begun.map(({ id }) => id)).toEqual([1, 2]);
  expect(posted).toEqual([]);
});
