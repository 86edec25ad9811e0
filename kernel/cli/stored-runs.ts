/** Opens a session over the stored runs, without making a folder where there are none. */
import { statSync } from "node:fs";
import { Session, type SessionOptions, workspaceAt } from "../../runtime/index.ts";
import { startThreadOf } from "../startup/start-thread.ts";

/** A session over the runs that are there. Asking for them leaves no folder behind where there are none. */
export function openStoredRuns(
  options: Pick<SessionOptions, "cliModels" | "isForReading"> = {},
): Session {
  const { runsFile } = workspaceAt(process.cwd(), process.env);
  return new Session({
    ...options,
    startThread: startThreadOf,
    store: mayBeThere(runsFile) ? "disk" : "memory",
  });
}

/** The same for a command that writes nothing to the workspace, which may then be closed or full. */
export function openRunsToRead(): Session {
  return openStoredRuns({ isForReading: true });
}

/** False only where it is known not to be there: opening what we may not even look at says so. */
function mayBeThere(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch {
    return true;
  }
}
