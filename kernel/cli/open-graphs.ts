/** Opens the graphs that a command offers to others. */
import { type Graph, type Session, workspaceAt } from "../../runtime/index.ts";
import { CommandError } from "../command-error.ts";
import type { CommandCall } from "./arguments.ts";
import { chooseGraph, linkGraph, openProgram, tellWarnings } from "./program.ts";

/** The graphs of all files, or those of the names that the call gives; each name once. */
export async function openGraphs(call: CommandCall, session: Session): Promise<readonly Graph[]> {
  const wanted = call.texts("graph");
  const workspace = workspaceAt(process.cwd(), process.env);
  const found: Graph[] = [];
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
