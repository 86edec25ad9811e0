/** `human` nodes: what they ask, what may be said, and what it comes to. */
import { describe, expect, test } from "vitest";
import type { FunctionContext } from "../../../runtime/index.ts";
import { ask, nextStop, rejection } from "./asking.ts";

const signoff = `graph G() returns ok {
  state { ok: boolean = false }
  human signoff { ask \`Ship it?\`; writes ok }
  start -> signoff -> end
}`;

test("M13 W39 E10 a run that asks is waiting, and running again when it is answered", async () => {
  const { run, session } = ask(signoff);
  expect(await nextStop(run)).toEqual({ kind: "interrupt", id: "signoff-0", node: "signoff" });
  expect([run.status, ...session.list().map(({ status }) => status)]).toEqual([
    "waiting",
    "waiting",
  ]);
  expect(run.interrupts).toMatchObject([
    {
      id: "signoff-0",
      kind: "select",
      node: "signoff",
      question: "Ship it?",
      options: [true, false],
    },
  ]);
  await run.answer("signoff-0", { kind: "value", value: true });
  expect(await run.output).toEqual({ ok: true });
  expect(run.interrupts).toEqual([]);
});

test("with nobody there, `output` says so while the run goes on waiting, and is a new promise after the answer", async () => {
  const { run } = ask(signoff);
  const { output } = run;
  const error = await rejection(output);
  expect(error).toMatchObject({ code: "M5301", runId: run.id, node: "signoff" });
  expect(error.message).toContain("`signoff-0` (Ship it?)");
  expect(error.hint).toContain('run.answer("signoff-0"');
  expect(run.status).toBe("waiting");
  await run.answer("signoff-0", { kind: "value", value: false });
  expect(run.output).not.toBe(output);
  expect(await run.output).toEqual({ ok: false });
});

test("a question of several lines is told in one", async () => {
  const { run } = ask(signoff.replace("Ship it?", "A tie on x:\n- yes\n- no"));
  const error = await rejection(run.output);
  expect(error.message).toContain("`signoff-0` (A tie on x: - yes - no)");
});

test("an answer that does not fit is told to whoever gave it, and the question stays open", async () => {
  const { run } = ask(signoff);
  await nextStop(run);
  const wrong = await rejection(run.answer("signoff-0", { kind: "value", value: "yes" }));
  expect(wrong).toMatchObject({ code: "M5311", node: "signoff" });
  expect(wrong.message).toContain('the string "yes"');
  const kind = await rejection(run.answer("signoff-0", { kind: "approve" }));
  expect(kind.message).toContain("`value`, `deny`, not `approve`");
  expect(run.interrupts).toHaveLength(1);
  await run.answer("signoff-0", { kind: "value", value: true });
  expect(await run.output).toEqual({ ok: true });
});

test("a second answer is never applied", async () => {
  const { run } = ask(signoff);
  await nextStop(run);
  const both = await Promise.allSettled([
    run.answer("signoff-0", { kind: "value", value: true }),
    run.answer("signoff-0", { kind: "value", value: false }),
  ]);
  expect(both.map(({ status }) => status)).toEqual(["fulfilled", "rejected"]);
  expect(await run.output).toEqual({ ok: true });
  expect(await rejection(run.answer("signoff-0", { kind: "value", value: false }))).toMatchObject({
    code: "M5310",
  });
});

test("a no fails the run with the reason denied, or goes along `on deny`", async () => {
  const { run } = ask(signoff, { answers: { signoff: { kind: "deny", reason: "not today" } } });
  expect(await rejection(run.output)).toMatchObject({ code: "M5313", node: "signoff" });
  expect([run.status, run.reason]).toEqual(["failed", "denied"]);

  const withArrow = signoff
    .replace("-> end", "-> end\n  signoff -> later on deny")
    .replace("start ->", "run later = note() writes ok\n  start ->");
  const other = ask(withArrow, {
    scope: { note: () => false },
    answers: { signoff: { kind: "deny" } },
  });
  expect(await other.run.output).toEqual({ ok: false });
});

describe("what is asked follows from what the node writes", () => {
  test.each([
    ["boolean = false", "select", [true, false], true],
    ['"ship" | "wait" = "wait"', "select", ["ship", "wait"], "ship"],
    ['string = ""', "input", undefined, "looks good"],
    ["{ stars: int, why: string } | null = null", "input", undefined, { stars: 4, why: "fast" }],
  ])("%s", async (type, kind, options, value) => {
    const { run } = ask(
      `graph G() returns it {\n state { it: ${type} }\n human h { ask \`?\`; writes it }\n start -> h\n}`,
    );
    await nextStop(run);
    expect(run.interrupts[0]).toMatchObject({ kind, ...(options ? { options } : {}) });
    await run.answer("h-0", { kind: "value", value });
    expect(await run.output).toEqual({ it: value });
  });
});

