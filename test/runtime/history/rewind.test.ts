/** Back and rewind: the head moves, nothing is deleted, and what is undone runs again. */
import { firstValueFrom, take, toArray } from "rxjs";
import { expect, test } from "vitest";
import { foldLog } from "../../../runtime/scheduler/fold.ts";
import { shownState } from "../../../runtime/scheduler/lookup.ts";
import { link } from "../../../runtime/scheduler/program/link.ts";
import { type Does, drive, gate } from "../driven-run.ts";
import { promisesRun } from "../store/fixtures.ts";

const chain = `graph Chain() returns log {
  state { log: string[] = [] via append }
  run a = f() writes log
  run b = f() writes log
  run c = f() writes log
  start -> a -> b -> c -> end
}`;

const says: Does = ({ node }) => [node.name];

test("contract: back is one commit back, and what is undone runs again", async () => {
  let version = 1;
  const { run, performed } = drive(chain, { does: ({ node }) => [`${node.name}${version}`] });
  await run.step();
  await run.step();
  await run.back();
  expect([run.status, run.reason, run.isHeld]).toEqual(["paused", "rewind", true]);
  expect([run.state, run.steps.length]).toEqual([{ log: ["a1"] }, 1]);
  version = 2;
  expect(await run.step()).toMatchObject({ step: 2, node: "b", state: { log: ["a1", "b2"] } });
  expect(await run.continue()).toEqual({ kind: "end", status: "succeeded" });
  expect(await run.output).toEqual({ log: ["a1", "b2", "c2"] });
  expect(performed).toEqual(["a#1", "b#1", "b#1", "c#1"]);
});

test("contract: rewind goes to a step, and reopens a finished run: it is paused, and its output is a new promise", async () => {
  const { run } = drive(chain, { does: says, goal: "end" });
  const first = run.output;
  await first;
  await run.settled();
  await run.rewind(0);
  expect([run.status, run.isUnderWay, run.steps, run.state]).toEqual([
    "paused",
    true,
    [],
    { log: [] },
  ]);
  expect(run.output).not.toBe(first);
  await run.resume();
  expect(await run.output).toEqual({ log: ["a", "b", "c"] });
  const events = await firstValueFrom(run.events$.pipe(toArray()));
  const ends = events.filter(({ kind }) => kind === "run.finished" || kind === "run.rewound");
  expect(ends.map(({ kind }) => kind)).toEqual(["run.finished", "run.rewound", "run.finished"]);
});

test("whoever opens the log comes to the same state, the same steps and the same position", async () => {
  const driven = drive(chain, { does: says });
  const { run, store } = driven;
  await run.continue();
  await run.rewind(1);
  await run.step();
  await run.back();
  const again = driven.found();
  expect([again.status, again.state, again.steps.length]).toEqual(["paused", { log: ["a"] }, 1]);
  const records = store.read(run.id);
  const program = link(run.ir);
  expect(shownState(program, foldLog(program, records))).toEqual(run.state);
  expect((await again.step()).nodeRunId).toBe((await run.step()).nodeRunId);
  expect(await again.continue()).toEqual({ kind: "end", status: "succeeded" });
  expect(again.state).toEqual({ log: ["a", "b", "c"] });
});

test("no node run has the number or the name of another one", async () => {
  const { run, store } = drive(chain, { does: says });
  await run.continue();
  await run.rewind(1);
  await run.continue();
  await run.rewind(1);
  await run.continue();
  const starts = store
    .read(run.id)
    .flatMap((record) => (record.kind === "start" ? [`${record.id} ${record.key}`] : []));
  expect(starts).toEqual(["0 0", "1 1", "2 2", "3 1~1", "4 2~1", "5 1~2", "6 2~2"]);
  expect(new Set(run.steps.map(({ nodeRunId }) => nodeRunId)).size).toBe(3);
});

test("undone calls are made again; calls of an attempt that was under way at that step are served", async () => {
  const fork = `graph Fork() returns log {
    state { log: string[] = [] via append }
    run b = f() writes log
    run c = f() writes log
    start -> [b, c] -> end
  }`.replace("start -> [b, c] -> end", "start -> [b, c]");
  const calls: string[] = [];
  const open = gate(0);
  const second = gate(0);
  const { run } = drive(fork, {
    does: async ({ node: { name } }, { effect }) => {
      const call = (part: string, until?: Promise<unknown>) =>
        effect({
          effect: "function",
          name: part,
          perform: async () => {
            calls.push(`${name} ${part}`);
            await until;
            return { value: 0 };
          },
        });
      await call("first");
      if (name === "b") await open.pass();
      else await call("second", second.pass());
      return [name];
    },
  });
  const step = run.step();
  await second.entered;
  open.open();
  expect((await step).node).toBe("b");
  second.open();
  expect((await run.step()).node).toBe("c");
  expect(calls).toEqual(["b first", "c first", "c second"]);
  await run.rewind(1);
  await run.step();
  expect(calls).toEqual(["b first", "c first", "c second", "c second"]);
  await run.rewind(0);
  await run.step();
  expect(calls.slice(4).toSorted()).toEqual(["b first", "c first", "c second"]);
});

