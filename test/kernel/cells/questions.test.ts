/** What a run waits for is asked where a cell waits for the run. */
import { expect, test } from "vitest";
import { type NotebookOptions, openTestNotebook, useTypes } from "./notebook.ts";

useTypes();

const MAIL = `graph Mail(to: string) returns sent {
  state { sent: string }
  run send = sent(to) writes sent { approve before }
  start -> send -> end
}`;

/** A notebook with a graph that asks before it sends, and a person who says these things, one after the other. */
async function mailing(person: NonNullable<NotebookOptions["person"]>) {
  const notebook = openTestNotebook(undefined, { person });
  await notebook.run("const sent = (to: string) => `sent to ${to}`;");
  await notebook.run(MAIL);
  return notebook;
}

function saying(...words: readonly (string | undefined)[]) {
  const prompts: string[] = [];
  const left = [...words];
  const person = async (prompt: string) => {
    prompts.push(prompt);
    return left.shift();
  };
  return { prompts, person };
}

/** Somebody who is asked, and says nothing until the question is taken back. */
function thinking() {
  const asked = Promise.withResolvers<AbortSignal>();
  const person = (_prompt: string, signal: AbortSignal) => {
    asked.resolve(signal);
    const { promise, resolve } = Promise.withResolvers<string | undefined>();
    signal.addEventListener("abort", () => resolve(undefined));
    return promise;
  };
  return { person, asked: asked.promise };
}

test("a cell that waits for a run asks the person, and goes on with the answer", async () => {
  const { person, prompts } = saying("approve");
  const notebook = await mailing(person);
  const said = await notebook.run('(await Mail.invoke({ to: "Ann" })).sent');
  expect(said).toContain("sent to Ann");
  expect(said).toContain("`send` asks: Start `send`?");
  expect(prompts).toEqual(["send: Start `send`? [approve | deny: REASON | edit JSON] "]);
});

test("what does not fit is told, and asked again", async () => {
  const { person, prompts } = saying("perhaps", "revise shorter", "approve");
  const notebook = await mailing(person);
  const said = await notebook.run('(await Mail.invoke({ to: "Ann" })).sent');
  expect(said).toContain("error[M7104]: `perhaps` is no JSON, and no answer to: Start `send`?");
  expect(said).toContain("error[M5311]: the answer to");
  expect(said).toContain("sent to Ann");
  expect(prompts).toHaveLength(3);
});

test("several that wait for one run are one question", async () => {
  const { person, prompts } = saying("approve");
  const notebook = await mailing(person);
  const said = await notebook.run(`const run = Mail.run({ to: "Ann" });
(await Promise.all([run.output, run.output])).map(({ sent }) => sent)`);
  expect(said).toContain("sent to Ann");
  expect(prompts).toHaveLength(1);
});

test("nobody answers: the cell is told what the run waits for, and the question stays open", async () => {
  const notebook = await mailing(saying(undefined).person);
  await notebook.run('const run = Mail.run({ to: "Ann" });');
  const said = await notebook.run("await run.output");
  expect(said).toContain("M5301");
  expect(await notebook.run("run.interrupts.length")).toContain("1");
});

test("a front end without input is not asked", async () => {
  const { person, prompts } = saying("approve");
  const notebook = await mailing(person);
  const said = await notebook.run('await Mail.invoke({ to: "Ann" })', { allowStdin: false });
  expect(said).toContain("M5301");
  expect(prompts).toEqual([]);
});

test("answered by `run.answer`, the question is closed where it was asked, and its late answer counts for nothing", async () => {
  const { person, asked } = thinking();
  const notebook = await mailing(person);
  await notebook.run('const run = Mail.run({ to: "Ann" });');
  const waiting = notebook.run("(await run.output).sent");
  const signal = await asked;
  expect(signal.aborted).toBe(false);
  const run = notebook.session.open("last");
  const [question] = run.interrupts;
  await run.answer(question?.id ?? "", { kind: "approve" });
  expect(signal.aborted).toBe(true);
  const said = await waiting;
  expect(said).toContain("was answered elsewhere");
  expect(said).toContain("sent to Ann");
});

test("cancelling the cell takes the question back, and pauses the run", async () => {
  const { person, asked } = thinking();
  const notebook = await mailing(person);
  const cell = notebook.run('await Mail.invoke({ to: "Ann" })');
  const signal = await asked;
  notebook.cancel();
  expect(await cell).toContain("M7501");
  expect(signal.aborted).toBe(true);
});
