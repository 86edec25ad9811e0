/** Laws of stepping and of going back, over generated graphs on the real engine. */
import fc from "fast-check";
import { expect, test } from "vitest";
import type { DrivenRun } from "../../../runtime/run/driven-run.ts";
import { foldLog } from "../../../runtime/scheduler/fold.ts";
import { shownState } from "../../../runtime/scheduler/lookup.ts";
import { link } from "../../../runtime/scheduler/program/link.ts";
import { arbitraryGraph } from "../../support/arbitrary-graph.ts";
import { type DrivenTestRun, drive } from "../driven-run.ts";

const graph = arbitraryGraph({ functions: ["f", "g"] });
const given = fc.record({ n: fc.integer({ min: 1, max: 3 }) });
const numRuns = Number(process.env.MADRIGAL_LAW_RUNS ?? 150) / 3;

test("stepping to the end is running to the end", async () => {
  await fc.assert(
    fc.asyncProperty(graph, given, async (text, input) => {
      const straight = await ended(drive(text, { input, goal: "end" }).run);
      const stepped = drive(text, { input });
      const nodes: string[] = [];
      try {
        while (!isOver(stepped.run)) nodes.push((await stepped.run.step()).node);
      } catch {
        // It came to its end without another step.
      }
      expect(await ended(stepped.run)).toEqual(straight);
      expect(stepped.run.steps.map(({ node }) => node)).toEqual(nodes);
    }),
    { numRuns },
  );
});

test("k steps and k backs are nothing, and from there it comes to the same end; the log alone knows", async () => {
  await fc.assert(
    fc.asyncProperty(graph, given, fc.nat({ max: 12 }), async (text, input, most) => {
      const straight = await ended(drive(text, { input, goal: "end" }).run);
      const driven = drive(text, { input });
      const { run } = driven;
      await run.rewind(0);
      const start = run.state;
      const states = await stepsOf(run, most);
      for (const [undone, state] of states.toReversed().entries()) {
        // What folds only at the end is in the last step's state, and not yet in the state that leads to the end.
        if (undone > 0) expect(run.state).toEqual(state);
        await run.back();
      }
      expect([run.state, run.steps]).toEqual([start, []]);
      expectOfLog(driven);
      await run.continue();
      expect(await ended(run)).toEqual(straight);
      expectOfLog(driven);
      const names = driven.store
        .read(run.id)
        .flatMap((record) => (record.kind === "start" ? [`${record.key} ${record.attempt}`] : []));
      expect(new Set(names).size).toBe(names.length);
    }),
    { numRuns },
  );
});

/** The states after up to `most` steps. */
async function stepsOf(run: DrivenRun, most: number): Promise<unknown[]> {
  const states: unknown[] = [];
  try {
    while (states.length < most && !isOver(run)) states.push((await run.step()).state);
  } catch {
    // It came to its end before.
  }
  await run.rewind(states.length);
  return states;
}

/** The log gives the same state, path and standing to whoever reads it. */
function expectOfLog({ run, store, found }: DrivenTestRun): void {
  const records = store.read(run.id);
  const program = link(run.ir);
  expect(shownState(program, foldLog(program, records))).toEqual(run.state);
  const again = found();
  expect([again.status, again.state]).toEqual([run.status, run.state]);
  expect(again.steps.map(({ seq }) => seq)).toEqual(run.steps.map(({ seq }) => seq));
}

function isOver({ status }: DrivenRun): boolean {
  return status === "succeeded" || status === "failed";
}

/** How it ended. What a failed one had done by then depends on when it failed. */
async function ended(run: DrivenRun): Promise<unknown> {
  await run.settled();
  const { status, reason, state } = run;
  return status === "succeeded" ? { status, reason, state } : { status, reason };
}
