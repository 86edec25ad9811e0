/** Makes the errors of the tools for files. */
import type { Code } from "../../../dsl/index.ts";
import { RunError } from "../../failure.ts";

/** Makes the error that a tool for files throws. Its message repeats the hint, because a model sees the message alone. */
export function filesError(
  code: Code,
  { message, hint, cause }: { message: string; hint?: string | undefined; cause?: unknown },
): RunError {
  return new RunError(code, hint === undefined ? message : `${message}; ${hint}`, { hint, cause });
}
