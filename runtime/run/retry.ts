/** Finds the step to rewind to so that one node run begins again. */

import { RunError } from "../failure.ts";
import type { RunHistory } from "../history/run-history.ts";
import { shortRunId } from "../run-names.ts";
import { foldIn } from "../scheduler/fold.ts";
import type { Program } from "../scheduler/program/program.ts";
import { type NodeRun, placeText, stepAt } from "../scheduler/snapshot/snapshot.ts";
import type { DrivenRun } from "./driven-run.ts";

/** A step, and the node run that begins anew there. */
export interface Back {
  readonly step: number;
  readonly anew?: number;
}

interface Retrying {
  readonly run: DrivenRun;
  readonly told: RunHistory;
  readonly program: Program;
}

/** By its label (`search#2`) or its id; throws M5390 where there is none such. */
export function retried(retrying: Retrying, nodeRun: string): Back {
  const { run, told } = retrying;
  for (let step = told.steps.length; step >= 0; step -= 1) {
    const open = openBehind(retrying, step).find(
      (one) => one.label === nodeRun || one.nodeRunId === nodeRun,
    );
    if (open !== undefined) return { step, anew: open.id };
  }
  throw notThere(run, nodeRun);
}

interface OpenNodeRun {
  readonly id: number;
  readonly label: string;
  readonly nodeRunId: string;
}

/** The node runs that were open behind a step; a rewind since has given them other names. */
function openBehind({ run, told, program }: Retrying, step: number): readonly OpenNodeRun[] {
  const then = stepAt(told.snapshot, step, foldIn(program));
  return [...(then?.open.values() ?? [])].flatMap((one: NodeRun) => {
    const node = program.nodes[one.node]?.ir.name;
    if (node === undefined || one.source !== undefined) return [];
    const label = `${node}#${one.ordinal}`;
    return [{ id: one.id, label, nodeRunId: `${run.id}/${placeText(one)}` }];
  });
}

function notThere({ id: runId, steps }: DrivenRun, nodeRun: string): RunError {
  const labels = [...new Set(steps.map(({ node }) => `\`${node}#1\``))];
  return new RunError(
    "M5390",
    `run \`${shortRunId(runId)}\` has no node run \`${nodeRun}\` to try again`,
    {
      hint:
        labels.length === 0
          ? "nothing of it is done yet: `resume()` goes on with it"
          : `its own are ${labels.join(", ")}; those of a graph that it calls begin anew with their caller`,
      runId,
    },
  );
}
