/** One branch held by itself: everything else goes on, and the run ends as if nobody had held it. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { Debugger } from "../../../runtime/index.ts";
import { innermost, type LogRecord } from "../../../runtime/records/records.ts";
import type { DrivenRun } from "../../../runtime/run/driven-run.ts";
import { foldLog } from "../../../runtime/scheduler/fold.ts";
import { link } from "../../../runtime/scheduler/program/link.ts";
import { arbitraryGraph } from "../../support/arbitrary-graph.ts";
import { plainSnapshot } from "../../support/plain-snapshot.ts";
import { drive, gate } from "../driven-run.ts";

const FORK = `graph G() returns log {
  state { log: string[] = [] via append }
  run a = work("a") writes log
  run b = work("b") writes log
  run c = work("c") writes log
  run d = work("d") writes log
  start -> [a, c]
  a -> b
  [b, c] -> d -> end
}`;

const nodesOf = (run: DrivenRun) => run.steps.map(({ node }) => node);

/** Folded from its log alone, a run stands where it stands. */
function expectFolded(run: DrivenRun): void {
  const { records, snapshot } = run.position;
  expect(plainSnapshot(foldLog(link(run.ir), records))).toEqual(plainSnapshot(snapshot));
}

test("a branch that is held waits alone; the run stops where nothing else goes on, and ends when it is released", async () => {
  const { run } = drive(FORK);
  const debug = new Debugger(run);
  debug.setBreakpoint({ node: "a", holds: "branch" });
  const stop = await debug.continue();
  expect(stop).toMatchObject({ kind: "breakpoint", node: "a", when: "before" });
  expect(nodesOf(run)).toEqual(["c"]);
  expect([run.status, run.reason, debug.heldBranches.map(({ label }) => label)]).toEqual([
    "paused",
    "breakpoint:a",
    ["a#1"],
  ]);
  expectFolded(run);
  expect(await debug.continue()).toMatchObject({ kind: "breakpoint", node: "a" });
  await debug.releaseBranch("a#1");
  expect(debug.heldBranches).toEqual([]);
  expect(await debug.continue()).toEqual({ kind: "end", status: "succeeded" });
  expect(nodesOf(run)).toEqual(["c", "a", "b", "d"]);
  expect(run.replay()).toMatchObject({ ok: true });
  expectFolded(run);
});

test("one that is under way commits when it is released, and not before", async () => {
  const call = gate(["c"]);
  const { run } = drive(FORK, {
    goal: "end",
    does: ({ node: { name } }) => (name === "c" ? call.pass() : [name]),
  });
  const seen: string[] = [];
  run.events$.subscribe(({ kind }) => void (kind.startsWith("branch.") && seen.push(kind)));
  await call.entered;
  await run.holdBranch("c");
  call.open();
  expect(await run.continue()).toMatchObject({ kind: "breakpoint", node: "c" });
  expect(nodesOf(run)).toEqual(["a", "b"]);
  await run.releaseBranch("c#1");
  expect(await run.continue()).toMatchObject({ kind: "end" });
  expect([nodesOf(run), seen]).toEqual([
    ["a", "b", "c", "d"],
    ["branch.held", "branch.released"],
  ]);
});

test("what is no open node run, and a run that nobody drives, is told", async () => {
  const { run } = drive(FORK);
  await expect(run.holdBranch("d")).rejects.toMatchObject({ code: "M5461" });
  expect(() => run.setBreakpoint({ node: "a", when: "after", holds: "branch" })).toThrow(
    expect.objectContaining({ code: "M5450" }),
  );
  await run.abort();
  await expect(run.holdBranch("a")).rejects.toMatchObject({ code: "M5462" });
});

test("an order is played: what is named commits in that order, all else is held, and the run ends as ever", async () => {
  const { run } = drive(FORK);
  const debug = new Debugger(run);
  // Until it stands at its start.
  await debug.pause();
  expect(await debug.playOrder(["c", "a#1", "b"])).toEqual({ kind: "pause", reason: "step" });
  expect([nodesOf(run), debug.heldBranches]).toEqual([["c", "a", "b"], []]);
  await expect(debug.playOrder(["a"])).rejects.toMatchObject({ code: "M5461" });
  expect(await debug.continue()).toEqual({ kind: "end", status: "succeeded" });
  expect(nodesOf(run)).toEqual(["c", "a", "b", "d"]);
  expect(run.replay()).toMatchObject({ ok: true });
  expectFolded(run);
});

test("a rewind and a process that dies let go of what was held", async () => {
  const { run, found } = drive(FORK);
  run.setBreakpoint({ node: "a", holds: "branch" });
  await run.continue();
  const other = found();
  // Its log is closed by whoever wrote it.
  await new Promise((resolve) => setImmediate(resolve));
  await other.resume();
  await other.settled();
  expect(nodesOf(other)).toEqual(["c", "a", "b", "d"]);
  await run.rewind(0);
  expect(run.heldBranches).toEqual([]);
  expectFolded(run);
});

test("a generated run with branches held ends as one that nobody held", async () => {
  let held = 0;
  const property = fc.asyncProperty(
    arbitraryGraph(),
    fc.uniqueArray(fc.integer({ min: 1, max: 8 }), { minLength: 1, maxLength: 3 }),
    async (text, numbers) => {
      const calm = drive(text, { goal: "end" });
      await calm.run.settled();
      const { run } = drive(text);
      const names = run.ir.nodes.map(({ name }) => name);
      for (const number of numbers) {
        const node = names[number % names.length] ?? "";
        run.setBreakpoint({ node, holds: "branch" });
      }
      for (let stops = 0; stops < 200; stops += 1) {
        const stop = await run.continue();
        if (stop.kind === "end") break;
        for (const { nodeRunId } of run.heldBranches) await run.releaseBranch(nodeRunId);
      }
      held += holdsIn(run.position.records);
      expect(run.status).toBe(calm.run.status);
      // A failure cancels what runs beside it, so what that had committed by then is a matter of time.
      if (run.status === "succeeded") expect(run.state).toEqual(calm.run.state);
      expectFolded(run);
      expect(run.replay()).toMatchObject({ ok: true });
    },
  );
  await fc.assert(property, { numRuns: 40 });
  expect(held).toBeGreaterThan(20);
});

function holdsIn(records: readonly LogRecord[]): number {
  return records.filter((record) => {
    const made = innermost(record);
    return made.kind === "branch" && made.verb === "hold";
  }).length;
}
