/** Tells errors of the state from faults of our own code. */
import { ReducerError } from "../../state/written-value.ts";
import { EvaluationError } from "./evaluation-error.ts";

/** Tells whether an error says that this state does not fit the program, rather than that we are at fault. */
export function isOfTheState(error: unknown): error is EvaluationError | ReducerError {
  return error instanceof EvaluationError || error instanceof ReducerError;
}
