/** Makes the failures with which the loop of an agent ends. */
import { FailureError } from "../failure.ts";
import type { OutputPlan } from "./conversation/output.ts";
import { filtered } from "./models/call-fault.ts";
import type { ModelHandle } from "./models/model-handle.ts";
import type { ModelStep } from "./models/model-step.ts";

/** Model calls of one attempt where no `limit … turns` of the node or the graph says how many. */
export const TURNS_MAX = 50;

/** Tool calls in a row that may fail. */
export const TOOL_ERRORS_MAX = 10;

/** Calls by which an answer that came to its length limit is gone on with. */
export const CONTINUES_MAX = 5;

const EARLY_ENDS: Readonly<Record<string, string>> = {
  length: "at its length limit",
  error: "by an error of the provider",
};

/** The failure of an answer that its provider stopped; one that was to fit a type is asked for again, shorter. */
export function stoppedEarly(
  { finish, stopReason, text }: ModelStep,
  { id }: ModelHandle,
  plan: OutputPlan,
): FailureError {
  const reason = stopReason === undefined ? "" : ` (${stopReason})`;
  const how = `${EARLY_ENDS[finish] ?? `with \`${finish}\``}${reason}`;
  if (finish === "content-filter") return stoppedByFilter(id, stopReason);
  const message = `the answer of \`${id}\` was stopped ${how} after ${text.length} characters`;
  if (finish !== "length") {
    const hint = "change the prompt, or ask another model";
    return new FailureError({ class: "model", code: "M8107", message, hint });
  }
  const hint = "ask for less in one answer, or raise `maxOutputTokens` of the model";
  if (plan.kind === "text" || text === "")
    return new FailureError({ class: "model", code: "M8107", message, hint });
  const feedback =
    "Your answer was cut off at its length limit. Answer again, much shorter, with one whole JSON value.";
  return new FailureError({ class: "invalid", code: "M8107", message, hint, feedback });
}

function stoppedByFilter(id: string, stopReason: string | undefined): FailureError {
  const reasonText = stopReason === undefined ? "" : ` (\`${stopReason}\`)`;
  if (stopReason !== undefined && /refus/i.test(stopReason)) {
    return new FailureError({
      class: "refusal",
      code: "M8211",
      message: `\`${id}\` refuses to answer${reasonText}`,
      hint: "change the prompt, or write where to go on: `node -> other on refusal`",
    });
  }
  return new FailureError(
    filtered(id, `the answer of \`${id}\` was stopped by a content filter${reasonText}`),
  );
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
