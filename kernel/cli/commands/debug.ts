/** `madrigal debug FILE [GRAPH]`: runs a graph step by step, as lines from a terminal or a pipe say. */
import type { Command } from "../command.ts";
import { debugLines } from "../debug/debug-lines.ts";
import { blamingCall, readRun } from "../read-run.ts";

export const command: Command = {
  options: { input: "text", model: "texts", scope: "text", thread: "text", durability: "text" },
  arguments: ["FILE", "[GRAPH]"],
  async run(call) {
    const { session, graph, input, options, models } = await readRun(call);
    return await blamingCall(models, () => debugLines(session, graph.debug(input, options)));
  },
};
