/** `madrigal debug FILE [GRAPH]`: runs a graph step by step, as lines from a terminal or a pipe say. */
import { Session, workspaceAt } from "../../../runtime/index.ts";
import type { Command } from "../command.ts";
import { debugLines } from "../debug/debug-lines.ts";
import { chooseGraph, linkGraph, openProgram, tellWarnings } from "../program.ts";
import { assertAliases, blamingCall, readInput, readModels, runOptions } from "../read-run.ts";

export const command: Command = {
  options: { input: "text", model: "texts", scope: "text", thread: "text" },
  arguments: ["FILE", "[GRAPH]"],
  async run(call) {
    const input = readInput(call.text("input"));
    const models = readModels(call.texts("model"));
    const options = runOptions(call);
    const [file = "", graphName] = call.arguments;
    const workspace = workspaceAt(process.cwd(), process.env);
    const program = await openProgram(file, { workspace, scopeFile: call.text("scope") });
    const ir = chooseGraph(program, graphName);
    assertAliases(models, program);
    tellWarnings(program, ir);
    const session = new Session({ cliModels: models });
    const graph = linkGraph(session, program, ir);
    return await blamingCall(models, () => debugLines(session, graph.debug(input, options)));
  },
};
