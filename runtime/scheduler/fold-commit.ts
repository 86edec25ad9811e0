/** What a commit changes, and whatever else moves tokens. */
import type { CommitRecord, LoggedWrite } from "../records.ts";
import { applyOp, applyWrite } from "./apply.ts";
import { addArtifacts } from "./artifacts.ts";
import type { SnapshotDraft } from "./draft.ts";
import { frameWrite } from "./flow-draft.ts";
import type { FlowOp } from "./flow-op.ts";
import { noteCommit } from "./idle.ts";
import { send, takeRead } from "./mail.ts";
import type { Program } from "./program.ts";
import { closeRun } from "./scopes.ts";
import { keepSession } from "./sessions.ts";
import { keepTalk } from "./talks.ts";

/** The one commit point: writes, route and messages become true at once. */
export function commit(program: Program, draft: SnapshotDraft, record: CommitRecord): void {
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
