/** Serves the graphs of program files as A2A agents until a signal ends it. */
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { Session } from "../../runtime/index.ts";
import type { CommandCall } from "../cli/arguments.ts";
import { readModels } from "../cli/commands/run-and-debug/read-run.ts";
import { openGraphs } from "../cli/open-graphs.ts";
import { tell } from "../cli/output.ts";
import { EXIT } from "../exit-codes.ts";
import { portOf, takenPort } from "../mcp-server/serve-until-ended.ts";
import { startThreadOf } from "../startup/start-thread.ts";
import { type AgentServing, serveAgents } from "./serve-http.ts";

const PORT = 7500;

/** Runs that are under way when it ends are paused; its next start goes on with them. The exit code. */
export async function serveA2a(call: CommandCall): Promise<number> {
  const port = portOf(call.text("http")) ?? PORT;
  const token = call.text("token") ?? randomBytes(24).toString("base64url");
  const session = new Session({
    cliModels: readModels(call.texts("model")),
    startThread: startThreadOf,
  });
  const graphs = await openGraphs(call, session);
  const ended = Promise.race([once(process, "SIGINT"), once(process, "SIGTERM")]);
  let serving: AgentServing;
  try {
    serving = await serveAgents({ session, graphs }, { port, token, tell });
  } catch (cause) {
    throw takenPort(port, cause);
  }
  for (const url of serving.urls) tell(`madrigal serve: ${url}/.well-known/agent-card.json`);
  tell(`madrigal serve: Authorization: Bearer ${token}`);
  await ended;
  await serving.close();
  await session.close();
  return EXIT.done;
}
