/** Decides what a strong agent asks for: whether it may use a tool, by its node and the guard of the run, and what it must know. */

import type { GivenAnswer } from "../../interrupt.ts";
import type { Attempt, PerformerContext } from "../../performer.ts";
import type { GuardFacts } from "../../records/call-records.ts";
import { type CallWanted, isToolAmong } from "../../scheduler/attempts/approvals.ts";
import { decideCall } from "../../scheduler/guard/decide-call.ts";
import { type DecidedCall, outcomeOf, withWordsOf } from "../tools/tool-consent.ts";
import { toJson } from "../values/json.ts";
import type { ApprovalAnswer, ControllerEvent } from "./controller.ts";

type PermissionRequest = ControllerEvent & { readonly kind: "approval_requested" };

/** The answer to a strong agent, and how it was decided. */
interface Leave {
  readonly answer: ApprovalAnswer;
  readonly guard?: GuardFacts;
}

/**
 * Decides by the node's `approve tool` and the guard of the run whether anybody is asked; tools of which neither says
 * anything are always asked about.
 */
export async function leaveFor(
  event: PermissionRequest,
  attempt: Attempt,
  context: PerformerContext,
): Promise<Leave> {
  const { approvalId, tool, message } = event;
  const wanted = wantedOf(event);
  const args = wanted.args;
  const found = await attempt.decideOn?.(wanted);
  const decided: DecidedCall = {
    ...(found ?? { ruling: decideCall(wanted, {}, true), isSaid: false }),
    tool,
    args,
  };
  const asked = `May \`${attempt.node.name}\` use \`${tool}\`?`;
  const text = message === undefined ? asked : withWordsOf("The agent", message, asked);
  const own = { ask: "approval", question: text, shown: args, tool } as const;
  const isFree = decided.ruling.may === "call" && (decided.isSaid || isCovered(attempt, tool));
  const isAsked = decided.ruling.may !== "refuse" && !isFree;
  const given = isAsked ? await context.consult(decided.question ?? own) : undefined;
  return leaveOf(approvalId, decided, given);
}

export type InputQuestion = ControllerEvent & { readonly kind: "input_requested" };

/** Asks for what the agent must know. Whoever answers may leave it without an answer, by a no. */
export async function inputFor(
  { inputId, message, schema }: InputQuestion,
  { node }: Attempt,
  context: PerformerContext,
): Promise<ApprovalAnswer> {
  const question = withWordsOf("The agent", message, `\`${node.name}\` needs an answer.`);
  const asked = { ask: "input", question, ...(schema === undefined ? {} : { schema }) } as const;
  const { answer } = await context.consult(asked);
  if (answer.kind === "value" || answer.kind === "edit")
    return { approvalId: inputId, decision: "approve", input: answer.value };
  const reason = answer.kind === "deny" ? answer.reason : undefined;
  return answer.kind === "approve"
    ? { approvalId: inputId, decision: "approve" }
    : { approvalId: inputId, decision: "deny", ...(reason === undefined ? {} : { reason }) };
}

/** Describes a call of an agent's own tool. Its effects are unknown, so the highest risk is assumed. */
function wantedOf({ tool, input, message = "", risk = "high" }: PermissionRequest): CallWanted {
  const args = toJson(input ?? null).value;
  const unknown = { effect: "external", baseline: "always", isTainted: true } as const;
  return { tool, args, ...unknown, explanation: message, risk };
}

function isCovered({ node }: Attempt, tool: string): boolean {
  return node.approvals.some(({ when, tools }) => when === "tool" && isToolAmong(tools, tool));
}

function leaveOf(approvalId: string, decided: DecidedCall, given: GivenAnswer | undefined): Leave {
  const asked = { id: approvalId, name: decided.tool, input: toJson(decided.args).value };
  const { call, denied, guard } = outcomeOf(asked, decided, given);
  const facts = guard === undefined ? {} : { guard };
  if (denied !== undefined)
    return { answer: { approvalId, decision: "deny", reason: reasonOf(given, denied) }, ...facts };
  const isOther = given?.answer.kind === "edit" || given?.answer.kind === "value";
  const input = isOther ? { input: call.input } : {};
  return { answer: { approvalId, decision: "approve", ...input }, ...facts };
}

/** The agent is told the words of whoever said no. */
function reasonOf(given: GivenAnswer | undefined, denied: string): string {
  return given?.answer.kind === "deny" ? (given.answer.reason ?? denied) : denied;
}
