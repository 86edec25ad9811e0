/** Makes the tool calls of one turn: one after another, or at once where all of its tools allow it. */
import type { SleepClock } from "../../clock.ts";
import type { Attempt, PerformerContext } from "../../performer.ts";
import type { ResolvedTool } from "../scope/tools.ts";
import { callTool, type ToolAnswer } from "./call-tool.ts";
import type { AgentCaller } from "./tool-caller.ts";
import type { Consented } from "./tool-consent.ts";

interface TurnOfCalls {
  readonly attempt: Pick<Attempt, "decideOn">;
  readonly context: PerformerContext;
  readonly clock: SleepClock;
  readonly tools: readonly ResolvedTool[];
  readonly caller: AgentCaller;
}

/** The answers, in the order of the calls. */
export async function callTools(
  calls: readonly Consented[],
  of: TurnOfCalls,
): Promise<ToolAnswer[]> {
  const { tools } = of;
  const atOnce = calls.every(
    ({ call }) => tools.find((tool) => tool.modelName === call.name)?.parallel,
  );
  if (atOnce && calls.length > 1) return callAtOnce(calls, of);
  const answers: ToolAnswer[] = [];
  for (const { call, denied, guard } of calls) {
    answers.push(await callTool(call, tools, { ...of, denied, guard }));
  }
  return answers;
}

// All are awaited, also when one ends the attempt: nothing that was started is left behind.
async function callAtOnce(calls: readonly Consented[], of: TurnOfCalls): Promise<ToolAnswer[]> {
  const settled = await Promise.allSettled(
    calls.map(({ call, denied, guard }) => callTool(call, of.tools, { ...of, denied, guard })),
  );
  return settled.map((one) => {
    if (one.status === "rejected") throw one.reason;
    return one.value;
  });
}
