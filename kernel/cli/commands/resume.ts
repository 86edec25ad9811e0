/** `madrigal resume RUN`: goes on with a stored run, with its program and its TypeScript as they are now. */
import type { Command } from "../command.ts";
import { openToDrive } from "../open-to-drive.ts";
import { driveRun } from "../run-graph.ts";
import { noRunJson } from "../run-json.ts";
import { openStoredRuns } from "../stored-runs.ts";

export const command: Command = {
  options: { json: "flag" },
  arguments: ["RUN"],
  async run(call) {
    const session = openStoredRuns();
    const { run, ir } = await openToDrive(session, call.arguments[0] ?? "");
    const mode = call.flag("json") ? "json" : "text";
    return await driveRun(session, { run, ir, mode, start: () => run.resume() });
  },
  failed: noRunJson,
};
