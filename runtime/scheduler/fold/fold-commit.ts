/** Folds a commit, and the flow operations of any record. */
import type { CommitRecord, LoggedWrite } from "../../records/records.ts";
import { keepSession, keepTalk } from "../conversations.ts";
import { frameWrite } from "../flow/flow-draft.ts";
import { noteCommit } from "../flow/repeated-commits.ts";
import { addArtifacts } from "../lookup.ts";
import { send, takeRead } from "../mail.ts";
import type { Program } from "../program/program.ts";
import { closeRun, type SnapshotDraft } from "../snapshot/draft.ts";
import { applyOp, applyWrite } from "../tokens/apply-flow-op.ts";
import type { FlowOp } from "../tokens/flow-op.ts";

/** The one commit point: writes, route and messages become true at once. */
export function foldCommit(program: Program, draft: SnapshotDraft, record: CommitRecord): void {
  const before = draft.open;
  const run = before.get(record.id);
  if (run === undefined)
    throw new Error(`M9000: commit of node run ${record.id}, which is not open`);
  const by = { frame: run.frame, seq: run.seq, scope: run.scope, node: run.node };
  draft.steps = record.step;
  draft.errors = 0;
  for (const write of record.writes.slice(0, record.ownWrites)) {
    applyWrite(program, draft, by.frame, frameWrite(program, draft, by, write));
  }
  keepSession(program, draft, run);
  closeRun(draft, run);
  keepTalk(program, draft, run);
  takeRead(program, draft, run, record.read);
  noteCommit(program, draft, run);
  applyFlow(program, draft, record.flow, record.writes.slice(record.ownWrites));
  send(draft, run, record.messages);
  addArtifacts(draft, record.artifacts);
  draft.isStep = true;
}

/** Flow operations with the writes of their routes between them, as they were made. */
export function applyFlow(
  program: Program,
  draft: SnapshotDraft,
  flow: readonly FlowOp[],
  writes: readonly LoggedWrite[],
): void {
  let at = 0;
  for (const op of flow) {
    if (op.op !== "write") {
      applyOp(program, draft, op);
      continue;
    }
    const logged = writes[at];
    at += 1;
    if (logged === undefined) throw new Error("M9000: a route's write is missing in the log");
    const by = { frame: op.frame, seq: op.seq };
    applyWrite(program, draft, op.frame, frameWrite(program, draft, by, logged));
  }
}
