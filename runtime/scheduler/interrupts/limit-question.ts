/** Whether somebody is asked when a limit is reached (`else ask`), and what. */
import type { RecordBody } from "../../records/records.ts";
import { askGoOn } from "../flow/end-run.ts";
import type { Program } from "../program/program.ts";
import type { NodeRun, Snapshot } from "../snapshot/snapshot.ts";
import { limitWords, type ReachedLimit } from "./limits.ts";
import { question } from "./open-question.ts";

/** The question whether to go on; nothing where the graph wants none, or somebody has said no to it. */
export function limitQuestion(
  program: Program,
  snapshot: Snapshot,
  { run, limit, at }: { readonly run: NodeRun; readonly limit: ReachedLimit; readonly at: number },
): readonly RecordBody[] | undefined {
  const node = program.nodes[run.node]?.ir;
  const name = node?.name ?? "";
  if (limit.of === "run") {
    if (program.ir.limit?.elseAsk !== true) return undefined;
    return askGoOn(program, snapshot, { limit: limit.name, at, run, node: name });
  }
  if (node?.limit?.elseAsk !== true || run.asks?.refused === limit.name) return undefined;
  const text = `\`${name}\` has reached its limit of ${limitWords(limit.name)}. Go on?`;
  const { withinMs } = node.limit;
  const asked = { question: text, limit: limit.name, at };
  return question(program, snapshot, run, {
    ask: "limit",
    ...asked,
    ...(withinMs === undefined ? {} : { withinMs }),
  });
}
