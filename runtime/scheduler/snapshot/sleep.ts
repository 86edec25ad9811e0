/** Stops the clock of a run whose remaining work waits for a time. */
import type { Ir } from "../../../dsl/index.ts";
import type { Program } from "../program/program.ts";
import { activeAt, isWaiting } from "./clocks.ts";
import type { SnapshotDraft } from "./draft.ts";
import type { NodeRun, Snapshot } from "./snapshot.ts";

/** Tells whether something in a graph waits for a time: else nobody need look. */
export function maySleep({ nodes, edges }: Pick<Ir, "nodes" | "edges">): boolean {
  return (
    nodes.some(({ every, retry, kind }) => every ?? retry ?? kind === "graph") || isLater(edges)
  );
}

function isLater(part: unknown): boolean {
  if (typeof part !== "object" || part === null) return false;
  return "afterMs" in part || Object.values(part).some(isLater);
}

/** Stops the clock of the run while it sleeps, and lets it go again once something in it is awake. */
export function updateSleep({ maySleep: may }: Program, draft: SnapshotDraft, at: number): void {
  if (!may || draft.status !== "running") return;
  const sleeps = isAsleep(draft, at);
  if (sleeps === (draft.runningSince === undefined)) return;
  if (sleeps) draft.activeMs = activeAt(draft, at);
  draft.runningSince = sleeps ? undefined : at;
}

/** Tells whether it spends no time, because it waits for somebody or for a time. */
export function isResting({ status, runningSince }: Snapshot): boolean {
  return status === "waiting" || (status === "running" && runningSince === undefined);
}

function isAsleep({ open, children }: Snapshot, at: number): boolean {
  let sleeps = false;
  const awake = open.findKey((id, run) => {
    sleeps ||= run.status === "ready" || run.status === "running";
    return isAwake(run, children.get(id)?.snapshot, at);
  });
  return awake === undefined && sleeps;
}

function isAwake(run: NodeRun, called: Snapshot | undefined, at: number): boolean {
  if (run.status === "ready") return (run.notBefore ?? at) <= at;
  if (run.status !== "running" || isWaiting(run)) return false;
  return called === undefined || !isResting(called);
}