test("what is in flight is cancelled and awaited before the head moves; its late words are nobody's", async () => {
  const ended: string[] = [];
  const { entered, pass } = gate(["late"]);
  let tries = 0;
  const { run } = drive(chain, {
    does: async ({ node: { name } }, { signal }) => {
      if (name !== "b") return [name];
      tries += 1;
      if (tries > 1) return ["b"];
      await pass(signal).catch(() => ended.push("cancelled"));
      return ["late"];
    },
  });
  await run.step();
  void run.resume();
  await entered;
  await run.rewind(1);
  expect([ended, run.unended]).toEqual([["cancelled"], []]);
  await run.resume();
  expect(await run.output).toEqual({ log: ["a", "b", "c"] });
});

test("an attempt that pays no heed is given up after two seconds, and named", async () => {
  const { entered, pass } = gate(["late"]);
  const { run, clock } = drive(chain, { does: () => pass() });
  void run.resume();
  await entered;
  const rewound = run.rewind(0);
  await promisesRun();
  await clock.advance(2_000);
  await rewound;
  expect([run.unended, run.isHeld]).toEqual([["a#1"], true]);
});

test("external calls of undone steps are listed: nothing takes them back", async () => {
  const { run, clock } = drive(chain, {
    does: async ({ node: { name } }, { effect }) => {
      const perform = async () => ({ value: 0 });
      const request = { to: name };
      await effect({ effect: "tool", name: "mail", external: name !== "b", request, perform });
      return [name];
    },
  });
  await run.continue();
  expect(run.effectsLeftBehind).toEqual([]);
  await run.rewind(1);
  const at = clock.now();
  expect(run.effectsLeftBehind).toEqual([{ node: "c", name: "mail", at, request: { to: "c" } }]);
  expect(run.usage.toolCalls).toBe(3);
});

test.each([
  ["before any step", -1, 0],
  ["to a step that is not there", 2, 1],
  ["to a part of a step", 0.5, 1],
])("a rewind %s is M5007", async (_, to, steps) => {
  const { run } = drive(chain, { does: says });
  await promisesRun();
  for (let step = 0; step < steps; step += 1) await run.step();
  const rewound = to === -1 ? run.back() : run.rewind(to);
  await expect(rewound).rejects.toMatchObject({ code: "M5007" });
  expect((await run.step()).step).toBe(steps + 1);
});

test("a failed run goes back behind its last step, and forward with what was mended", async () => {
  let ink = false;
  const { run } = drive(chain, {
    does: ({ node: { name } }) => {
      if (name === "c" && !ink) throw new Error("no ink");
      return [name];
    },
  });
  expect(await run.continue()).toEqual({ kind: "end", status: "failed" });
  await run.rewind(2);
  expect([run.status, run.failure]).toEqual(["paused", undefined]);
  ink = true;
  expect((await run.step()).attempt).toBe(1);
  expect(await run.output).toEqual({ log: ["a", "b", "c"] });
});

test("behind its last step a run comes to the same end again, good or bad", async () => {
  const good = drive(chain, { does: says }).run;
  await good.continue();
  await good.rewind(3);
  await expect(good.step()).rejects.toMatchObject({
    code: "M5004",
    message: expect.stringContaining("without another step"),
  });
  expect(await good.output).toEqual({ log: ["a", "b", "c"] });
  const loop = chain.replace(
    "start -> a -> b -> c -> end",
    "start -> a\n  a -> a max 1\n  b -> c -> end",
  );
  const bad = drive(
    loop.replace("a -> a max 1", "a -> a max 1\n  start -> b when log.length > 9"),
    {
      does: says,
    },
  ).run;
  expect(await bad.continue()).toEqual({ kind: "end", status: "failed" });
  await bad.rewind(2);
  await expect(bad.step()).rejects.toMatchObject({ code: "M5010" });
  expect([bad.reason, bad.steps.length]).toEqual(["limit:max", 2]);
});

test("late listeners hear of all that happened, and see the steps that still count", async () => {
  const { run } = drive(chain, { does: says });
  await run.continue();
  await run.rewind(1);
  const commits = run.events$.pipe(take(1000));
  const kinds: string[] = [];
  commits.subscribe(({ kind }) => kinds.push(kind)).unsubscribe();
  expect(kinds.filter((kind) => kind === "commit")).toHaveLength(3);
  await run.pause({ now: true });
  const nodes: string[] = [];
  for await (const { node } of run) nodes.push(node);
  expect(nodes).toEqual(["a"]);
  const values: unknown[] = [];
  for await (const value of run.stream("values")) values.push(value);
  expect(values).toEqual([{ log: ["a"] }]);
});

test("back in the very moment of the end is one commit back all the same", async () => {
  const { run } = drive(chain, { does: says });
  let back: Promise<void> | undefined;
  run.events$.subscribe((event) => {
    if (event.kind === "run.finished") back ??= run.back();
  });
  await run.continue();
  await back;
  expect([run.status, run.steps.length, run.state]).toEqual(["paused", 2, { log: ["a", "b"] }]);
});

test("a resume that comes while a pause is under way goes on once it stands", async () => {
  const { run } = drive(chain, { does: says, goal: "end" });
  const paused = run.pause({ now: true });
  const resumed = run.resume();
  await Promise.all([paused, resumed]);
  expect(await run.output).toEqual({ log: ["a", "b", "c"] });
});
