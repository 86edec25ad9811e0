/** Builds the result of a turn for the log, and reads the node's output from it. */

import { type Failure, FailureError } from "../../failure.ts";
import type { Attempt } from "../../performer.ts";
import type { OperatorResult } from "../../records/controller-values.ts";
import { type OutputPlan, readOutput } from "../conversation/output.ts";
import type { SessionSnapshot } from "./controller.ts";
import type { OperatorTally, TurnEnd } from "./tally.ts";

export function resultOf(
  { sessionId, turn, messages, patch, artifacts, handoffs, sends, usage, rawBytes }: OperatorTally,
  end: TurnEnd,
  more: {
    readonly controller: string;
    readonly artifact?: string;
    readonly snapshot?: SessionSnapshot;
  },
): OperatorResult {
  const { controller, artifact, snapshot } = more;
  return {
    status: statusOf(end),
    sessionRef: { controller, sessionId, turn, ...(snapshot === undefined ? {} : { snapshot }) },
    messages,
    statePatch: patch,
    artifacts,
    handoffs: end.kind === "completed" ? [...handoffs, ...(end.handoffs ?? [])] : [],
    ...(sends.length === 0 ? {} : { sends }),
    metrics: usage,
    traceRef: { bytes: rawBytes, ...(artifact === undefined ? {} : { artifact }) },
    ...(end.kind === "failed" ? { error: errorOf(end, controller) } : {}),
  };
}

function statusOf(end: TurnEnd): OperatorResult["status"] {
  if (end.kind === "completed") return "success";
  if (end.class === "aborted") return "interrupted";
  return end.class === "timeout" ? "timeout" : "failed";
}

type FailedTurn = TurnEnd & { readonly kind: "failed" };

function errorOf({ class: of, reason, message, details }: FailedTurn, controller: string) {
  return {
    class: of,
    code: "M8504" as const,
    message: `\`${controller}\` failed (${reason}): ${message}`,
    ...(details === undefined ? {} : { details }),
  };
}

/** The node's output; throws what the turn failed with, or class `invalid` where its answer does not fit. */
export function outputOf(
  result: OperatorResult,
  end: TurnEnd,
  { attempt, plan }: { readonly attempt: Attempt; readonly plan: OutputPlan },
): unknown {
  if (result.error !== undefined) throw failed(result.error);
  const { controller } = result.sessionRef;
  const { statePatch } = result;
  assertWrites(statePatch, attempt, controller);
  const completed = end.kind === "completed" ? end : { text: "", output: undefined };
  const fields = Object.keys(statePatch);
  if (fields.length === 0) return readOutput(resultText(completed), plan, controller);
  const [only] = attempt.node.writes;
  // What is patched is what is written; of several fields the answer may have the rest.
  const patched =
    attempt.node.writes.length === 1 && only !== undefined ? statePatch[only.field] : statePatch;
  const rest = fields.length < attempt.node.writes.length ? objectIn(resultText(completed)) : {};
  const output = attempt.node.writes.length === 1 ? patched : { ...rest, ...statePatch };
  if (plan.kind === "text" && isTextOrTexts(output)) return output;
  return readOutput(JSON.stringify(output), plan, controller);
}

/** A turn may patch a growing list of texts with several; its answer is one text. */
function isTextOrTexts(output: unknown): boolean {
  return [output].flat().every((one) => typeof one === "string");
}

function resultText({
  text,
  output,
}: {
  readonly text: string;
  readonly output?: unknown;
}): string {
  return output === undefined ? text : typeof output === "string" ? output : JSON.stringify(output);
}

function objectIn(text: string): object {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? value : {};
  } catch {
    return {};
  }
}

function assertWrites(
  patch: Readonly<Record<string, unknown>>,
  { node }: Attempt,
  controller: string,
): void {
  const allowed = node.writes.map(({ field }) => field);
  const foreign = Object.keys(patch).find((field) => !allowed.includes(field));
  if (foreign === undefined) return;
  const may = allowed.length === 0 ? "nothing" : allowed.map((name) => `\`${name}\``).join(", ");
  const message = `\`${controller}\` wants to write \`${foreign}\`, and \`${node.name}\` writes ${may}`;
  throw new FailureError({
    class: "invalid",
    code: "M8506",
    message,
    hint: `add \`${foreign}\` to the \`writes\` of \`${node.name}\`, or tell the agent not to write it`,
    feedback: `You wrote \`${foreign}\` into the state. You may write ${may} and nothing else. Answer again.`,
  });
}

function failed(error: NonNullable<OperatorResult["error"]>): FailureError {
  const { class: of, code, message } = error;
  const failure: Failure = {
    class: of,
    code,
    message,
    hint: "what it did before stands in the trace: `controller.event` rows of this attempt",
  };
  return new FailureError(failure);
}
