/** Questions that go to the next person where nobody answers in time. */
import { expect, test } from "vitest";
import { createHumanPerformer } from "../../../runtime/agents/human.ts";
import type { RunEvent } from "../../../runtime/index.ts";
import { drive } from "../driven-run.ts";

const HOUR = 3_600_000;

const asking = (clause: string) => `graph Ask(boss: string) returns said {
  state { said: string = "-" }
  human who { ask \`Pay?\` ${clause}; writes said }
  start -> who -> end
  who -> end on deny
}`;

function start(text: string) {
  const people = createHumanPerformer();
  const driven = drive(text, {
    goal: "end",
    input: { boss: "lead" },
    does: (attempt, context) =>
      attempt.node.kind === "human" ? people.perform(attempt, context) : "done",
  });
  const opened: (RunEvent & { readonly kind: "interrupt.opened" })[] = [];
  driven.run.events$.subscribe((event) => {
    if (event.kind === "interrupt.opened") opened.push(event);
  });
  return { ...driven, opened };
}

test("`then ask`: who does not answer in time is passed over, and the trace says who was asked until when", async () => {
  const { run, clock, found, opened } = start(
    asking('from "ann" within 2h then ask boss within 1d else "no"'),
  );
  await run.continue();
  const first = clock.now() + 2 * HOUR;
  expect(run.interrupts).toMatchObject([
    { id: "who-0", to: "ann", expiresAt: first, then: [{ to: "lead", withinMs: 24 * HOUR }] },
  ]);
  await clock.advance(2 * HOUR);
  const second = first + 24 * HOUR;
  const asked = [
    { id: "who-0", to: "lead", expiresAt: second, passed: [{ to: "ann", until: first }] },
  ];
  expect([run.status, run.dueAt]).toEqual(["waiting", second]);
  expect(run.interrupts).toMatchObject(asked);
  // Another process finds the same, and is told when the next one is due.
  expect(found().interrupts).toMatchObject(asked);
  expect(found().dueAt).toBe(second);
  await clock.advance(24 * HOUR);
  await run.continue();
  expect([run.status, run.state]).toEqual(["succeeded", { said: "no" }]);
  expect(opened.map(({ to, passed = [] }) => [to, passed.length])).toEqual([
    ["ann", 0],
    ["lead", 1],
  ]);
  expect((await run.replay()).ok).toBe(true);
});

test("the one who is asked next answers, and may take as long as they want without `within`", async () => {
  const { run, clock } = start(asking('within 2h then ask "lead"'));
  await run.continue();
  await clock.advance(2 * HOUR);
  expect(run.interrupts).toMatchObject([{ to: "lead", passed: [{ until: clock.now() }] }]);
  expect(run.dueAt).toBeUndefined();
  await clock.advance(100 * HOUR);
  await run.answer("who-0", { kind: "value", value: "yes" });
  await run.continue();
  expect([run.status, run.state]).toEqual(["succeeded", { said: "yes" }]);
  expect((await run.replay()).ok).toBe(true);
});

test("`then ask` without a default: at the end the answer is no", async () => {
  const { run, clock } = start(asking('within 2h then ask "a" within 1h then ask "b" within 1h'));
  await run.continue();
  for (const hours of [2, 1, 1]) await clock.advance(hours * HOUR);
  await run.continue();
  expect([run.status, run.state]).toEqual(["succeeded", { said: "-" }]);
});

test("an approval is escalated, too", async () => {
  const text = `import { f } from "./f.ts"
graph Pay(boss: string) returns said {
  state { said: string = "-" }
  run pay = f() writes said { approve before \`Pay?\` within 2h then ask boss within 1h }
  start -> pay -> end
  pay -> end on deny
}`;
  for (const isAnswered of [true, false]) {
    const { run, clock } = start(text);
    await run.continue();
    await clock.advance(2 * HOUR);
    expect(run.interrupts).toMatchObject([{ id: "pay-0", to: "lead", passed: [{}] }]);
    if (isAnswered) await run.answer("pay-0", { kind: "approve" });
    else await clock.advance(HOUR);
    await run.continue();
    expect([run.status, run.state]).toEqual(["succeeded", { said: isAnswered ? "done" : "-" }]);
    expect((await run.replay()).ok).toBe(true);
  }
});

test("`within 2h..7h`: who does not answer is asked again every two hours, and after seven the next one is", async () => {
  const { run, clock, found, opened } = start(
    asking('from "ann" within 2h..7h then ask boss within 1h..2h else "no"'),
  );
  await run.continue();
  const begin = clock.now();
  for (const hours of [2, 2, 2]) {
    await clock.advance(hours * HOUR);
    expect(run.interrupts).toMatchObject([{ id: "who-0", to: "ann" }]);
  }
  expect(found().dueAt).toBe(begin + 7 * HOUR);
  for (const hours of [1, 1, 1]) await clock.advance(hours * HOUR);
  await run.continue();
  expect([run.status, run.state]).toEqual(["succeeded", { said: "no" }]);
  expect(opened.map(({ to, at }) => [to, (at - begin) / HOUR])).toEqual([
    ["ann", 0],
    ["ann", 2],
    ["ann", 4],
    ["ann", 6],
    ["lead", 7],
    ["lead", 8],
  ]);
  expect((await run.replay()).ok).toBe(true);
});

test("an approval that names nobody is reminded of, and answered in between", async () => {
  const { run, clock } = start(`import { f } from "./f.ts"
graph Pay(boss: string) returns said {
  state { said: string = "-" }
  run pay = f() writes said { approve before \`Pay?\` within 1h..3h }
  start -> pay -> end
  pay -> end on deny
}`);
  await run.continue();
  await clock.advance(HOUR);
  expect(run.interrupts).toMatchObject([{ id: "pay-0", passed: [{}], then: [{}] }]);
  await run.answer("pay-0", { kind: "approve" });
  await run.continue();
  expect([run.status, run.state]).toEqual(["succeeded", { said: "done" }]);
});
