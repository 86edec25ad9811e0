/** Serves the graphs of program files as MCP tools, over stdio or HTTP, until its client or its caller ends it. */
import { Session, workspaceAt } from "../../runtime/index.ts";
import type { CommandCall } from "../cli/arguments.ts";
import { readModels } from "../cli/commands/run-and-debug/read-run.ts";
import { chooseGraph, linkGraph, openProgram, tellWarnings } from "../cli/program.ts";
import { CommandError } from "../command-error.ts";
import { EXIT } from "../exit-codes.ts";
import { startThreadOf } from "../startup/start-thread.ts";
import { serverFactory } from "./offered-graphs.ts";
import { serveUntilEnded, servingPlace } from "./serve-until-ended.ts";

/** Serves until SIGINT, SIGTERM, or the end of stdin; runs that are under way then are paused. The exit code. */
export async function serveGraphs(call: CommandCall): Promise<number> {
  const place = servingPlace(call);
  const session = new Session({
    cliModels: readModels(call.texts("model")),
    startThread: startThreadOf,
  });
  const graphs = await openGraphs(call, session);
  const factory = serverFactory({ session, graphs, answers: call.flag("answers") });
  await serveUntilEnded(factory, place, graphs.map(({ name }) => name).join(", "));
  await session.close();
  return EXIT.done;
}

/** The graphs of all files, or those of the names that the call gives; each name once. */
async function openGraphs(call: CommandCall, session: Session) {
  const wanted = call.texts("graph");
  const workspace = workspaceAt(process.cwd(), process.env);
  const found = [];
  for (const file of call.arguments) {
    const program = await openProgram(file, { workspace, scopeFile: call.text("scope") });
    const named = program.graphs.filter(({ name }) => wanted.length === 0 || wanted.includes(name));
    // With one file, a name that no graph has is left to it: its error lists the graphs that there are.
    const irs =
      call.arguments.length === 1 && named.length === 0 ? [chooseGraph(program, wanted[0])] : named;
    for (const ir of irs) tellWarnings(program, ir);
    found.push(...irs.map((ir) => linkGraph(session, program, ir)));
  }
  const names = found.map(({ name }) => name);
  const missing = wanted.find((name) => !names.includes(name));
  const twice = names.find((name, at) => names.indexOf(name) !== at);
  if (missing !== undefined || names.length === 0)
    throw new CommandError("M5003", `no file has a graph \`${missing ?? ""}\``, {
      hint: `there are ${names.join(", ") || "none"}`,
    });
  if (twice !== undefined)
    throw new CommandError("M7104", `two files have a graph \`${twice}\``, {
      hint: "offer one of them: name its file alone",
    });
  return found;
}
