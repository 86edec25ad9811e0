/** Makes the errors of the documentation tools. */
import type { Code } from "../../../dsl/index.ts";
import { RunError } from "../../failure.ts";

/** What a documents tool throws. The model is shown only the message, so the hint stands in it too. */
export function docsError(
  code: Code,
  { message, hint, cause }: { message: string; hint?: string; cause?: unknown },
): RunError {
  return new RunError(code, hint === undefined ? message : `${message}; ${hint}`, { hint, cause });
}
