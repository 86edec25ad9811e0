/** Serves the graphs of program files as MCP tools, over stdio or HTTP, until its client or its caller ends it. */
import { homedir } from "node:os";
import { dirname, resolve } from "node:path";
import { Session } from "../../runtime/index.ts";
import type { CommandCall } from "../cli/arguments.ts";
import { readModels } from "../cli/commands/run-and-debug/read-run.ts";
import { openGraphs } from "../cli/open-graphs.ts";
import { EXIT } from "../exit-codes.ts";
import { startThreadOf } from "../startup/start-thread.ts";
import { serverFactory } from "./offered-graphs.ts";
import { readOfferedSkills } from "./offered-skills.ts";
import { serveUntilEnded, servingPlace } from "./serve-until-ended.ts";

/** Serves until SIGINT, SIGTERM, or the end of stdin; runs that are under way then are paused. The exit code. */
export async function serveGraphs(call: CommandCall): Promise<number> {
  const place = servingPlace(call);
  const session = new Session({
    cliModels: readModels(call.texts("model")),
    startThread: startThreadOf,
  });
  const graphs = await openGraphs(call, session);
  const folder = dirname(resolve(call.arguments[0] ?? ""));
  const skills = await readOfferedSkills(call.texts("skill"), { folder, home: homedir() });
  const factory = serverFactory({ session, graphs, skills, answers: call.flag("answers") });
  await serveUntilEnded(factory, place, graphs.map(({ name }) => name).join(", "));
  await session.close();
  return EXIT.done;
}
