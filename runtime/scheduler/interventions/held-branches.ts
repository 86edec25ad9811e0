/** Holds single node runs: they neither start nor commit while everything else goes on. */
import type { BranchRecord } from "../../records/control-records.ts";
import type { RecordBody } from "../../records/records.ts";
import type { Completion } from "../completion.ts";
import type { Program } from "../program/program.ts";
import {
  changeRun,
  clockedIn,
  clockedOut,
  isWaiting,
  type SnapshotDraft,
} from "../snapshot/draft.ts";
import type { NodeRun, Snapshot } from "../snapshot/snapshot.ts";

/** None where there is no such node run, or it is as it is wanted: as good twice as once. */
export function branchRecords(
  program: Program,
  snapshot: Snapshot,
  { at: _, calls: __, ...asked }: Completion & { readonly kind: "branch" },
): readonly RecordBody[] {
  const run = snapshot.open.get(asked.id);
  if (run === undefined || (run.isHeld === true) === (asked.verb === "hold")) return [];
  const node = program.nodes[run.node]?.ir.name ?? "";
  return [{ ...asked, node, attempt: run.attempt }];
}

/** A held node run spends no time. */
export function foldBranch(draft: SnapshotDraft, { id, verb }: BranchRecord, at: number): void {
  const isOn = draft.status === "running" || draft.status === "waiting";
  changeRun(draft, id, (run) => {
    if (verb === "hold") return { ...clockedOut(run, at), isHeld: true };
    const free: NodeRun = { ...run, isHeld: undefined };
    return isOn && run.status === "running" ? clockedIn(free, at) : free;
  });
}

/** Tells whether only held node runs, and questions, are left to wait for. */
export function isHeldUp(snapshot: Snapshot): boolean {
  return heldRuns(snapshot).length > 0 && !goesOn(snapshot);
}

/** Lists the held node runs of this graph and of the graphs that it has called. */
export function heldRuns({ open, children }: Snapshot): readonly NodeRun[] {
  const own = open.values().filter(({ isHeld }) => isHeld === true);
  return [...own, ...children.values().flatMap(({ snapshot }) => heldRuns(snapshot))];
}

function goesOn({ open, children }: Snapshot): boolean {
  return open.values().some((run) => {
    if (run.isHeld === true) return false;
    if (run.status === "ready") return true;
    if (run.status !== "running") return false;
    const child = children.get(run.id)?.snapshot;
    return child === undefined ? !isWaiting(run) : goesOn(child);
  });
}
