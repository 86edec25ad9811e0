import { existsSync } from "node:fs";
import { Session, type SessionOptions, workspaceAt } from "../../runtime/index.ts";

/** A session over the runs that are there. Asking for them leaves no folder behind where there are none. */
export function openStoredRuns(options: Pick<SessionOptions, "cliModels"> = {}): Session {
  const { runsFile } = workspaceAt(process.cwd(), process.env);
  return new Session({ ...options, store: existsSync(runsFile) ? "disk" : "memory" });
}
