/** How a simulated attempt ends: with what its test says, from what it sees when it does. */
import type { Failure } from "../failure.ts";
import { isDecided, partsOf } from "../performer.ts";
import { attemptView } from "../scheduler/attempt-view.ts";
import type { Completion } from "../scheduler/completion.ts";
import { EvaluationError } from "../scheduler/evaluation-error.ts";
import { type Located, placeOf } from "../scheduler/locate.ts";
import { waitResult } from "../scheduler/waits.ts";
import type { SimulationOptions } from "./simulation.ts";

export function endOfAttempt(
  located: Located,
  at: number,
  { failure: failing, output }: Pick<SimulationOptions, "failure" | "output">,
): Completion {
  const { program, snapshot, run, callers } = located;
  const { id, attempt } = run;
  if (program.nodes[run.node]?.isWait === true)
    return { kind: "succeeded", id, attempt, output: waitResult(run), at };
  const { ir, choices } = program.nodes[run.node] ?? { ir: undefined, choices: [] };
  const path = callers.map(({ label }) => label);
  const place = lastingPlace(located);
  try {
    const view = attemptView(program, snapshot, run);
    const given = { run, node: ir?.name ?? "", attempt, view, choices, program, path, place };
    const failure = failing?.(given);
    if (failure !== undefined) return { kind: "failed", id, attempt, failure, at };
    const said = output(given);
    const came = isDecided(said) ? partsOf(said) : { output: said };
    return { kind: "succeeded", id, attempt, ...came, at };
  } catch (error) {
    if (!(error instanceof EvaluationError)) throw error;
    const failure: Failure = { class: "invalid", code: "M5011", message: error.message };
    return { kind: "failed", id, attempt, failure, at };
  }
}

/** A place in the order of the graph, which no crash and no rewind changes. */
export function lastingPlace(located: Located): string {
  return placeOf(located).replaceAll(/~\d+/g, "");
}
