/** Makes the errors of the tools for a browser. */
import type { Code } from "../../../dsl/index.ts";
import { DoubtfulEnd, RunError } from "../../failure.ts";

/** Makes the error that a tool for a browser throws. Its message repeats the hint, because a model sees the message alone. */
export function browserError(
  code: Code,
  { message, hint, cause }: { message: string; hint?: string; cause?: unknown },
): RunError {
  return new RunError(code, hint === undefined ? message : `${message}; ${hint}`, { hint, cause });
}

/** Makes the error of an action in whose course the browser ended: nobody knows whether the page's server has heard of it. */
export function doubtfulAction(what: string, cause: unknown): DoubtfulEnd {
  return new DoubtfulEnd(
    {
      class: "tool",
      code: "M8202",
      message: `M8624: the browser ended while it was to ${what}; the next action starts it again with its tabs`,
    },
    { cause },
  );
}
