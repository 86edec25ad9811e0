/** Folds the verbs of people: holds, pauses, aborts, resumes. */
import type { ControlRecord, HoldRecord, RewindRecord } from "../../records/control-records.ts";
import { withoutInterrupts } from "../interrupts/interrupts.ts";
import { restartNodeRun } from "../interventions/restart-node-run.ts";
import { foldRewind } from "../interventions/rewind.ts";
import { clockedIn, clockedOut, isWaiting } from "../snapshot/draft.ts";
import type { Fold, NodeRun, Snapshot } from "../snapshot/snapshot.ts";

/** A run is held, let go, rewound, paused, ended or resumed. */
export function foldControl(
  snapshot: Snapshot,
  record: ControlRecord | HoldRecord | RewindRecord,
  { at, fold }: { readonly at: number; readonly fold: Fold },
): Snapshot {
  switch (record.verb) {
    case "hold":
      return hold(snapshot, record.reason ?? "user", at);
    case "release":
      return release(snapshot, at);
    case "rewind":
      // As for a resume: a run that seems to run lost its process.
      return foldRewind(clockedOut(snapshot, snapshot.lastAt), record, fold);
    default:
      return stopOrGo(snapshot, record, at);
  }
}

/** What runs goes on running, but neither it nor the run spends time. */
function hold(snapshot: Snapshot, reason: string, at: number): Snapshot {
  const open = changeRunning(snapshot, (run) => clockedOut(run, at));
  return { ...clockedOut(snapshot, at), open, status: "paused", held: true, reason };
}

function release(snapshot: Snapshot, at: number): Snapshot {
  const open = changeRunning(snapshot, (run) => clockedIn(run, at));
  return { ...snapshot, open, status: "running", held: false, reason: "", runningSince: at };
}

function changeRunning({ open }: Snapshot, change: (run: NodeRun) => NodeRun): Snapshot["open"] {
  let changed = open;
  for (const run of open.values()) {
    if (run.status === "running") changed = changed.set(run.id, change(run));
  }
  return changed;
}

function stopOrGo(snapshot: Snapshot, record: ControlRecord, at: number): Snapshot {
  // A run that is resumed while it seems to run lost its process; what came after its last record is no running time.
  const until = record.verb === "resume" ? snapshot.lastAt : at;
  const asking = record.verb === "abort" ? withoutInterrupts(snapshot) : snapshot;
  const stopped = { ...clockedOut(asking, until), ...stopAll(asking, until), held: false };
  switch (record.verb) {
    case "pause":
      return { ...stopped, status: "paused", reason: record.reason ?? "user" };
    case "abort":
      return { ...stopped, status: "aborted", reason: record.reason ?? "user" };
    case "resume":
      return {
        ...stopped,
        failure: undefined,
        output: undefined,
        // A process that died or was stopped is no reason to count anew; who resumes behind the limit goes past it.
        errors: isOver(snapshot) ? 0 : snapshot.errors,
        status: "running",
        reason: "",
        runningSince: at,
      };
  }
}

function isOver({ status }: Snapshot): boolean {
  return status === "failed" || status === "aborted";
}

/** Everything that ran goes back to where it can start again, its journal kept; what failed starts anew. */
function stopAll(snapshot: Snapshot, at: number): Pick<Snapshot, "open"> {
  let { open } = stopRunning(snapshot, at);
  for (const stopped of open.values()) {
    // Whoever held it is gone with the process, or wants the run to stop.
    const run = stopped.isHeld === true ? { ...stopped, isHeld: undefined } : stopped;
    if (run.status === "stopped") open = open.set(run.id, restartNodeRun(run));
    else if (run !== stopped) open = open.set(run.id, run);
  }
  return { open };
}

/** Makes all running node runs ready to start again. */
export function stopRunning(snapshot: Snapshot, at: number): Pick<Snapshot, "open"> {
  const stopped = (run: NodeRun): NodeRun => ({
    ...clockedOut(run, at),
    status: isWaiting(run) ? "waiting" : "ready",
  });
  return { open: changeRunning(snapshot, stopped) };
}
