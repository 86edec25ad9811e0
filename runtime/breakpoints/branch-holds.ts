/** Holds one branch of a run while the others go on, and lets it go. */

import { nearest } from "../../dsl/index.ts";
import type { Drive } from "../engine/drive.ts";
import { RunError } from "../failure.ts";
import type { DrivenRun } from "../run/driven-run.ts";
import type { HeldBranch } from "../run/handle.ts";
import { shortRunId } from "../run-names.ts";
import { labelOf, locate, nodeRunPlace } from "../scheduler/called-snapshots.ts";
import { heldRuns } from "../scheduler/interventions.ts";
import type { Program } from "../scheduler/program/program.ts";
import type { Snapshot } from "../scheduler/snapshot/snapshot.ts";

interface BranchHold extends HeldBranch {
  readonly id: number;
}

interface Holding {
  readonly run: DrivenRun;
  readonly drive: Drive;
  readonly program: Program;
  readonly now: () => number;
}

export function heldBranches({ run, drive, program }: Omit<Holding, "now">): readonly HeldBranch[] {
  const held = heldRuns(drive.snapshot).map(({ id }) => id);
  return openRuns({ run, program, snapshot: drive.snapshot })
    .filter(({ id }) => held.includes(id))
    .map(({ label, node, nodeRunId }) => ({ label, node, nodeRunId }));
}

/** The node runs that have not ended, held or not. */
export function openBranches({ run, drive, program }: Omit<Holding, "now">): readonly HeldBranch[] {
  return openRuns({ run, program, snapshot: drive.snapshot }).map(({ label, node, nodeRunId }) => ({
    label,
    node,
    nodeRunId,
  }));
}

/** Finds an open one as `holdBranch` does. */
export function openBranch(
  run: { readonly id: string; readonly openBranches: readonly HeldBranch[] },
  nodeRun: string,
): HeldBranch {
  return findBranch(run.openBranches, nodeRun, run.id);
}

/** By label or id; a node's name means its only open node run. M5461 where there is none such, M5462 where nobody drives the run here. */
export async function holdBranch(
  { run, drive, program, now }: Holding,
  { nodeRun, verb }: { readonly nodeRun: string; readonly verb: "hold" | "release" },
): Promise<void> {
  const { engine, snapshot } = drive;
  if (engine === undefined) {
    throw new RunError(
      "M5462",
      `run \`${shortRunId(run.id)}\` is not under way here: no branch of it goes on`,
      {
        hint: "`graph.debug(…)`, or `continue()` of a run that was opened, drives it first",
        runId: run.id,
      },
    );
  }
  const { id } = findBranch(openRuns({ run, program, snapshot }), nodeRun, run.id);
  const { promise, resolve } = Promise.withResolvers<void>();
  engine.post({ kind: "branch", verb, id, at: now() }, { answer: () => resolve() });
  await promise;
}

function findBranch<B extends HeldBranch>(open: readonly B[], nodeRun: string, runId: string): B {
  const exact = open.find((one) => one.label === nodeRun || one.nodeRunId === nodeRun);
  const named = open.filter(({ node }) => node === nodeRun);
  const only = exact ?? (named.length === 1 ? named[0] : undefined);
  if (only !== undefined) return only;
  const labels = open.map(({ label }) => label);
  const meant = nearest(nodeRun, labels);
  throw new RunError("M5461", `no node run \`${nodeRun}\` is open that could be held`, {
    hint:
      meant === undefined
        ? `those that are open: ${labels.join(", ") || "none"}`
        : `did you mean \`${meant}\`?`,
    runId,
  });
}

function openRuns(of: {
  readonly run: { readonly id: string };
  readonly program: Program;
  readonly snapshot: Snapshot;
}): readonly BranchHold[] {
  const { run, program, snapshot } = of;
  return idsIn(snapshot).flatMap((id) => {
    const located = locate(program, snapshot, id);
    if (located === undefined || located.run.source !== undefined) return [];
    const node = located.program.nodes[located.run.node]?.ir.name ?? "";
    return [{ id, node, label: labelOf(located), nodeRunId: `${run.id}/${nodeRunPlace(located)}` }];
  });
}

function idsIn({ open, children }: Snapshot): readonly number[] {
  const own = [...open.values()].map(({ id }) => id);
  return [...own, ...[...children.values()].flatMap(({ snapshot }) => idsIn(snapshot))];
}
