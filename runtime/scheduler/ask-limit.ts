/** A limit is reached: the end of a node run or of the run or, where the graph says `else ask`, a question. */
import type { RecordBody } from "../records.ts";
import { failAttempt, failNow } from "./fail.ts";
import { askGoOn } from "./finish.ts";
import { limitFailure, limitWords, type ReachedLimit } from "./limits.ts";
import { question } from "./open-question.ts";
import type { Program } from "./program.ts";
import type { NodeRun, Snapshot } from "./snapshot.ts";

/** What follows when a node run reaches one of its limits, or one of the run's. */
export function reachLimit(
  program: Program,
  snapshot: Snapshot,
  { run, limit, at }: { readonly run: NodeRun; readonly limit: ReachedLimit; readonly at: number },
): readonly RecordBody[] {
  const node = program.nodes[run.node]?.ir;
  const name = node?.name ?? "";
  const failure = limitFailure(limit, name);
  if (limit.of === "run") {
    if (program.ir.limit?.elseAsk !== true) return failNow(program, run, failure);
    return askGoOn(snapshot, limit.name, { run, node: name });
  }
  if (node?.limit?.elseAsk !== true || run.asks?.refused === limit.name) {
    return failAttempt(program, snapshot, run, failure, at);
  }
  const text = `\`${name}\` has reached its limit of ${limitWords(limit.name)}. Go on?`;
  return question(program, snapshot, run, { ask: "limit", question: text, limit: limit.name, at });
}