test("a function asks in words, offers options, and may say what an answer must fit", async () => {
  const asks = async (ctx: FunctionContext) => [
    await ctx.ask("How many?"),
    await ctx.ask({ question: "Which?", options: ["a", "b"] }),
    await ctx.ask({ question: "And?", options: ["a", "b"], schema: { enum: ["a", "b"] } }),
  ];
  const text =
    "graph G() returns said { state { said: Json = null } run f = asks() writes said start -> f }";
  const { run } = ask(text, { scope: { asks } });
  await nextStop(run);
  expect(run.interrupts).toMatchObject([{ id: "f-0", kind: "question", question: "How many?" }]);
  await run.answer("f-0", { kind: "value", value: 3 });
  await nextStop(run);
  expect(run.interrupts).toMatchObject([{ id: "f-0-2", options: ["a", "b"] }]);
  await run.answer("f-0-2", { kind: "value", value: "neither" });
  await nextStop(run);
  expect(await rejection(run.answer("f-0-3", { kind: "value", value: "c" }))).toMatchObject({
    code: "M5311",
    message: 'the answer to `f-0-3` does not fit: expected one of "a", "b", found the string "c"',
  });
  await run.answer("f-0-3", { kind: "value", value: "b" });
  const said = [3, "neither", "b"].map((value) => ({ kind: "value", value }));
  expect(await run.output).toEqual({ said });
  expect(run.replay()).toMatchObject({ ok: true });
});

test("an answer for the thread is not asked for again in its next run", async () => {
  const { run, session } = ask(signoff, { thread: "mine" });
  await nextStop(run);
  await run.answer("signoff-0", { kind: "value", value: true, remember: "thread" });
  await run.output;
  const again = session.compile(signoff).G?.run({}, { thread: "mine" });
  expect(await again?.output).toEqual({ ok: true });
  const other = session.compile(signoff).G?.run({}, { thread: "another" });
  expect(await rejection(other?.output ?? Promise.resolve())).toMatchObject({ code: "M5301" });
});

test("an answer for the thread that was taken back is asked for again by runs that start later", async () => {
  const { run, session } = ask(signoff, { thread: "mine" });
  const start = (thread: string) => session.compile(signoff).G?.run({}, { thread });
  const codeOf = (thread: string) => rejection(start(thread)?.output ?? Promise.resolve());
  const always = { kind: "value", value: true, remember: "thread" } as const;
  await nextStop(run);
  await run.answer("signoff-0", always, { by: "ann" });
  await run.output;
  const served = start("mine");
  expect(await served?.output).toEqual({ ok: true });

  const { answers } = session.stored;
  const [given] = answers.list("mine");
  expect(given).toMatchObject({ thread: "mine", graph: "G", node: "signoff", answer: always });
  expect(given).toMatchObject({ by: "ann", runId: run.id });
  expect(answers.list("another")).toEqual([]);
  expect(() => answers.forget([given?.id ?? "", "unknown"])).toThrow(/`unknown`/);
  expect(await start("mine")?.output).toEqual({ ok: true });

  expect(answers.forget([given?.id ?? ""])).toMatchObject([{ node: "signoff" }]);
  expect(answers.list()).toEqual([]);
  expect(await codeOf("mine")).toMatchObject({ code: "M5301" });
  session.stored.copyThread("mine", "copy");
  expect(await codeOf("copy")).toMatchObject({ code: "M5301" });
  expect(served?.replay()).toMatchObject({ ok: true });
  // Said once more, it holds again.
  const asked = start("mine");
  await asked?.output.catch(() => {});
  await asked?.answer("signoff-0", always);
  await asked?.output;
  expect(await start("mine")?.output).toEqual({ ok: true });
});

const coplan = `graph G() returns steps, accepted {
  state { steps: string[] = []  accepted: boolean = false }
  run plan = make() writes steps
  human coplan { ask \`Edit or accept the plan\`; edits steps; writes accepted }
  start -> plan -> coplan -> end
}`;

test("M128 what a person edits is shown again until they accept it; nothing runs again", async () => {
  let made = 0;
  const make = () => {
    made += 1;
    return ["read", "write"];
  };
  const { run } = ask(coplan, { scope: { make } });
  await nextStop(run);
  expect(run.interrupts).toMatchObject([{ kind: "edit", shown: ["read", "write"] }]);
  await run.answer("coplan-1", { kind: "edit", value: ["read", "think", "write"] });
  await nextStop(run);
  expect(run.interrupts).toMatchObject([{ id: "coplan-1-2", shown: ["read", "think", "write"] }]);
  expect(run.state).toMatchObject({ steps: ["read", "write"] });
  await run.answer("coplan-1-2", { kind: "approve" });
  expect(await run.output).toEqual({ steps: ["read", "think", "write"], accepted: true });
  expect(made).toBe(1);
});

test("an edit must have the field's type", async () => {
  const { run } = ask(coplan, { scope: { make: () => ["a"] } });
  await nextStop(run);
  expect(await rejection(run.answer("coplan-1", { kind: "edit", value: [1] }))).toMatchObject({
    code: "M5311",
  });
});
