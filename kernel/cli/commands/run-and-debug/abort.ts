/** `madrigal abort RUN`: ends a run, also one that another process drives. */
import { RunError, shortRunId } from "../../../../runtime/index.ts";
import { EXIT } from "../../../exit-codes.ts";
import type { CliCommand } from "../../command.ts";
import { print, printJson } from "../../output.ts";
import { resumeCommand } from "../../run/report-run.ts";
import { openStoredRuns } from "../../stored-runs.ts";

export const command: CliCommand = {
  options: { reason: "text", json: "flag" },
  arguments: ["RUN"],
  async run(call) {
    const session = openStoredRuns();
    const run = session.open(call.arguments[0] ?? "");
    if (["succeeded", "failed", "aborted"].includes(run.status)) {
      throw new RunError(
        "M5004",
        `run \`${shortRunId(run.id)}\` has ended: it ${endText(run.status)}`,
        {
          hint: `madrigal show ${shortRunId(run.id)}`,
        },
      );
    }
    await run.abort(call.text("reason"));
    const { id, status, reason } = run;
    await session.close();
    if (call.flag("json")) printJson({ run_id: id, status, reason: reason ?? null });
    else print(`${shortRunId(id)} is aborted; what it did is kept: ${resumeCommand(id)}`);
    return EXIT.done;
  },
};

function endText(status: string): string {
  return status === "aborted" ? "was aborted" : status;
}
