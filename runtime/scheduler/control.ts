/** Decides the verbs on a whole run: pause, resume, abort, hold, release, rewind. */
import type { RecordBody } from "../records/records.ts";
import type { Control } from "./completion.ts";
import { evaluationFailure, isOfTheState } from "./expressions/evaluate.ts";
import { failRun, finish, isEnough, isFinished, stepsEnd } from "./flow/settle.ts";
import { applyRecord, foldIn } from "./fold.ts";
import { rewindRecord } from "./interventions.ts";
import { limitFailure } from "./limits.ts";
import type { Program } from "./program/program.ts";
import type { Snapshot } from "./snapshot/snapshot.ts";

/** The records of a verb; none where the run is not in a state for it, so that each is as good twice as once. */
export function control(
  program: Program,
  snapshot: Snapshot,
  completion: Control,
): readonly RecordBody[] {
  if (!isPossible(snapshot, completion.verb)) return [];
  if (completion.verb === "rewind") return rewindRecord(snapshot, completion, foldIn(program));
  const { at, calls: _, ...record } = completion;
  const goesOn = record.verb === "resume" || record.verb === "release";
  return goesOn ? [record, ...endOf(program, snapshot, record, at)] : [record];
}

function isPossible({ status, held }: Snapshot, verb: Control["verb"]): boolean {
  switch (verb) {
    case "hold":
      return status === "running" || status === "waiting";
    case "release":
      return held;
    case "pause":
      return status === "running" || status === "waiting" || held;
    case "abort":
      return status === "running" || status === "paused" || status === "waiting";
    case "resume":
      // A log that ends while it runs is of a process that died.
      return status !== "succeeded";
    case "rewind":
      return status !== "created";
  }
}

/** The process may have died, or the run been rewound, between the last commit and the end that follows from it. */
function endOf(
  program: Program,
  snapshot: Snapshot,
  record: RecordBody,
  at: number,
): readonly RecordBody[] {
  const { stuck } = snapshot;
  if (stuck !== undefined) {
    const failure = snapshot.failure ?? limitFailure("max", stuck);
    return [failRun(failure, stuck === "start" ? {} : { node: stuck })];
  }
  if (snapshot.blocked !== undefined) return [failRun(snapshot.blocked, {})];
  const { failure, ordinals } = snapshot;
  // It failed before its first node, and there is nothing it could go on with.
  if (failure !== undefined && ordinals.size === 0) return [failRun(failure, {})];
  const resumed = applyRecord(program, snapshot, record, at);
  try {
    if (isEnough(program, resumed)) return [finish(program, resumed)];
  } catch (error) {
    if (!isOfTheState(error)) throw error;
    return [failRun(evaluationFailure(program, error, "`end when`: "), {})];
  }
  if (isFinished(program, resumed)) return [finish(program, resumed)];
  // Its steps are checked behind each commit, and nothing is committed here.
  return stepsEnd(program, resumed, at);
}
