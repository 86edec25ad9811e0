/** Asks what has to be judged of an output before its commit: conditions in words, and how long a sentinel waits. */
import type { NodeIr } from "../../../dsl/index.ts";
import type { JudgeQuestion } from "../../performer.ts";
import { freezeJson } from "../../state/json.ts";
import { evaluate } from "../expressions/evaluate.ts";
import { isOfTheState } from "../expressions/evaluation-errors.ts";
import { createDraft, type FlowDraft } from "../flow/flow-draft.ts";
import { viewOf } from "../frames.ts";
import { countOf } from "../limits.ts";
import { lookupAt, type Standpoint } from "../lookup.ts";
import type { Program } from "../program/program.ts";
import type { NodeRun, Snapshot } from "../snapshot/snapshot.ts";
import { tryWrites } from "./commit-run.ts";
import { rangeOf, roundNumber } from "./sentinel-rounds.ts";

/** Tells whether anything of a node is ever judged. */
export function isJudged({ ensures, every }: NodeIr): boolean {
  if (ensures.some(({ by }) => by !== undefined)) return true;
  return every?.until !== undefined || every?.by !== undefined;
}

/** The questions about an output, in the order in which they are asked. None where it can't be committed anyway. */
export function questionsOf(
  program: Program,
  snapshot: Snapshot,
  run: NodeRun,
  { output, at }: { readonly output: unknown; readonly at: number },
): readonly JudgeQuestion[] {
  const node = program.nodes[run.node]?.ir;
  if (node === undefined) return [];
  const draft = createDraft(program, snapshot, at);
  try {
    freezeJson(output);
    if (tryWrites(draft, node, run, output) !== undefined) return [];
    const until = untilQuestion(draft, node, run, output);
    return [...ensureQuestions(draft, node, run), ...(until === undefined ? [] : [until])];
  } catch (error) {
    // The commit will come to the same, and tell it.
    if (isOfTheState(error)) return [];
    throw error;
  }
}

/** Tells whether somebody is to judge an output before it is committed. */
export function isToJudge(
  program: Program,
  snapshot: Snapshot,
  run: NodeRun,
  of: { readonly output: unknown; readonly at: number },
): boolean {
  const node = program.nodes[run.node]?.ir;
  if (node === undefined || !isJudged(node)) return false;
  return questionsOf(program, snapshot, run, of).length > 0;
}

function ensureQuestions(draft: FlowDraft, node: NodeIr, run: NodeRun): readonly JudgeQuestion[] {
  return node.ensures.flatMap(({ condition, by }, number): readonly JudgeQuestion[] => {
    if (by === undefined || condition.kind !== "literal") return [];
    const state = writtenState(draft, node, run);
    return [{ kind: "ensure", number, condition: String(condition.value), by, state }];
  });
}

function untilQuestion(
  draft: FlowDraft,
  node: NodeIr,
  run: NodeRun,
  output: unknown,
): JudgeQuestion | undefined {
  const { every } = node;
  if (every === undefined) return undefined;
  const { program, at } = draft;
  const { frame, scope, args, sentinel } = run;
  const round = roundNumber(run);
  const here: Standpoint = {
    ...{ frame, scope, round },
    result: output,
    ...(args === undefined ? {} : { args }),
  };
  const lookup = lookupAt(program, draft.snapshot, here);
  const until = every.until && evaluate(every.until, lookup);
  const roundsMax = every.max && countOf(program, draft.snapshot, every.max);
  const isWords = typeof until === "string";
  const isOver = until === true || (typeof until === "number" && round >= until);
  const isLast = roundsMax !== undefined && round >= roundsMax;
  const choosesWait = every.intervalMax !== undefined && every.by !== undefined;
  if (isOver || (!isWords && (!choosesWait || isLast))) return undefined;
  const waitMs = waitOf(every, lookup);
  return {
    kind: "until",
    round,
    waitMs,
    state: writtenState(draft, node, run),
    sinceStartMs: at - (sentinel?.since ?? run.runningSince ?? at),
    ...(isWords ? { condition: until } : {}),
    ...(every.by === undefined ? {} : { by: every.by }),
    ...(roundsMax === undefined ? {} : { roundsMax }),
    ...(sentinel?.checkedAt === undefined ? {} : { sinceCheckMs: at - sentinel.checkedAt }),
    ...(sentinel?.reason === undefined ? {} : { before: sentinel.reason }),
  };
}

/**
 * Returns the range of the wait, in milliseconds; 0 for a time of day, which leaves nothing to
 * choose.
 */
function waitOf(every: NonNullable<NodeIr["every"]>, lookup: Parameters<typeof rangeOf>[1]) {
  if (every.interval.kind === "call") return { from: 0, to: 0 };
  const { fromMs, toMs } = rangeOf(every, lookup);
  return { from: fromMs, to: toMs };
}

function writtenState({ program, snapshot }: FlowDraft, node: NodeIr, { frame }: NodeRun) {
  const fields = [...node.writes, ...node.sets].map(({ field }) => field);
  return Object.fromEntries(
    [...new Set(fields)].map((field) => [
      field,
      viewOf(snapshot, frame, program.fieldNumbers.get(field) ?? -1) ?? null,
    ]),
  );
}
