/** Handles an output that somebody reviews before its commit: `approve after`, `ensure … else ask`. */
import type { Failure } from "../../failure.ts";
import type { RecordBody } from "../../records/records.ts";
import type { Program } from "../program/program.ts";
import type { NodeRun, Offer, Snapshot } from "../snapshot/snapshot.ts";
import { denied } from "./approvals.ts";
import { commitRun } from "./commit-run.ts";
import { endedAttempt, failAttempt } from "./fail-attempt.ts";

/** Does what was decided; where nobody has decided, since a rewind undid it, asks again. */
export function actOnOffer(
  program: Program,
  snapshot: Snapshot,
  run: NodeRun,
  { offer, at }: { readonly offer: Offer; readonly at: number },
): readonly RecordBody[] {
  const { question, answer } = offer;
  const { id, attempt } = run;
  const came = { kind: "succeeded", id, attempt, ...question.came, at } as const;
  switch (answer?.kind) {
    case undefined:
      return commitRun(program, snapshot, run, { ...came, output: question.shown }).records;
    case "approve":
      return commitRun(program, snapshot, run, { ...came, output: question.shown }, "decided")
        .records;
    case "edit":
    case "value": {
      // What a person made of it is for nobody else.
      const { cache: _, ...own } = came;
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
