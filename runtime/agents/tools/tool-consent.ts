/** Asks for consent to the tool calls of one turn before any of them is made. */
import type { Answer } from "../../interrupt.ts";
import type { Attempt, PerformerContext } from "../../performer.ts";
import type { CallView } from "../../scheduler/attempts/approvals.ts";
import type { ModelStep, ToolCall } from "../models/model-step.ts";
import type { ResolvedTool, ToolEffect } from "../scope/tools.ts";
import { toJson } from "../values/json.ts";

/** A call as it may be made: perhaps with other arguments, or not at all. */
export interface Consented {
  readonly call: ToolCall;
  /** The reason for the refusal, which the model is told. */
  readonly denied?: string;
}

export async function consented(
  { toolCalls, text }: ModelStep,
  tools: readonly ResolvedTool[],
  { attempt, context }: { readonly attempt: Attempt; readonly context: PerformerContext },
): Promise<readonly Consented[]> {
  const { approvalOf } = attempt;
  if (approvalOf === undefined) return toolCalls.map((call) => ({ call }));
  const asked: (() => Promise<Consented>)[] = [];
  for (const call of toolCalls) {
    const tool = tools.find(({ modelName }) => modelName === call.name);
    // What can't be called anyway is nothing to ask about.
    const isCallable = tool !== undefined && call.broken !== true;
    const question = isCallable ? await approvalOf(viewOf(call, tool, text)) : undefined;
    asked.push(async () => {
      if (tool === undefined || question === undefined) return { call };
      const schema = { schema: tool.inputSchema };
      return decided(call, await context.ask({ ...question, ...schema }));
    });
  }
  return await Promise.all(asked.map((ask) => ask()));
}

/**
 * Describes a call before it is made. `baseline` is how often calls of such an effect need consent, `risk` follows from
 * the effect alone; `explanation` is the model's text beside the call.
 */
function viewOf(
  { input }: ToolCall,
  { name, effect }: ResolvedTool,
  explanation: string,
): CallView {
  return { tool: name, args: input, effect, ...BY_EFFECT[effect], explanation };
}

const BY_EFFECT: Readonly<Record<ToolEffect, Pick<CallView, "baseline" | "risk">>> = {
  none: { baseline: "never", risk: "low" },
  workspace: { baseline: "maybe", risk: "medium" },
  external: { baseline: "always", risk: "high" },
};

function decided(call: ToolCall, answer: Answer): Consented {
  switch (answer.kind) {
    case "approve":
      return { call };
    case "edit":
    case "value":
      return { call: { ...call, input: toJson(answer.value).value } };
    case "revise":
      return { call, denied: `not like this: ${answer.text}` };
    case "deny": {
      const why = answer.reason === undefined ? "" : `: ${answer.reason}`;
      return { call, denied: `this call was not approved${why}` };
    }
  }
}
