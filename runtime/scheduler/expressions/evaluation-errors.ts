/** Errors of expressions that can't be evaluated in a state. */
import type { Failure } from "../../failure.ts";
import { ReducerError } from "../../state/written-value.ts";

/** An expression can't be evaluated in this state; the attempt ends as `invalid`. */
export class EvaluationError extends Error {
  readonly span: readonly [number, number] | undefined;

  constructor(message: string, span?: readonly [number, number]) {
    super(message);
    this.name = "EvaluationError";
    this.span = span;
  }
}

/** The value of an expression does not fit the type of its place. */
export class ValueMisfit extends EvaluationError {
  readonly failure: Failure;

  constructor(failure: Failure, span?: readonly [number, number]) {
    super(failure.message, span);
    this.name = "ValueMisfit";
    this.failure = failure;
  }
}

/** A function of TypeScript that an expression or a reducer calls did not do its work. */
export class CallFailed extends EvaluationError {
  readonly failure: Failure;

  constructor(failure: Failure, span?: readonly [number, number]) {
    super(failure.message, span);
    this.name = "CallFailed";
    this.failure = failure;
  }
}

/** Tells whether an error says that this state does not fit the program, rather than that we are at fault. */
export function isOfTheState(error: unknown): error is EvaluationError | ReducerError {
  return error instanceof EvaluationError || error instanceof ReducerError;
}
