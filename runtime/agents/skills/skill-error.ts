/** Makes the errors of skills. */
import type { Code } from "../../../dsl/index.ts";
import { RunError } from "../../failure.ts";

/** Makes an error of a skill. Its message repeats the hint, because a model sees the message alone. */
export function skillError(
  code: Code,
  { message, hint, cause }: { message: string; hint?: string | undefined; cause?: unknown },
): RunError {
  return new RunError(code, hint === undefined ? message : `${message}; ${hint}`, { hint, cause });
}
