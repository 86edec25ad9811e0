import { expect, test } from "vitest";
import { Phase } from "../../../kernel/jupyter/link.ts";
import { withoutRunIds } from "../../support/without-run-ids.ts";
import { ENDLESS_TYPES } from "../types/notebook.ts";
import { openTestNotebook, useTypes } from "./notebook.ts";

useTypes();

const SLOW = `graph Slow() returns done {
  state { done: boolean = false }
  start -> wait -> end
  run wait = never() writes done
}`;

test("cancelling a cell that awaits ends it at once; what it declared is kept", async () => {
  const notebook = openTestNotebook();
  const cell = notebook.run("const kept = 7; console.log('begun'); await new Promise(() => {})");
  await notebook.saw("begun");
  notebook.cancel();
  expect(await cell).toMatchInlineSnapshot(`
    "stdout begun
    error Cancelled: M7501 the cell was cancelled; what it declared so far is kept
    Cancelled: M7501 the cell was cancelled; what it declared so far is kept"
  `);
  expect(await notebook.run("kept")).toBe("result 7");
});

test("A29 [NB] cancelling a cell pauses the run it waits for, and the next cell can resume it", async () => {
  const notebook = openTestNotebook();
  await notebook.run("let never = () => new Promise<boolean>(() => console.log('at work'))");
  await notebook.run(SLOW);
  await notebook.run("const run = Slow.run({})");
  const waiting = notebook.run("console.log('waiting'); await run.output");
  await notebook.saw("at work");
  await notebook.saw("waiting");
  notebook.cancel();
  expect(withoutRunIds(await waiting)).toMatchInlineSnapshot(`
    "stdout waiting
    error Cancelled: M7501 the cell was cancelled; run \`RUN\` of \`Slow\` is paused
    Cancelled: M7501 the cell was cancelled; run \`RUN\` of \`Slow\` is paused
      hint: \`await runs.open("RUN").resume()\` goes on with it; in a restarted kernel, run the cells of its graph and of what that calls first"
  `);
  expect(await notebook.run("run.status")).toBe("result 'paused'");
  await notebook.run("never = async () => true");
  expect(await notebook.run("await run.resume(); (await run.output).done")).toBe("result true");
});

test("a run of an earlier cell goes on when a cell that has nothing to do with it is cancelled", async () => {
  const notebook = openTestNotebook();
  await notebook.run("const never = () => new Promise<boolean>(() => console.log('at work'))");
  await notebook.run(SLOW);
  await notebook.run("const run = Slow.run({})");
  await notebook.saw("at work");
  const other = notebook.run("console.log('other'); await new Promise(() => {})");
  await notebook.saw("other");
  notebook.cancel();
  await other;
  expect(await notebook.run("run.status")).toBe("result 'running'");
});

test("cancelling a cell whose types are slow to check leaves the next cell alone", async () => {
  const notebook = openTestNotebook();
  await notebook.run("const before = 7");
  const cell = notebook.run(ENDLESS_TYPES);
  notebook.cancel();
  expect(await cell).toContain("Cancelled: M7501");
  expect(await notebook.run("before")).toBe("result 7");
});

test.each(["step", "continue", "back", "rewind"])(
  "a cell that asked a run for `%s` pauses it when it is cancelled",
  async (name) => {
    const notebook = openTestNotebook();
    await notebook.run("const never = () => new Promise<boolean>(() => console.log('at work'))");
    await notebook.run(SLOW);
    await notebook.run("const run = Slow.run({})");
    await notebook.saw("at work");
    const asking = notebook.run(`run.${name}; console.log("asked"); await new Promise(() => {})`);
    await notebook.saw("asked");
    notebook.cancel();
    expect(await asking).toContain("of `Slow` is paused");
  },
);

test("a cancelled cell prints no more", async () => {
  const notebook = openTestNotebook();
  const cell = notebook.run(
    "const { promise, resolve } = Promise.withResolvers<void>();\nconsole.log('begun');\nawait promise;\nconsole.log('after')",
  );
  await notebook.saw("begun");
  notebook.cancel();
  await cell;
  await notebook.run("resolve()");
  expect(notebook.shown()).toBe("");
});

test("a cancel without a cell does nothing", async () => {
  const notebook = openTestNotebook();
  notebook.cancel();
  expect(await notebook.run("1")).toBe("result 1");
});

test("worker 1 is told what the main thread does", async () => {
  const notebook = openTestNotebook();
  await notebook.run("await null");
  expect(notebook.phases).toEqual([Phase.awaiting, Phase.synchronous, Phase.awaiting, Phase.idle]);
});

test("what a timer prints later belongs to the cell that started it", async () => {
  const notebook = openTestNotebook();
  await notebook.reply(
    "let go = () => {}; void new Promise<void>((r) => { go = r }).then(() => console.log('late'))",
    { id: "first" },
  );
  const second = await notebook.run(
    "go(); await new Promise((r) => setImmediate(r)); console.log('mine')",
    { id: "second" },
  );
  expect(second).toBe("stdout mine");
  expect(notebook.shown()).toBe("stdout late");
});
