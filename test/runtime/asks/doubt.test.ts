/** An external call that its process did not live to hear of: a person says what came of it. */
import { expect, test } from "vitest";
import { Journal } from "../../../runtime/history/journal.ts";
import type { Answer, Interrupt, LogRecord } from "../../../runtime/index.ts";
import { scriptedAnswers } from "../../../runtime/questions/auto-answers.ts";
import { type Does, type DrivenTestRun, drive } from "../driven-run.ts";
import { waiting } from "./asking-run.ts";

const text = `import { f } from "./f.ts"
graph Pay() returns paid {
  state { paid: string = "" }
  run pay = f() writes paid
  start -> pay -> end
}`;

/** Pays once, then asks; whoever performs it counts the payments. */
function paying() {
  const calls: string[] = [];
  const does: Does = async (_, context) => {
    const receipt = await context.effect<string>({
      effect: "tool",
      name: "transfer",
      request: { amount: 100 },
      external: true,
      perform: async () => {
        calls.push("transfer");
        return { value: `receipt ${calls.length}` };
      },
    });
    await context.ask({ ask: "question", question: "Tell them?" });
    return receipt;
  };
  return { calls, does };
}

/** The log up to where the call was asked for, as a process leaves it that is killed there. */
async function killed(driven: DrivenTestRun, again = 1): Promise<number> {
  let intents = 0;
  const records = driven.store.read(driven.run.id);
  return records.findIndex(({ kind }) => kind === "intent" && ++intents === again) + 1;
}

async function inDoubt() {
  const { calls, does } = paying();
  const first = drive(text, { does, goal: "end" });
  await waiting(first.run);
  const found = first.found(undefined, await killed(first));
  await first.run.pause({ now: true });
  return { calls, found };
}

test("it asks what came of the call, and shows what is known of it", async () => {
  const { calls, found } = await inDoubt();
  await found.resume();
  const id = await waiting(found);
  expect(found.interrupts).toMatchObject([
    {
      id,
      kind: "doubt",
      node: "pay",
      tool: "transfer",
      shown: { call: "transfer", request: { amount: 100 } },
    },
  ]);
  expect(found.interrupts[0]?.question).toMatch(/^`pay#1` called `transfer` at \d{4}-/);
  expect(calls).toHaveLength(1);
  await expect(found.answer(id, { kind: "revise", text: "?" })).rejects.toMatchObject({
    code: "M5311",
  });
  // Whether this call happened says nothing of the next one.
  for (const remember of ["run", "thread"] as const) {
    await expect(found.answer(id, { kind: "approve", remember })).rejects.toMatchObject({
      code: "M5311",
    });
  }
});

test.each<[string, Answer, string, number]>([
  ["it happened", { kind: "value", value: "receipt 1" }, "receipt 1", 1],
  ["call it again", { kind: "approve" }, "receipt 2", 2],
])(
  "%s: the node goes on, and its later questions keep their places",
  async (_, answer, paid, count) => {
    const { calls, found } = await inDoubt();
    await found.resume();
    await found.answer(await waiting(found), answer);
    const id = await waiting(found);
    expect(found.interrupts[0]).toMatchObject({ id, question: "Tell them?" });
    await found.pause({ now: true });
    await found.resume();
    expect(await waiting(found)).toBe(id);
    await found.answer(id, { kind: "approve" });
    expect(await found.output).toEqual({ paid });
    expect(calls).toHaveLength(count);
    expect(found.replay()).toMatchObject({ ok: true });
  },
);

test("fail: M5021, and the call is not made", async () => {
  const { calls, found } = await inDoubt();
  await found.resume();
  await found.answer(await waiting(found), { kind: "deny", reason: "the bank says no" });
  await expect(found.output).rejects.toMatchObject({
    code: "M5021",
    message: expect.stringContaining("the bank says no"),
  });
  expect([found.status, calls.length]).toEqual(["failed", 1]);
});

test("called again and killed again: it asks again, whatever was said the first time", async () => {
  const { calls, does } = paying();
  const first = drive(text, { does, goal: "end" });
  await waiting(first.run);
  const records = first.store.read(first.run.id);
  const begun = records.slice(0, await killed(first));
  const intent = begun.at(-1);
  if (intent?.kind !== "intent") throw new Error("no intent");
  const { id, attempt } = intent;
  const said = { interrupt: "pay-0", id, node: "pay", attempt, call: -1 } as const;
  const asked = {
    kind: "interrupt" as const,
    ...said,
    ask: "doubt" as const,
    question: "?",
    key: "0",
    ordinal: 1,
  };
  const answer = { kind: "approve", remember: "run" } as const;
  const bodies = [asked, { kind: "answer" as const, ...said, answer, from: "person" as const }];
  const at = intent.at;
  const past = [...begun, ...bodies, intent].map((record, seq) => ({ ...record, seq, at }));
  const journal = Journal.of(past as LogRecord[]);
  expect(journal.asked(id, attempt, -1)).toBeUndefined();
  expect(Journal.of(past.slice(0, -1) as LogRecord[]).asked(id, attempt, -1)?.answer).toBeDefined();
  expect(calls).toHaveLength(1);
  await first.run.abort();
});

const NO_LIMITS = { forbids: () => undefined, effects: () => [], before: () => [] };

test("answers by node say nothing of a doubt; a function is asked", async () => {
  const doubt = { kind: "doubt", node: "pay" } as Interrupt;
  expect(await scriptedAnswers({ pay: true })(doubt, NO_LIMITS)).toBeUndefined();
  expect(await scriptedAnswers(() => ({ kind: "deny" }))(doubt, NO_LIMITS)).toMatchObject({
    answer: { kind: "deny" },
  });
});
