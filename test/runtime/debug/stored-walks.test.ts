/** Jumps in a stored run come to what its whole log says, wherever it was cut and whatever snapshots there are. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { Debugger } from "../../../runtime/debug/debugger.ts";
import { SCOPES } from "../../../runtime/debug/scopes.ts";
import { RunError } from "../../../runtime/failure.ts";
import type { RunStep } from "../../../runtime/history/step.ts";
import type { DrivenRun } from "../../../runtime/run/driven-run.ts";
import { arbitraryGraph } from "../../support/arbitrary-graph.ts";
import { plainSnapshot as plain } from "../../support/plain-snapshot.ts";
import { drive } from "../driven-run.ts";

const CALLS = `graph Outer(n: int) returns log {
  state { log: string[] = [] via append }
  graph go = Inner(n) writes log
  run next = f(n) writes log
  graph again = Inner(n) writes log
  start -> go -> next -> again
}
graph Inner(n: int) returns log {
  state { log: string[] = [] via append }
  run left = f(n) writes log
  run right = f(n) writes log
  start -> [left, right]
}`;

/** To a step, by its place among those that there are, or on by one. */
type Move = number | "on";

const place = fc.nat({ max: 100 }).map((percent) => percent / 100);
const moves = (maxLength: number): fc.Arbitrary<readonly Move[]> =>
  fc.array(fc.oneof({ arbitrary: place, weight: 2 }, fc.constant("on" as const)), { maxLength });
const cuts = fc.array(place, { minLength: 1, maxLength: 5 });

test.each([
  ["a generated one", arbitraryGraph(), 60],
  ["one that calls graphs", fc.constant(CALLS), 40],
])("%s, whatever was rewound before it was stored", async (_, programs, numRuns) => {
  const property = fc.asyncProperty(programs, moves(3), cuts, moves(8), expectSame);
  await fc.assert(property, { numRuns });
});

async function expectSame(
  text: string,
  earlier: readonly Move[],
  places: readonly number[],
  made: readonly Move[],
): Promise<void> {
  const driven = drive(text, { input: { n: 1 }, goal: "end" });
  await driven.run.settled();
  const first = new Debugger(driven.run);
  for (const move of earlier) await moved(first, move);
  await driven.run.pause({ now: true });
  const { length } = driven.run.position.records;
  const whole = new Debugger(driven.found());
  const cut = driven.cut(places.map((at) => Math.floor(at * (length - 1))));
  const stored = new Debugger(cut.run);
  expect(seen(stored)).toEqual(seen(whole));
  for (const move of made) {
    expect(await moved(stored, move)).toEqual(await moved(whole, move));
    expect(seen(stored)).toEqual(seen(whole));
  }
  expect(allOf(stored.run)).toEqual(allOf(whole.run));
}

/** What came of it. */
async function moved(debug: Debugger, move: Move): Promise<unknown> {
  const { stepCount } = debug.run;
  try {
    if (move !== "on") return await debug.runTo(Math.round(move * stepCount));
    return debug.run.status === "paused" ? await debug.stepIn() : undefined;
  } catch (error) {
    return error instanceof RunError ? error.code : error;
  }
}

/** Without asking for what would have all of the log read. */
function seen(debug: Debugger): unknown {
  const { run, frames, depth } = debug;
  const { last, snapshot } = run.position;
  const values = SCOPES.map((name) => debug.values(name));
  return [run.status, run.stepCount, run.state, told(last), plain(snapshot), frames, depth, values];
}

function allOf(run: DrivenRun): unknown {
  const { position, steps } = run;
  const timeline = run.timeline();
  expect(steps.length).toBe(run.stepCount);
  const places = timeline.entries.map((_, index) => timeline.at(index));
  return [steps.map(told), position.walked.map(told), position.records, places];
}

function told(step: RunStep | undefined): unknown {
  return step && { ...step, state: step.state };
}
