/** The records that open a question; where its answer is remembered, the answer with it. */
import type { Question } from "../../interrupt.ts";
import type { AnswerRecord, InterruptRecord } from "../../records/question-records.ts";
import type { RecordBody } from "../../records/records.ts";
import type { Program } from "../program/program.ts";
import { type NodeRun, placeText, type Snapshot } from "../snapshot/snapshot.ts";
import { hashOf, rememberKey } from "./interrupts.ts";

/** A question to open, with its time. */
export type QuestionAsked = Question &
  Pick<InterruptRecord, "call" | "limit" | "came"> & { readonly at: number };

/** A question of a node run. */
export function question(
  program: Program,
  snapshot: Snapshot,
  run: NodeRun,
  asked: QuestionAsked,
): readonly RecordBody[] {
  const node = program.nodes[run.node]?.ir.name ?? "";
  const count = (run.asks?.count ?? 0) + 1;
  const scope = snapshot.scopes.get(run.scope);
  const { at, withinMs, ...rest } = asked;
  return withRemembered(snapshot, {
    kind: "interrupt",
    interrupt: `${node}-${run.id}${count === 1 ? "" : `-${count}`}`,
    id: run.id,
    node,
    attempt: run.attempt,
    key: placeText(run),
    ordinal: run.ordinal,
    ...(scope === undefined || scope.expansion === -1 ? {} : { item: scope.index }),
    ...rest,
    ...(asked.shown === undefined ? {} : { hash: hashOf(asked.shown) }),
    ...(withinMs === undefined ? {} : { expiresAt: at + withinMs }),
  });
}

/** A question for which the whole run waits: nothing starts and nothing commits before it is answered. */
export function wholeQuestion(
  snapshot: Snapshot,
  asked: {
    readonly limit: string;
    readonly question: string;
    readonly node: string;
    readonly run?: NodeRun;
    readonly expiresAt?: number;
  },
): readonly RecordBody[] {
  const { limit, question: text, node, run, expiresAt } = asked;
  return withRemembered(snapshot, {
    kind: "interrupt",
    interrupt: `limit-${limit}-${snapshot.next.ask + 1}`,
    id: run?.id ?? -1,
    node,
    attempt: run?.attempt ?? 0,
    key: run === undefined ? "" : placeText(run),
    ordinal: run?.ordinal ?? 0,
    ask: "limit",
    question: text,
    limit,
    whole: true,
    ...(expiresAt === undefined ? {} : { expiresAt }),
  });
}

function withRemembered(
  { remembered }: Snapshot,
  interrupt: InterruptRecord,
): readonly RecordBody[] {
  // Whether one call took effect says nothing of another.
  const answer = interrupt.ask === "doubt" ? undefined : remembered[rememberKey(interrupt)];
  return answer === undefined
    ? [interrupt]
    : [interrupt, answerRecord(interrupt, { answer, from: "policy" })];
}

export function answerRecord(
  { interrupt, id, node, attempt, call }: Omit<InterruptRecord, "kind">,
  said: Pick<AnswerRecord, "answer" | "from" | "by" | "usage">,
): AnswerRecord {
  const which = { interrupt, id, node, attempt, ...(call === undefined ? {} : { call }) };
  return { kind: "answer", ...which, ...said };
}
