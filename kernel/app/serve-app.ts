/** Serves a notebook as an app until a signal ends it: visitors come with one token, its owner with another. */
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { basename, dirname, join, resolve } from "node:path";
import { workspaceAt } from "../../runtime/index.ts";
import { print, tell } from "../cli/output.ts";
import { EXIT } from "../exit-codes.ts";
import { takenPort } from "../mcp-server/serve-until-ended.ts";
import { openNotebook } from "../notebook/open-notebook.ts";
import { withParameters } from "../notebook/parameters.ts";
import { type AppServing, serveAppPages } from "./app-server.ts";

export interface AppRequest {
  readonly file: string;
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly port: number;
  readonly visitorsMax: number;
  readonly leaveMinutes: number;
  readonly showsCode: boolean;
}

/** The exit code. */
export async function serveApp(request: AppRequest): Promise<number> {
  const { file, parameters, port, visitorsMax, leaveMinutes, showsCode } = request;
  const notebook = withParameters(openNotebook(file), parameters);
  const name = basename(file).replace(/\.ipynb$|\.madrigal\.md$/, "");
  const begun = new Date().toISOString().slice(0, 19).replaceAll(/[-:]/g, "");
  const homes = join(workspaceAt(process.cwd(), process.env).dataDir, "app", `${name}-${begun}`);
  const [token, ownerToken] = [newToken(), newToken()];
  const ended = Promise.race([once(process, "SIGINT"), once(process, "SIGTERM")]);
  let serving: AppServing;
  try {
    serving = await serveAppPages({
      ...{ notebook, name, showsCode, cwd: dirname(resolve(file)), homes },
      ...{ port, token, ownerToken, tell },
      max: visitorsMax,
      leaveMs: leaveMinutes * 60_000,
    });
  } catch (cause) {
    throw takenPort(port, cause);
  }
  print(`visitors: ${serving.url}/?token=${token}`);
  print(`owner: ${serving.url}/owner?token=${ownerToken}`);
  tell(`madrigal app: the runs of visitors are kept in ${homes}; Ctrl-C ends the app`);
  await ended;
  await serving.close();
  return EXIT.done;
}

function newToken(): string {
  return randomBytes(24).toString("base64url");
}
