/** The sessions of strong agents that nodes go on with (`session reuse`): kept by commits, in the scope of the node run. */
import type { NodeIr } from "../../../dsl/index.ts";
import type { OutcomeRecord } from "../../records/call-records.ts";
import { isOutcome, type SessionRef } from "../../records/controller-values.ts";
import type { Program } from "../program/program.ts";
import type { SnapshotDraft } from "../snapshot/draft.ts";
import type { NodeRun, Snapshot } from "../snapshot/snapshot.ts";

/** The session that a node run's turn left, once the turn has ended. */
export function sessionIn({ effect, value }: OutcomeRecord): SessionRef | undefined {
  if (effect !== "controller" || !isOutcome(value) || value.verb !== "end") return undefined;
  return value.result.sessionRef;
}

/** Makes the session of a node run that commits the one that its node, or all of its name, go on with. */
export function keepSession(program: Program, draft: SnapshotDraft, run: NodeRun): void {
  if (run.session === undefined) return;
  const node = program.nodes[run.node]?.ir;
  const scope = draft.scopes.get(run.scope);
  if (node === undefined || scope === undefined) return;
  // Each round of a sentinel begins with the session as it was before the first.
  if (node.session?.policy !== "reuse" || node.every !== undefined) return;
  const sessions = { ...scope.sessions, [nameOf(node)]: run.session };
  draft.scopes = draft.scopes.set(scope.id, { ...scope, sessions });
}

/** The session that a node run goes on with, where its node reuses one and there is one in its scope. */
export function sessionFor(
  program: Program,
  snapshot: Snapshot,
  run: NodeRun,
): SessionRef | undefined {
  const node = program.nodes[run.node]?.ir;
  if (node?.session?.policy !== "reuse") return undefined;
  return snapshot.scopes.get(run.scope)?.sessions?.[nameOf(node)];
}

/** Names that the author gave and names of nodes are kept apart. */
function nameOf({ name, session }: NodeIr): string {
  return session?.name === undefined ? `node ${name}` : `session ${session.name}`;
}
