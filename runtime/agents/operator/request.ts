/** Builds the request to a strong agent: its prompt, what it may read, the form of its answer. */

import type { Attempt } from "../../performer.ts";
import { formatInstruction, type OutputPlan } from "../conversation/output.ts";
import type { StartRequest } from "./controller.ts";

/** The request of an attempt; pure, so that a resumed attempt asks for the same. */
export function requestOf(attempt: Attempt, plan: OutputPlan): StartRequest {
  const { node, operator, system } = attempt;
  const { description, limit, session } = node;
  const timeoutMs = limit?.quantities.find(({ unit }) => unit === "ms")?.value;
  return {
    key: `${attempt.nodeRunId}/${attempt.attempt}`,
    runId: attempt.runId,
    nodeRunId: attempt.nodeRunId,
    attempt: attempt.attempt,
    operator: node.name,
    instruction: instructionOf(attempt, plan),
    stateView: operator?.state ?? {},
    inbox: attempt.inbox ?? [],
    artifacts: [],
    skills: [],
    session: session?.policy ?? "new",
    tools: node.tools.map((tool) => tool.join(".")),
    ...(description === undefined ? {} : { role: description }),
    ...(system === undefined ? {} : { system }),
    ...(plan.kind === "text" ? {} : { outputSchema: plan.asked }),
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
  };
}

/** The whole text: also agents that know of nothing but text are told all of it. */
function instructionOf({ node, prompt }: Attempt, plan: OutputPlan): string {
  const asked = prompt ?? node.description ?? node.name;
  const format = formatInstruction(plan, true);
  return format === undefined ? asked : `${asked}\n\n${format}`;
}
