/** Makes the errors of the tools that run code. */
import type { Code } from "../../../dsl/index.ts";
import { RunError } from "../../failure.ts";

/** Makes the error that a tool for code throws. Its message repeats the hint, because a model sees the message alone. */
export function codeError(
  code: Code,
  { message, hint, cause }: { message: string; hint: string; cause?: unknown },
): RunError {
  return new RunError(code, `${message}; ${hint}`, { hint, cause });
}
