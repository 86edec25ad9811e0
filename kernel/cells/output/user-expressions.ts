/** Evaluates the expressions that a front end sends with a cell, each with its own result or error. */
import type { ErrorOutput } from "../../cell-output.ts";
import { runTypeScript } from "../kinds/typescript-cell.ts";
import type { AtWork } from "../notebook.ts";

type ExpressionResult =
  | { readonly status: "ok"; readonly data: unknown; readonly metadata: unknown }
  | {
      readonly status: "error";
      readonly ename: string;
      readonly evalue: string;
      readonly traceback: readonly string[];
    };

/**
 * Evaluates expressions by name, in the form of the protocol. A wrong one gives an error beside the
 * others.
 */
export async function evaluateExpressions(
  at: AtWork,
  toError: (thrown: unknown) => ErrorOutput,
): Promise<Readonly<Record<string, ExpressionResult>>> {
  const answers: Record<string, ExpressionResult> = {};
  for (const [name, expression] of Object.entries(at.cell.request.userExpressions)) {
    answers[name] = await evaluate(expression, at, toError);
  }
  return answers;
}

async function evaluate(
  expression: string,
  at: AtWork,
  toError: (thrown: unknown) => ErrorOutput,
): Promise<ExpressionResult> {
  try {
    const text = { name: at.cell.name.replace(/^\w+/, "Expression"), code: expression };
    const { value } = await runTypeScript(text, at);
    const { data, metadata } = await at.cell.orCancelled(at.notebook.parts.display.toBundle(value));
    return { status: "ok", data, metadata };
  } catch (thrown) {
    const { ename, evalue, traceback } = toError(thrown);
    return { status: "error", ename, evalue, traceback };
  }
}
