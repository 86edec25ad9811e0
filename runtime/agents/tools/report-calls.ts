/** Has the tools of an agent report on its calls when it has answered. The reports are artifacts; no model is told of them. */
import type { Made } from "../../artifact.ts";
import { FailureError } from "../../failure.ts";
import type { PerformerContext } from "../../performer.ts";
import type { ReportCalls, ResolvedTool } from "../scope/tools.ts";
import { makeArtifact } from "../values/make-artifact.ts";
import { madeWith } from "./call-tool.ts";
import type { AgentCaller, ReportedCall } from "./tool-caller.ts";

/** One effect for each report of the tools that the agent has called in this turn. */
export async function reportCalls(of: {
  readonly tools: readonly ResolvedTool[];
  readonly caller: AgentCaller;
  readonly context: PerformerContext;
}): Promise<void> {
  const { tools, caller } = of;
  const reports = new Map<ReportCalls, CallsOfReport>();
  for (const call of caller.calls) {
    const tool = tools.find(({ name }) => name === call.tool);
    if (tool?.report === undefined) continue;
    const { calls } = reports.get(tool.report) ?? { calls: [] };
    reports.set(tool.report, { tool, calls: [...calls, call] });
  }
  for (const [report, made] of reports) await makeReport(report, made, of);
}

interface CallsOfReport {
  readonly tool: ResolvedTool;
  readonly calls: readonly ReportedCall[];
}

async function makeReport(
  report: ReportCalls,
  { tool: { name, keep }, calls }: CallsOfReport,
  { caller, context }: Parameters<typeof reportCalls>[0],
): Promise<void> {
  const group = name.split(".").slice(0, -1).join(".");
  const done = context.effect<readonly string[]>({
    effect: "function",
    name: `${group === "" ? name : group}.report`,
    perform: async ({ signal }) => {
      const made: Made[] = [];
      const artifact = async (options: Parameters<typeof makeArtifact>[0]) => {
        const one = makeArtifact(options, name, keep);
        made.push(one);
        return one;
      };
      await report(caller, calls, { artifact, signal });
      return { value: made.map(({ id }) => id), ...madeWith(made) };
    },
  });
  // The agent has answered: a report that fails is in the log as such, and takes nothing from that.
  await done.catch((thrown: unknown) => {
    if (!(thrown instanceof FailureError) || context.cancellation.isCancelled) throw thrown;
  });
}
