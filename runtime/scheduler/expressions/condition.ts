/** Conditions: `true` and `false`, and what is not written yet is false; anything else is a mistake, never a guess. */
import { type ExprIr, positionAt } from "../../../dsl/index.ts";
import type { Failure } from "../../failure.ts";
import type { Program } from "../program/program.ts";
import { evaluate, type Lookup, shownInText } from "./evaluate.ts";
import { CallFailed, EvaluationError, ValueMisfit } from "./evaluation-error.ts";

export function holds(condition: ExprIr, lookup: Lookup): boolean {
  const value = evaluate(condition, lookup) ?? false;
  if (typeof value === "boolean") return value;
  const shown = shownInText(value).slice(0, 60);
  throw new EvaluationError(`a condition must be true or false, not ${shown}`, condition.span);
}

/** The failure for an expression that can't be evaluated, with its place in the program. */
export function evaluationFailure(program: Program, error: Error, where = ""): Failure {
  const { source } = program.ir;
  const span = error instanceof EvaluationError ? error.span : undefined;
  const at = source === undefined || span === undefined ? undefined : positionAt(source, span[0]);
  const place = at === undefined ? "" : ` (${source?.file}:${at.line}:${at.column})`;
  const message = `${where}${error.message}${place}`;
  return error instanceof CallFailed || error instanceof ValueMisfit
    ? { ...error.failure, message }
    : { class: "invalid", code: "M5011", message };
}
