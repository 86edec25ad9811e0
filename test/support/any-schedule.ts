/** A graph in many schedules, with crashes, people and things said twice: each must end as the unbroken one, fold and replay. */
import { expect } from "vitest";
import { replayLog } from "../../runtime/replay/replay.ts";
import { applyRecord, foldLog } from "../../runtime/scheduler/fold.ts";
import { shownState } from "../../runtime/scheduler/lookup.ts";
import { emptySnapshot } from "../../runtime/scheduler/snapshot/snapshot.ts";
import type { IntMap } from "../../runtime/state/persistent.ts";
import { graphOf, type Ran, runText, type Script } from "./run-graph.ts";

export interface Unbroken {
  readonly state: Record<string, unknown>;
  readonly status: string;
  readonly reason: string;
}

/** What the unbroken run came to; fails the test where some schedule comes to anything else. */
export function endsAlike(text: string, script: Script = {}, seeds = 30): Unbroken {
  const unbroken = ending(runText(text, script));
  let crashes = 0;
  for (let seed = 1; seed <= seeds; seed += 1) {
    const ran = runText(text, { ...script, seed, crashes: 0.05, people: 0.04, echoes: 0.1 });
    expect([seed, ending(ran)]).toEqual([seed, unbroken]);
    expect([seed, ran.leaked]).toEqual([seed, []]);
    foldsToIt(ran);
    const plain = runText(text, { ...script, seed, crashes: 0.05 });
    const { divergence } = replayLog(plain.records, { recorded: graphOf(text) });
    expect([seed, divergence]).toEqual([seed, undefined]);
    crashes += ran.crashes + plain.crashes;
  }
  expect(crashes).toBeGreaterThan(0);
  return unbroken;
}

/** The log alone leads to the same state, at the end and however it is cut. */
export function foldsToIt({ program, records, snapshot }: Ran): void {
  const folded = foldLog(program, records);
  expect(shownState(program, folded)).toEqual(shownState(program, snapshot));
  expect(folded.status).toBe(snapshot.status);
  let at = emptySnapshot();
  for (const record of records) at = applyRecord(program, at, record, record.at);
  expect(keysOf(at.open)).toEqual(keysOf(snapshot.open));
  expect(keysOf(at.frames)).toEqual(keysOf(snapshot.frames));
  expect(keysOf(at.scopes)).toEqual(keysOf(snapshot.scopes));
}

function keysOf(map: IntMap<unknown>): readonly number[] {
  return [...map.entries()].map(([key]) => key);
}

function ending({ state, status, reason }: Ran): Unbroken {
  return { state, status, reason };
}
