/** Moves tokens along the routes that hold, each in a branch of its own if there may be several. */
import { gathered } from "../expressions/calls.ts";
import { firstRound } from "./first-round.ts";
import { activate, arrive, emit, type FlowDraft } from "./flow-draft.ts";
import { type Departure, go, type Leaf, wayOf } from "./follow-routes.ts";

/** Sends a token on from `from.outlet`: along every edge that holds, side by side. Says whether there was one. */
export function depart(draft: FlowDraft, from: Departure): boolean {
  draft.spent = undefined;
  if (from.outlet.only !== undefined) {
    const { frame, seq, scope } = from;
    activate(draft, { node: from.outlet.only, frame, seq: seq + 1, scope });
    return true;
  }
  // All conditions see the state as it is now: what one arrow sets is no matter of the next one's.
  const ways = gathered(from.outlet.edges, ({ route, branch }) => ({
    way: wayOf(draft, from, route),
    branch,
  }));
  const leaves: Leaf[] = [];
  for (const { way, branch } of ways) leaves.push(...go(draft, from, way, branch));
  for (const join of from.outlet.joins) leaves.push({ kind: "arrive", ...join });
  const isNowhere = leaves.length === 0;
  if (isNowhere && draft.spent !== undefined && from.otherwise !== undefined) {
    const { otherwise: outlet, ...rest } = from;
    return depart(draft, { ...rest, outlet });
  }
  if (isNowhere) draft.exhausted = draft.spent ?? draft.exhausted;
  leave(draft, from, leaves);
  return !isNowhere;
}

/** Lets a token go where its leaves say: each in a branch of its own where there may be several, nowhere without any. */
export function leave(draft: FlowDraft, from: Departure, leaves: readonly Leaf[]): void {
  const going = leaves.filter(({ kind }) => kind !== "end");
  const all = going.filter(({ detached }) => detached === undefined);
  if (all.length < going.length) detachAll(draft, from, going);
  if (from.outlet.width > 1 || all.length > 1) {
    for (const leaf of all) {
      const frame = draft.snapshot.next.frame;
      const { frame: parent, seq } = from;
      emit(draft, { op: "fork", frame, parent, seq, branch: leaf.branch, fork: from.outlet.id });
      land(draft, { ...from, frame, seq: 0 }, leaf);
    }
    emit(draft, { op: "end", frame: from.frame, scope: from.scope });
  } else if (all[0] !== undefined) {
    land(draft, { ...from, seq: from.seq + 1 }, all[0]);
  } else {
    emit(draft, { op: "end", frame: from.frame, scope: from.scope });
  }
}

function land(draft: FlowDraft, at: Omit<Departure, "outlet">, leaf: Leaf): void {
  const { frame, seq, scope } = at;
  switch (leaf.kind) {
    case "node": {
      const { node, args, afterMs } = leaf;
      const from = draft.at + (afterMs ?? 0);
      const notBefore =
        firstRound(draft.program, draft.snapshot, { standpoint: at, node, at: from }) ??
        (afterMs === undefined ? undefined : from);
      activate(draft, {
        node,
        frame,
        seq,
        scope,
        ...(args === undefined ? {} : { args }),
        ...(notBefore === undefined ? {} : { notBefore }),
      });
      return;
    }
    case "end":
      return;
    case "arrive":
      arrive(draft, { join: leaf.join, source: leaf.source, frame, seq, scope });
      return;
    case "each": {
      const expansion = draft.snapshot.next.expansion;
      const { kind: _, branch: __, source, ...of } = leaf;
      const reader = draft.snapshot.next.run;
      const stream = source === undefined ? {} : { stream: { reader, source } };
      emit(draft, { op: "expand", expansion, scope, frame, seq, ...of, ...stream });
      draft.due.push({ expansion });
    }
  }
}

/** Starts what goes on by itself: what one arrow leads to in a scope and a line of its own, until the run ends. */
function detachAll(draft: FlowDraft, from: Departure, leaves: readonly Leaf[]): void {
  for (const [branch, group] of Map.groupBy(leaves, ({ detached }) => detached)) {
    if (branch === undefined) continue;
    const { frame, scope } = draft.snapshot.next;
    const { frame: parent, seq, scope: within } = from;
    emit(draft, { op: "detach", scope, frame, parent, seq, branch, within });
    const at = { ...from, frame, seq: 0, scope };
    const [first, ...more] = group;
    if (first !== undefined && more.length === 0) land(draft, at, first);
    else {
      for (const leaf of group) {
        const { frame: line } = draft.snapshot.next;
        emit(draft, {
          op: "fork",
          frame: line,
          parent: frame,
          seq: 0,
          branch: leaf.branch,
          fork: -1,
        });
        land(draft, { ...at, frame: line }, leaf);
      }
      emit(draft, { op: "end", frame, scope });
    }
    draft.due.push({ scope });
  }
}
