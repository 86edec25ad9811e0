/** What an attempt is given: its prompts and arguments, rendered from what its branch sees. */
import type { ExprIr, NodeIr } from "../../dsl/index.ts";
import { gathered } from "./calls.ts";
import { evaluate, type Lookup, shownInText } from "./evaluate.ts";
import { lookupAt } from "./lookup.ts";
import type { Program } from "./program.ts";
import type { NodeRun, Snapshot } from "./snapshot.ts";

export interface AttemptView {
  readonly system?: string;
  readonly prompt?: string;
  readonly callArgs?: readonly unknown[];
}

/** What a router `reads` stands above its prompt; all others name what they read in it. */
function withReads(
  node: NodeIr | undefined,
  prompt: string | undefined,
  shownOf: (name: string) => unknown,
): string | undefined {
  if (node?.kind !== "router" || node.reads === undefined || node.reads.length === 0) return prompt;
  const read = node.reads.map((name) => `${name}: ${shownInText(shownOf(name))}`);
  return [read.join("\n"), ...(prompt === undefined ? [] : [prompt])].join("\n\n");
}

function fieldOrParam(lookup: Lookup, name: string): unknown {
  return lookup(name, "field") ?? lookup(name, "param");
}

/** Throws `EvaluationError` where an expression of the node can't be evaluated. */
export function attemptView(program: Program, snapshot: Snapshot, run: NodeRun): AttemptView {
  const node = program.nodes[run.node]?.ir;
  const { frame, scope, args, inbox } = run;
  const lookup = lookupAt(program, snapshot, {
    frame,
    scope,
    inbox,
    node: run.node,
    ...(args === undefined ? {} : { args }),
  });
  const text = (expression: ExprIr | undefined) =>
    expression === undefined ? undefined : shownInText(evaluate(expression, lookup));
  const system = text(node?.system);
  const prompt = withReads(node, text(node?.prompt), (name) => fieldOrParam(lookup, name));
  return {
    ...(system === undefined ? {} : { system }),
    ...(prompt === undefined ? {} : { prompt }),
    ...(node?.call === undefined
      ? {}
      : { callArgs: gathered(node.call.args, ({ value }) => evaluate(value, lookup)) }),
  };
}
