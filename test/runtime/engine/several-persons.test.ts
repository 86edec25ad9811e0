/** Questions to several persons: each must say yes, or as many as are needed, by name and once. */
import { expect, test } from "vitest";
import { createHumanPerformer } from "../../../runtime/agents/human.ts";
import type { Answer, RunEvent } from "../../../runtime/index.ts";
import { rejection } from "../asks/asking.ts";
import { drive } from "../driven-run.ts";

const HOUR = 3_600_000;

const asking = (clause: string, more = "writes ok") => `graph Pay(persons: string[]) returns ok {
  state { ok: boolean = false\n sum: int = 7 }
  human pay { ask \`Pay?\` ${clause}; ${more} }
  start -> pay -> end
  pay -> end on deny
}`;

function start(text: string, persons: readonly string[] = []) {
  const people = createHumanPerformer();
  const driven = drive(text, {
    goal: "end",
    input: { persons },
    does: (attempt, context) => people.perform(attempt, context),
  });
  const events: RunEvent[] = [];
  driven.run.events$.subscribe((event) => events.push(event));
  return { ...driven, events };
}

const yes = (as?: string): Answer => ({
  ...{ kind: "value", value: true },
  ...(as === undefined ? {} : { as }),
});

test("each of the persons says yes: who said it stands in the question, the events and the log", async () => {
  const { run, clock, found, events } = start(asking('from ["lead", "security"]'));
  await run.continue();
  expect(run.interrupts).toMatchObject([{ to: "lead, security", among: ["lead", "security"] }]);
  await run.answer("pay-0", yes("security"));
  await run.continue();
  const agreed = [{ as: "security", at: clock.now() }];
  expect([run.status, run.state]).toMatchObject(["waiting", { ok: false }]);
  expect(run.interrupts).toMatchObject([{ id: "pay-0", agreed }]);
  // Another process finds the same.
  expect(found().interrupts).toMatchObject([{ id: "pay-0", agreed }]);
  await run.answer("pay-0", yes("lead"));
  await run.continue();
  expect([run.status, run.state]).toMatchObject(["succeeded", { ok: true }]);
  const told = events.flatMap((event): readonly unknown[] => {
    if (event.kind === "interrupt.opened") return [event.agreed ?? []];
    return event.kind === "interrupt.answered" ? [event.answer] : [];
  });
  expect(told).toEqual([[], agreed, yes("lead")]);
  expect((await run.replay()).ok).toBe(true);
});

test.each<[string, Answer, RegExp]>([
  ["nobody's name", yes(), /must say who of `lead`, `security` answers/],
  ["another's name", yes("ann"), /is for `lead`, `security`, not for `ann`/],
  ["the same person again", yes("lead"), /`lead` has said yes already/],
  ["for later runs", { ...yes("security"), remember: "thread" }, /is not remembered/],
])("an answer in %s is refused, and the question stays open", async (_, answer, message) => {
  const { run } = start(asking('from ["lead", "security"]'));
  await run.continue();
  await run.answer("pay-0", yes("lead"));
  const refused = await rejection(run.answer("pay-0", answer));
  expect(refused).toMatchObject({ code: "M5311", message: expect.stringMatching(message) });
  expect(run.interrupts).toMatchObject([{ id: "pay-0", agreed: [{ as: "lead" }] }]);
});

test("of two answers of one person at once, the first counts", async () => {
  const { run } = start(asking('from ["lead", "security"]'));
  await run.continue();
  const answers = await Promise.allSettled([
    run.answer("pay-0", yes("lead")),
    run.answer("pay-0", yes("lead")),
  ]);
  expect(answers.map(({ status }) => status)).toEqual(["fulfilled", "rejected"]);
  expect(run.interrupts).toMatchObject([{ agreed: [{ as: "lead" }] }]);
});

test.each<[string, Answer, boolean]>([
  ["a no", { kind: "value", value: false, as: "security" }, true],
  ["a refusal", { kind: "deny", reason: "too dear", as: "security" }, true],
])("%s of one of them ends it", async (_, answer) => {
  const { run } = start(asking('from ["lead", "security", "ops"]'));
  await run.continue();
  await run.answer("pay-0", yes("lead"));
  await run.answer("pay-0", answer);
  await run.continue();
  expect([run.status, run.state]).toMatchObject(["succeeded", { ok: false }]);
  expect((await run.replay()).ok).toBe(true);
});

test("a list of the run: a name that is twice in it counts once, and an empty one asks nobody", async () => {
  const twice = start(asking("from persons"), ["lead", "ops", "lead"]);
  await twice.run.continue();
  expect(twice.run.interrupts).toMatchObject([{ among: ["lead", "ops"] }]);
  const empty = start(asking("from persons"));
  await empty.run.continue();
  const { message } = (await rejection(empty.run.output)) as Error;
  expect(message).toContain("the list of persons is empty");
});

