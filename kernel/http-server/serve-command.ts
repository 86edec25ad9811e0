/** Serves the graphs of program files over HTTP until a signal ends it, for `madrigal serve`. */
import { once } from "node:events";
import { join } from "node:path";
import { Session } from "../../runtime/index.ts";
import type { CommandCall } from "../cli/arguments.ts";
import { readModels } from "../cli/commands/run-and-debug/read-run.ts";
import { openGraphs } from "../cli/open-graphs.ts";
import { tell } from "../cli/output.ts";
import { CommandError } from "../command-error.ts";
import { EXIT } from "../exit-codes.ts";
import { portOf, takenPort } from "../mcp-server/serve-until-ended.ts";
import { startThreadOf } from "../startup/start-thread.ts";
import { type GraphServing, serveRuns } from "./serve-runs.ts";
import { openTokens } from "./token-file.ts";

const PORT = 7600;

/** Requests a second of each role. */
const RATE = 2000;

/** The exit code. */
export async function serveHttp(call: CommandCall): Promise<number> {
  const port = portOf(call.text("http")) ?? PORT;
  const publicUrls = call.texts("public").map(readUrl);
  const rate = readRate(call.text("rate"));
  const session = new Session({
    name: "serve",
    isLasting: true,
    cliModels: readModels(call.texts("model")),
    startThread: startThreadOf,
  });
  const graphs = await openGraphs(call, session);
  const { dataDir } = session.workspace;
  const tokensPath = call.text("tokens") ?? join(dataDir, "serve-tokens.json");
  const { tokens, isNew } = openTokens(tokensPath);
  const auditPath = call.text("audit") ?? join(dataDir, "serve-audit.jsonl");
  const address = call.text("listen") ?? "127.0.0.1";
  const ended = Promise.race([once(process, "SIGINT"), once(process, "SIGTERM")]);
  let serving: GraphServing;
  try {
    serving = await serveRuns({
      ...{ session, graphs, tokens, auditPath, address, port, publicUrls, rate, tell },
    });
  } catch (cause) {
    throw takenPort(port, cause);
  }
  tell(`madrigal serve: ${serving.url}`);
  tell(`madrigal serve: ${graphs.map(({ name }) => name).join(", ")}; tokens in ${tokensPath}`);
  if (isNew)
    for (const [role, token] of Object.entries(tokens)) tell(`madrigal serve: ${role} ${token}`);
  await ended;
  tell("madrigal serve: ends when the steps under way have ended");
  await serving.close();
  await session.close();
  return EXIT.done;
}

function readUrl(text: string): URL {
  const url = URL.parse(text);
  if (url !== null && /^https?:$/.test(url.protocol) && url.pathname === "/") return url;
  throw new CommandError("M7104", `\`--public ${text}\` is no address of a server`, {
    hint: "as in: --public https://deep.example",
  });
}

function readRate(text: string | undefined): number {
  if (text === undefined) return RATE;
  if (/^[1-9]\d{0,6}$/.test(text)) return Number(text);
  throw new CommandError("M7104", `\`--rate ${text}\` is no number of requests a second`, {
    hint: "a whole number from 1",
  });
}
