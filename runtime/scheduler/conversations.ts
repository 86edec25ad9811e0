/** Keeps what agents continue: the earlier runs that a node remembers, and the sessions of strong agents. */
import type { NodeIr } from "../../dsl/index.ts";
import type { OutcomeRecord } from "../records/call-records.ts";
import { isOutcome, type SessionRef } from "../records/controller-values.ts";
import type { OrderKey } from "../state/order-key.ts";
import type { Program } from "./program/program.ts";
import { changeScope, type SnapshotDraft } from "./snapshot/draft.ts";
import type { Talk } from "./snapshot/parts.ts";
import { must, type NodeRun, type Snapshot } from "./snapshot/snapshot.ts";

// Keeps which earlier node runs an agent remembers: those of the same node in its scope. Their words are in the
// log.

/** Tells whether a node's model sees what it said in earlier runs of the node. */
export function remembers({ kind, history }: NodeIr): boolean {
  if (history === undefined) return kind === "agent";
  // A summary of a field's conversation is gone on with.
  if (history.source === "field") return history.summarize;
  return history.source === "own" || history.source === "thread";
}

/** A node run that has committed is remembered by the next one in its scope. */
export function keepTalk({ nodes }: Program, draft: SnapshotDraft, run: NodeRun): void {
  const node = nodes[run.node]?.ir;
  if (node === undefined || !remembers(node)) return;
  changeScope(draft, run.scope, ({ talks }) => ({
    talks: talks.set(run.node, talkOf(node, run, talks.get(run.node))),
  }));
}

function talkOf({ every }: NodeIr, run: NodeRun, before: Talk | undefined): Talk {
  const { id, key, sessionFrom, attempt } = run;
  const group = run.sentinel?.first ?? (every === undefined ? undefined : id);
  return {
    id,
    key,
    from: sessionFrom,
    to: attempt,
    ...(group === undefined ? {} : { sentinel: group }),
    ...(before === undefined ? {} : { before }),
  };
}

/**
 * Returns the conversations that a node run remembers, oldest first: none of branches beside its
 * own, and of a sentinel its last round. A round begins with those that the first one remembered.
 */
export function talksOf(snapshot: Snapshot, run: NodeRun): readonly Talk[] {
  const found: Talk[] = [];
  const sentinels = new Set(run.sentinel === undefined ? [] : [run.sentinel.first]);
  const { talks } = must(snapshot.scopes, run.scope, "scope");
  for (let talk = talks.get(run.node); talk !== undefined; talk = talk.before) {
    if (!isBehind(run.key, talk.key)) continue;
    if (talk.sentinel !== undefined) {
      if (sentinels.has(talk.sentinel)) continue;
      sentinels.add(talk.sentinel);
    }
    found.push(talk);
  }
  return found.reverse();
}

/** Tells whether a place lies behind another in the same line: places in branches beside each other do not. */
function isBehind(key: OrderKey, before: OrderKey): boolean {
  const at = before.findIndex((part, index) => part !== key[index]);
  if (at === -1) return true;
  // Positions and branches alternate: `2.0.1` is the second node of the first branch behind the third node.
  return at % 2 === 0 && (before[at] ?? 0) < (key[at] ?? -1);
}

// The sessions of strong agents that nodes go on with (`session reuse`): kept by commits, in the scope of the node
// run.

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
