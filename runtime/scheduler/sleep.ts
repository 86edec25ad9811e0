/** A run that sleeps, because all that it is yet to do has its time to come: it spends no time until then. */
import type { Ir } from "../../dsl/index.ts";
import { clockedOut, isWaiting } from "./clocks.ts";
import type { Program } from "./program.ts";
import type { NodeRun, Snapshot } from "./snapshot.ts";

/** Whether something in a graph waits for a time: else nobody need look. */
export function maySleep({ nodes, edges }: Pick<Ir, "nodes" | "edges">): boolean {
  return (
    nodes.some(({ every, retry, kind }) => every ?? retry ?? kind === "graph") || isLater(edges)
  );
}

function isLater(part: unknown): boolean {
  if (typeof part !== "object" || part === null) return false;
  return "afterMs" in part || Object.values(part).some(isLater);
}

/** The run with its clock stopped while it sleeps, and going again once something in it is awake. */
export function rested({ maySleep: may }: Program, snapshot: Snapshot, at: number): Snapshot {
  if (!may || snapshot.status !== "running") return snapshot;
  const sleeps = isAsleep(snapshot, at);
  if (sleeps === (snapshot.runningSince === undefined)) return snapshot;
  return sleeps ? clockedOut(snapshot, at) : { ...snapshot, runningSince: at };
}

/** Whether it spends no time, because it waits for somebody or for a time. */
export function isResting({ status, runningSince }: Snapshot): boolean {
  return status === "waiting" || (status === "running" && runningSince === undefined);
}

function isAsleep({ open, children }: Snapshot, at: number): boolean {
  let sleeps = false;
  for (const run of open.values()) {
    if (isAwake(run, children.get(run.id)?.snapshot, at)) return false;
    sleeps ||= run.status === "ready" || run.status === "running";
  }
  return sleeps;
}

function isAwake(run: NodeRun, called: Snapshot | undefined, at: number): boolean {
  if (run.status === "ready") return (run.notBefore ?? at) <= at;
  if (run.status !== "running" || isWaiting(run)) return false;
  return called === undefined || !isResting(called);
}
