/** Reports nodes that lack a clause without which they can't work. */
import type { Clause } from "../../syntax/tree/ast.ts";
import type { NodeCheck } from "../context.ts";

/** An agent or a router runs on a model. */
export function checkModelThere({ node, clauses, report }: NodeCheck): void {
  if (has("model", clauses)) return;
  report({
    code: "M4001",
    message: `\`${node.name.text}\` has no model`,
    span: node.name.span,
    hint: "write `model NAME` in it, or once in `defaults { }`",
  });
}

/** An agent or a router is told something: by a prompt, by what it reads, or by others. */
export function checkPromptThere(check: NodeCheck): void {
  const isTold = (["prompt", "system", "reads"] as const).some((kind) => has(kind, check.clauses));
  const hearsOthers = check.clauses.some(
    (clause) => clause.kind === "history" && ["inbox", "thread", "field"].includes(clause.source),
  );
  if (!isTold && !hearsOthers) reportMissing("prompt", "say in a `prompt` what it is to do", check);
}

/** A person is asked something. */
export function checkQuestionThere(check: NodeCheck): void {
  if (!has("ask", check.clauses)) reportMissing("ask", "write its question behind `ask`", check);
}

/** An operator stands behind a controller. */
export function checkControllerThere(check: NodeCheck): void {
  if (!has("controller", check.clauses))
    reportMissing("controller", "write `controller claude_code`, for example", check);
}

function has(kind: Clause["kind"], clauses: readonly Clause[]): boolean {
  return clauses.some((clause) => clause.kind === kind);
}

function reportMissing(clause: string, hint: string, { node, report }: NodeCheck): void {
  const { text, span } = node.name;
  report({ code: "M4002", message: `\`${text}\` has no \`${clause}\``, span, hint });
}
