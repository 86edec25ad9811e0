import { existsSync } from "node:fs";
import { Session, workspaceAt } from "../../runtime/index.ts";

/** A session over the runs that are there. Asking for them leaves no folder behind where there are none. */
export function openStoredRuns(): Session {
  const { runsFile } = workspaceAt(process.cwd(), process.env);
  return new Session({ store: existsSync(runsFile) ? "disk" : "memory" });
}
