/** Decides whether a strong agent may use a tool: by its node, else by asking. */

import type { Answer } from "../../interrupt.ts";
import type { Attempt, PerformerContext } from "../../performer.ts";
import { type CallView, isToolNamed } from "../../scheduler/attempts/approvals.ts";
import { toJson } from "../values/json.ts";
import type { ApprovalAnswer, ControllerEvent } from "./controller.ts";

type PermissionRequest = ControllerEvent & { readonly kind: "approval_requested" };

/** Decides by the node's `approve tool` whether anybody is asked; tools that the node does not name are always asked about. */
export async function leaveFor(
  event: PermissionRequest,
  attempt: Attempt,
  context: PerformerContext,
): Promise<ApprovalAnswer> {
  const { approvalId, tool, input, message } = event;
  const wanted = await attempt.approvalOf?.(viewOf(event));
  if (wanted === undefined && isCovered(attempt, tool)) return { approvalId, decision: "approve" };
  const asked = message ?? `May \`${attempt.node.name}\` use \`${tool}\`?`;
  const own = { ask: "approval", question: asked, shown: input ?? null, tool } as const;
  const answer = await context.ask(wanted ?? own);
  return { approvalId, ...decisionOf(answer) };
}

/** Describes a call of an agent's own tool. Its effects are unknown, so the highest risk is assumed. */
function viewOf({ tool, input, message = "", risk = "high" }: PermissionRequest): CallView {
  const args = input ?? null;
  return { tool, args, effect: "external", baseline: "always", explanation: message, risk };
}

function isCovered({ node }: Attempt, tool: string): boolean {
  return node.approvals.some(
    ({ when, tools }) => when === "tool" && tools.some((name) => isToolNamed(name, tool)),
  );
}

function decisionOf(answer: Answer): Omit<ApprovalAnswer, "approvalId"> {
  switch (answer.kind) {
    case "approve":
      return { decision: "approve" };
    case "edit":
    case "value":
      return { decision: "approve", input: toJson(answer.value).value };
    case "revise":
      return { decision: "deny", reason: `not like this: ${answer.text}` };
    case "deny":
      return { decision: "deny", reason: answer.reason ?? "this call was not approved" };
  }
}
