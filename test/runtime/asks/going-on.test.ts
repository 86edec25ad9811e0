/** Questions over the end of a process, over holds and rewinds, and in called graphs; their log, events and replay. */
import { describe, expect, test } from "vitest";
import { replayLog } from "../../../runtime/replay/replay.ts";
import { foldLog } from "../../../runtime/scheduler/fold.ts";
import { link } from "../../../runtime/scheduler/program/link.ts";
import { graphOf } from "../../support/run-graph.ts";
import { drive } from "../driven-run.ts";
import { asking, askingText as text, waiting } from "./asking-run.ts";

test("nobody is asked again under another name: a resumed run waits under the same one, and starts nothing", async () => {
  const { done, does } = asking();
  const driven = drive(text, { does, goal: "end" });
  await waiting(driven.run);
  const other = driven.found();
  expect(await waiting(other)).toBe("first-0");
  expect([driven.performed, done]).toEqual([["first#1"], ["before"]]);
  await Promise.all([driven.run.abort(), other.abort()]);
});

test("an answer to a paused run is kept, and acted on when it goes on", async () => {
  const { does } = asking();
  const { run, performed } = drive(text, { does, goal: "end" });
  await waiting(run);
  await run.pause({ now: true });
  expect([run.status, run.interrupts.length]).toEqual(["paused", 1]);
  await run.answer("first-0", { kind: "deny" });
  expect([run.status, run.interrupts.length, performed.length]).toEqual(["paused", 0, 1]);
  await run.resume();
  expect(await run.output).toEqual({ a: "end" });
});

test("an answer to a held run is kept: nothing commits before it is let go", async () => {
  const { run } = drive(text.replace("start ->", "approve after first\n  start ->"), {
    does: () => "x",
    goal: "end",
  });
  const id = await waiting(run);
  await run.pause();
  await run.answer(id, { kind: "edit", value: "y" });
  expect([run.status, run.steps.length]).toEqual(["paused", 0]);
  expect(await run.step()).toMatchObject({ node: "first", output: "y" });
});

test("a rewind behind a question asks it anew", async () => {
  const { run } = drive(text.replace("start ->", "approve before second\n  start ->"), {
    does: () => "x",
    goal: "end",
  });
  const first = await waiting(run);
  await run.answer(first, { kind: "approve" });
  await run.output;
  await run.rewind(1);
  const again = await waiting(run);
  expect(again).not.toBe(first);
  await run.answer(again, { kind: "deny" });
  await Promise.allSettled([run.output]);
  expect(run.reason).toBe("denied");
});

describe("time stands still for who waits", () => {
  test("neither the run nor the node spends any", async () => {
    const { run, clock } = drive(
      text
        .replace("run first = f() writes a", "run first = f() writes a { limit 5s }")
        .replace("start ->", "limit 6s\n  start ->"),
      { does: asking().does, goal: "end" },
    );
    const id = await waiting(run);
    await clock.advance(60_000);
    await run.answer(id, { kind: "approve" });
    expect(await run.output).toEqual({ a: "end" });
    expect(run.activeMs).toBeLessThan(5000);
  });

  test("a question may expire: then it is a no", async () => {
    const { run, clock } = drive(
      text.replace("start ->", "approve before first within 1h\n  start ->"),
      { does: () => "x", goal: "end" },
    );
    await waiting(run);
    expect(run.interrupts[0]?.expiresAt).toBe(clock.now() + 3_600_000);
    await clock.advance(3_600_000);
    await run.settled();
    await Promise.allSettled([run.output]);
    expect([run.status, run.reason]).toEqual(["failed", "denied"]);
  });
});

test("the log of a run that asked folds to where it stands, and replays", async () => {
  const asked = text.replace(
    "start ->",
    "approve before second\n  approve after first\n  start ->",
  );
  const { run, store } = drive(asked, { does: asking().does, goal: "end" });
  for (let count = 0; count < 3; count += 1) {
    const id = await waiting(run);
    const snapshot = foldLog(link(graphOf(asked)), store.read(run.id));
    expect([snapshot.status, [...snapshot.interrupts.values()].flat()[0]?.interrupt]).toEqual([
      "waiting",
      id,
    ]);
    await run.answer(id, { kind: "approve" });
  }
  expect(await run.output).toEqual({ a: "end" });
  const replay = replayLog(store.read(run.id), { recorded: graphOf(asked) });
  expect(replay.divergence).toBeUndefined();
  expect(replay.ok).toBe(true);
});

const called = `import { f } from "./f.ts"
graph G() returns a {
  state { a: string = "" }
  graph inner = H() writes a
  start -> inner -> end
}
graph H() returns b {
  state { b: string = "" }
  run work = f() writes b
  approve after work
  start -> work -> end
}`;

test("a question in a called graph is one of the run, and the caller waits with it", async () => {
  const { run, store } = drive(called, { does: () => "made", goal: "end" });
  const id = await waiting(run);
  expect(run.interrupts).toMatchObject([{ id, node: "work", shown: "made" }]);
  await run.answer(id, { kind: "edit", value: "mine" });
  expect(await run.output).toEqual({ a: "mine" });
  expect(replayLog(store.read(run.id), { recorded: graphOf(called) }).divergence).toBeUndefined();
});
