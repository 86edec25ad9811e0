/** The way back of a run of many steps: few snapshots are kept, and the others are what they were. */
import { expect, test } from "vitest";
import { applyRecord, foldIn } from "../../../../runtime/scheduler/fold.ts";
import { link } from "../../../../runtime/scheduler/program/link.ts";
import {
  emptySnapshot,
  type Snapshot,
  stepAt,
} from "../../../../runtime/scheduler/snapshot/snapshot.ts";
import { plainSnapshot } from "../../../support/plain-snapshot.ts";
import { drive } from "../../driven-run.ts";

const loop = `graph Loop() returns n {
  state { n: int = 0 }
  run add = plus(n) writes n
  limit 1k steps
  start -> add -> { n < 1000 -> add, else -> end }
}`;

/** Behind each record of its log: the last one of each step that its path still has. */
async function walked(moves: readonly (number | { readonly back: number })[]) {
  const { run, store } = drive(loop, { does: ({ callArgs = [] }) => Number(callArgs[0]) + 1 });
  for (const move of moves) {
    if (typeof move !== "number") await run.rewind(move.back);
    else for (let step = 0; step < move; step += 1) await run.step();
  }
  await run.pause({ now: true });
  const program = link(run.ir);
  const behind: Snapshot[] = [];
  let at = emptySnapshot();
  for (const record of store.read(run.id)) {
    at = applyRecord(program, at, record, record.at);
    if (at.isStep) behind[at.steps] = at;
    else if (record.kind === "control" && record.verb === "rewind") behind.length = at.steps + 1;
  }
  return { program, at, behind };
}

test("each of sixty steps is found as it was", async () => {
  const { program, at, behind } = await walked([60]);
  expect(behind.length).toBe(61);
  for (const [step, then] of behind.entries()) {
    const found = stepAt(at, step, foldIn(program));
    expect(found && plainSnapshot(found), `step ${step}`).toEqual(plainSnapshot(then));
  }
  expect(stepAt(at, 61, foldIn(program))).toBeUndefined();
});

test("those before a rewind and those behind it, whatever step it goes to", async () => {
  for (const back of [0, 1, 15, 16, 17, 31, 32, 40]) {
    const { program, at, behind } = await walked([40, { back }, 20, { back: back + 3 }, 18]);
    expect(behind.length).toBe(back + 3 + 18 + 1);
    for (const [step, then] of behind.entries()) {
      const found = stepAt(at, step, foldIn(program));
      expect(found && plainSnapshot(found), `step ${step} of ${back}`).toEqual(plainSnapshot(then));
    }
  }
});