test("a reminder keeps who said yes, and the next persons begin anew; at last nobody agreed", async () => {
  const { run, clock, found } = start(
    asking('from ["a", "b"] within 1h..2h then ask ["c", "d"] within 1h'),
  );
  await run.continue();
  await run.answer("pay-0", yes("b"));
  await clock.advance(HOUR);
  const reminded = [{ among: ["a", "b"], agreed: [{ as: "b" }], passed: [{ to: "a, b" }] }];
  expect(run.interrupts).toMatchObject(reminded);
  expect(found().interrupts).toMatchObject(reminded);
  await clock.advance(HOUR);
  expect(run.interrupts[0]?.agreed).toBeUndefined();
  expect(run.interrupts).toMatchObject([{ among: ["c", "d"] }]);
  await run.answer("pay-0", yes("c"));
  expect(run.dueAt).toBe(clock.now() + HOUR);
  await clock.advance(HOUR);
  await run.continue();
  expect([run.status, run.state]).toMatchObject(["succeeded", { ok: false }]);
  expect((await run.replay()).ok).toBe(true);
});

test("what one of them edits is asked of all anew", async () => {
  const { run } = start(asking('from ["a", "b"]', "edits sum; writes ok"));
  await run.continue();
  await run.answer("pay-0", { kind: "approve", as: "a" });
  await run.answer("pay-0", { kind: "edit", value: 8, as: "b" });
  await run.continue();
  expect(run.interrupts).toMatchObject([{ id: "pay-0-2", shown: 8 }]);
  expect(run.interrupts[0]?.agreed).toBeUndefined();
  await run.answer("pay-0-2", { kind: "approve", as: "b" });
  await run.answer("pay-0-2", { kind: "approve", as: "a" });
  await run.continue();
  expect([run.status, run.state]).toMatchObject(["succeeded", { ok: true, sum: 8 }]);
});

const no = (as: string): Answer => ({ kind: "value", value: false, as });

test.each<[string, string, readonly Answer[], boolean]>([
  ["two of three say yes", "need 2", [yes("a"), yes("c")], true],
  ["one says no and two say yes", "need 2", [no("b"), yes("a"), yes("c")], true],
  ["one says yes, and too few are left", "need 2", [yes("a"), no("b"), no("c")], false],
  ["too few are left at once", "need 2", [no("b"), { kind: "deny", as: "a" }], false],
  ["the first yes is enough", "need 1", [no("a"), no("b"), yes("c")], true],
  ["a parameter says how many", "need count", [yes("a"), yes("c")], true],
  ["all are needed", "need 3", [yes("a"), no("b")], false],
])("of three: %s", async (_, need, answers, ok) => {
  const text = asking(`from ["a", "b", "c"] ${need}`).replace(
    "persons: string[]",
    "count: int = 2",
  );
  const { run, found } = start(text);
  await run.continue();
  for (const answer of answers.slice(0, -1)) {
    await run.answer("pay-0", answer);
    await run.continue();
    expect(run.status).toBe("waiting");
    // Another process finds the same.
    expect(found().interrupts).toEqual(run.interrupts);
  }
  const [asked] = run.interrupts;
  const before = (of: boolean) =>
    answers.slice(0, -1).filter((one) => (one.kind === "value" && one.value === true) === of)
      .length;
  expect([asked?.agreed?.length ?? 0, asked?.declined?.length ?? 0]).toEqual([
    before(true),
    before(false),
  ]);
  const [last] = answers.slice(-1);
  if (last !== undefined) await run.answer("pay-0", last);
  await run.continue();
  expect([run.status, run.state]).toMatchObject(["succeeded", { ok }]);
  expect((await run.replay()).ok).toBe(true);
});

test("who has said no is not asked again, and a reminder keeps it", async () => {
  const { run, clock } = start(
    asking('from ["a", "b", "c"] need 2 within 1h..2h then ask ["d", "e"] need 1 within 1h'),
  );
  await run.continue();
  await run.answer("pay-0", no("b"));
  const refused = await rejection(run.answer("pay-0", yes("b")));
  expect(refused.message).toContain("`b` has said no already, and somebody else must say yes");
  await clock.advance(HOUR);
  expect(run.interrupts).toMatchObject([
    { need: 2, declined: [{ as: "b" }], among: ["a", "b", "c"] },
  ]);
  await clock.advance(HOUR);
  expect(run.interrupts[0]?.declined).toBeUndefined();
  expect(run.interrupts).toMatchObject([{ need: 1, among: ["d", "e"] }]);
  await run.answer("pay-0", yes("e"));
  await run.continue();
  expect([run.status, run.state]).toMatchObject(["succeeded", { ok: true }]);
  expect((await run.replay()).ok).toBe(true);
});

test.each([
  ["more than there are", "from persons need 3", "3 of 2 persons can't say yes"],
  ["of one person", "from persons.at(0) need 1", "`need` is of a list of persons"],
])("a number of persons, %s, fails the node", async (_, clause, message) => {
  const { run } = start(asking(clause), ["a", "b"]);
  await run.continue();
  expect(((await rejection(run.output)) as Error).message).toContain(message);
});
