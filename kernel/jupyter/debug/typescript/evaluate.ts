/** Evaluates what a person types at a stop: in a frame, with the names of the notebook as cells write them. */
import type { Debugger, Runtime } from "node:inspector";
import { stripTypeScriptTypes } from "node:module";
import { CommandError } from "../../../command-error.ts";
import { isTerminated, type MainInspector } from "./main-inspector.ts";
import { CELLS } from "./scripts.ts";

/** The time limit of an evaluation, in milliseconds. */
const TIME_MS = 1500;

/**
 * Evaluates an expression and returns its value. Throws M7772 if the expression throws, and M7773
 * if it can't be evaluated.
 */
export async function evaluateAt(
  expression: string,
  {
    inspector,
    call,
  }: {
    readonly inspector: Pick<MainInspector, "ask" | "evaluate">;
    readonly call: Debugger.CallFrame | undefined;
  },
): Promise<Runtime.RemoteObject> {
  // Nothing else runs in between: the main thread stands still.
  await inspector.evaluate(`${CELLS}?.cells?.lend()`);
  try {
    const first = await evaluate(asExpression(expression));
    const isWrong = first.exceptionDetails?.exception?.className === "SyntaxError";
    const stripped = isWrong ? withoutTypes(expression) : undefined;
    const answer = stripped === undefined ? first : await evaluate(asExpression(stripped));
    if (answer.exceptionDetails !== undefined) throw thrownBy(answer.exceptionDetails);
    return answer.result;
  } finally {
    await inspector.evaluate(`${CELLS}?.cells?.takeBack()`);
  }

  async function evaluate(text: string): Promise<Runtime.EvaluateReturnType> {
    const shared = { expression: text, silent: true, generatePreview: true, timeout: TIME_MS };
    const [method, more] =
      call === undefined
        ? ["Runtime.evaluate", { disableBreaks: true }]
        : ["Debugger.evaluateOnCallFrame", { callFrameId: call.callFrameId }];
    try {
      return await inspector.ask(method, { ...shared, ...more });
    } catch (cause) {
      if (isTerminated(cause)) throw endless(cause);
      throw cause;
    }
  }
}

/** `{ a: 1 }` is meant as an object and not as a block. */
function asExpression(text: string): string {
  return /^\s*\{[\s\S]*\}\s*$/.test(text) ? `(${text})` : text;
}

function withoutTypes(text: string): string | undefined {
  try {
    const stripped = stripTypeScriptTypes(text);
    return stripped === text ? undefined : stripped;
  } catch {
    return undefined; // Then it is told what JavaScript says.
  }
}

function endless(cause: unknown): CommandError {
  const message = `the expression has not come to an end within ${TIME_MS / 1000} seconds`;
  return new CommandError("M7772", message, {
    cause,
    hint: "it was ended, and the cell is still stopped",
  });
}

function thrownBy({ exception, text }: Runtime.ExceptionDetails): CommandError {
  const firstLine =
    (exception?.description ?? String(exception?.value ?? text)).split("\n")[0] ?? text;
  if (exception?.className !== "SyntaxError") {
    return new CommandError("M7772", `the expression throws: ${firstLine}`, {
      hint: "it sees the variables of the frame, and the names of all cells",
    });
  }
  const hint = /await/.test(firstLine)
    ? "nothing goes on while the cell is stopped: look at a promise by its name instead of awaiting it"
    : "write one expression, or an assignment as `count = 3`";
  return new CommandError("M7773", `this can't be evaluated: ${firstLine}`, { hint });
}
