/** Simulates an attempt: it asks and ends as its test says, from the state that it sees. */
import type { Failure } from "../failure.ts";
import type { Answer, Question } from "../interrupt.ts";
import { isDecided, isEdited, partsOf } from "../performer.ts";
import type { Directions } from "../records/directions.ts";
import { attemptView } from "../scheduler/attempts/attempt-view.ts";
import { outputToJudge } from "../scheduler/call-graph.ts";
import { type Located, nodeRunPlace } from "../scheduler/called-snapshots.ts";
import type { Completion } from "../scheduler/completion.ts";
import { EvaluationError } from "../scheduler/expressions/evaluation-errors.ts";
import { waitResult } from "../scheduler/program/wait-nodes.ts";
import type { SimulatedAttempt, SimulationOptions } from "./simulation.ts";

export function endOfAttempt(
  located: Located,
  at: number,
  {
    failure: failing,
    output,
    answers = [],
  }: Pick<SimulationOptions, "failure" | "output"> & { readonly answers?: readonly Answer[] },
): Completion {
  const { program, run } = located;
  const { id, attempt } = run;
  if (program.nodes[run.node]?.isWait === true)
    return { kind: "succeeded", id, attempt, output: waitResult(run), at };
  const judges = program.nodes[run.node]?.called && outputToJudge(located);
  if (judges !== undefined) return { kind: "succeeded", id, attempt, output: judges.output, at };
  try {
    const given = toSimulatedAttempt(located, answers);
    const failure = failing?.(given);
    if (failure !== undefined) return { kind: "failed", id, attempt, failure, at };
    return { kind: "succeeded", id, attempt, ...toSimulatedOutput(output(given)), at };
  } catch (error) {
    if (!(error instanceof EvaluationError)) throw error;
    const failure: Failure = { class: "invalid", code: "M5011", message: error.message };
    return { kind: "failed", id, attempt, failure, at };
  }
}

function toSimulatedOutput(result: unknown): { readonly output: unknown } & Directions {
  if (isDecided(result)) return partsOf(result);
  return isEdited(result) ? { output: result.output, edits: result.edits } : { output: result };
}

/** Returns the questions that a node's attempt asks people; none where they can't be determined. */
export function questionsOf(
  located: Located,
  ask: (attempt: SimulatedAttempt) => readonly Question[],
): readonly Question[] {
  const node = located.program.nodes[located.run.node]?.ir;
  const asks = node?.kind === "human" || node?.approvals.some(({ when }) => when === "tool");
  if (asks !== true) return [];
  try {
    return ask(toSimulatedAttempt(located, []));
  } catch (error) {
    if (!(error instanceof EvaluationError)) throw error;
    return [];
  }
}

function toSimulatedAttempt(located: Located, answers: readonly Answer[]): SimulatedAttempt {
  const { program, snapshot, run, callers } = located;
  const { ir, choices } = program.nodes[run.node] ?? { ir: undefined, choices: [] };
  return {
    run,
    node: ir?.name ?? "",
    attempt: run.attempt,
    view: attemptView(program, snapshot, run),
    choices,
    program,
    path: callers.map(({ label }) => label),
    place: lastingPlace(located),
    answers,
  };
}

/** A place in the order of the graph, which no crash and no rewind changes. */
export function lastingPlace(located: Located): string {
  return nodeRunPlace(located).replaceAll(/~\d+/g, "");
}
