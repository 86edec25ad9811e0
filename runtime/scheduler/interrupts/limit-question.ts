/** Asks whether to go on when a limit with `else ask` is reached. */
import type { RecordBody } from "../../records/records.ts";
import type { Program } from "../program/program.ts";
import type { NodeRun, Snapshot } from "../snapshot/snapshot.ts";
import { type LimitName, limitWords, type ReachedLimit } from "./limits.ts";
import { question, wholeQuestion } from "./open-question.ts";

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

/** Asks once whether the run may exceed a limit. Later node runs that reach the limit wait for the same answer. */
export function askGoOn(
  { ir }: Program,
  snapshot: Snapshot,
  reached: {
    readonly limit: LimitName;
    readonly at: number;
    readonly node: string;
    readonly run?: NodeRun;
  },
): readonly RecordBody[] {
  if (snapshot.whole !== undefined) return [];
  const { limit, at, ...asking } = reached;
  const { withinMs } = ir.limit ?? {};
  const expiry = withinMs === undefined ? {} : { expiresAt: at + withinMs };
  const question = `The run has reached its limit of ${limitWords(limit)}. Go on?`;
  return wholeQuestion(snapshot, { limit, question, ...asking, ...expiry });
}
