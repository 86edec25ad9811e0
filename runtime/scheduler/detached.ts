/**
 * Work behind a `detached` arrow: a scope of its own below the run, so that nothing which ends or fails where it began ends
 * it, and a line of its own, which sees the state as it was there. What it writes becomes part of the state when the run
 * ends, in the order of the graph: else it would depend on the clock who sees it. The run ends behind it.
 */
import { IntMap } from "../state/int-map.ts";
import { SharedList } from "../state/shared-list.ts";
import type { FlowOp } from "./flow-op.ts";
import { itemOf } from "./lookup.ts";
import type { Program } from "./program.ts";
import {
  emptyScope,
  type Frame,
  type FrameWrite,
  keptView,
  must,
  ROOT,
  type Snapshot,
} from "./snapshot.ts";

export function detach(
  program: Program,
  snapshot: Snapshot,
  op: FlowOp & { readonly op: "detach" },
): Snapshot {
  const path = [...must(snapshot.frames, op.parent, "frame").path, op.seq, op.branch];
  const frame: Frame = {
    id: op.frame,
    parent: ROOT,
    path,
    seq: 0,
    fork: -1,
    // One more than its tokens: its writes stay where they are until the run ends.
    live: 2,
    view: viewFrom(program, snapshot, op.parent),
    isDetached: true,
    writes: SharedList.empty(),
    ended: SharedList.empty(),
  };
  const scope = {
    ...emptyScope({
      id: op.scope,
      parent: ROOT,
      expansion: -1,
      index: 0,
      frame: op.frame,
      path,
    }),
    detached: itemsAround(program, snapshot, op.within),
  };
  const { next } = snapshot;
  return {
    ...snapshot,
    frames: snapshot.frames.set(op.frame, frame),
    scopes: snapshot.scopes.set(op.scope, scope),
    next: { ...next, frame: op.frame + 1, scope: op.scope + 1 },
  };
}

export function endDetached(snapshot: Snapshot, id: number): Snapshot {
  const { frame: line } = must(snapshot.scopes, id, "scope");
  const frame = must(snapshot.frames, line, "frame");
  const frames = snapshot.frames.set(line, { ...frame, view: IntMap.empty() });
  return { ...snapshot, frames, scopes: snapshot.scopes.delete(id) };
}

/** At the end of the run, what such lines wrote is among what lines wrote that have ended. */
export function withDetached(snapshot: Snapshot): Snapshot {
  let { frames } = snapshot;
  if (frames.size === 1) return snapshot;
  for (const frame of snapshot.frames.values()) {
    if (frame.isDetached !== true) continue;
    const root = must(frames, ROOT, "frame");
    const ended = root.ended.append(frame.writes).append(frame.ended);
    const emptied = {
      ...frame,
      writes: SharedList.empty<FrameWrite>(),
      ended: SharedList.empty<FrameWrite>(),
    };
    frames = frames.set(ROOT, { ...root, ended }).set(frame.id, emptied);
  }
  return { ...snapshot, frames };
}

/** All that a line sees, whatever the lines around it come to see later. */
function viewFrom({ fields }: Program, snapshot: Snapshot, line: number): Frame["view"] {
  let view: Frame["view"] = IntMap.empty();
  for (const { index, ir } of fields) {
    const value = ir.scope === "agent" ? undefined : keptView(snapshot, line, index);
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
