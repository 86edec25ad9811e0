/** Makes the document about a run that clients read: how it stands, what it returned, and its steps. */
import { type Run, redaction } from "../../../runtime/index.ts";
import { runJson } from "./run-json.ts";

export function runDocument(run: Run): Record<string, unknown> {
  const steps = run.steps.map(({ step, node, output }) => ({ step, node, output }));
  return { ...runJson(run, run.ir), step_list: redaction.shownValue(steps, run) };
}
