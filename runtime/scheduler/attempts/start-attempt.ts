/** Starts an attempt, or asks for approval first; one whose output was reviewed is committed or fails instead. */

import type { Failure } from "../../failure.ts";
import type { RecordBody, StartRecord } from "../../records/records.ts";
import { evaluationFailure } from "../expressions/evaluate.ts";
import { isOfTheState } from "../expressions/evaluation-errors.ts";
import { applyRecord } from "../fold.ts";
import { agentId } from "../frames.ts";
import { question } from "../interrupts.ts";
import { inboxOf } from "../mail.ts";
import type { Program } from "../program/program.ts";
import { type NodeRun, type Offer, placeText, type Snapshot } from "../snapshot/snapshot.ts";
import { denied, mayStart } from "./approvals.ts";
import { commitRun } from "./commit-run.ts";
import { endedAttempt, failAttempt, goneNodeFailure } from "./fail-attempt.ts";
import { roundNumber } from "./sentinel-rounds.ts";

interface Beginning {
  readonly at: number;
  /** Returns the record of the start and those that follow it, of a node run that calls a graph. */
  readonly begin?: (start: RecordBody) => readonly RecordBody[];
}

export function startRecords(
  program: Program,
  snapshot: Snapshot,
  run: NodeRun,
  { at, begin }: Beginning,
): readonly RecordBody[] {
  const isGone = program.nodes[run.node]?.isGone === true;
  const offer = isGone ? undefined : run.asks?.offer;
  // Its attempt is over, and somebody has said what is to come of it.
  if (offer !== undefined) return actOnOffer(program, snapshot, run, { offer, at });
  const start = startRecord(program, snapshot, run);
  const failed = (failure: Parameters<typeof failAttempt>[3]) => {
    const started = applyRecord(program, snapshot, start, at);
    const begun = started.open.get(run.id) ?? run;
    const followed = failAttempt(program, started, begun, failure, at);
    // Asked whether it may fail once more, it has not begun before that is answered.
    return followed[0]?.kind === "interrupt"
      ? failAttempt(program, snapshot, run, failure, at)
      : [start, ...followed];
  };
  if (isGone) return failed(goneNodeFailure(program.nodes[run.node]?.ir.name ?? ""));
  try {
    const may = mayStart(program, snapshot, run);
    if (may.may === "start") return begin === undefined ? [start] : begin(start);
    if (may.may === "fail") return failed(may.failure);
    return question(program, snapshot, run, { ...may.question, at });
  } catch (error) {
    if (!isOfTheState(error)) throw error;
    return failed(evaluationFailure(program, error));
  }
}

/** The record of a start, whoever consents to it. */
export function startRecord(
  program: Program,
  snapshot: Snapshot,
  run: NodeRun,
  judges?: true,
): RecordBody {
  const { name: node = "", every } = program.nodes[run.node]?.ir ?? {};
  const scope = snapshot.scopes.get(run.scope);
  const inbox = run.inbox ?? inboxOf(snapshot, run);
  const record: WritableStart<StartRecord> = {
    kind: "start",
    id: run.id,
    node,
    key: placeText(run),
    ordinal: run.ordinal,
    attempt: run.attempt,
    reason: run.reason,
  };
  if (run.args !== undefined) record.args = run.args;
  if (scope !== undefined && scope.expansion !== -1) {
    record.agent = agentId(snapshot, node, scope.id);
    record.item = scope.index;
  }
  if (inbox.length > 0) record.inbox = inbox.map(({ id }) => id);
  if (every !== undefined) record.round = roundNumber(run);
  if (judges !== undefined) record.judges = judges;
  return record;
}

type WritableStart<T> = { -readonly [K in keyof T]: T[K] };

// Handles an output that somebody reviews before its commit: `approve after`, `ensure … else ask`.

/** Does what was decided; where nobody has decided, since a rewind undid it, asks again. */
function actOnOffer(
  program: Program,
  snapshot: Snapshot,
  run: NodeRun,
  { offer, at }: { readonly offer: Offer; readonly at: number },
): readonly RecordBody[] {
  const { question, answer } = offer;
  const { id, attempt } = run;
  const completion = { kind: "succeeded", id, attempt, ...question.came, at } as const;
  switch (answer?.kind) {
    case undefined:
      return commitRun(program, snapshot, run, { ...completion, output: question.shown }).records;
    case "approve":
      return commitRun(program, snapshot, run, { ...completion, output: question.shown }, "decided")
        .records;
    case "edit":
    case "value": {
      // What a person made of it is for nobody else.
      const { cache: _, ...own } = completion;
      return commitRun(program, snapshot, run, { ...own, output: answer.value }, "decided").records;
    }
    case "revise":
      return [
        { ...endedAttempt(program, run, revision(answer.text)), next: "repair", revised: true },
      ];
    case "deny": {
      const failure = denied(`what \`${question.node}\` came to was not approved`, answer);
      return failAttempt(program, snapshot, run, failure, at);
    }
  }
}

function revision(text: string): Failure {
  return {
    class: "invalid",
    code: "M5314",
    message: `a person wants it revised: ${text}`,
    feedback: text,
  };
}
