/** Decides what follows a reached limit: a question, or the end of the node run or the run. */
import type { RecordBody } from "../../records/records.ts";
import { limitFailure, limitQuestion, type ReachedLimit } from "../limits.ts";
import type { Program } from "../program/program.ts";
import type { NodeRun, Snapshot } from "../snapshot/snapshot.ts";
import { failAttempt, failNow } from "./fail-attempt.ts";

/** Asks whether to go on, or fails, when a node run reaches one of its limits or of the run's. */
export function reachLimit(
  program: Program,
  snapshot: Snapshot,
  { run, limit, at }: { readonly run: NodeRun; readonly limit: ReachedLimit; readonly at: number },
): readonly RecordBody[] {
  const asked = limitQuestion(program, snapshot, { run, limit, at });
  if (asked !== undefined) return asked;
  const failure = limitFailure(limit, program.nodes[run.node]?.ir.name ?? "");
  return limit.of === "run"
    ? failNow(program, run, failure)
    : failAttempt(program, snapshot, run, failure, at);
}
