/** `madrigal report RUN`: writes a page about a run that needs neither Madrigal nor a network. */
import { statSync } from "node:fs";
import { EXIT } from "../../../exit-codes.ts";
import { writeReport } from "../../../report/write-report.ts";
import { useSession } from "../../../session.ts";
import type { CliCommand } from "../../command.ts";
import { print, printJson } from "../../output.ts";
import { openRunsToRead } from "../../stored-runs.ts";

export const command: CliCommand = {
  options: { out: "text", json: "flag" },
  arguments: ["RUN"],
  async run(call) {
    const session = openRunsToRead();
    useSession(session);
    const id = await session.findRunId(call.arguments[0] ?? "");
    const file = await writeReport(id, call.text("out"));
    await session.close();
    if (call.flag("json")) printJson({ run_id: id, file, bytes: statSync(file).size });
    else print(`report: ${file}`);
    return EXIT.done;
  },
};
