/** What can't be evaluated for this state; it ends the attempt as `invalid`. */
export class EvaluationError extends Error {
  readonly span: readonly [number, number] | undefined;

  constructor(message: string, span?: readonly [number, number]) {
    super(message);
    this.name = "EvaluationError";
    this.span = span;
  }
}
