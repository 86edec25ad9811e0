/**
 * Work behind a `detached` arrow: a scope of its own below the run, so that nothing which ends or fails where it began ends
 * it, and a line of its own, which sees the state as it was there. What it writes becomes part of the state when the run
 * ends, in the order of the graph: else it would depend on the clock who sees it. The run ends behind it.
 */

import { IntMap, SharedList } from "../../state/persistent.ts";
import { itemView, keptView } from "../frames.ts";
import { itemOf } from "../lookup.ts";
import type { Program } from "../program/program.ts";
import type { SnapshotDraft } from "../snapshot/draft.ts";
import { emptyScope, type Frame, type FrameWrite } from "../snapshot/parts.ts";
import { must, ROOT, type Snapshot } from "../snapshot/snapshot.ts";
import type { FlowOp } from "./flow-op.ts";

export function detach(
  program: Program,
  draft: SnapshotDraft,
  op: FlowOp & { readonly op: "detach" },
): void {
  const path = [...must(draft.frames, op.parent, "frame").path, op.seq, op.branch];
  const frame: Frame = {
    id: op.frame,
    parent: ROOT,
    path,
    seq: 0,
    fork: -1,
    // One more than its tokens: its writes stay where they are until the run ends.
    live: 2,
    view: viewFrom(program, draft, op.parent),
    isDetached: true,
    writes: SharedList.empty(),
    ended: SharedList.empty(),
  };
  const scope = emptyScope({
    id: op.scope,
    parent: ROOT,
    expansion: -1,
    index: 0,
    frame: op.frame,
    path,
    detached: itemsAround(program, draft, op.within),
  });
  draft.frames = draft.frames.set(op.frame, frame);
  draft.scopes = draft.scopes.set(op.scope, scope);
  draft.next = { ...draft.next, frame: op.frame + 1, scope: op.scope + 1 };
}

export function endDetached(draft: SnapshotDraft, id: number): void {
  const { frame: line } = must(draft.scopes, id, "scope");
  const frame = must(draft.frames, line, "frame");
  draft.frames = draft.frames.set(line, { ...frame, view: IntMap.empty() });
  draft.scopes = draft.scopes.delete(id);
}

/** At the end of the run, what such lines wrote is among what lines wrote that have ended. */
export function takeHome(draft: SnapshotDraft): void {
  if (draft.frames.size === 1) return;
  for (const frame of draft.frames.values()) {
    if (frame.isDetached !== true) continue;
    const root = must(draft.frames, ROOT, "frame");
    const ended = root.ended.append(frame.writes).append(frame.ended);
    const emptied = {
      ...frame,
      writes: SharedList.empty<FrameWrite>(),
      ended: SharedList.empty<FrameWrite>(),
    };
    draft.frames = draft.frames.set(ROOT, { ...root, ended }).set(frame.id, emptied);
  }
}

/** All that a line sees, whatever the lines around it come to see later. */
function viewFrom({ fields }: Program, snapshot: Snapshot, line: number): Frame["view"] {
  let view: Frame["view"] = IntMap.empty();
  for (const { index, ir } of fields) {
    if (ir.scope === "agent") continue;
    const value = (ir.scope === "item" ? itemView : keptView)(snapshot, line, index);
    if (value !== undefined) view = view.set(index, value);
  }
  return view;
}

function itemsAround(
  program: Program,
  snapshot: Snapshot,
  scope: number,
): Readonly<Record<string, unknown>> {
  const names = new Set(program.eaches.map(({ ir }) => ir.variable));
  const inherited = [...names].map(
    (name) => [name, itemOf(program, snapshot, scope, name)] as const,
  );
  return Object.fromEntries(inherited.filter(([, value]) => value !== undefined));
}
