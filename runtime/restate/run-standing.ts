/** Tells how a run on Restate stands, as lists and callers see it. */
import { summaryOf } from "../engine/engine.ts";
import { interruptsOf } from "../questions/interrupts.ts";
import type { RunStanding } from "./messages.ts";
import type { LoadedRun } from "./run-state.ts";

export function standingOfRun({ facts, program, snapshot, now }: LoadedRun): RunStanding {
  const { dueAt: _, ...summary } = summaryOf(snapshot);
  const { runId, graph } = facts.meta;
  const { output } = snapshot;
  return {
    runId,
    graph,
    version: facts.version,
    summary,
    ...(output === undefined ? {} : { output }),
    lastSeq: now.next - 1,
    interrupts: interruptsOf(runId, program, snapshot),
    ...(now.broken === undefined ? {} : { broken: now.broken }),
  };
}
