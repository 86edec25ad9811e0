/** Makes the failures with which the loop of an agent ends. */
import { FailureError } from "../failure.ts";
import type { ModelHandle } from "./models/model-handle.ts";
import type { ModelStep } from "./models/model-step.ts";

/** Model calls of one attempt where no `limit … turns` of the node or the graph says how many. */
export const TURNS_MAX = 50;

/** Tool calls in a row that may fail. */
export const TOOL_ERRORS_MAX = 10;

const EARLY_ENDS: Readonly<Record<string, string>> = {
  length: "at its length limit",
  "content-filter": "by a content filter",
  error: "by an error of the provider",
};

export function stoppedEarly(
  { finish, stopReason, text }: ModelStep,
  { id }: ModelHandle,
): FailureError {
  const reason = stopReason === undefined ? "" : ` (${stopReason})`;
  const how = `${EARLY_ENDS[finish] ?? `with \`${finish}\``}${reason}`;
  const hint =
    finish === "length"
      ? "ask for less in one answer, or raise `maxOutputTokens` of the model"
      : "change the prompt, or ask another model";
  const message = `the answer of \`${id}\` was stopped ${how} after ${text.length} characters`;
  return new FailureError({ class: "model", code: "M8107", message, hint });
}

export function tooManyErrors(last: string): FailureError {
  const message = `${TOOL_ERRORS_MAX} tool calls in a row failed; the last: ${last}`;
  const hint = "see the tool calls before it in the trace";
  return new FailureError({ class: "tool", code: "M8203", message, hint });
}

export function noAnswer(handle: ModelHandle): FailureError {
  const message = `\`${handle.id}\` still asks for tools after ${TURNS_MAX} model calls`;
  const hint = "say in the prompt when to stop, or set `limit N turns`";
  return new FailureError({ class: "model", code: "M8108", message, hint });
}
