/** What an attempt is given: its prompts and arguments, rendered from what its branch sees. */
import type { ExprIr } from "../../dsl/index.ts";
import { evaluate, shownInText } from "./evaluate.ts";
import { lookupAt } from "./lookup.ts";
import type { Program } from "./program.ts";
import type { NodeRun, Snapshot } from "./snapshot.ts";

export interface AttemptView {
  readonly system?: string;
  readonly prompt?: string;
  readonly callArgs?: readonly unknown[];
}

/** Throws `EvaluationError` where an expression of the node can't be evaluated. */
export function attemptView(program: Program, snapshot: Snapshot, run: NodeRun): AttemptView {
  const node = program.nodes[run.node]?.ir;
  const { frame, scope, args } = run;
  const lookup = lookupAt(program, snapshot, {
    frame,
    scope,
    ...(args === undefined ? {} : { args }),
  });
  const text = (expression: ExprIr | undefined) =>
    expression === undefined ? undefined : shownInText(evaluate(expression, lookup));
  const system = text(node?.system);
  const prompt = text(node?.prompt);
  return {
    ...(system === undefined ? {} : { system }),
    ...(prompt === undefined ? {} : { prompt }),
    ...(node?.call === undefined
      ? {}
      : { callArgs: node.call.args.map(({ value }) => evaluate(value, lookup)) }),
  };
}
