/** Writes the warning about a breakpoint condition that could not be evaluated. */
import { type DrivenRun, type debugging, redaction } from "../../runtime/index.ts";
import { plain } from "../paint.ts";

/** A condition of a breakpoint that had no answer. */
export function warningText(
  warning: debugging.BreakpointWarning,
  run: DrivenRun,
  paint = plain,
): string {
  const { code, message, hint } = redaction.shownValue(warning, run);
  return `${paint("warning", `warning[${code}]`)}: ${message}\n  hint: ${hint}`;
}
