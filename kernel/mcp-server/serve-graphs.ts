/** Serves the graphs of program files as MCP tools, over stdio or HTTP, until its client or its caller ends it. */
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { StdioServerTransport, serveStdio } from "@modelcontextprotocol/server/stdio";
import { messageOf, Session, workspaceAt } from "../../runtime/index.ts";
import type { CommandCall } from "../cli/arguments.ts";
import { readModels } from "../cli/commands/run-and-debug/read-run.ts";
import { protocolStdout, tell } from "../cli/output.ts";
import { chooseGraph, linkGraph, openProgram, tellWarnings } from "../cli/program.ts";
import { CommandError } from "../command-error.ts";
import { EXIT } from "../exit-codes.ts";
import { startThreadOf } from "../startup/start-thread.ts";
import { serverFactory } from "./offered-graphs.ts";
import { type HttpServing, serveHttp } from "./serve-http.ts";

/** Serves until SIGINT, SIGTERM, or the end of stdin; runs that are under way then are paused. The exit code. */
export async function serveGraphs(call: CommandCall): Promise<number> {
  const http = portOf(call.text("http"));
  // Output of a program's TypeScript must not stand between the messages of the protocol.
  const stdout = http === undefined ? protocolStdout() : undefined;
  const session = new Session({
    cliModels: readModels(call.texts("model")),
    startThread: startThreadOf,
  });
  const graphs = await openGraphs(call, session);
  const factory = serverFactory({ session, graphs, answers: call.flag("answers") });
  const ended = Promise.race([once(process, "SIGINT"), once(process, "SIGTERM")]);
  tell(`madrigal mcp: offers ${graphs.map(({ name }) => name).join(", ")}`);
  if (stdout !== undefined) {
    const transport = new StdioServerTransport(process.stdin, stdout);
    const onerror = (error: Error) => tell(`madrigal mcp: ${error.message}`);
    const serving = serveStdio(factory, { transport, onerror });
    await Promise.race([ended, once(process.stdin, "end"), once(process.stdin, "close")]);
    await serving.close();
  } else {
    const serving = await listen(call, factory, http ?? 0);
    await ended;
    await serving.close();
  }
  await session.close();
  return EXIT.done;
}

async function listen(
  call: CommandCall,
  factory: Parameters<typeof serveHttp>[0],
  port: number,
): Promise<HttpServing> {
  const token = call.text("token") ?? randomBytes(24).toString("base64url");
  try {
    const serving = await serveHttp(factory, { port, token, tell });
    tell(`madrigal mcp: ${serving.url}\nmadrigal mcp: Authorization: Bearer ${token}`);
    return serving;
  } catch (cause) {
    throw takenPort(port, cause);
  }
}

function takenPort(port: number, cause: unknown): CommandError {
  return new CommandError("M7104", `no server can listen on port ${port}: ${messageOf(cause)}`, {
    hint: "choose another port, or 0 for a free one",
    cause,
  });
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

function portOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const port = Number(text);
  if (/^\d+$/.test(text) && port < 65_536) return port;
  throw new CommandError("M7104", `\`--http ${text}\` is no port`, {
    hint: "a number up to 65535; 0 takes a free one",
  });
}
